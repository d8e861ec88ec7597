// Lists. A client says how new they must be. Without a resourceVersion: as new as etcd, so etcd is asked for its revision and the
// cache is read once it is there. `0`: whatever the cache has. A number: not older than that. A list in pages is of one revision:
// the first page comes from the cache, the others from etcd's history, by a token that names revision and place.
import {notSupported, forbiddenField} from '../../../api/meta/field-error.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {badRequest, expired, invalidObject, tooLargeVersion, tooManyRequests} from '../../../api/meta/status.ts';
import {endOfPrefix} from '../../../api/wire/etcd.ts';
import type {Task} from '../../../sim/task.ts';
import type {Core} from '../core.ts';
import type {Selection} from '../http/selection.ts';
import {refuse, Refused} from '../http/refused.ts';
import {EtcdFailure} from '../store/connection.ts';
import {readRefused} from '../store/failures.ts';
import {ROOT} from '../store/keys.ts';
import {objectOf} from './commit.ts';
import {readToken, writeToken} from './continue-token.ts';
import type {Served} from './served.ts';

/** Objects of one revision. */
export interface Listed {
  readonly items: readonly AnyObject[];
  readonly revision: number;
  readonly continue?: string;
  readonly remaining?: number;
}

export interface ListWish {
  readonly namespace: string;
  readonly selection: Selection;
  readonly query: Readonly<Record<string, string>>;
}

const REACH_MS = 3000;
const OPTIONS = {group: 'meta.k8s.io', kind: 'ListOptions'};

/** Lists the objects of a resource. */
export function* listObjects(core: Core, served: Served, wish: ListWish): Task<Listed | Refused> {
  const limit = readLimit(wish.query['limit']);
  if (limit instanceof Refused) return limit;
  const seconds = wish.query['timeoutSeconds'] ?? '';
  if (seconds !== '' && !/^[-+]?\d+$/.test(seconds))
    return refuse(badRequest(`strconv.ParseInt: parsing ${JSON.stringify(seconds)}: invalid syntax`));
  const token = wish.query['continue'] ?? '';
  const version = wish.query['resourceVersion'] ?? '';
  const match = wish.query['resourceVersionMatch'] ?? '';
  const problem = checkOptions({match, version, token, initial: wish.query['sendInitialEvents']});
  if (problem) return problem;
  if (token !== '') {
    if (version !== '' && version !== '0')
      return refuse(badRequest('specifying resource version is not allowed when using continue'));
    const place = readToken(token);
    if (typeof place === 'string') return refuse(badRequest(`invalid continue token: ${place}`));
    return yield* fromHistory(core, served, {wish, limit, revision: place.revision, start: place.start});
  }
  if (match === 'Exact') return yield* fromHistory(core, served, {wish, limit, revision: Number(version), start: ''});
  const ready = yield* awaitVersion(core, version);
  return ready instanceof Refused ? ready : fromCache(core, served, {wish, limit});
}

/** Waits until the caches are as new as a resourceVersion asks; empty: as new as etcd is now. */
export function* awaitVersion(core: Core, version: string): Task<Refused | undefined> {
  if (!core.feed.isFilled) return refuse(tooManyRequests('storage is (re)initializing', 1));
  if (version === '0') return undefined;
  const revision = version === '' ? yield* newestRevision(core) : readVersion(version);
  if (revision instanceof Refused) return revision;
  const reached = yield* core.feed.reach(revision, REACH_MS);
  if (reached || version === '') return undefined;
  return refuse(tooLargeVersion(revision, core.feed.revision));
}

/** The revision that etcd's quorum is at. */
export function* newestRevision(core: Core): Task<number | Refused> {
  const answer = yield* core.etcd.range({kind: 'range', key: ROOT, countOnly: true});
  return answer instanceof EtcdFailure ? readRefused(answer) : answer.header.revision;
}

/** Reads a resourceVersion as a number. */
export function readVersion(version: string): number | Refused {
  if (/^\d+$/.test(version)) return Number(version);
  return refuse(badRequest(`invalid resource version: ${versionError(version)}`));
}

