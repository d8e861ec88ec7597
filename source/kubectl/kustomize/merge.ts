// A strategic merge as kustomize does it: maps are merged, lists with keys item by item (those of the patch come first), other lists
// are replaced. `null` takes a field away, `$patch: delete` an item or the whole object, `$patch: replace` replaces.
import {isFields, type Fields} from '../../api/meta/fields.ts';
import {resolve, schemaOf, typeOfKind, type Schema} from '../../api/schema/index.ts';

const DIRECTIVE = '$patch';
/** Takes the place of what is deleted. */
const GONE = Symbol('gone');

/** The object after a patch; undefined when the patch deletes it. */
export function mergeStrategic(object: Fields, patch: Fields): Fields | undefined {
  const {apiVersion, kind} = object;
  const type = typeof apiVersion === 'string' && typeof kind === 'string' ? typeOfKind(apiVersion, kind) : undefined;
  const merged = mergeValue(object, patch, type === undefined ? undefined : schemaOf(type));
  return merged === GONE ? undefined : (merged as Fields);
}

function mergeValue(old: unknown, patch: unknown, schema: Schema | undefined): unknown {
  if (patch === undefined) return old;
  if (patch === null) return GONE;
  if (isFields(patch)) return mergeFields(old, patch, schema);
  if (Array.isArray(patch)) return mergeList(old, patch, schema);
  return patch;
}

function mergeFields(old: unknown, patch: Fields, schema: Schema | undefined): unknown {
  const {[DIRECTIVE]: directive, ...changes} = patch;
  if (directive === 'delete') return GONE;
  if (directive === 'replace' || !isFields(old)) return cleaned(changes);
  const at = schema && resolve(schema);
  const merged: Record<string, unknown> = {...old};
  for (const [key, change] of Object.entries(changes)) {
    const inside = at?.properties && Object.hasOwn(at.properties, key) ? at.properties[key] : at?.values;
    const value = mergeValue(merged[key], change, inside);
    if (value === GONE) delete merged[key];
    else merged[key] = value;
  }
  return merged;
}

/** What is new takes no directives along. */
function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(item => !(isFields(item) && item[DIRECTIVE] === 'delete')).map(cleaned);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inside]) => key !== DIRECTIVE && inside !== null)
      .map(([key, inside]) => [key, cleaned(inside)]),
  );
}

function mergeList(old: unknown, patch: readonly unknown[], schema: Schema | undefined): unknown {
  const strategy = schema?.['patch-strategy'] ?? '';
  if (!strategy.includes('merge') || !Array.isArray(old)) return cleaned(patch);
  const whole = patch.find(item => isFields(item) && item[DIRECTIVE] === 'replace' && Object.keys(item).length === 1);
  if (whole !== undefined) return cleaned(patch.filter(item => item !== whole));
  const keys = keysOf(schema, [...(old as unknown[]), ...patch]);
  if (keys.length === 0) return [...new Set([...patch, ...(old as unknown[])])];
  const isSame = (a: unknown, b: unknown) => isFields(a) && isFields(b) && keys.every(key => a[key] === b[key]);
  const items = schema?.items;
  const merged: unknown[] = [];
  for (const change of patch) {
    const there: unknown = old.find(item => isSame(item, change));
    const value = there === undefined && isDeletion(change) ? GONE : mergeValue(there, change, items);
    if (value !== GONE) merged.push(value);
  }
  return [...merged, ...(old as unknown[]).filter(item => !patch.some(change => isSame(item, change)))];
}

function isDeletion(value: unknown): boolean {
  return isFields(value) && value[DIRECTIVE] === 'delete';
}

/** The keys of a list's items: all that its type knows and some item has. */
function keysOf(schema: Schema | undefined, items: readonly unknown[]): readonly string[] {
  const named = schema?.['list-map-keys'] ?? [];
  const some = named.filter(key => items.some(item => isFields(item) && item[key] !== undefined));
  if (some.length > 0) return some;
  const key = schema?.['patch-merge-key'];
  return key === undefined ? [] : [key];
}
