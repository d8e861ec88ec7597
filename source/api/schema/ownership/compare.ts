// What a write did: the fields that came, went and changed. Parts that both objects share are stepped over, so comparing an object
// with its successor costs what was made anew.
import {isFields, type Fields} from '../../meta/fields.ts';
import {sameJson} from '../merge/json-value.ts';
import {fieldSet, LEAF, NO_FIELDS, type FieldSet} from './field-set.ts';
import {itemsOf, type Item} from './items.ts';
import {fieldElement} from './path-element.ts';
import type {Shape, StructShape} from './shape.ts';

/** The difference of two objects. */
export interface Comparison {
  readonly added: FieldSet;
  readonly removed: FieldSet;
  readonly modified: FieldSet;
}

const SAME: Comparison = Object.freeze({added: NO_FIELDS, removed: NO_FIELDS, modified: NO_FIELDS});
const CAME: Comparison = Object.freeze({added: LEAF, removed: NO_FIELDS, modified: NO_FIELDS});
const CHANGED: Comparison = Object.freeze({added: NO_FIELDS, removed: NO_FIELDS, modified: LEAF});

/** Compares two values; what is undefined is not there. */
export function compare(shape: Shape, before: unknown, after: unknown): Comparison {
  if (before === after) return SAME;
  if (before === undefined && shape.sort === 'leaf') return CAME;
  if (before === undefined) return {added: everything(shape, after), removed: NO_FIELDS, modified: NO_FIELDS};
  if (after === undefined) return {added: NO_FIELDS, removed: everything(shape, before), modified: NO_FIELDS};
  if (shape.sort === 'map' && shape.of.sort === 'leaf' && isFields(before) && isFields(after)) {
    const compared = compareScalars(before, after);
    if (compared) return compared;
  }
  const left = itemsOf(shape, before);
  const right = itemsOf(shape, after);
  if (!left || !right || (left.length === 0 && right.length === 0)) return sameJson(before, after) ? SAME : CHANGED;
  return compareItems(left, right);
}

/** Maps of scalars, which may be wide; undefined where one of them is empty or holds more than scalars. */
function compareScalars(before: Fields, after: Fields): Comparison | undefined {
  const added = new Map<string, FieldSet>();
  const removed = new Map<string, FieldSet>();
  const modified = new Map<string, FieldSet>();
  const keys = Object.keys(after);
  const former = Object.keys(before);
  if (keys.length === 0 || former.length === 0) return undefined;
  for (const key of keys) {
    const now = after[key];
    const was = Object.hasOwn(before, key) ? before[key] : undefined;
    if (typeof now === 'object' || typeof was === 'object') return undefined;
    if (now === was) continue;
    (was === undefined ? added : now === undefined ? removed : modified).set(fieldElement(key), LEAF);
  }
  for (const key of former) if (before[key] !== undefined && !Object.hasOwn(after, key)) removed.set(fieldElement(key), LEAF);
  return {added: fieldSet(false, added), removed: fieldSet(false, removed), modified: fieldSet(false, modified)};
}

function compareItems(left: readonly Item[], right: readonly Item[]): Comparison {
  const added = new Map<string, FieldSet>();
  const removed = new Map<string, FieldSet>();
  const modified = new Map<string, FieldSet>();
  const note = (element: string, shape: Shape, before: unknown, after: unknown): void => {
    const part = compare(shape, before, after);
    if (part.added !== NO_FIELDS) added.set(element, part.added);
    if (part.removed !== NO_FIELDS) removed.set(element, part.removed);
    if (part.modified !== NO_FIELDS) modified.set(element, part.modified);
  };
  // Mostly both have the same parts in the same order, and nothing is to be looked up.
  let same = 0;
  for (; same < left.length && left[same]?.element === right[same]?.element; same++) {
    const {element, shape, value} = left[same] as Item;
    const other = right[same]?.value;
    if (other !== value) note(element, shape, value, other);
  }
  if (same < left.length || same < right.length) {
    const others = new Map(right.slice(same).map(item => [item.element, item]));
    for (const {element, shape, value} of left.slice(same)) {
      const other = others.get(element);
      others.delete(element);
      if (other?.value !== value) note(element, shape, value, other?.value);
    }
    for (const {element, shape, value} of others.values()) note(element, shape, undefined, value);
  }
  return {added: fieldSet(false, added), removed: fieldSet(false, removed), modified: fieldSet(false, modified)};
}

const known = new WeakMap<object, FieldSet>();

/** A value with all that it holds, as a set; that of a frozen part is made once, as the pods of one template share theirs. */
export function everything(shape: Shape, value: unknown): FieldSet {
  const flat = shape.sort === 'struct' && isFields(value) ? flatSet(shape, value) : undefined;
  if (flat) return flat;
  const items = itemsOf(shape, value);
  if (!items || items.length === 0) return LEAF;
  const shared = shape.sort === 'struct' && Object.isFrozen(value) ? (value as object) : undefined;
  const before = shared && known.get(shared);
  if (before) return before;
  const parts = new Map<string, FieldSet>();
  for (const item of items) parts.set(item.element, item.shape.sort === 'leaf' ? LEAF : everything(item.shape, item.value));
  const set = fieldSet(true, parts);
  if (shared) known.set(shared, set);
  return set;
}

const flatSets = new WeakMap<StructShape, Map<string, FieldSet>>();
/** No type has more sets of fields that are worth keeping. */
const MOST_FLAT = 500;

/** The set of a struct of scalars goes by the names of its fields alone, so all that have the same ones share theirs. */
function flatSet(shape: StructShape, value: Fields): FieldSet | undefined {
  if (shape.nulls.length > 0) return undefined;
  let names = '';
  for (const name of Object.keys(value)) {
    if (value[name] === undefined || shape.field(name)?.sort !== 'leaf') return undefined;
    names += `${name},`;
  }
  if (names === '') return undefined;
  let sets = flatSets.get(shape);
  if (!sets) flatSets.set(shape, (sets = new Map()));
  const known = sets.get(names);
  if (known) return known;
  const set = fieldSet(true, new Map(Object.keys(value).map(name => [fieldElement(name), LEAF])));
  if (sets.size < MOST_FLAT) sets.set(names, set);
  return set;
}
