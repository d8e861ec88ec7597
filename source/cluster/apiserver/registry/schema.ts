// What this room asks of the schema engine (api/schema), in one place.
import {
  applyDefaults,
  decodeKind,
  type DecodeOptions,
  decodeType,
  jsonSteps,
  parseJson,
  printed,
  schemaOf,
  typeOfKind,
} from '../../../api/schema/index.ts';
import {printYaml} from '../../../api/yaml/print.ts';
import {readYaml, yamlSteps, type YamlRead} from '../../../api/yaml/read.ts';
import {applyJsonPatch, applyMergePatch, applyStrategicPatch, type JsonObject} from '../../../api/schema/merge/index.ts';
import type {CustomKind} from '../crd/kind.ts';
import type {DeleteOptions} from '../../../api/kinds/meta.ts';
import {splitApiVersion, type AnyObject} from '../../../api/meta/object.ts';
import {noObject} from '../../../api/meta/version-kind.ts';

/** The type that a request is about. */
export interface TypedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** What a definition says of it, where the kind is not built in. */
  readonly custom?: CustomKind;
}

/** A decoded object with defaults, and what strict decoding would refuse; or why it could not be decoded. */
export type Decoded = {readonly object: AnyObject; readonly problems: readonly string[]} | {readonly error: string};

/** Decodes a value as an object of a kind, with the kind's defaults. The same frozen value gives the same object. */
export function decode(kind: TypedKind, value: unknown, options: DecodeOptions = {}): Decoded {
  if (kind.custom) return kind.custom.decode(value, options.duplicates);
  const apiVersion = apiVersionOf(kind);
  const typed = withType(kind, apiVersion, value);
  if (typeof typed === 'string') return {error: typed};
  const decoded = decodeKind({apiVersion, kind: kind.kind}, typed, optionsOf(options));
  const head = `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}`;
  if (!decoded) return {error: `${head}: no such kind`};
  if (!decoded.ok) return {error: `${head}: ${decoded.error}`};
  const object = decoded.value as AnyObject;
  return {
    object: applyDefaults(
      object.metadata === undefined ? ({...(object as object), metadata: NO_METADATA} as unknown as AnyObject) : object,
    ),
    problems: decoded.problems,
  };
}

function optionsOf({duplicates, converter = false}: DecodeOptions): DecodeOptions {
  return {converter, ...(duplicates ? {duplicates} : {})};
}

const emptyStatuses = new Map<string, unknown>();

/** The status of a new object of a kind; undefined for kinds whose status may be absent. */
export function emptyStatus(kind: TypedKind): unknown {
  if (kind.custom) return undefined;
  const name = `${kind.group}/${kind.version}/${kind.kind}`;
  if (!emptyStatuses.has(name)) {
    const decoded = decode(kind, {metadata: {}});
    emptyStatuses.set(name, 'object' in decoded ? decoded.object.status : undefined);
  }
  return emptyStatuses.get(name);
}

const NO_METADATA = Object.freeze({});

const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

/** Decodes the body of a delete, which every group has under its own name. */
export function decodeDeleteOptions(value: unknown): {options: DeleteOptions} | {error: string} {
  const decoded = decodeType(DELETE_OPTIONS, value);
  return decoded.ok ? {options: decoded.value as DeleteOptions} : {error: decoded.error};
}

/** `apps/v1`. */
export function apiVersionOf(kind: {readonly group: string; readonly version: string}): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** The value with its kind, which a body may leave out; a text says why it is no such kind. */
function withType(kind: TypedKind, apiVersion: string, value: unknown): object | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return noObject(value);
  const given = value as {readonly apiVersion?: unknown; readonly kind?: unknown};
  if (given.apiVersion === apiVersion && given.kind === kind.kind) return value;
  const ownKind = typeof given.kind === 'string' && given.kind !== '' ? given.kind : kind.kind;
  const ownVersion = typeof given.apiVersion === 'string' && given.apiVersion !== '' ? given.apiVersion : apiVersion;
  if (ownKind === kind.kind && ownVersion === apiVersion) return {...value, apiVersion, kind: kind.kind};
  const {version} = splitApiVersion(ownVersion);
  const head = `${ownKind} in version ${JSON.stringify(version)} cannot be handled as a ${kind.kind}`;
  if (typeOfKind(ownVersion, ownKind) === undefined) {
    return `${head}: no kind ${JSON.stringify(ownKind)} is registered for version ${JSON.stringify(ownVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  }
  // It is read as what it says that it is, before that turns out to be something else.
  const other = decodeKind({apiVersion: ownVersion, kind: ownKind}, value);
  if (other && !other.ok) return `${head}: ${other.error}`;
  return `${head}: converting (${version}.${ownKind}) to (${internalGroup(kind.group)}.${kind.kind}): unknown conversion`;
}

function internalGroup(group: string): string {
  return group === '' ? 'core' : (group.split('.')[0] ?? group);
}

/** What a text holds; or why it could not be read. */
export type TextRead =
  | {readonly value: unknown; readonly duplicates?: WeakMap<object, readonly string[]>}
  | {readonly error: string};

/** Reads JSON or YAML. */
export function readText(text: string, type: string): TextRead {
  return type === 'application/json' ? parseJson(text) : firstOf(readYaml(text, FIRST));
}

/** The same in pieces. */
export function* textSteps(text: string, type: string): Generator<void, TextRead> {
  if (type === 'application/json') return yield* jsonSteps(text, A_GO);
  return firstOf(yield* yamlSteps(text, FIRST));
}

/** Letters that are read in one go. */
const A_GO = 128 * 1024;
const FIRST = {first: true};

function firstOf({documents, error}: YamlRead): TextRead {
  return error ? {error: error.message} : {value: documents[0]?.value ?? null};
}

/** A merge patch. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  return applyMergePatch(target, patch);
}

/** A strategic merge patch, by the schema of a kind. */
export function strategicPatch(kind: TypedKind, target: unknown, patch: unknown): {value: unknown} | {error: string} {
  const type = typeOfKind(apiVersionOf(kind), kind.kind);
  if (type === undefined || typeof patch !== 'object' || patch === null)
    return {error: 'strategic merge patch is not supported for this kind'};
  const patched = applyStrategicPatch(target as JsonObject, patch as JsonObject, schemaOf(type));
  return patched;
}

/** A JSON patch; undefined when it does not apply. */
export function jsonPatch(target: unknown, operations: readonly unknown[]): {value: unknown} | undefined {
  const patched = applyJsonPatch(target, operations);
  return 'error' in patched ? undefined : patched;
}

/** Why a body is no list of operations, and what Go calls it. */
export {checkJsonPatch} from '../../../api/schema/merge/index.ts';

/** An object, list or table as YAML. */
export function yamlText(value: unknown): string {
  return printYaml(isTyped(value) ? printed(value) : value);
}

function isTyped(value: unknown): value is {readonly apiVersion: string; readonly kind: string} {
  return typeof value === 'object' && value !== null && 'kind' in value && 'apiVersion' in value;
}
