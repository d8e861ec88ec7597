// The API server alone: requests a second and how long each takes, in process and over TLS with a real client.
import {request as httpsRequest, Agent} from 'node:https';
import type {AnyObject} from '../../source/api/meta/object.ts';
import {builtin} from '../../source/api/meta/resources.ts';
import type {Request} from '../../source/api/wire/http.ts';
import {create, get, list, watch} from '../../source/client/verbs.ts';
import {PRESETS} from '../../source/world/presets.ts';
import {World} from '../../source/world/world.ts';
import {oracle} from '../serve/oracle.ts';
import {Server} from '../serve/server.ts';
import {bareCluster} from './descriptions.ts';
import {cpuMs, median, type Bench, type Figure} from './measure.ts';

const configMaps = builtin('configmaps');
const pods = builtin('pods');
const WATCHERS = 100;

/** Requests to a world in this process, one after the other: nobody's network, nobody's bytes. */
export function apiInProcess(stored: number): Bench {
  return {
    name: `the API in process, ${stored} pods stored`,
    async run() {
      const world = await bareWorld();
      for (let n = 0; n < stored; n++) world.send(pod(n));
      await world.until(() => world.spectator.all(pods, 'default').length >= stored, 600_000, 100);
      const figures: Figure[] = [
        ...(await times(world, 'get', 5000, () => get(pods, {namespace: 'default', name: 'web-7'}), 'more than 1,270')),
        ...(await times(world, `list of ${stored}`, 50, () => list(pods, {namespace: 'default'}))),
        ...(await times(world, 'create', 3000, n => create(configMaps, configMap(`c-${n}`)), 'more than 700')),
        ...(await fanOut(world)),
      ];
      return figures;
    },
  };
}

/** The same over TLS, and what the real kubectl takes. */
export function apiOverTls(stored: number): Bench {
  return {
    name: `the API over TLS, ${stored} pods stored`,
    async run() {
      const tools = oracle();
      const server = new Server(tools);
      await server.start();
      const agent = new Agent({keepAlive: true, maxSockets: 8});
      const ask = askerOf(server, agent);
      try {
        for (let n = 0; n < stored; n += 8)
          await Promise.all(Array.from({length: Math.min(8, stored - n)}, (_, i) => ask('POST', POD_PATH, pod(n + i))));
        const figures: Figure[] = [
          ...(await timesOf('get', 1000, () => ask('GET', `${POD_PATH}/web-7`), 'more than 1,270')),
          ...(await timesOf(`list of ${stored}`, 20, () => ask('GET', POD_PATH), 'the real one: 160 ms')),
          ...(await timesOf(
            `list of ${stored} as a table`,
            20,
            () => ask('GET', POD_PATH, undefined, TABLE),
            'the real one: 84 ms',
          )),
          ...(await timesOf('create', 1000, n => ask('POST', MAP_PATH, configMap(`c-${n}`)), 'more than 700')),
        ];
        if (tools) figures.push(...kubectl(server));
        return figures;
      } finally {
        agent.destroy();
        await server.stop();
      }
    },
  };
}

const POD_PATH = '/api/v1/namespaces/default/pods';
const MAP_PATH = '/api/v1/namespaces/default/configmaps';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

function bareWorld(): Promise<World> {
  const description = {...bareCluster(0), nodes: PRESETS.solo.filter(node => node.controlPlane)};
  return World.open({description, hostNow: () => performance.now()});
}

function pod(n: number): AnyObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name: `web-${n}`, namespace: 'default', labels: {app: 'web'}} as unknown as AnyObject['metadata'],
    // Nobody schedules it: what is measured is the API.
    spec: {schedulingGates: [{name: 'bench.crashloop.dev/held'}], containers: [{name: 'web', image: 'nginx:1.27'}]},
  };
}

function configMap(name: string): AnyObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name, namespace: 'default'} as unknown as AnyObject['metadata'],
    data: {a: '1'},
  };
}

/** CPU of requests to a world, one at a time. */
async function times(
  world: World,
  name: string,
  count: number,
  make: (n: number) => Request,
  goal?: string,
): Promise<readonly Figure[]> {
  const ask = async (n: number): Promise<void> => {
    const result = await world.ask(make(n));
    if (!result.ok) throw new Error(result.status.message);
  };
  return timesOf(name, count, ask, goal);
}

async function timesOf(
  name: string,
  count: number,
  ask: (n: number) => Promise<unknown>,
  goal?: string,
): Promise<readonly Figure[]> {
  for (let n = 0; n < Math.min(20, count); n++) await ask(count + n);
  const each: number[] = [];
  const begun = performance.now();
  for (let n = 0; n < count; n++) {
    const start = performance.now();
    await ask(n);
    each.push(performance.now() - start);
  }
  const seconds = (performance.now() - begun) / 1000;
  each.sort((a, b) => a - b);
  return [
    {name, value: count / seconds, unit: '/s', ...(goal ? {goal} : {})},
    {name: `${name}, p50`, value: median(each), unit: 'ms'},
    {name: `${name}, p99`, value: each[Math.floor(each.length * 0.99)] ?? 0, unit: 'ms'},
  ];
}

/** Events to a hundred watchers a second. */
async function fanOut(world: World): Promise<readonly Figure[]> {
  let heard = 0;
  for (let n = 0; n < WATCHERS; n++) {
    const request = {...watch(configMaps, {namespace: 'default', resourceVersion: '0'}), headers: {'user-agent': `watcher-${n}`}};
    world.request(
      {...request, certificate: world.issue('kubernetes-admin', ['system:masters'])},
      {answer: () => undefined, frame: () => void heard++, end: () => undefined},
    );
  }
  await world.advance(1000);
  heard = 0;
  const CHANGES = 200;
  const cpu = await cpuMs(async () => {
    for (let n = 0; n < CHANGES; n++) world.send(configMap(`w-${n}`));
    await world.until(() => heard >= CHANGES * WATCHERS, 60_000, 10);
  });
  return [{name: `events to ${WATCHERS} watchers`, value: heard / (cpu / 1000), unit: '/s of CPU', goal: 'more than 13,000'}];
}

/** Asks a server over one of a few connections that stay open. */
function askerOf(server: Server, agent: Agent) {
  const {ca, cert, key} = server.credentials;
  return (method: string, path: string, body?: AnyObject, accept = 'application/json') =>
    new Promise<string>((done, failed) => {
      const headers = {'content-type': 'application/json', accept};
      const asked = httpsRequest(`${server.url}${path}`, {method, headers, agent, ca, cert, key}, answer => {
        let text = '';
        answer.on('data', part => (text += String(part)));
        answer.on('end', () => ((answer.statusCode ?? 0) < 300 ? done(text) : failed(new Error(text))));
      });
      asked.on('error', failed);
      asked.end(body ? JSON.stringify(body) : undefined);
    });
}

/** What the real kubectl takes for a round trip, beside what it takes for nothing. */
function kubectl(server: Server): readonly Figure[] {
  const RUNS = 7;
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
