// Fields by path: what a transformer changes in objects of which kinds. Lists on the way are stepped through, and a field that is not
// there is made where its place says so.
import {isFields, type Fields} from '../../api/meta/fields.ts';
import type {Id} from './resource.ts';

/** One place: a path in objects of a kind (any, where none is named). */
export interface FieldSpec {
  readonly path: string;
  readonly create?: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

/** Does the place lie in objects of that kind? */
export function isIn({group = '', version = '', kind = ''}: FieldSpec, id: Id): boolean {
  return (group === '' || group === id.group) && (version === '' || version === id.version) && (kind === '' || kind === id.kind);
}

/** The object with the fields of all places changed. */
export function changeAt(object: Fields, id: Id, specs: readonly FieldSpec[], change: (value: unknown) => unknown): Fields {
  let changed = object;
  for (const spec of specs)
    if (isIn(spec, id)) changed = setAt(changed, stepsOf(spec.path), spec.create === true, change) as Fields;
  return changed;
}

/** The steps of a path; `\/` is a slash of a name. */
export function stepsOf(path: string): readonly string[] {
  return path
    .replaceAll(String.raw`\/`, '\0')
    .split('/')
    .map(step => step.replaceAll('\0', '/').replace(/\[\]$/, ''))
    .filter(step => step !== '');
}

/** The value with what is at the path changed. */
export function setAt(value: unknown, steps: readonly string[], create: boolean, change: (value: unknown) => unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.map(item => setAt(item, steps, create, change));
  const fields = isFields(value) ? value : create && (value === undefined || value === null) ? {} : undefined;
  if (!fields) return value;
  const old = Object.hasOwn(fields, step) ? fields[step] : undefined;
  if (old === undefined && !create) return value;
  const next = setAt(old, rest, create, change);
  return next === old ? value : {...fields, [step]: next};
}

/** All values at a path. */
export function valuesAt(value: unknown, steps: readonly string[]): readonly unknown[] {
  const [step, ...rest] = steps;
  if (step === undefined) return value === undefined ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(item => valuesAt(item, steps));
  return isFields(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest) : [];
}
