// The API over TLS, as real clients have it: requests a second and how long each takes, over HTTP/1.1 and HTTP/2, one at a time and several
// at once; what watchers hear; how long the server's loop was held up meanwhile; and what the real kubectl takes.
import {connect, type ClientHttp2Session} from 'node:http2';
import {request as httpsRequest, Agent} from 'node:https';
import type {AnyObject} from '../../source/api/meta/object.ts';
import {oracle} from '../serve/oracle.ts';
import {Server} from '../serve/server.ts';
import {median, timesOf, type Bench, type Figure} from './measure.ts';
import {configMap, pod} from './objects.ts';
import {Turns} from './turns.ts';

const POD_PATH = '/api/v1/namespaces/default/pods';
const MAP_PATH = '/api/v1/namespaces/default/configmaps';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const WATCHERS = 100;
const LANES = 8;

type Ask = (method: string, path: string, body?: AnyObject, accept?: string) => Promise<string>;

/** The server with some pods. */
export function apiOverTls(stored: number): Bench {
  return {
    name: `the API over TLS, ${stored} pods stored`,
    async run() {
      const tools = oracle();
      const turns = new Turns();
      const server = new Server(tools, turns.env);
      await server.start();
      turns.of(server);
      const agent = new Agent({keepAlive: true, maxSockets: LANES});
      const session = connect(server.url, server.credentials);
      try {
        const figures = await requests(server, {one: askOne(server, agent), two: askTwo(session), turns, stored});
        figures.push(...(await fanOut(session, askOne(server, agent))), ...(await turns.since('watching')));
        if (tools) figures.push(...kubectl(server));
        return figures;
      } finally {
        session.destroy();
        agent.destroy();
        await server.stop();
        turns.end();
      }
    },
  };
}

interface Asking {
  readonly one: Ask;
  readonly two: Ask;
  readonly turns: Turns;
  readonly stored: number;
}

async function requests(server: Server, {one, two, turns, stored}: Asking): Promise<Figure[]> {
  const figures: Figure[] = [];
  const measure = async (
    name: string,
    count: number,
    ask: (n: number) => Promise<unknown>,
    more: {goal?: string; lanes?: number} = {},
  ) => figures.push(...(await timesOf(name, count, ask, more)), ...(await turns.since(name)));
  let made = 0;
  await Promise.all(
    Array.from({length: LANES}, async () => {
      while (made < stored) await one('POST', POD_PATH, pod(made++));
    }),
  );
  await turns.since('');
  await measure('get', 1000, () => one('GET', `${POD_PATH}/web-7`), {goal: 'more than 1,270'});
  await measure('get over HTTP/2', 1000, () => two('GET', `${POD_PATH}/web-7`), {goal: 'more than 1,270'});
  await measure(`get, ${LANES} at once`, 3000, () => two('GET', `${POD_PATH}/web-7`), {lanes: LANES});
  await measure(`list of ${stored}`, 20, () => one('GET', POD_PATH), {goal: 'the real one: 160 ms for 5,000'});
  await measure(`list of ${stored} as a table`, 20, () => one('GET', POD_PATH, undefined, TABLE), {
    goal: 'the real one: 84 ms for 5,000',
  });
  await measure(`list of ${stored} for people`, 5, () => one('GET', `${POD_PATH}?pretty=1`));
  await measure('create', 1000, n => one('POST', MAP_PATH, configMap(`c-${n}`)), {goal: 'more than 700'});
  await measure(`create, ${LANES} at once`, 2000, n => two('POST', MAP_PATH, configMap(`d-${n}`)), {lanes: LANES});
  return figures;
}

/** Events to a hundred watchers on one connection, as a client library has them. */
async function fanOut(session: ClientHttp2Session, ask: Ask): Promise<readonly Figure[]> {
  const {metadata} = JSON.parse(await ask('GET', `${MAP_PATH}?limit=1`)) as {metadata: {resourceVersion: string}};
  const CHANGES = 400;
  let heard = 0;
  const watches = Array.from({length: WATCHERS}, () => {
    const stream = session.request({':path': `${MAP_PATH}?watch=1&resourceVersion=${metadata.resourceVersion}`});
    stream.on('data', (part: Buffer) => {
      for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) heard++;
    });
    return stream;
  });
  await Promise.all(watches.map(stream => new Promise(done => stream.on('response', done))));
  const start = performance.now();
  let made = 0;
  await Promise.all(
    Array.from({length: LANES}, async () => {
      while (made < CHANGES) await ask('POST', MAP_PATH, configMap(`w-${made++}`));
    }),
  );
  while (heard < CHANGES * WATCHERS) await new Promise(done => setTimeout(done, 1));
  const seconds = (performance.now() - start) / 1000;
  for (const stream of watches) stream.close();
  return [{name: `events to ${WATCHERS} watchers`, value: heard / seconds, unit: '/s', goal: 'more than 13,000'}];
}

/** Asks over one of a few connections that stay open. */
function askOne(server: Server, agent: Agent): Ask {
  const {ca, cert, key} = server.credentials;
  return (method, path, body, accept = 'application/json') =>
    new Promise<string>((done, failed) => {
      const headers = {'content-type': 'application/json', accept};
      const asked = httpsRequest(`${server.url}${path}`, {method, headers, agent, ca, cert, key}, answer => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString();
          if ((answer.statusCode ?? 0) < 300) done(text);
          else failed(new Error(text));
        });
      });
      asked.on('error', failed);
      asked.end(body ? JSON.stringify(body) : undefined);
    });
}

/** Asks over HTTP/2, as client-go does. */
function askTwo(session: ClientHttp2Session): Ask {
  return (method, path, body, accept = 'application/json') =>
    new Promise<string>((done, failed) => {
      const stream = session.request({':method': method, ':path': path, 'content-type': 'application/json', accept});
      let status = 0;
      let text = '';
      stream.on('response', head => (status = head[':status'] ?? 0));
      stream.on('data', part => (text += String(part)));
      stream.on('end', () => (status < 300 ? done(text) : failed(new Error(text))));
      stream.on('error', failed);
      stream.end(body ? JSON.stringify(body) : undefined);
    });
}

/** What the real kubectl takes for a round trip, beside what it takes for nothing. */
function kubectl(server: Server): readonly Figure[] {
  const RUNS = 15;
  server.type('kubectl create namespace empty');
  const wall = (line: string) =>
    median(
      Array.from({length: RUNS}, () => {
        const start = performance.now();
        server.type(line);
        return performance.now() - start;
      }),
    );
  const floor = wall('kubectl version --client');
  const pods = wall('kubectl get pods -n empty');
  return [
    {name: 'kubectl version --client', value: floor, unit: 'ms'},
    {name: 'kubectl get pods', value: pods, unit: 'ms'},
    {name: 'the difference', value: pods - floor, unit: 'ms', goal: 'the real one: 11'},
  ];
}
