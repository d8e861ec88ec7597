// Where a request goes, from the Ingresses that are the controller's: one server a host, the longest path first, as nginx's locations
// have it. A plan of data: nothing here asks or answers.
//
//     findRoute(planServers(ingresses), 'shop.example', '/cart/7')  →  the backend of /cart
//
// Modelled: hosts, wildcard hosts, the server of no host; Exact, Prefix and ImplementationSpecific paths; default backends; regular
// expressions and `rewrite-target`; redirects (`ssl-redirect`, `force-ssl-redirect`, `permanent-redirect`, `temporal-redirect`,
// `app-root`). Not modelled: canaries, authentication, rate limits, snippets, backends of another protocol.
import type {Ingress, IngressBackend} from '../../api/kinds/networking-v1.ts';
import {keyOf} from '../../api/meta/object.ts';
import {compileRegex} from '../../api/regex/regex.ts';

const PREFIX = 'nginx.ingress.kubernetes.io/';

/** One location of a server. */
export interface Route {
  /** `namespace/name` of the Ingress that says so. */
  readonly ingress: string;
  readonly namespace: string;
  readonly path: string;
  readonly pathType: 'Exact' | 'Prefix' | 'ImplementationSpecific';
  readonly backend: IngressBackend;
  readonly rewrite: string | undefined;
  /** A redirect in place of the backend: everybody, or those who come without TLS. */
  readonly redirect: {readonly to: string; readonly status: number} | undefined;
  readonly wantsTls: boolean;
  readonly appRoot: string | undefined;
}

/** What is served under a host name; `_` for all others. */
export interface Server {
  readonly host: string;
  readonly routes: readonly Route[];
  /** A path is an expression, without regard to case, once one Ingress of the host wants that. */
  readonly isRegex: boolean;
  /** `namespace/name` of the Secret with the host's certificate. */
  readonly secret: string | undefined;
}

export const NO_HOST = '_';

/** The servers of these Ingresses, the oldest first: who came first keeps a path that two want. */
export function planServers(ingresses: Iterable<Ingress>): ReadonlyMap<string, Server> {
  const servers = new Map<string, {routes: Route[]; isRegex: boolean; secret: string | undefined}>();
  const serverOf = (host: string) => {
    const made = servers.get(host) ?? {routes: [], isRegex: false, secret: undefined};
    servers.set(host, made);
    return made;
  };
  for (const ingress of byAge(ingresses)) {
    const {spec} = ingress;
    const isRegex = said(ingress, 'use-regex') === 'true' || said(ingress, 'rewrite-target') !== undefined;
    for (const {hosts = [], secretName} of spec.tls ?? [])
      for (const host of hosts) serverOf(host).secret ??= secretName && `${ingress.metadata.namespace}/${secretName}`;
    for (const {host = '', http} of spec.rules ?? []) {
      const server = serverOf(host === '' ? NO_HOST : host);
      server.isRegex ||= isRegex;
      for (const {path = '/', pathType, backend} of http?.paths ?? [])
        add(server.routes, routeOf(ingress, {path, pathType, backend}));
    }
    const {defaultBackend: backend} = spec;
    if (!backend) continue;
    const hosts = (spec.rules ?? []).map(({host = ''}) => (host === '' ? NO_HOST : host));
    for (const host of hosts.length > 0 ? hosts : [NO_HOST])
      add(serverOf(host).routes, routeOf(ingress, {path: '/', pathType: 'Prefix', backend}));
  }
  const sorted = [...servers].map(([host, {routes, ...rest}]): [string, Server] => [
    host,
    {host, routes: inOrder(routes), ...rest},
  ]);
  return new Map(sorted);
}

function byAge(ingresses: Iterable<Ingress>): readonly Ingress[] {
  const age = ({metadata}: Ingress) => metadata.creationTimestamp ?? '';
  return [...ingresses].sort((a, b) => (age(a) < age(b) ? -1 : age(a) > age(b) ? 1 : keyOf(a) < keyOf(b) ? -1 : 1));
}

function add(routes: Route[], route: Route): void {
  if (!routes.some(each => each.path === route.path && each.pathType === route.pathType)) routes.push(route);
}

/** Exact paths first, then the longest. */
function inOrder(routes: readonly Route[]): readonly Route[] {
  const rank = ({pathType}: Route) => (pathType === 'Exact' ? 0 : 1);
  return [...routes].sort((a, b) => b.path.length - a.path.length || rank(a) - rank(b));
}

function routeOf(ingress: Ingress, {path, pathType, backend}: Pick<Route, 'path' | 'pathType' | 'backend'>): Route {
  const permanent = said(ingress, 'permanent-redirect');
  const temporal = said(ingress, 'temporal-redirect');
  return {
    ingress: keyOf(ingress),
    namespace: ingress.metadata.namespace ?? 'default',
    path,
    pathType,
    backend,
    rewrite: said(ingress, 'rewrite-target'),
    redirect:
      permanent === undefined
        ? temporal && {to: temporal, status: 302}
        : {to: permanent, status: Number(said(ingress, 'permanent-redirect-code') ?? 301)},
    wantsTls: wantsTls(ingress),
    appRoot: said(ingress, 'app-root'),
  } as Route;
}

function wantsTls(ingress: Ingress): boolean {
  if (said(ingress, 'force-ssl-redirect') === 'true') return true;
  return (ingress.spec.tls ?? []).length > 0 && said(ingress, 'ssl-redirect') !== 'false';
}

function said({metadata}: Ingress, name: string): string | undefined {
  return metadata.annotations?.[PREFIX + name];
}

/** The server of a host: its own, that of a wildcard, or the one of all others. */
export function serverFor(servers: ReadonlyMap<string, Server>, host: string): Server | undefined {
  const dot = host.indexOf('.');
  return servers.get(host) ?? (dot < 0 ? undefined : servers.get(`*${host.slice(dot)}`)) ?? servers.get(NO_HOST);
}

/** The location for a path. */
export function findRoute({routes, isRegex}: Server, path: string): Route | undefined {
  const exact = isRegex ? undefined : routes.find(route => route.pathType === 'Exact' && route.path === path);
  return exact ?? routes.find(route => (isRegex ? startsBy(route.path, path) : fits(route, path)));
}

function fits({path, pathType}: Route, asked: string): boolean {
  if (pathType === 'Exact') return path === asked;
  if (pathType === 'ImplementationSpecific') return asked.startsWith(path);
  const bare = path.replace(/\/$/, '');
  return asked === bare || asked.startsWith(`${bare}/`);
}

function startsBy(pattern: string, path: string): boolean {
  const regex = compileRegex(`(?i)^${pattern}`);
  return 'error' in regex ? false : regex.test(path);
}

/** The path that the backend is asked for: with `rewrite-target` the target, and in it what the expression found. */
export function rewritten({path: pattern, rewrite}: Route, path: string): string {
  if (rewrite === undefined || rewrite === '') return path;
  const regex = compileRegex(`(?i)${pattern}`);
  const letters = [...path];
  const match = 'error' in regex ? undefined : regex.find(letters);
  if (!match) return path;
  return rewrite.replaceAll(/\$(\d)/g, (_, digit: string) => {
    const [from = -1, to = -1] = match.slice(Number(digit) * 2, Number(digit) * 2 + 2);
    return from < 0 ? '' : letters.slice(from, to).join('');
  });
}
