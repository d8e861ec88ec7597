// nginx as its configuration has it: which ports, and for a request the server and the location, and what is done there. Modelled:
// listen, server_name, location (exact, prefix, regular expression), root, alias, index, return, proxy_pass (also to an upstream, in
// turn), stub_status, add_header, and the variables that people print. Not modelled: rewrite, try_files, TLS, caches; they are read and
// do nothing. Names behind proxy_pass are looked up at each request, not once at the start.
import type {Start} from '../image.ts';
import type {Asked, HttpReply, ProgramModel} from '../program-model.ts';
import {readConfig, type Directive} from './nginx-config.ts';
import {problemPage} from './nginx-pages.ts';

interface Server {
  readonly block: readonly Directive[];
  readonly ports: readonly number[];
  readonly names: readonly string[];
}

const ROOT = '/etc/nginx/html';

/** The model of what stands in /etc/nginx. */
export function configuredNginx(start: Start, version: string, plain: ProgramModel): ProgramModel {
  const config = readConfig(start, '/etc/nginx/nginx.conf');
  const wrong = typeof config === 'string' ? config : undefined;
  const http = typeof config === 'string' ? [] : (config.find(({name}) => name === 'http')?.block ?? []);
  if (wrong !== undefined) return failing(wrong);
  const servers = http.filter(({name}) => name === 'server').map(serverOf);
  const {http: _http, serves: _serves, ...rest} = plain;
  const site = new Site(start, {version, servers, upstreams: http.filter(({name}) => name === 'upstream')});
  return {...rest, listen: [...new Set(servers.flatMap(({ports}) => ports))], respond: asked => site.respond(asked)};
}

function serverOf({block = []}: Directive): Server {
  const listens = block.filter(({name}) => name === 'listen').map(({args}) => Number(/(\d+)$/.exec(args[0] ?? '')?.[1] ?? 80));
  const names = block.filter(({name}) => name === 'server_name').flatMap(({args}) => args);
  return {block, ports: listens.length > 0 ? [...new Set(listens)] : [80], names};
}

class Site {
  readonly #start: Start;
  readonly #version: string;
  readonly #servers: readonly Server[];
  readonly #upstreams: readonly Directive[];
  #turn = 0;

  constructor(
    start: Start,
    {
      version,
      servers,
      upstreams,
    }: {readonly version: string; readonly servers: readonly Server[]; readonly upstreams: readonly Directive[]},
  ) {
    this.#start = start;
    this.#version = version;
    this.#servers = servers;
    this.#upstreams = upstreams;
  }

