// Who owns which fields of an object, as `metadata.managedFields` tells it.
import {isFields} from '../../../api/meta/fields.ts';
import type {ManagedFieldsEntry} from '../../../api/kinds/meta.ts';

type Owners = readonly ManagedFieldsEntry[];

/** Under this name kubectl owns what it applied in the old way. */
const OLD_WAY = 'kubectl-client-side-apply';

/** Does somebody own the field through a server-side apply? */
export function ownsByApply(owners: Owners, path: readonly string[]): boolean {
  return owners.some(({operation, fieldsV1}) => operation === 'Apply' && reaches(fieldsV1, path));
}

function reaches(fields: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  return isFields(fields) && key in fields && reaches(fields[key], rest);
}

/** The owners when what the old way owned has gone over to `owner`; undefined when it owned nothing. */
export function takenOver(owners: Owners, owner: string): Owners | undefined {
  const isOld = (entry: ManagedFieldsEntry) =>
    entry.manager === OLD_WAY && entry.operation === 'Update' && (entry.subresource ?? '') === '';
  const isOwn = (entry: ManagedFieldsEntry) =>
    entry.manager === owner && entry.operation === 'Apply' && (entry.subresource ?? '') === '';
  const old = owners.filter(isOld);
  const [first] = old;
  if (!first) return undefined;
  const heir = owners.find(isOwn) ?? {...first, manager: owner, operation: 'Apply'};
  const fieldsV1 = old.reduce(
    (fields, entry) => union(fields, entry.fieldsV1),
    heir.fieldsV1 as unknown,
  ) as ManagedFieldsEntry['fieldsV1'];
  const whole = {...heir, fieldsV1} as ManagedFieldsEntry;
  if (owners.some(isOwn)) return owners.filter(entry => !isOld(entry)).map(entry => (isOwn(entry) ? whole : entry));
  return owners.map(entry => (entry === first ? whole : entry)).filter(entry => entry === whole || !isOld(entry));
}

function union(a: unknown, b: unknown): unknown {
  if (!isFields(a)) return b;
  if (!isFields(b)) return a;
  return Object.fromEntries([...new Set([...Object.keys(a), ...Object.keys(b)])].map(key => [key, union(a[key], b[key])]));
}
