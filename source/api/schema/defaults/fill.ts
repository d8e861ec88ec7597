// The few verbs that the tables of defaults are written in. Each gives the same object when it has nothing to add.
import {unbound} from '../../meta/bound-spec.ts';

/** Adds what is missing. */
export function fill<T extends object>(value: T, defaults: {readonly [K in keyof T]?: T[K]}): T {
  let out: T | undefined;
  // eslint-disable-next-line guard-for-in
  for (const key in defaults) {
    if (value[key] === undefined && defaults[key] !== undefined) (out ??= {...value})[key] = defaults[key] as T[typeof key];
  }
  return out ? Object.freeze(out) : value;
}

/** Sets fields, whatever stood there; fields set to undefined are left as they are. */
export function set<T extends object>(value: T, fields: {readonly [K in keyof T]?: T[K] | undefined}): T {
  let out: T | undefined;
  for (const key of Object.keys(fields) as (keyof T & string)[]) {
    if (fields[key] !== undefined && value[key] !== fields[key]) (out ??= {...value})[key] = fields[key] as T[typeof key];
  }
  return out ? Object.freeze(out) : value;
}

/** Changes one field, when it is there. */
export function change<T extends object, K extends keyof T>(value: T, key: K, by: (part: NonNullable<T[K]>) => T[K]): T {
  const before = value[key];
  if (before === undefined || before === null) return value;
  const after = by(before as NonNullable<T[K]>);
  return after === before ? value : Object.freeze({...value, [key]: after});
}

/** Changes every item of a list. */
export function each<T>(list: readonly T[], by: (item: T) => T): readonly T[] {
  let out: T[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as T;
    const after = by(item);
    if (after !== item) (out ??= [...list])[i] = after;
  }
  return out ? Object.freeze(out) : list;
}

/** Remembers what became of frozen objects, and that the result needs nothing more. */
export function remembered<T extends object>(by: (value: T) => T): (value: T) => T {
  const known = new WeakMap<T, T>();
  return value => {
    const before = known.get(value);
    if (before) return before;
    // Nothing was to be added to it before it was bound.
    const free = unbound(value);
    if (free !== value && known.get(free) === free) return value;
    const after = by(value);
    if (after !== value && Object.isFrozen(value)) known.set(value, after);
    known.set(after, after);
    return after;
  };
}
