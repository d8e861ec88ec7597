// How full a node is: its pods one by one, and their sums as shares of what it has.
import type {Node, Pod} from '../../api/kinds/core-v1.ts';
import {addQuantities, canonicalQuantity, compareQuantities, milliValue, unitValue} from '../../api/meta/quantity.ts';
import {isSidecar} from '../../api/meta/pod.ts';
import {humanDuration, parseTime} from '../../api/meta/time.ts';
import type {Lines} from './lines.ts';

type Quantities = ReadonlyMap<string, string>;
type Which = 'requests' | 'limits';

/** Writes the pods and the sums. */
export function addUse(lines: Lines, node: Node, {pods, now}: {pods: readonly Pod[]; now: number}): void {
  const has = node.status?.allocatable ?? node.status?.capacity ?? {};
  lines.field(0, 'Non-terminated Pods', `(${pods.length} in total)`);
  lines.add(1, 'Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge');
  lines.add(1, '---------\t----\t\t------------\t----------\t---------------\t-------------\t---');
  const sums = {requests: new Map<string, string>(), limits: new Map<string, string>()};
  for (const pod of pods) {
    const own = {requests: quantitiesOf(pod, 'requests'), limits: quantitiesOf(pod, 'limits')};
    for (const which of ['requests', 'limits'] as const) for (const [name, amount] of own[which]) add(sums[which], name, amount);
    const cells = (['cpu', 'memory'] as const).flatMap(name => [share(own.requests, name, has), share(own.limits, name, has)]);
    const age = humanDuration(now - (parseTime(pod.metadata.creationTimestamp) ?? now));
    lines.add(1, `${pod.metadata.namespace ?? ''}\t${pod.metadata.name}\t\t${cells.join('\t')}\t${age}`);
  }
  addSums(lines, has, sums);
}

function addSums(
  lines: Lines,
  has: Readonly<Record<string, string | number>>,
  {requests, limits}: {requests: Quantities; limits: Quantities},
): void {
  lines.raw('Allocated resources:\n  (Total limits may be over 100 percent, i.e., overcommitted.)\n');
  lines.add(1, 'Resource\tRequests\tLimits');
  lines.add(1, '--------\t--------\t------');
  for (const name of ['cpu', 'memory', 'ephemeral-storage'])
    lines.add(1, `${name}\t${share(requests, name, has)}\t${share(limits, name, has)}`);
  const others = Object.keys(has)
    .filter(name => !['cpu', 'memory', 'ephemeral-storage', 'pods'].includes(name))
    .toSorted((a, b) => Number(b.startsWith('hugepages-')) - Number(a.startsWith('hugepages-')) || (a < b ? -1 : 1));
  for (const name of others) {
    const isHuge = name.startsWith('hugepages-');
    lines.add(
      1,
      isHuge
        ? `${name}\t${share(requests, name, has)}\t${share(limits, name, has)}`
        : `${name}\t${requests.get(name) ?? '0'}\t${limits.get(name) ?? '0'}`,
    );
  }
}

/** An amount and its share of what is there, cut to whole percents. */
function share(amounts: Quantities, name: string, has: Readonly<Record<string, string | number>>): string {
  const amount = amounts.get(name) ?? '0';
  const measure = name === 'cpu' ? milliValue : unitValue;
  const whole = measure(has[name]);
  const percent = whole === 0 ? 0 : Math.trunc((measure(amount) / whole) * 100);
  return `${canonicalQuantity(amount)} (${percent}%)`;
}

function add(sums: Map<string, string>, name: string, amount: string): void {
  sums.set(name, addQuantities(sums.get(name) ?? '0', amount));
}

/** What a pod asks for (what it asks for as a whole is not looked at), kept in the form in which it was written: containers together, or the largest step of its start. */
export function quantitiesOf({spec}: Pod, which: Which): Quantities {
  const total = new Map<string, string>();
  const sidecars = new Map<string, string>();
  const steps = new Map<string, string>();
  for (const {resources} of spec?.containers ?? [])
    for (const [name, amount] of Object.entries(resources?.[which] ?? {})) add(total, name, String(amount));
  for (const container of spec?.initContainers ?? []) {
    const own = Object.entries(container.resources?.[which] ?? {});
    if (isSidecar(container))
      for (const [name, amount] of own) for (const sums of [total, sidecars]) add(sums, name, String(amount));
    const step = new Map(sidecars);
    if (!isSidecar(container)) for (const [name, amount] of own) add(step, name, String(amount));
    for (const [name, amount] of step) raise(steps, name, amount);
  }
  for (const [name, amount] of steps) raise(total, name, amount);
  for (const [name, amount] of Object.entries(spec?.overhead ?? {}))
    if (which === 'requests' || total.has(name)) add(total, name, String(amount));
  return total;
}

function raise(amounts: Map<string, string>, name: string, amount: string): void {
  const old = amounts.get(name);
  if (old === undefined || compareQuantities(amount, old) > 0) amounts.set(name, amount);
}