/** What is wrong with a resourceVersion that is no number. */
export function versionError(version: string): string {
  const quoted = JSON.stringify(version);
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
}

function checkOptions(options: {
  match: string;
  version: string;
  token: string;
  initial: string | undefined;
}): Refused | undefined {
  const {match, version, token, initial} = options;
  const wrong = (detail: string): Refused => refuse(invalidObject(OPTIONS, '', [forbiddenField('resourceVersionMatch', detail)]));
  if (initial !== undefined)
    return refuse(invalidObject(OPTIONS, '', [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')]));
  if (match === '') return undefined;
  if (version === '') return wrong('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (token !== '') return wrong('resourceVersionMatch is forbidden when continue is provided');
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    return refuse(invalidObject(OPTIONS, '', [notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', ''])]));
  }
  if (match === 'Exact' && version === '0') return wrong('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  return undefined;
}

function readLimit(text: string | undefined): number | Refused {
  if (text === undefined || text === '') return 0;
  if (!/^[-+]?\d+$/.test(text)) return refuse(badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`));
  return Math.max(0, Number(text));
}

function fromCache(core: Core, served: Served, options: {wish: ListWish; limit: number}): Listed {
  const {
    wish: {namespace, selection},
    limit,
  } = options;
  const {cache} = served;
  const revision = core.feed.revision;
  const {matches, node} = selection;
  if (node && limit === 0 && served.prefix === '/registry/pods/')
    return {items: onNode(served, {node, namespace, selection}), revision};
  const keys = cache.keys(served.facts.namespaced ? namespace : '');
  const items: AnyObject[] = [];
  for (const [index, key] of keys.entries()) {
    const object = cache.get(key);
    if (!object || (matches && !matches(object))) continue;
    items.push(object);
    if (limit > 0 && items.length === limit && index < keys.length - 1) {
      return {
        items,
        revision,
        continue: writeToken(revision, `/${key}\u0000`),
        ...(matches ? {} : {remaining: keys.length - index - 1}),
      };
    }
  }
  return {items, revision};
}

function onNode(served: Served, wish: {node: string; namespace: string; selection: Selection}): readonly AnyObject[] {
  const {node, namespace, selection} = wish;
  const found = [...served.cache.onNode(node)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell.object);
  return found.filter(
    object => (namespace === '' || object.metadata.namespace === namespace) && (selection.matches?.(object) ?? true),
  );
}

interface HistoryWish {
  readonly wish: ListWish;
  readonly limit: number;
  readonly revision: number;
  /** Empty for the beginning. */
  readonly start: string;
}

function* fromHistory(core: Core, served: Served, options: HistoryWish): Task<Listed | Refused> {
  const {wish, limit, revision} = options;
  const {matches} = wish.selection;
  const scope = served.facts.namespaced && wish.namespace !== '' ? `${served.prefix}${wish.namespace}/` : served.prefix;
  const end = endOfPrefix(scope);
  let key = options.start === '' ? scope : `${served.prefix}${options.start.slice(1)}`;
  const items: AnyObject[] = [];
  for (;;) {
    const answer = yield* core.etcd.range({kind: 'range', key, end, revision, ...(limit > 0 ? {limit} : {})});
    if (answer instanceof EtcdFailure) return historyRefused(answer);
    for (const [index, kv] of answer.kvs.entries()) {
      const object = objectOf(served, kv);
      if (matches && !matches(object)) continue;
      items.push(object);
      if (limit === 0 || items.length < limit) continue;
      const left = answer.count - index - 1;
      if (left === 0) break;
      return {
        items,
        revision,
        continue: writeToken(revision, `/${kv.key.slice(served.prefix.length)}\u0000`),
        ...(matches ? {} : {remaining: left}),
      };
    }
    const last = answer.kvs.at(-1);
    if (!answer.more || !last) return {items, revision};
    key = `${last.key}\u0000`;
  }
}

function historyRefused(failed: EtcdFailure): Refused {
  if (!failed.message.includes('compacted')) return readRefused(failed);
  return refuse(
    expired(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
    ),
  );
}
