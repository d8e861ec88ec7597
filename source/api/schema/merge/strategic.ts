// Strategic merge patches. A patch looks like the object; the schema says which lists are merged item by item (by a merge
// key such as `name`) and which are replaced. Directives say more: `$patch: delete|replace|merge`, `$retainKeys`,
// `$setElementOrder/list` and `$deleteFromPrimitiveList/list`.
//
// Nothing is changed in place: parts that the patch does not touch stay the same objects.
import {goValue} from '../../meta/go-text.ts';
import type {Schema} from '../types.ts';
import {get, isObject, type JsonObject, type Patched} from './json-value.ts';
import {orderItems} from './list-order.ts';
import {Places, sameItem} from './places.ts';
import {fieldMeta} from './patch-meta.ts';

export const DIRECTIVE = '$patch';
export const RETAIN_KEYS = '$retainKeys';
export const ELEMENT_ORDER = '$setElementOrder/';
export const DELETE_PRIMITIVES = '$deleteFromPrimitiveList/';

class Refused extends Error {}

type Fields = Map<string, unknown>;

/** Applies a strategic merge patch to an object of a schema. */
export function applyStrategicPatch(original: JsonObject, patch: JsonObject, schema: Schema): Patched {
  try {
    return {value: mergeMaps(original, patch, schema)};
  } catch (error) {
    if (error instanceof Refused) return {error: error.message};
    throw error;
  }
}

function mergeMaps(original: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  if (Object.hasOwn(patch, DIRECTIVE)) return followDirective(patch);
  if (isPlainPatch(patch)) return mergePlain(original, patch, schema);
  const out: Fields = new Map(Object.entries(original));
  const left: Fields = new Map(Object.entries(patch));
  retainKeys(out, left);
  orderLists(out, left, schema);
  for (const [key, value] of left) {
    if (key.startsWith(DELETE_PRIMITIVES)) deletePrimitives(out, key.slice(DELETE_PRIMITIVES.length), value);
    else if (value === null) out.delete(key);
    else out.set(key, out.has(key) ? mergeValues(out.get(key), value, {schema, key}) : plain(value));
  }
  return Object.fromEntries(out);
}

/** Most patches have no directives at their top, and no key that is not like others. */
function isPlainPatch(patch: JsonObject): boolean {
  for (const key of Object.keys(patch)) if (key.startsWith('$') || key === '__proto__') return false;
  return true;
}

/** Merges field by field; the original itself where nothing differs, so that whoever remembers things about it still can. */
function mergePlain(original: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  let out: Record<string, unknown> | undefined;
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    const has = Object.hasOwn(original, key);
    if (value === null) {
      if (has) delete (out ??= {...original})[key];
      continue;
    }
    const next = has ? mergeValues(original[key], value, {schema, key}) : plain(value);
    if (!has || next !== original[key]) (out ??= {...original})[key] = next;
  }
  return out ?? original;
}

function followDirective(patch: JsonObject): JsonObject {
  const directive = patch[DIRECTIVE];
  if (directive === 'delete') return {};
  if (directive !== 'replace')
    throw new Refused(`Unknown patch type ${typeof directive === 'string' ? directive : goValue(directive)} in map`);
  return plain(Object.fromEntries(Object.entries(patch).filter(([key]) => key !== DIRECTIVE))) as JsonObject;
}

function mergeValues(before: unknown, value: unknown, at: {schema: Schema | undefined; key: string}): unknown {
  const meta = fieldMeta(at.schema, at.key);
  if (isObject(before) && isObject(value)) return meta.replace ? plain(value) : mergeMaps(before, value, meta.schema);
  if (Array.isArray(before) && Array.isArray(value)) {
    return meta.merge ? mergeLists(before, value, {schema: meta.schema, mergeKey: meta.mergeKey}) : plain(value);
  }
  return value;
}

/** What is new needs no nulls and no directives. */
function plain(value: unknown): unknown {
  if (isPlain(value)) return value;
  if (Array.isArray(value)) return value.filter(item => !(isObject(item) && Object.hasOwn(item, DIRECTIVE))).map(plain);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, part]) => part !== null && !isDirective(key));
  return Object.fromEntries(kept.map(([key, part]) => [key, plain(part)]));
}

