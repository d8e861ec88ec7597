// JSON patches (RFC 6902), as the API server applies them: add, remove, replace, move, copy, test, in order, all or none.
// The texts of errors are seen where a webhook's patch does not apply; a user's patch that does not apply gets one sentence
// for all of them.
//
// The library that Kubernetes does it with takes liberties: `replace` puts a key that is not there, `copy` of one copies null.
//
// A patch of ten thousand steps must not copy what it changes ten thousand times: what one step has copied, the next one changes.
import {jsonKind} from '../../meta/go-text.ts';
import {get, isObject, type Patched, sameJson, setKey} from './json-value.ts';

interface Step {
  readonly op?: unknown;
  readonly path?: unknown;
  readonly from?: unknown;
  readonly value?: unknown;
}

class Refused extends Error {}

/** Applies a patch; the parts that it does not touch stay the same objects. */
export function applyJsonPatch(document: unknown, patch: readonly unknown[]): Patched {
  const run: Run = {own: new Set(), copied: 0};
  try {
    return {value: patch.reduce((value: unknown, step) => applyStep(value, step, run), document)};
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

/** A patch on its way. */
interface Run {
  /** Lists and objects that were made for this patch, and that nobody else has. */
  readonly own: Set<object>;
  /** The letters that copies have added. */
  copied: number;
}

/** What copies may add in all. */
const MOST_COPIED = 3 * 1024 * 1024;

function applyStep(document: unknown, raw: unknown, run: Run): unknown {
  const step: Step = isObject(raw) ? raw : {};
  const unread = unreadPart(step);
  if (unread !== undefined) throw new Refused(unread);
  const path = typeof step.path === 'string' ? step.path : '';
  const from = typeof step.from === 'string' ? step.from : '';
  const place = {document, path, run};
  switch (step.op) {
    case 'add':
      return add(place, step.value ?? null);
    case 'remove':
      return remove(place);
    case 'replace':
      return replace(place, step.value ?? null);
    case 'move':
      return move(place, from);
    case 'copy':
      return copy(place, from);
    case 'test':
      return testValue(document, path, step.value ?? null);
    default:
      throw new Refused(`Unexpected kind: ${typeof step.op === 'string' ? step.op : 'unknown'}`);
  }
}

const OPERATIONS: readonly unknown[] = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

/** A step that does not say where. */
function unreadPart({op, path, from}: Step): string | undefined {
  if (!OPERATIONS.includes(op)) return undefined;
  if ((op === 'move' || op === 'copy') && typeof from !== 'string')
    return `${op} operation failed to decode from: operation, missing from field: missing value`;
  const words =
    op === 'replace' || op === 'test' || op === 'move' ? 'operation missing path field: missing value' : 'missing value';
  return typeof path === 'string' ? undefined : `${String(op)} operation failed to decode path: ${words}`;
}

interface Place {
  readonly document: unknown;
  readonly path: string;
  readonly run: Run;
}

function add(place: Place, value: unknown, missing = notThere('add', place.path)): unknown {
  const {path} = place;
  if (!path.includes('/')) throw new Refused(missing);
  return at(place, {
    missing: () => missing,
    object: (parent, key) => setKey(parent, key, value),
    list: (list, key) => list.splice(indexOf(key, {length: list.length, most: list.length, path, verb: 'add'}), 0, value),
  });
}

function notThere(verb: 'add' | 'remove', path: string): string {
  return `${verb} operation does not apply: doc is missing path: ${JSON.stringify(path)}: missing value`;
}

function remove(place: Place): unknown {
  const {path} = place;
  if (!path.includes('/')) throw new Refused(notThere('remove', path));
  return at(place, {
    missing: () => notThere('remove', path),
    object: (parent, key) => {
      if (!Object.hasOwn(parent, key)) throw new Refused(`error in remove for path: '${path}': ${noKey(key)}`);
      delete parent[key];
    },
    list: (list, key) => list.splice(indexOf(key, {length: list.length, most: list.length - 1, path, verb: 'remove'}), 1),
  });
}

function noKey(key: string): string {
  return `Unable to remove nonexistent key: ${key}: missing value`;
}

function replace(place: Place, value: unknown): unknown {
  const {path} = place;
  if (path === '' && (isObject(value) || Array.isArray(value))) return value;
  if (path === '') throw new Refused('replace operation value must be object or array: %!w(<nil>)');
  const missing = `replace operation does not apply: doc is missing path: ${path}: missing value`;
  if (!path.includes('/')) throw new Refused(missing);
  return at(place, {
    missing: () => missing,
    object: (parent, key) => setKey(parent, key, value),
    list: (list, key) => {
      const index = readIndex(key, list.length);
      if (index === undefined || index >= list.length)
        throw new Refused(`replace operation does not apply: doc is missing key: ${path}: missing value`);
      list[index] = value;
    },
  });
}

function move(place: Place, from: string): unknown {
  const {document, path, run} = place;
  const {value, key} = held(document, from, ['move operation does not apply: doc is missing from path', 'move for path']);
  if (value === undefined) throw new Refused(`error in move for path: '${key}': ${noKey(key)}`);
  return add({...place, document: remove({document, path: from, run})}, value, noPlace('move', path));
}

function noPlace(verb: 'move' | 'copy', path: string): string {
  return `${verb} operation does not apply: doc is missing destination path: ${path}: missing value`;
}

/** Puts the same value there a second time: by itself, since later steps may change one of the two. */
function copy(place: Place, from: string): unknown {
  const {document, path, run} = place;
  const text = JSON.stringify(
    held(document, from, ['copy operation does not apply: doc is missing from path', 'copy for from']).value ?? null,
  );
  run.copied += text.length;
  if (run.copied > MOST_COPIED)
    throw new Refused(
      `Unable to complete the copy, the accumulated size increase of copy is ${run.copied}, exceeding the limit ${MOST_COPIED}`,
    );
  return add(place, JSON.parse(text), noPlace('copy', path));
}

function testValue(document: unknown, path: string, expected: unknown): unknown {
  const {value} =
    path === '' ? {value: document} : held(document, path, ['test operation does not apply: is missing path', 'test for path']);
  if (!sameJson(value ?? null, expected)) throw new Refused(`testing value ${path} failed: test failed`);
  return document;
}

/** What stands at a path, and the last step to it. What would hold it must be there, and a list must be that long. */
function held(
  document: unknown,
  path: string,
  [missing, doing]: readonly [string, string],
): {readonly value: unknown; readonly key: string} {
  const above = path.includes('/') ? find(document, path.slice(0, path.lastIndexOf('/'))) : undefined;
  if (!isObject(above) && !Array.isArray(above)) throw new Refused(`${missing}: ${path}: missing value`);
  const key = steps(path).at(-1) ?? '';
  const value = find(document, path);
  if (value === undefined && Array.isArray(above))
    throw new Refused(`error in ${doing}: '${doing.startsWith('move') ? key : path}': ${indexProblem(key)}`);
  return {value, key};
}

/** Why a step names nothing in a list. */
function indexProblem(key: string): string {
  return /^[+-]?\d+$/.test(key)
    ? `Unable to access invalid index: ${Number(key)}: invalid index referenced`
    : `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
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
  readonly object: (parent: Record<string, unknown>, key: string) => void;
  readonly list: (list: unknown[], key: string) => void;
}

/** Changes what holds the last step of a path. It and all above it become the patch's own. */
function at({document, path, run}: Place, change: Change): unknown {
  const keys = steps(path);
  const descend = (value: unknown, depth: number): unknown => {
    const key = keys[depth] ?? '';
    const last = depth >= keys.length - 1;
    if (Array.isArray(value)) {
      const index = readIndex(key, value.length);
      if (!last && (index === undefined || index >= value.length)) throw new Refused(change.missing());
      const list = run.own.has(value) ? (value as unknown[]) : owned([...(value as unknown[])], run);
      if (last) change.list(list, key);
      else if (index !== undefined) list[index] = descend(list[index], depth + 1);
      return list;
    }
    if (!isObject(value)) throw new Refused(change.missing());
    const object = run.own.has(value) ? (value as Record<string, unknown>) : owned({...value}, run);
    if (last) change.object(object, key);
    else setKey(object, key, descend(get(object, key), depth + 1));
    return object;
  };
  return descend(document, 0);
}

function owned<T extends object>(made: T, run: Run): T {
  run.own.add(made);
  return made;
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
  const adds = list.verb === 'add';
  if (key === '-' && adds) return list.length;
  const index = readIndex(key, list.length + (adds ? 1 : 0));
  if (index !== undefined && index <= list.most) return index;
  const problem = indexProblem(key);
  const words = adds && problem.startsWith('strconv') ? `value was not a proper array index: '${key}': ${problem}` : problem;
  throw new Refused(`error in ${list.verb} for path: '${list.path}': ${words}`);
}
