// A metrics-server between an API server with two nodes and two pods, and kubelets of which one is silent.
import {expect, test} from 'vitest';
import type {Answer, Request} from '../../api/wire/http.ts';
import type {UsageSummary} from '../../api/wire/kubelet.ts';
import {Client} from '../../client/client.ts';
import {Clock} from '../../sim/clock.ts';
import {Daemon} from '../../sim/daemon.ts';
import {Dice} from '../../sim/dice.ts';
import {Network} from '../../sim/network.ts';
import {Trace} from '../../sim/trace.ts';
import {startMetricsServer} from './start.ts';

const START = Date.UTC(2026, 10, 30, 4, 20, 20);
const aNode = (name: string, address: string) => ({
  metadata: {name, uid: name},
  status: {addresses: [{type: 'InternalIP', address}]},
});
const aPod = (name: string) => ({metadata: {name, namespace: 'shop', uid: name, labels: {app: 'web'}}});

class Lab {
  readonly clock = new Clock();
  readonly network = new Network(this.clock);
  readonly daemon: Daemon;
  scrapes = 0;

  constructor() {
    const {clock, network} = this;
    for (const [host, address] of [
      ['api', '10.96.0.1'],
      ['node-1', '10.0.0.21'],
      ['node-2', '10.0.0.22'],
      ['node-1', '10.244.1.7'],
    ] as const)
      network.attach(host, address);
    network.listen('10.96.0.1', 443, call => {
      const {path} = call.request as Request;
      call.answer({
        status: 200,
        body: {
          items: path.endsWith('nodes')
            ? [aNode('node-1', '10.0.0.21'), aNode('node-2', '10.0.0.22')]
            : [aPod('web-1'), aPod('web-2')],
        },
      });
    });
    network.listen('10.0.0.21', 10250, call => {
      this.scrapes++;
      const {headers} = call.request as Request;
      if (headers?.['authorization'] !== 'Bearer secret') call.answer({status: 401, body: 'Unauthorized'});
      else call.answer({status: 200, body: this.#summary()});
    });
    this.daemon = new Daemon('metrics-server', 1, {
      clock,
      trace: new Trace(clock),
      dice: new Dice(1),
      host: 'metrics-server-1',
      wall: () => START + clock.now,
      dial: (host, port, request, receiver) => network.call('10.244.1.7', host, port, request, receiver),
      listen: (port, listener) => network.listen('10.244.1.7', port, listener),
    });
    const client = new Client({daemon: this.daemon, host: '10.96.0.1', port: 443, credentials: {}, userAgent: 'metrics-server'});
    startMetricsServer({daemon: this.daemon, client, token: () => 'secret'});
    this.pass(100);
  }

  #summary(): UsageSummary {
    const usage = {cpuSeconds: 1, at: START};
    const container = {...usage, name: 'main', cpuCores: 0.0034567, memoryBytes: 12_345_678};
    return {
      node: {...usage, cpuCores: 0.25, memoryBytes: 1024 ** 3},
      pods: [
        {namespace: 'shop', name: 'web-1', uid: 'web-1', startedAt: START - 60_000, containers: [container]},
        {namespace: 'shop', name: 'web-2', uid: 'web-2', startedAt: START + 20_000, containers: [container]},
      ],
    };
  }

  pass(ms: number): void {
    const until = this.clock.now + ms;
    while (this.clock.next <= until) this.clock.step();
    this.clock.settle(until);
  }

  get(path: string, headers: Readonly<Record<string, string>> = {'x-remote-user': 'nina'}): Answer {
    let answer: Answer = {status: 0};
    this.network.call(
      '10.96.0.1',
      '10.244.1.7',
      10250,
      {method: 'GET', path, headers},
      {answer: given => (answer = given as Answer), end: failure => (answer = {status: 0, body: failure})},
    );
    const until = this.clock.now + 20_000;
    while (answer.status === 0 && this.clock.next <= until) this.clock.step();
    return answer;
  }
}

test('a node that answers has metrics, one that does not has none', () => {
  const lab = new Lab();
  lab.pass(60_000);
  expect(lab.get('/apis/metrics.k8s.io/v1beta1/nodes').body).toMatchObject({
    kind: 'NodeMetricsList',
    items: [{metadata: {name: 'node-1'}, timestamp: '2026-11-30T04:21:20Z', window: '15s', usage: {cpu: '250m', memory: '1Gi'}}],
  });
  expect(lab.get('/apis/metrics.k8s.io/v1beta1/nodes/node-2').status).toBe(404);
  expect(lab.daemon.log.at(-1)).toBe(
    '"Failed to scrape node" err="Get \\"https://10.0.0.22:10250/metrics/resource\\": dial tcp 10.0.0.22:10250: connect: connection refused" node="node-2"',
  );
});

test('a pod has none in its first seconds', () => {
  const lab = new Lab();
  const names = () =>
    (lab.get('/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods').body as {items: {metadata: {name: string}}[]}).items.map(
      item => item.metadata.name,
    );
  lab.pass(16_000);
  expect(names()).toEqual(['web-1']);
  lab.pass(16_000);
  expect(names()).toEqual(['web-1', 'web-2']);
  expect(lab.get('/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods/web-1').body).toMatchObject({
    kind: 'PodMetrics',
    metadata: {namespace: 'shop', labels: {app: 'web'}},
    containers: [{name: 'main', usage: {cpu: '3456700n', memory: '12060Ki'}}],
  });
});

test('all who ask within fifteen seconds get the same look; nobody asking costs nothing', () => {
  const lab = new Lab();
  const before = lab.scrapes;
  for (let n = 0; n < 5; n++) lab.get('/apis/metrics.k8s.io/v1beta1/nodes');
  expect(lab.scrapes).toBe(before);
  // The client looks once more whether its last request has been answered.
  lab.pass(70_000);
  const events = lab.clock.count;
  lab.pass(600_000);
  expect(lab.clock.count).toBe(events);
  lab.get('/apis/metrics.k8s.io/v1beta1/nodes');
  expect(lab.scrapes).toBe(before + 1);
});

test('health, discovery, tables, and strangers', () => {
  const lab = new Lab();
  expect(lab.get('/readyz', {}).body).toBe('ok');
  expect(lab.get('/apis/metrics.k8s.io/v1beta1').body).toMatchObject({
    kind: 'APIResourceList',
    groupVersion: 'metrics.k8s.io/v1beta1',
  });
  expect(lab.get('/apis/metrics.k8s.io/v1beta1/nodes', {}).status).toBe(401);
  const table = lab.get('/apis/metrics.k8s.io/v1beta1/nodes', {
    'x-remote-user': 'nina',
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  });
  expect(table.body).toMatchObject({kind: 'Table', rows: [{cells: ['node-1', '250m', '1Gi', '15s']}]});
});
