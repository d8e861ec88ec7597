// The forms in which kubectl writes JSON.
import {printJson} from '../../api/yaml/json-print.ts';

/** One line, keys sorted. */
export function compactJson(value: unknown): string {
  return printJson(value, {indent: 0});
}

/** Several lines, keys sorted. */
export function indentedJson(value: unknown): string {
  return printJson(value);
}

/** Several lines, keys in the order in which they are: as objects of a Go type are printed. */
export function typedJson(value: unknown, indent = 4): string {
  return printJson(kindFirst(value), {sorted: false, indent});
}

/** Go's types begin with the kind and the apiVersion. */
function kindFirst(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return value;
  const {kind, apiVersion, metadata, ...rest} = value as Readonly<Record<string, unknown>>;
  return {kind, apiVersion, ...(metadata === undefined ? {} : {metadata}), ...rest};
}
