// Pruning: what a schema does not know is left out, and told. Where nothing is left out the same value comes back.
import {isFields, type Fields} from '../meta/fields.ts';
import {pathText} from '../schema/walk-state.ts';
import {itemsOf, OBJECT_FIELDS, valuesOf, type Structural} from './structural.ts';

type Path = readonly (string | number)[];

/** A value without what its schema does not know, and the paths of what was left out, in order. */
export function prune(value: unknown, schema: Structural, isObject: boolean): {value: unknown; unknown: readonly string[]} {
  const unknown: string[] = [];
  const pruned = walk(value, {schema, isObject}, {path: [], unknown});
  return {value: pruned, unknown: unknown.sort()};
}

interface At {
  readonly schema: Structural | undefined;
  /** The value is an object of the API: it has a kind and metadata whatever the schema says. */
  readonly isObject: boolean;
}

interface Told {
  readonly path: Path;
  readonly unknown: string[];
}

function walk(value: unknown, at: At, told: Told): unknown {
  const {schema} = at;
  if (
    schema?.['x-kubernetes-preserve-unknown-fields'] === true &&
    !schema.properties &&
    !schema.items &&
    !schema.additionalProperties
  )
    return value;
  if (Array.isArray(value)) return walkList(value, itemsOf(schema), told);
  return isFields(value) ? walkFields(value, at, told) : value;
}

function walkList(list: readonly unknown[], items: Structural | undefined, {path, unknown}: Told): unknown {
  const isObject = items?.['x-kubernetes-embedded-resource'] === true;
  const out = list.map((item, i) => walk(item, {schema: items, isObject}, {path: [...path, i], unknown}));
  return out.every((item, i) => item === list[i]) ? list : out;
}

function walkFields(fields: Fields, at: At, {path, unknown}: Told): unknown {
  const out: [string, unknown][] = [];
  let changed = false;
  for (const [name, value] of Object.entries(fields)) {
    const next = fieldRule(at, name);
    if (next === undefined) {
      unknown.push(pathText([...path, name]));
      changed = true;
      continue;
    }
    const kept = next === 'keep' ? value : walk(value, next, {path: [...path, name], unknown});
    changed ||= kept !== value;
    out.push([name, kept]);
  }
  return changed ? Object.fromEntries(out) : fields;
}

/** What to do with a field: walk on, keep it as it is, or (undefined) leave it out. */
function fieldRule({schema, isObject}: At, name: string): At | 'keep' | undefined {
  if (isObject && OBJECT_FIELDS.has(name)) return 'keep';
  const {properties} = schema ?? {};
  const known = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (known) return {schema: known, isObject: known['x-kubernetes-embedded-resource'] === true};
  const values = valuesOf(schema);
  if (values === true) return 'keep';
  if (values) return {schema: values, isObject: values['x-kubernetes-embedded-resource'] === true};
  return schema?.['x-kubernetes-preserve-unknown-fields'] === true ? 'keep' : undefined;
}
