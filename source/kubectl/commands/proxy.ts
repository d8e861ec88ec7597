// `kubectl proxy`: a port of this machine behind which the API server is, with the credentials of the kubeconfig: whoever reaches the
// port needs none. Not done: files of one's own (`--www`), sockets.
import type {Answer, Request} from '../../api/wire/http.ts';
import type {Call} from '../../sim/network.ts';
import {relay} from '../../sim/relay.ts';
import {fail, Failure} from '../failure.ts';
import type {Api} from '../request/api.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from './command.ts';
import {listenWhile} from './streams/listening.ts';

export const proxy: Command = {
  path: 'kubectl proxy',
  short: 'Make the API server reachable on a port of this machine',
  examples: ['kubectl proxy --port=8001', 'kubectl proxy --api-prefix=/k8s/'],
  does: [
    ...COMMON_FLAGS,
    'accept-hosts',
    'accept-paths',
    'address',
    'api-prefix',
    'disable-filter',
    'keepalive',
    'port',
    'reject-methods',
    'reject-paths',
  ],
  run,
};

const LAST_PORT = 65_535;

async function run(session: Session): Promise<Outcome> {
  const {flags, process} = session;
  const [address, wanted] = [flags.text('address'), flags.number('port')];
  if (wanted > LAST_PORT || wanted < 0) return fail(`listen tcp: address ${wanted}: invalid port`);
  const api = session.api();
  if (api instanceof Failure) return api;
  if (flags.on('disable-filter'))
    await session.err('Request filter disabled, your proxy is vulnerable to XSRF attacks, please be cautious\n');
  const filter = filterOf(session);
  if (filter instanceof Failure) return filter;
  const prefix = `/${flags.text('api-prefix').replaceAll(/^\/+|\/+$/g, '')}/`.replace('//', '/');
  const take = (call: Call) => pass(session, api, {call, filter, prefix});
  const port = freePort(wanted, one => listenWhile(process, {address, port: one}, take));
  if (port === undefined) return fail(`listen tcp ${address}:${wanted}: bind: address already in use`);
  await session.out(`Starting to serve on ${address}:${port}\n`);
  for (;;) await process.block(() => undefined);
}

const FIRST_FREE = 32_768;
const TRIES = 1000;

/** Port 0 means any that is free. */
function freePort(wanted: number, listens: (port: number) => boolean): number | undefined {
  const ports = wanted === 0 ? Array.from({length: TRIES}, (_, i) => FIRST_FREE + i) : [wanted];
  return ports.find(listens);
}

type Filter = (request: Request) => boolean;

/** Who may ask for what: by patterns for hosts, paths and methods. */
function filterOf({flags}: Session): Filter | Failure {
  if (flags.on('disable-filter')) return () => true;
  const patterns: RegExp[][] = [];
  for (const name of ['accept-hosts', 'accept-paths', 'reject-paths', 'reject-methods']) {
    const made: RegExp[] = [];
    for (const text of flags.text(name).split(',')) {
      try {
        made.push(new RegExp(text));
      } catch {
        return fail(`error parsing regexp: ${text}`);
      }
    }
    patterns.push(made);
  }
  const [hosts = [], paths = [], badPaths = [], badMethods = []] = patterns;
  const fits = (some: readonly RegExp[], text: string) => some.some(pattern => pattern.test(text));
  return ({path, method, headers}) => {
    const host = (headers?.['host'] ?? 'localhost').replace(/:\d+$/, '');
    return fits(hosts, host) && fits(paths, path) && !fits(badPaths, path) && !fits(badMethods, method);
  };
}

interface Passing {
  readonly call: Call;
  readonly filter: Filter;
  readonly prefix: string;
}

function isRequest(value: unknown): value is Request {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
}

/** Sends a request on, in the name of whoever started the proxy. */
function pass({process}: Session, api: Api, {call, filter, prefix}: Passing): void {
  const {request} = call;
  if (!isRequest(request)) return call.end('closed');
  if (!request.path.startsWith(prefix)) return call.answer(text(404, '404 page not found\n'));
  const asked = {...request, path: `/${request.path.slice(prefix.length)}`};
  if (!filter(asked)) return call.answer(text(403, 'Forbidden'));
  const {host: _host, ...headers} = asked.headers ?? {};
  const {connection} = api;
  relay(call, receiver => process.machine.dial(connection.host, connection.port, api.signed({...asked, headers}), receiver));
}

function text(status: number, body: string): Answer {
  return {status, headers: {'content-type': 'text/plain; charset=utf-8'}, body};
}
