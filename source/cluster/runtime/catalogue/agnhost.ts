// agnhost, the image of the end-to-end tests and of many tutorials: one program with many subcommands. Those that only call others
// (`connect`) are a real program of `tools`; those that serve are here: netexec, serve-hostname, liveness, test-webserver, pause.
import type {Start} from '../image.ts';
import type {Asked, HttpReply, ProgramModel} from '../program-model.ts';
import {only, releases, type Entry, type Family} from './family.ts';
import {valueOf} from './requests.ts';

const LIVELY_SECONDS = 10;

/** An HTTP server that says who and where it is. */
function netexec({argv, hostname}: Start): ProgramModel {
  const port = Number(valueOf(argv, 'http-port') ?? 8080);
  const udp = Number(valueOf(argv, 'udp-port') ?? 8081);
  return {
    listen: [port],
    log: [
      {line: `Started HTTP server on port ${port}`, stream: 'stderr'},
      {line: `Started UDP server on port  ${udp}`, stream: 'stderr'},
    ],
    respond: asked => netexecReply(asked, hostname),
  };
}

function netexecReply({request, from, now}: Asked, hostname: string): HttpReply {
  const {path, query = {}} = request;
  if (path === '/') return {body: `NOW: ${new Date(now).toISOString().replace('T', ' ').replace('Z', ' +0000 UTC')}`};
  if (path === '/hostname' || path === '/hostName') return {body: hostname};
  if (path === '/clientip') return {body: `${from}:43210`};
  if (path === '/echo') return {status: Number(query.code ?? 200), body: query.msg ?? ''};
  if (path === '/header') return {body: request.headers?.[(query.key ?? '').toLowerCase()] ?? ''};
  if (path === '/healthz') return {body: ''};
  if (path === '/redirect') return {status: Number(query.code ?? 302), headers: {location: query.location ?? '/'}};
  return {status: 404, body: '404 page not found\n'};
}

function serveHostname({argv, hostname}: Start): ProgramModel {
  const port = Number(valueOf(argv, 'port') ?? 9376);
  return {listen: [port], http: {'*': {body: hostname}}, log: [{line: 'Serving on port ' + port, stream: 'stderr'}]};
}

/** Well for ten seconds, then no more. */
function liveness(): ProgramModel {
  return {
    listen: [8080],
    respond: ({request, seconds}) =>
      request.path !== '/healthz'
        ? undefined
        : seconds <= LIVELY_SECONDS
          ? {body: 'ok'}
          : {status: 500, body: `error: ${seconds.toFixed(6)}`},
  };
}

const PAUSE: ProgramModel = {cpu: '0', memory: '9Mi', log: ['Paused']};

const SERVERS: Readonly<Record<string, (start: Start) => ProgramModel>> = {
  netexec,
  'serve-hostname': serveHostname,
  liveness,
  pause: () => PAUSE,
  'test-webserver': ({argv}) => ({listen: [Number(valueOf(argv, 'port') ?? 80)], serves: {folder: '', page: status => status}}),
  'no-snat-test': ({argv}) => ({listen: [Number(valueOf(argv, 'port') ?? 8080)], http: {'*': 200}}),
  guestbook: ({argv}) => ({listen: [Number(valueOf(argv, 'http-port') ?? 80)], http: {'*': 200}}),
};

/** The image. */
const agnhost: Entry = {
  size: '50Mi',
  entrypoint: ['/agnhost'],
  command: ['pause'],
  tools: 'agnhost',
  program: PAUSE,
  modelFor: start => SERVERS[start.argv[1] ?? '']?.(start),
};

const TAGS = releases('2.56', {names: {latest: '2.56'}});

function alone(subcommand: string, port: number): Entry {
  const serve = SERVERS[subcommand];
  return {
    size: '9Mi',
    ports: [port],
    command: [`/${subcommand}`],
    tools: 'none',
    program: PAUSE,
    ...(serve ? {modelFor: serve} : {}),
  };
}

export const AGNHOST: readonly Family[] = [
  {name: 'registry.k8s.io/e2e-test-images/agnhost', tags: TAGS, entry: agnhost},
  {name: 'k8s.gcr.io/e2e-test-images/agnhost', tags: releases('2.39', {strict: true}), entry: agnhost},
  {name: 'registry.k8s.io/serve_hostname', tags: only('latest 1.4 v1.4'), entry: alone('serve-hostname', 9376)},
  {name: 'registry.k8s.io/liveness', tags: only('latest'), entry: {...alone('liveness', 8080), command: ['/server']}},
  {name: 'registry.k8s.io/test-webserver', tags: only('latest e2e'), entry: alone('test-webserver', 80)},
  {
    name: 'registry.k8s.io/goproxy',
    tags: only('0.1'),
    entry: {size: '1700Ki', command: ['/goproxy'], tools: 'none', program: {listen: [8080]}},
  },
];
