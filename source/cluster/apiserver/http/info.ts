// What a request asks for, read off its method, path and query: the attributes that authorization, admission and routing
// share. Paths repeat (a kubelet asks for the same pods and leases all day), so what a path means is remembered.
import type {Request} from '../../../api/wire/http.ts';

/** What a path names. */
export interface Place {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  /** Plural name; empty for a path that is no resource. */
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  /** What follows the subresource: the path that a proxy passes on, with its slash. */
  readonly rest: string;
  /** The old form `/api/v1/watch/...`. */
  readonly watch: boolean;
}

/** A request as the rest of the server sees it. */
export interface RequestInfo extends Place {
  /** get, list, watch, create, update, patch, delete, deletecollection; for other paths the method in lower case. */
  readonly verb: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

const NOWHERE: Place = Object.freeze({
  group: '',
  version: '',
  namespace: '',
  resource: '',
  name: '',
  subresource: '',
  rest: '',
  watch: false,
});

const NO_QUERY: Readonly<Record<string, string>> = Object.freeze({});
const REMEMBERED_PATHS = 20_000;
const places = new Map<string, Place>();

const VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Reads a request's line. */
export function readInfo(request: Request): RequestInfo {
  const place = placeOf(request.path);
  const query = request.query ?? NO_QUERY;
  if (place.resource === '') return {...place, verb: request.method.toLowerCase(), path: request.path, query};
  // A method that is nobody's verb is none.
  let verb = VERBS[request.method] ?? '';
  let {name} = place;
  if (name === '' || place.watch) {
    if (verb === 'get') {
      verb = place.watch || isTrue(query['watch']) ? 'watch' : 'list';
      // A list of one object by name is authorized as that object.
      if (name === '' && query['fieldSelector']) name = soleName(query['fieldSelector']);
    } else if (verb === 'delete') verb = 'deletecollection';
  } else if (verb === 'get' && isTrue(query['watch'])) verb = 'watch';
  return {
    group: place.group,
    version: place.version,
    namespace: place.namespace,
    resource: place.resource,
    name,
    subresource: place.subresource,
    rest: place.rest,
    watch: place.watch,
    verb,
    path: request.path,
    query,
  };
}

/** What a flag in a query says. */
export function isTrue(text: string | undefined): boolean {
  return text !== undefined && text !== '' && text !== '0' && text !== 'false';
}

function soleName(selector: string): string {
  const found = /(?:^|,)metadata\.name==?([^,=!]+)(?:,|$)/.exec(selector);
  return found?.[1] ?? '';
}

/** What a path names, from memory where it was asked for before. */
export function placeOf(path: string): Place {
  const known = places.get(path);
  if (known) return known;
  if (places.size >= REMEMBERED_PATHS) places.clear();
  const place = readPlace(path);
  places.set(path, place);
  return place;
}

function readPlace(path: string): Place {
  const parts = splitPath(path);
  const core = parts[0] === 'api';
  if (!core && (parts[0] !== 'apis' || parts[1] === '')) return NOWHERE;
  const start = core ? 2 : 3;
  if (parts.length <= start) return NOWHERE;
  const group = core ? '' : (parts[1] ?? '');
  const version = (core ? parts[1] : parts[2]) ?? '';
  const watch = parts[start] === 'watch';
  return readResource({group, version, watch}, watch ? parts.slice(start + 1) : parts.slice(start));
}

/** The parts between the slashes; two slashes inside have an empty one between them, those at the ends have none. */
function splitPath(path: string): string[] {
  let from = 0;
  let end = path.length;
  while (path[from] === '/') from++;
  while (end > from && path[end - 1] === '/') end--;
  return path.slice(from, end).split('/');
}

const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

function readResource(head: {group: string; version: string; watch: boolean}, parts: readonly string[]): Place {
  const [first = '', second = '', third = ''] = parts;
  const inNamespace = first === 'namespaces' && parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(third);
  if (first === 'namespaces' && !inNamespace) {
    return {...head, namespace: second, resource: 'namespaces', name: second, subresource: third, rest: ''};
  }
  const [resource = '', name = '', subresource = '', ...rest] = inNamespace ? parts.slice(2) : parts;
  return {
    ...head,
    namespace: inNamespace ? second : '',
    resource,
    name,
    subresource,
    rest: rest.length > 0 ? `/${rest.join('/')}` : '',
  };
}
