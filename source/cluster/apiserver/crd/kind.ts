// One served version of a custom kind: everything that the registry asks of a built-in kind's schema and rules, made from a
// CustomResourceDefinition.
//
// By strategy None nothing but the apiVersion of versions differs. With a webhook an object is in the served version when it is read
// here, or the webhook has been asked about it (converter.ts), and one that is written is converted when it is stored.
import type {CustomResourceDefinition, CustomResourceDefinitionVersion} from '../../../api/kinds/apiextensions-v1.ts';
import {customColumns, type CustomColumns} from '../../../api/custom/columns.ts';
import {withDefaults} from '../../../api/custom/defaults.ts';
import {judge} from '../../../api/custom/judge.ts';
import {hasRules, judgeRules} from '../../../api/custom/rules.ts';
import {duplicates} from '../../../api/custom/list-types.ts';
import {prune} from '../../../api/custom/prune.ts';
import type {Structural} from '../../../api/custom/structural.ts';
import {storageVersion} from '../../../api/meta/custom-resources.ts';
import {FieldPath, invalid, type FieldError} from '../../../api/meta/field-error.ts';
import {deepFreeze, type AnyObject} from '../../../api/meta/object.ts';
import type {Converter} from './converter.ts';
import {decodeCustom, type DecodedCustom, type VersionedKind} from './decode.ts';
import {scalePaths, type ScalePaths} from './scale-paths.ts';

/** A kind that a definition describes. */
export interface CustomKind {
  readonly definition: string;
  /** Its definition is being deleted. */
  readonly terminating: boolean;
  readonly deprecation: string | undefined;
  readonly schema: Structural;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
  readonly columns: CustomColumns;
  decode(value: unknown, duplicates?: WeakMap<object, readonly string[]>): DecodedCustom;
  /** A stored object in this version. */
  read(stored: AnyObject): AnyObject;
  /** An object as it is stored. */
  write(object: AnyObject): AnyObject;
  /** What is wrong with an object beside its metadata, or with a change of it. */
  judge(object: AnyObject, change?: {readonly old: AnyObject; readonly subresource: string}): readonly FieldError[];
}

const ANYTHING: Structural = Object.freeze({type: 'object', 'x-kubernetes-preserve-unknown-fields': true});

/** The kind of one version. */
export function customKind(
  definition: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
  converter?: Converter,
): CustomKind {
  const {spec, metadata, status} = definition;
  const schema = schemaOf(definition, version);
  const kind = status?.acceptedNames?.kind ?? spec.names.kind;
  const typed: VersionedKind = {group: spec.group, version: version.name, kind, schema};
  const stored = storageVersion(definition) ?? version;
  const storedApi = `${spec.group}/${stored.name}`;
  return {
    definition: metadata.name,
    terminating: metadata.deletionTimestamp !== undefined,
    deprecation: version.deprecated
      ? (version.deprecationWarning ?? `${spec.group}/${version.name} ${kind} is deprecated`)
      : undefined,
    schema,
    hasStatus: version.subresources?.status !== undefined,
    scale: version.subresources?.scale && scalePaths(version.subresources.scale),
    columns: customColumns(version.additionalPrinterColumns),
    decode: (value, twice) => decodeCustom(typed, value, twice),
    read: converter ? convertedReader(typed, converter) : reader(schemaOf(definition, stored), `${spec.group}/${version.name}`),
    write: object => (converter || object.apiVersion === storedApi ? object : Object.freeze({...object, apiVersion: storedApi})),
    judge: (object, change) => judgeCustom(typed, object, change),
  };
}

function schemaOf({spec}: CustomResourceDefinition, version: CustomResourceDefinitionVersion): Structural {
  const schema = version.schema?.openAPIV3Schema ?? ANYTHING;
  return spec.preserveUnknownFields === true ? {...schema, 'x-kubernetes-preserve-unknown-fields': true} : schema;
}

/** What is read from etcd is pruned and gets the defaults of today's schema; that is done once for each object. */
function reader(schema: Structural, apiVersion: string): (stored: AnyObject) => AnyObject {
  const known = new WeakMap<AnyObject, AnyObject>();
  return stored => {
    const before = known.get(stored);
    if (before) return before;
    const whole = withDefaults(prune(stored, schema, true).value, schema) as AnyObject;
    const view = deepFreeze(whole.apiVersion === apiVersion ? whole : {...whole, apiVersion});
    known.set(stored, view);
    return view;
  };
}

/** What a webhook made of an object gets the defaults of its version. What it was not asked about is shown as by strategy None. */
function convertedReader({schema, group, version}: VersionedKind, converter: Converter): (stored: AnyObject) => AnyObject {
  const read = reader(schema, `${group}/${version}`);
  return stored => read(converter.known(stored) ?? stored);
}

function judgeCustom(
  {group, version, kind, schema}: VersionedKind,
  object: AnyObject,
  change: {readonly old: AnyObject; readonly subresource: string} | undefined,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (object.kind !== kind) errors.push(invalid('kind', object.kind, `must be ${kind}`));
  if (!object.apiVersion.startsWith(`${group}/`))
    errors.push(invalid('apiVersion', object.apiVersion, `must be ${group}/${version}`));
  const alone = change?.subresource === 'status';
  const rule = alone ? schema.properties?.['status'] : schema;
  const value = alone ? object.status : object;
  const old = alone ? change.old.status : change?.old;
  if (!rule || (alone && value === undefined)) return errors;
  // Errors by the hundred thousand do not fit into the arguments of one call.
  for (const error of judge(value, rule, {prefix: alone ? 'status' : '', old})) errors.push(error);
  for (const error of duplicates(value, rule, new FieldPath(alone ? 'status' : ''))) errors.push(error);
  if (!hasRules(schema)) return errors;
  // A status that is judged alone passes this gate twice.
  if (errors.some(error => BLOCKING.has(error.kind))) return [...errors, UNCHECKED, ...(alone ? [UNCHECKED] : [])];
  return [...errors, ...judgeRules(value, rule, {path: alone ? 'status' : '', isObject: !alone, old})];
}

/** What is wrong in these ways keeps rules in CEL from being asked: they rely on the types of what they see. */
const BLOCKING: ReadonlySet<string> = new Set(['NotSupported', 'Required', 'TooLong', 'TooMany', 'TypeInvalid']);
const UNCHECKED = invalid(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);
