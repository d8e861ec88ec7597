// From a body to a custom resource: its kind, its metadata (which every object has), then pruning and defaults by the schema of
// its version.
import {isFields, type Fields} from '../../../api/meta/fields.ts';
import {noObject} from '../../../api/meta/version-kind.ts';
import {deepFreeze, type AnyObject} from '../../../api/meta/object.ts';
import {withDefaults} from '../../../api/custom/defaults.ts';
import {prune} from '../../../api/custom/prune.ts';
import type {Structural} from '../../../api/custom/structural.ts';
import {decodeType} from '../../../api/schema/decode.ts';
import {duplicatePaths} from '../registry/duplicates.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** A version of a kind, as far as decoding needs it. */
export interface VersionedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: Structural;
}

export type DecodedCustom = {readonly object: AnyObject; readonly problems: readonly string[]} | {readonly error: string};

/** Decodes a value. */
export function decodeCustom(
  kind: VersionedKind,
  value: unknown,
  duplicates: WeakMap<object, readonly string[]> | undefined,
): DecodedCustom {
  const apiVersion = `${kind.group}/${kind.version}`;
  if (!isFields(value)) return {error: noObject(value)};
  const given = {kind: wordIn(value['kind']) || kind.kind, apiVersion: wordIn(value['apiVersion']) || apiVersion};
  if (given.apiVersion !== apiVersion)
    return {error: `the API version in the data (${given.apiVersion}) does not match the expected API version (${apiVersion})`};
  const metadata = decodeMetadata(value['metadata']);
  if ('error' in metadata)
    return {
      error: `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: ${metadata.error}`,
    };
  const pruned = prune(value, kind.schema, true);
  const {apiVersion: _version, kind: _kind, metadata: _metadata, ...rest} = withDefaults(pruned.value, kind.schema) as Fields;
  const object = deepFreeze({
    apiVersion: given.apiVersion,
    kind: given.kind,
    metadata: metadata.value,
    ...rest,
  } as unknown as AnyObject);
  const twice = duplicates ? duplicatePaths(value, duplicates) : [];
  return {
    object,
    problems: [
      ...twice.map(path => `duplicate field "${path}"`),
      ...[...metadata.unknown, ...pruned.unknown].sort().map(path => `unknown field "${path}"`),
    ],
  };
}

function wordIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function decodeMetadata(
  value: unknown,
): {readonly value: unknown; readonly unknown: readonly string[]} | {readonly error: string} {
  if (value === undefined || value === null) return {value: {}, unknown: []};
  const decoded = decodeType(META, value);
  if (!decoded.ok) return {error: decoded.error.replace('Go struct field ObjectMeta.', 'Go struct field ObjectMeta.metadata.')};
  const unknown = decoded.problems.map(problem => problem.replace(/^\w+ field "(.*)"$/s, 'metadata.$1'));
  return {value: decoded.value, unknown};
}
