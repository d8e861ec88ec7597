// Where the items of a list stand, by what tells one from another: the merge key of a map, the value itself of a scalar. Short lists
// are gone through, long ones have an index, so that a list of thousands is merged in time that grows with its length alone.
import {get, isObject, sameJson} from './json-value.ts';

const LONG = 8;

/** Are these two items of a list the same one? */
export function sameItem(a: unknown, b: unknown, mergeKey: string): boolean {
  if (mergeKey === '' || !isObject(a) || !isObject(b)) return sameJson(a, b);
  return sameJson(get(a, mergeKey), get(b, mergeKey));
}

/** A list whose items are looked up by what they are. */
export class Places {
  readonly #list: unknown[];
  readonly #mergeKey: string;
  #first: Map<string, number> | undefined;
  #last: Map<string, number> | undefined;

  constructor(list: readonly unknown[], mergeKey: string) {
    this.#list = [...list];
    this.#mergeKey = mergeKey;
  }

  /** The place of the first that is the same item; -1 when there is none. */
  of(item: unknown): number {
    const list = this.#list;
    if (list.length > LONG) return this.#index().first.get(this.#name(item)) ?? -1;
    for (let at = 0; at < list.length; at++) if (sameItem(list[at], item, this.#mergeKey)) return at;
    return -1;
  }

  /** The place of the last that is the same item; -1 when there is none. */
  lastOf(item: unknown): number {
    if (this.#list.length <= LONG) return this.#list.findLastIndex(other => sameItem(other, item, this.#mergeKey));
    return this.#index().last.get(this.#name(item)) ?? -1;
  }

  has(item: unknown): boolean {
    return this.of(item) >= 0;
  }

  /** The first that is the same item. */
  like(item: unknown): unknown {
    return this.#list[this.of(item)];
  }

  /** One more at the end. */
  push(item: unknown): void {
    const at = this.#list.push(item) - 1;
    if (this.#first && this.#last) enter({first: this.#first, last: this.#last}, this.#name(item), at);
  }

  #index(): Index {
    if (this.#first && this.#last) return {first: this.#first, last: this.#last};
    const index = {first: new Map<string, number>(), last: new Map<string, number>()};
    for (const [at, item] of this.#list.entries()) enter(index, this.#name(item), at);
    this.#first = index.first;
    this.#last = index.last;
    return index;
  }

  #name(item: unknown): string {
    if (this.#mergeKey === '' || !isObject(item)) return canonical(item);
    return `${this.#mergeKey}=${canonical(get(item, this.#mergeKey))}`;
  }
}

interface Index {
  readonly first: Map<string, number>;
  readonly last: Map<string, number>;
}

function enter({first, last}: Index, name: string, at: number): void {
  if (!first.has(name)) first.set(name, at);
  last.set(name, at);
}

/** A text that two values share exactly when they say the same. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return value === undefined ? 'undefined' : JSON.stringify(value);
  const parts = Object.keys(value)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${parts.join(',')}}`;
}
