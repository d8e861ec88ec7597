// The owners of an object's fields, as metadata.managedFields lists them, and what an update does to them: who writes a field owns it,
// and who owned it no longer does; a field that is gone is nobody's.
import type {ManagedFieldsEntry} from '../../kinds/meta.ts';
import {compareStrings} from '../../meta/go-text.ts';
import {parseTime} from '../../meta/time.ts';
import type {Comparison} from './compare.ts';
import {
  beyond,
  difference,
  fieldsAt,
  fromFieldsV1,
  intersection,
  isEmpty,
  toFieldsV1,
  union,
  type FieldSet,
} from './field-set.ts';
import {fieldElement} from './path-element.ts';

/** Who writes, in which way. */
export interface Writer {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

/** An owner of fields. */
export interface Owner extends Writer {
  readonly time: string | undefined;
  readonly set: FieldSet;
}

export type Owners = readonly Owner[];

/** Are two the same owner? An applier stays the same whatever version it applies. */
export function isSameWriter(a: Writer, b: Writer): boolean {
  if (a.manager !== b.manager || a.operation !== b.operation || a.subresource !== b.subresource) return false;
  return a.operation === 'Apply' || a.apiVersion === b.apiVersion;
}

/** What the server sets by itself, or what makes the object the one it is, is nobody's. */
const NOBODYS = fieldsAt(
  [fieldElement('apiVersion')],
  [fieldElement('kind')],
  [fieldElement('metadata')],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map(name => [fieldElement('metadata'), fieldElement(name)]),
);

/** A set without what is nobody's. */
export function ownable(set: FieldSet): FieldSet {
  return difference(set, NOBODYS);
}

/** The owners after an update. */
export function updatedOwners(
  owners: Owners,
  {writer, comparison, ignored, time}: {writer: Writer; comparison: Comparison; ignored: FieldSet; time: string},
): Owners {
  const changed = beyond(union(comparison.added, comparison.modified), ignored);
  const removed = beyond(comparison.removed, ignored);
  const others = without(owners, union(changed, removed));
  const own = ownable(changed);
  if (isEmpty(own)) return others;
  const before = others.find(owner => isSameWriter(owner, writer));
  const owner: Owner = {...writer, time, set: before ? union(before.set, own) : own};
  return capped(before ? others.map(each => (each === before ? owner : each)) : [...others, owner]);
}

/** The owners when some fields were taken from all of them. */
export function without(owners: Owners, fields: FieldSet): Owners {
  if (isEmpty(fields)) return owners;
  const left = owners.map(owner => {
    const set = difference(owner.set, fields);
    return set === owner.set ? owner : {...owner, set};
  });
  return left.filter(({set}) => !isEmpty(set));
}

const MOST_UPDATERS = 10;
const BUCKET = 'ancient-changes';

/** Of many updaters the oldest are put into one entry for each version. */
function capped(owners: Owners): Owners {
  const updaters = owners.filter(({operation}) => operation === 'Update');
  if (updaters.length <= MOST_UPDATERS) return owners;
  const byAge = updaters.toSorted((a, b) => seconds(a) - seconds(b) || compareStrings(identity(a), identity(b)));
  let count = updaters.length;
  const firsts = new Map<string, Owner>();
  const buckets = new Map<string, Owner>();
  const gone = new Set<Owner>();
  for (const owner of byAge) {
    if (count <= MOST_UPDATERS) break;
    const first = firsts.get(owner.apiVersion);
    if (!first) {
      firsts.set(owner.apiVersion, owner);
      continue;
    }
    const bucket = buckets.get(owner.apiVersion) ?? first;
    gone.add(first).add(owner);
    buckets.set(owner.apiVersion, {
      manager: BUCKET,
      operation: 'Update',
      apiVersion: owner.apiVersion,
      subresource: '',
      time: owner.time,
      set: union(bucket.set, owner.set),
    });
    count--;
  }
  return [...owners.filter(owner => !gone.has(owner)), ...buckets.values()];
}

function seconds({time}: Owner): number {
  return Math.floor((parseTime(time) ?? 0) / 1000);
}

/** An owner as the server names it for itself; such names are sorted by. */
export function identity({manager, operation, apiVersion, subresource}: Writer): string {
  return JSON.stringify({
    manager,
    operation,
    ...(operation === 'Apply' ? {} : {apiVersion}),
    ...(subresource === '' ? {} : {subresource}),
  });
}

/** Owners in the order in which managedFields name them. */
export function inEntryOrder(owners: Owners): Owners {
  return owners.toSorted(
    (a, b) =>
      compareStrings(a.operation, b.operation) ||
      seconds(a) - seconds(b) ||
      compareStrings(a.manager, b.manager) ||
      compareStrings(a.apiVersion, b.apiVersion) ||
      compareStrings(a.subresource, b.subresource),
  );
}

/** The entries of managedFields. */
export function entriesOf(owners: Owners): readonly ManagedFieldsEntry[] {
  return inEntryOrder(owners).map(({manager, operation, apiVersion, subresource, time, set}) =>
    Object.freeze({
      manager,
      operation,
      apiVersion,
      ...(time === undefined ? {} : {time}),
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(set),
      ...(subresource === '' ? {} : {subresource}),
    }),
  );
}

/** Reads entries; undefined when one of them is none. */
export function ownersOf(entries: readonly ManagedFieldsEntry[]): Owners | undefined {
  const owners: Owner[] = [];
  for (const {manager = '', operation, apiVersion = '', subresource = '', time, fieldsType, fieldsV1} of entries) {
    const set = fromFieldsV1(fieldsV1);
    if (!set || apiVersion === '' || fieldsType !== 'FieldsV1' || (operation !== 'Apply' && operation !== 'Update'))
      return undefined;
    owners.push({manager, operation, apiVersion, subresource, time, set});
  }
  return owners;
}

/** Do two lists of owners own the same? Times do not count. */
export function ownTheSame(a: Owners, b: Owners): boolean {
  if (a === b) return true;
  return (
    a.length === b.length &&
    a.every(owner => {
      const other = b.find(each => isSameWriter(owner, each));
      return other !== undefined && owner.apiVersion === other.apiVersion && isSameSet(owner.set, other.set);
    })
  );
}

function isSameSet(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.member !== b.member || a.parts.size !== b.parts.size) return false;
  for (const [element, part] of a.parts) {
    const other = b.parts.get(element);
    if (!other || !isSameSet(part, other)) return false;
  }
  return true;
}

/** What an owner holds of some fields. */
export function heldBy(owner: Owner, fields: FieldSet): FieldSet {
  return intersection(owner.set, fields);
}