function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== null;
  if (Array.isArray(value)) return value.every(item => item === null || isPlain(item));
  return Object.keys(value).every(key => !isDirective(key) && isPlain((value as JsonObject)[key]));
}

function isDirective(key: string): boolean {
  return key === DIRECTIVE || key === RETAIN_KEYS || key.startsWith(ELEMENT_ORDER) || key.startsWith(DELETE_PRIMITIVES);
}

function retainKeys(out: Fields, patch: Fields): void {
  const list = patch.get(RETAIN_KEYS);
  if (list === undefined) return;
  patch.delete(RETAIN_KEYS);
  if (!Array.isArray(list)) throw new Refused('invalid patch format of retainKeys');
  const kept = new Set<unknown>(list);
  for (const [key, value] of patch) {
    if (value !== null && !isDirective(key) && !kept.has(key)) throw new Refused('invalid patch format of retainKeys');
  }
  for (const key of out.keys()) if (!kept.has(key)) out.delete(key);
}

/** Merges the lists that come with an order, and takes them and their orders out of the patch. */
function orderLists(out: Fields, patch: Fields, schema: Schema | undefined): void {
  for (const [directive, order] of patch) {
    if (!directive.startsWith(ELEMENT_ORDER)) continue;
    patch.delete(directive);
    const key = directive.slice(ELEMENT_ORDER.length);
    const {merge, mergeKey, schema: item} = fieldMeta(schema, key);
    const live = asList(out.get(key));
    const change = asList(patch.get(key));
    if (!merge || !Array.isArray(order)) continue;
    const removed = patch.get(`${DELETE_PRIMITIVES}${key}`);
    if (removed !== undefined) {
      deletePrimitives(out, key, removed);
      patch.delete(`${DELETE_PRIMITIVES}${key}`);
    }
    if (change) patch.delete(key);
    const before = asList(out.get(key));
    const merged =
      before && change
        ? mergeLists(before, change, {schema: item, mergeKey})
        : (before ?? (plain(change) as readonly unknown[] | undefined));
    if (merged) out.set(key, orderItems(merged, {patch: order, live: live ?? [], mergeKey}));
  }
}

function asList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function deletePrimitives(out: Fields, key: string, values: unknown): void {
  const before = out.get(key);
  if (!Array.isArray(values)) throw new Refused('invalid patch format of primitive list');
  const gone = new Places(values, '');
  if (Array.isArray(before)) {
    out.set(
      key,
      before.filter(item => !gone.has(item)),
    );
  }
}

function mergeLists(
  live: readonly unknown[],
  change: readonly unknown[],
  how: {schema: Schema | undefined; mergeKey: string},
): unknown[] {
  const {mergeKey, schema} = how;
  if (![...live, ...change].some(isObject)) {
    const all = [...live, ...change];
    const places = new Places(all, '');
    const merged = all.filter((item, i) => places.of(item) === i);
    return orderItems(merged, {patch: change, live, mergeKey: ''});
  }
  const {kept, added} = takeSpecialItems(live, change, mergeKey);
  const merged = [...kept];
  const places = new Places(kept, mergeKey);
  for (const item of added) {
    const at = places.of(item);
    if (at >= 0) merged[at] = mergeMaps(merged[at] as JsonObject, item, schema);
    else {
      merged.push(plain(item));
      places.push(item);
    }
  }
  return orderItems(merged, {patch: added, live: kept, mergeKey});
}

/** `$patch: delete` takes items out of the live list, `$patch: replace` all of them. */
function takeSpecialItems(
  live: readonly unknown[],
  change: readonly unknown[],
  mergeKey: string,
): {kept: readonly unknown[]; added: JsonObject[]} {
  const added: JsonObject[] = [];
  let kept = live;
  let replaced = false;
  for (const item of change) {
    if (!isObject(item)) throw new Refused('invalid patch format of a list of maps');
    const directive = get(item, DIRECTIVE);
    if (directive === 'replace') replaced = true;
    else {
      if (get(item, mergeKey) === undefined)
        throw new Refused(`map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`);
      if (directive === undefined) added.push(item);
      else if (directive === 'delete') kept = kept.filter(other => !sameItem(other, item, mergeKey));
      else if (directive === 'merge') throw new Refused('merging lists cannot yet be specified in the patch');
      else throw new Refused(`Unknown patch type ${goValue(directive)} in map`);
    }
  }
  return {kept: replaced ? [] : kept, added};
}