  respond(asked: Asked): HttpReply {
    const {request, port} = asked;
    const [host = ''] = (request.headers?.host ?? '').split(':');
    const candidates = this.#servers.filter(({ports}) => ports.includes(port));
    const server = candidates.find(({names}) => names.includes(host)) ?? candidates[0];
    if (!server) return problemPage(404, this.#version);
    const location = locationOf(server.block, request.path);
    const scope = [...(location?.block ?? []), ...server.block.filter(({name}) => name !== 'return' || !location)];
    const reply = this.#act(asked, {scope, location});
    const headers = Object.fromEntries(
      scope
        .filter(({name}) => name === 'add_header')
        .map(({args}) => [(args[0] ?? '').toLowerCase(), this.#fill(args[1] ?? '', asked)]),
    );
    return typeof reply === 'object' ? {...reply, headers: {...headers, ...reply.headers}} : reply;
  }

  #act(asked: Asked, at: {readonly scope: readonly Directive[]; readonly location: Directive | undefined}): HttpReply {
    const first = (wanted: string) => at.scope.find(({name}) => name === wanted)?.args;
    const given = first('return');
    if (given) return this.#given(given, {asked, type: first('default_type')?.[0]});
    const onward = at.location?.block?.find(({name}) => name === 'proxy_pass')?.args[0];
    if (onward !== undefined) return this.#forward(onward, asked, at.location);
    if (at.location?.block?.some(({name}) => name === 'stub_status'))
      return {body: 'Active connections: 1 \nserver accepts handled requests\n 1 1 1 \nReading: 0 Writing: 1 Waiting: 0 \n'};
    return this.#file(asked.request.path, at);
  }

  #given(
    [code = '200', text = '']: readonly string[],
    {asked, type}: {readonly asked: Asked; readonly type: string | undefined},
  ): HttpReply {
    const status = /^\d+$/.test(code) ? Number(code) : 302;
    const said = this.#fill(/^\d+$/.test(code) ? text : code, asked);
    if (status >= 301 && status <= 308 && status !== 304)
      return {...problemPage(status, this.#version), headers: {location: said}};
    return text === '' ? problemPage(status, this.#version) : {status, body: said, type: type ?? 'application/octet-stream'};
  }

  #forward(target: string, asked: Asked, location: Directive | undefined): HttpReply {
    const [, scheme = 'http', where = '', path = ''] = /^(https?):\/\/([^/]+)(\/.*)?$/.exec(this.#fill(target, asked)) ?? [];
    const upstream = this.#upstreams.find(({args}) => args[0] === where)?.block?.filter(({name}) => name === 'server');
    const server = upstream && upstream.length > 0 ? (upstream[this.#turn++ % upstream.length]?.args[0] ?? where) : where;
    const [host = '', port = scheme === 'https' ? '443' : '80'] = server.split(':');
    const prefix = location?.args.at(-1) ?? '/';
    const onward = path === '' ? asked.request.path : `${path}${asked.request.path.slice(prefix.length)}`;
    return {...problemPage(502, this.#version), forward: {host, port: Number(port), path: onward, hostHeader: where}};
  }

  #file(
    path: string,
    {scope, location}: {readonly scope: readonly Directive[]; readonly location: Directive | undefined},
  ): HttpReply {
    const first = (wanted: string) => scope.find(({name}) => name === wanted)?.args;
    const alias = location?.block?.find(({name}) => name === 'alias')?.args[0];
    const folder = alias ?? first('root')?.[0] ?? ROOT;
    const rest = alias === undefined ? path : `/${path.slice((location?.args.at(-1) ?? '').length)}`;
    const page = (status: number) => problemPage(status, this.#version);
    return {...page(404), file: {folder: folder.replace(/\/$/, ''), path: rest.replace(/^\/+/, '/'), page}};
  }

  #fill(text: string, {request, from, port}: Asked): string {
    const values: Readonly<Record<string, string>> = {
      hostname: this.#start.hostname,
      host: (request.headers?.host ?? '').split(':')[0] ?? '',
      http_host: request.headers?.host ?? '',
      remote_addr: from,
      request_uri: request.path,
      uri: request.path,
      request_method: request.method,
      scheme: 'http',
      server_port: String(port),
      nginx_version: this.#version,
      http_user_agent: request.headers?.['user-agent'] ?? '',
    };
    return text.replaceAll(/\$\{?(\w+)\}?/g, (_whole, name: string) => values[name] ?? '').replaceAll('\\n', '\n');
  }
}

/** The location of a path: an exact one, then the longest prefix that ends the search, then the first expression, then the longest prefix. */
function locationOf(block: readonly Directive[], path: string): Directive | undefined {
  const locations = block.filter(({name}) => name === 'location');
  const kind = ({args}: Directive) => (args.length > 1 ? (args[0] ?? '') : '');
  const text = ({args}: Directive) => args.at(-1) ?? '';
  const exact = locations.find(each => kind(each) === '=' && text(each) === path);
  if (exact) return exact;
  const prefixes = locations.filter(each => (kind(each) === '' || kind(each) === '^~') && path.startsWith(text(each)));
  const [longest] = prefixes.sort((a, b) => text(b).length - text(a).length);
  if (longest && kind(longest) === '^~') return longest;
  const expression = locations.find(each => kind(each).startsWith('~') && matches(text(each), kind(each) === '~*', path));
  return expression ?? longest;
}

function matches(source: string, ignoresCase: boolean, path: string): boolean {
  try {
    return new RegExp(source, ignoresCase ? 'i' : '').test(path);
  } catch {
    return false;
  }
}

/** It ends at once, and says why. */
export function failing(why: string): ProgramModel {
  const at = (now: number) => new Date(now).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ');
  return {
    exitCode: 1,
    greeting: now => [
      {stream: 'stderr', text: `${at(now)} [emerg] 1#1: ${why}`},
      {stream: 'stderr', text: `nginx: [emerg] ${why}`},
    ],
  };
}
