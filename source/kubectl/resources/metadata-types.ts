// Checks the types of an object's metadata, before anything is sent: what `encoding/json` of Go would say when it cannot put a
// value into its field. Keys are looked at in their order by name, as a YAML document is first made JSON.
import {goQuote, jsonKind} from '../../api/meta/go-text.ts';
import {parseTime} from '../../api/meta/time.ts';
import {isFields} from '../../api/meta/fields.ts';

/** A Go type: of a plain value, or of what lists, maps and structs hold. */
type GoType =
  | {readonly sort: 'string' | 'number' | 'bool' | 'time'; readonly name: string}
  | {readonly sort: 'list'; readonly name: string; readonly of: GoType}
  | {readonly sort: 'map'; readonly name: string; readonly of: GoType}
  | {readonly sort: 'struct'; readonly name: string; readonly fields: Readonly<Record<string, GoType>>};

const STRING: GoType = {sort: 'string', name: 'string'};
const UID: GoType = {sort: 'string', name: 'types.UID'};
const INT64: GoType = {sort: 'number', name: 'int64'};
const BOOL: GoType = {sort: 'bool', name: 'bool'};
const TIME: GoType = {sort: 'time', name: 'string'};
const STRINGS: GoType = {sort: 'map', name: 'map[string]string', of: STRING};

const OWNER: GoType = {
  sort: 'struct',
  name: 'OwnerReference',
  fields: {apiVersion: STRING, kind: STRING, name: STRING, uid: UID, controller: BOOL, blockOwnerDeletion: BOOL},
};

const METADATA: GoType = {
  sort: 'struct',
  name: 'ObjectMeta',
  fields: {
    annotations: STRINGS,
    creationTimestamp: TIME,
    deletionGracePeriodSeconds: INT64,
    deletionTimestamp: TIME,
    finalizers: {sort: 'list', name: '[]string', of: STRING},
    generateName: STRING,
    generation: INT64,
    labels: STRINGS,
    managedFields: {sort: 'list', name: '[]v1.ManagedFieldsEntry', of: {sort: 'struct', name: 'ManagedFieldsEntry', fields: {}}},
    name: STRING,
    namespace: STRING,
    ownerReferences: {sort: 'list', name: '[]v1.OwnerReference', of: OWNER},
    resourceVersion: STRING,
    selfLink: STRING,
    uid: UID,
  },
};

/** What is wrong with the first value that does not fit. */
export function metadataProblem(metadata: unknown): string | undefined {
  if (metadata === undefined || metadata === null) return undefined;
  if (!isFields(metadata)) return `${cannot(metadata)} Go struct field metadataOnlyObject.metadata of type v1.ObjectMeta`;
  return problemWith(metadata, METADATA, {owner: 'ObjectMeta', path: 'metadata'});
}

interface Place {
  /** The innermost struct. */
  readonly owner: string;
  readonly path: string;
}

function problemWith(value: unknown, type: GoType, {owner, path}: Place): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (!fits(value, type))
    return `${cannot(value)} Go struct field ${owner}.${path} of type ${type.sort === 'struct' ? `v1.${type.name}` : type.name}`;
  if (type.sort === 'time') return typeof value === 'string' ? timeProblem(value) : undefined;
  if (type.sort === 'list') return firstProblem(value as readonly unknown[], item => problemWith(item, type.of, {owner, path}));
  if (type.sort !== 'map' && type.sort !== 'struct') return undefined;
  return firstProblem(
    Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ([key, inner]) => {
      if (type.sort === 'map') return problemWith(inner, type.of, {owner, path});
      const field = type.fields[key];
      return field && problemWith(inner, field, {owner: type.name, path: `${path}.${key}`});
    },
  );
}

function firstProblem<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = find(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function fits(value: unknown, type: GoType): boolean {
  switch (type.sort) {
    case 'list':
      return Array.isArray(value);
    case 'map':
    case 'struct':
      return isFields(value);
    case 'time':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    default:
      return typeof value === type.sort;
  }
}

function cannot(value: unknown): string {
  return `json: cannot unmarshal ${jsonKind(value)} into`;
}

function timeProblem(text: string): string | undefined {
  if (parseTime(text) !== undefined) return undefined;
  const quoted = goQuote(text);
  return `parsing time ${quoted} as "2006-01-02T15:04:05Z07:00": cannot parse ${quoted} as "2006"`;
}
