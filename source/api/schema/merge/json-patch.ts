// JSON patches (RFC 6902), as the API server applies them: add, remove, replace, move, copy, test, in order, all or none.
// The texts of errors are seen where a webhook's patch does not apply; a user's patch that does not apply gets one sentence
// for all of them.
import {jsonKind} from '../../meta/go-text.ts';
import {get, isObject, type Patched, sameJson, withKey, withoutKey} from './json-value.ts';

interface Step {
  readonly op?: unknown;
  readonly path?: unknown;
  readonly from?: unknown;
  readonly value?: unknown;
}

class Refused extends Error {}

/** Applies a patch; the parts that it does not touch stay the same objects. */
export function applyJsonPatch(document: unknown, patch: readonly unknown[]): Patched {
  try {
    return {value: patch.reduce(applyStep, document)};
  } catch (error) {
    if (error instanceof Refused) return {error: error.message};
    throw error;
  }
}

/** What the server says of a body that is no list of operations; undefined for one that is. */
export function checkJsonPatch(patch: unknown): string | undefined {
  if (patch === null) return undefined;
  if (!Array.isArray(patch)) return `json: cannot unmarshal ${jsonKind(patch)} into Go value of type []handlers.jsonPatchOp`;
  const wrong: unknown = patch.find(step => step !== null && !isObject(step));
  return wrong === undefined ? undefined : `json: cannot unmarshal ${jsonKind(wrong)} into Go value of type handlers.jsonPatchOp`;
}

function applyStep(document: unknown, raw: unknown): unknown {
  const step: Step = isObject(raw) ? raw : {};
  const path = typeof step.path === 'string' ? step.path : '';
  const from = typeof step.from === 'string' ? step.from : '';
  switch (step.op) {
    case 'add':
      return add(document, path, step.value ?? null);
    case 'remove':
      return remove(document, path);
    case 'replace':
      return replace(document, path, step.value ?? null);
    case 'move':
      return move(document, from, path);
    case 'copy':
      return add(document, path, lookUp(document, from, 'copy operation does not apply: doc is missing from path'));
    case 'test':
      return testValue(document, path, step.value ?? null);
    default:
      throw new Refused(`Unexpected kind: ${typeof step.op === 'string' ? step.op : 'unknown'}`);
  }
}

function add(document: unknown, path: string, value: unknown): unknown {
  if (path === '') return value;
  return at(document, path, {
    missing: () => `add operation does not apply: doc is missing path: ${JSON.stringify(path)}: missing value`,
    object: (parent, key) => withKey(parent, key, value),
    list: (list, key) => list.toSpliced(indexOf(key, {length: list.length, most: list.length, path, verb: 'add'}), 0, value),
  });
}

function remove(document: unknown, path: string): unknown {
  return at(document, path, {
    missing: () => `remove operation does not apply: doc is missing path: ${JSON.stringify(path)}: missing value`,
    object: (parent, key) => {
      if (Object.hasOwn(parent, key)) return withoutKey(parent, key);
      throw new Refused(`error in remove for path: '${path}': Unable to remove nonexistent key: ${key}: missing value`);
    },
    list: (list, key) => list.toSpliced(indexOf(key, {length: list.length, most: list.length - 1, path, verb: 'remove'}), 1),
  });
}

function replace(document: unknown, path: string, value: unknown): unknown {
  if (path === '') return value;
  const missingKey = `replace operation does not apply: doc is missing key: ${path}: missing value`;
  return at(document, path, {
    missing: () => `replace operation does not apply: doc is missing path: ${path}: missing value`,
    object: (parent, key) => {
      if (Object.hasOwn(parent, key)) return withKey(parent, key, value);
      throw new Refused(missingKey);
    },
    list: (list, key) => {
      const index = readIndex(key, list.length);
      if (index === undefined || index >= list.length) throw new Refused(missingKey);
      return list.with(index, value);
    },
  });
}

function move(document: unknown, from: string, path: string): unknown {
  const value = lookUp(document, from, 'move operation does not apply: doc is missing from path');
  return add(remove(document, from), path, value);
}

function testValue(document: unknown, path: string, expected: unknown): unknown {
  const found = find(document, path);
  if (!sameJson(found ?? null, expected)) throw new Refused(`testing value ${path} failed: test failed`);
  return document;
}

function lookUp(document: unknown, path: string, complaint: string): unknown {
  const value = find(document, path);
  if (value === undefined) throw new Refused(`${complaint}: ${path}: missing value`);
  return value;
}

function find(document: unknown, path: string): unknown {
  let value = document;
  for (const key of steps(path)) {
    if (Array.isArray(value)) value = value[readIndex(key, value.length) ?? -1];
    else if (isObject(value)) value = get(value, key);
    else return undefined;
  }
  return value;
}

interface Change {
  readonly missing: () => string;
  readonly object: (parent: Readonly<Record<string, unknown>>, key: string) => unknown;
  readonly list: (list: readonly unknown[], key: string) => unknown;
}

/** Changes what holds the last step of a path, and derives all above it. */
function at(document: unknown, path: string, change: Change): unknown {
  const keys = steps(path);
  const descend = (value: unknown, depth: number): unknown => {
    const key = keys[depth] ?? '';
    const last = depth >= keys.length - 1;
    if (Array.isArray(value)) {
      if (last) return change.list(value, key);
      const index = readIndex(key, value.length);
      if (index === undefined || index >= value.length) throw new Refused(change.missing());
      return (value as readonly unknown[]).with(index, descend(value[index], depth + 1));
    }
    if (!isObject(value)) throw new Refused(change.missing());
    if (last) return change.object(value, key);
    return withKey(value, key, descend(get(value, key), depth + 1));
  };
  return descend(document, 0);
}

function steps(path: string): string[] {
  return path === ''
    ? []
    : path
        .split('/')
        .slice(1)
        .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The index that a step names; counted from the end when negative. */
function readIndex(key: string, length: number): number | undefined {
  if (!/^-?\d+$/.test(key)) return undefined;
  const index = Number(key);
  if (index >= 0) return index;
  return index >= -length ? index + length : undefined;
}

function indexOf(key: string, list: {length: number; most: number; path: string; verb: string}): number {
  if (key === '-' && list.verb === 'add') return list.length;
  const index = readIndex(key, list.length + (list.verb === 'add' ? 1 : 0));
  if (index !== undefined && index <= list.most) return index;
  throw new Refused(`error in ${list.verb} for path: '${list.path}': Unable to access invalid index: ${key}: invalid index`);
}
