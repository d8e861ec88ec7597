// Amounts of what a node has and a pod asks for. CPU (thousandths), memory, ephemeral storage (bytes) are fields, since each
// filtered node adds and compares them; all else (GPUs, huge pages) is in a map that most pods and nodes do not have.
import {amountOf, type Amounts} from '../../../api/meta/pod-resources.ts';

/** A sum that grows and shrinks as pods come and go. */
export class Resources {
  cpu = 0;
  memory = 0;
  storage = 0;
  others: Map<string, number> | undefined;

  /** Adds amounts `times` times: -1 takes them away. */
  add(more: Resources, times = 1): void {
    this.cpu += times * more.cpu;
    this.memory += times * more.memory;
    this.storage += times * more.storage;
    if (!more.others) return;
    this.others ??= new Map();
    for (const [name, amount] of more.others) this.others.set(name, (this.others.get(name) ?? 0) + times * amount);
  }

  /** The amount of a resource by its name. */
  of(name: string): number {
    if (name === 'cpu') return this.cpu;
    if (name === 'memory') return this.memory;
    if (name === 'ephemeral-storage') return this.storage;
    return this.others?.get(name) ?? 0;
  }

  /** Is nothing asked for? */
  get isEmpty(): boolean {
    if (this.cpu > 0 || this.memory > 0 || this.storage > 0) return false;
    for (const amount of this.others?.values() ?? []) if (amount > 0) return false;
    return true;
  }
}

/** Amounts by name as a sum. `pods` is no request and is left out. */
export function resourcesOf(amounts: Amounts): Resources {
  const resources = new Resources();
  for (const [name, amount] of Object.entries(amounts)) {
    if (name === 'cpu') resources.cpu = amount;
    else if (name === 'memory') resources.memory = amount;
    else if (name === 'ephemeral-storage') resources.storage = amount;
    else if (name !== 'pods') (resources.others ??= new Map()).set(name, amount);
  }
  return resources;
}

/** What a node can give, and how many pods it takes. */
export function allocatableOf(list: Readonly<Record<string, string | number>> | undefined): {
  readonly resources: Resources;
  readonly pods: number;
} {
  const amounts = Object.fromEntries(Object.entries(list ?? {}).map(([name, quantity]) => [name, amountOf(name, quantity)]));
  return {resources: resourcesOf(amounts), pods: amounts['pods'] ?? 0};
}
