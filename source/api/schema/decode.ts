// From what came in a request to an object as the server keeps it: decoded, pruned, canonical, frozen.
import {compileType} from './compile.ts';
import {typeOfKind} from './types.ts';
import type {WalkState} from './walk-state.ts';

/** What decoding gives: the object, with what was wrong but could be left out; or why it could not be decoded. */
export type Decoded =
  | {
      readonly ok: true;
      /** The same object as came in when nothing had to change. */
      readonly value: unknown;
      /** `unknown field "spec.foo"`, `duplicate field "data.a"`: an error in strict mode, a warning else. */
      readonly problems: readonly string[];
    }
  | {readonly ok: false; readonly error: string};

export interface DecodeOptions {
  /** Keys that stood twice, as `parseJson` found them. */
  readonly duplicates?: WeakMap<object, readonly string[]>;
  /** The value comes from a strategic merge patch: the server converts it, with other words for wrong types. */
  readonly converter?: boolean;
}

const NO_PROBLEMS: readonly string[] = Object.freeze([]);

/** Decodes a value as a type (its long name). Objects in it are frozen. */
export function decodeType(type: string, value: unknown, options: DecodeOptions = {}): Decoded {
  const {walk} = compileType(type);
  const state = newState(type, undefined, options);
  const quick = walk(value, state);
  if (!state.troubled) return {ok: true, value: quick, problems: NO_PROBLEMS};
  // Something is to be told: the second walk knows where it stands.
  const telling = newState(type, [], options);
  const out = walk(value, telling);
  const error = telling.fatal ?? telling.typeError;
  return error === undefined ? {ok: true, value: out, problems: telling.problems} : {ok: false, error};
}

function newState(
  root: string,
  path: (string | number)[] | undefined,
  {duplicates, converter = false}: DecodeOptions,
): WalkState {
  return {root, path, troubled: false, problems: [], typeError: undefined, fatal: undefined, duplicates, converter};
}

/** Decodes an object of a kind; undefined when no such kind is built in. */
export function decodeKind(
  kind: {readonly apiVersion: string; readonly kind: string},
  value: unknown,
  options: DecodeOptions = {},
): Decoded | undefined {
  const type = typeOfKind(kind.apiVersion, kind.kind);
  return type === undefined ? undefined : decodeType(type, value, options);
}

/** `strict decoding error: unknown field "a", duplicate field "b"`. */
export function strictError(problems: readonly string[]): string {
  return `strict decoding error: ${problems.join(', ')}`;
}
