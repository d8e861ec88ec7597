// What a file of objects says that it is. Go's decoder looks for version and kind first, and complains of their absence before
// anything else is read.
import {jsonKind} from './go-text.ts';

/** The complaint of a value that is no object at all. */
export function noObject(value: unknown): string {
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonKind(value ?? null)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
}

/** Why a value does not say which kind it is; undefined where it does. */
export function whyNoKind(value: unknown): string | undefined {
  if (value === undefined || value === null) return `Object 'Kind' is missing in 'null'`;
  if (typeof value !== 'object' || Array.isArray(value)) return noObject(value);
  const {apiVersion, kind} = value as {readonly apiVersion?: unknown; readonly kind?: unknown};
  if (typeof kind !== 'string' || kind === '') return `Object 'Kind' is missing in '${JSON.stringify(value)}'`;
  if (typeof apiVersion !== 'string' || apiVersion === '') return `Object 'apiVersion' is missing in '${JSON.stringify(value)}'`;
  return undefined;
}
