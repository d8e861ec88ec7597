// What a walk over a value keeps, and Go's words for a value of a wrong type.
import {embeddedIn} from './go-facts.ts';
import {resolve, type Schema, schemaOf, shortType} from './types.ts';

/** What a walk has found so far. */
export interface WalkState {
  readonly root: string;
  /** Kept only in the second walk, when the first one met something to speak of. */
  readonly path: (string | number)[] | undefined;
  /** Something was wrong: the first walk only says that it was. */
  troubled: boolean;
  /** `unknown field "…"`, `duplicate field "…"`, in order. */
  readonly problems: string[];
  /** The first value of a wrong type. */
  typeError: string | undefined;
  /** A value that could not read itself. */
  fatal: string | undefined;
  /** Speak as Go's converter of unstructured objects does: that is what a strategic merge patch goes through. */
  readonly converter: boolean;
  /** Keys that stood twice in an object, when the body was read from text. */
  readonly duplicates: WeakMap<object, readonly string[]> | undefined;
}

/** `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`. */
export function typeErrorText(what: string, goType: string, state: WalkState): string {
  if (state.converter) return converterText(what, goType);
  let at: Schema = schemaOf(state.root);
  let name = state.root;
  let struct = '';
  const steps: string[] = [];
  for (const step of state.path ?? []) {
    if (typeof step === 'number') at = at.items ?? {};
    else if (at.properties) {
      struct = name.split('.').at(-1) ?? '';
      const outer = embeddedIn(shortType(name), step);
      steps.push(...(outer ? [outer] : []), step);
      at = at.properties[step] ?? {};
    } else at = at.values ?? {};
    if (at.ref !== undefined) name = at.ref;
    at = resolve(at);
  }
  const place = struct === '' ? 'Go value' : `Go struct field ${struct}.${steps.join('.')}`;
  return `json: cannot unmarshal ${what} into ${place} of type ${goType}`;
}

/** A path as strict decoding prints it: `spec.containers[0].image`. */
export function pathText(path: readonly (string | number)[]): string {
  let text = '';
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : text === '' ? step : `.${step}`;
  return text;
}

/** `unrecognized type: int32`, `cannot restore slice from string`. */
function converterText(what: string, goType: string): string {
  const [kind = ''] = what.split(' ');
  const from = CONVERTED[kind] ?? kind;
  if (goType.startsWith('[]')) return `cannot restore slice from ${from}`;
  if (goType.startsWith('map[') || goType === 'v1.ResourceList') return `cannot restore map from ${from}`;
  return /^v\d\w*\.[A-Z]/.test(goType) ? `cannot restore struct from: ${from}` : `unrecognized type: ${goType}`;
}

const CONVERTED: Readonly<Record<string, string>> = {array: 'slice', object: 'map', number: 'int64'};
