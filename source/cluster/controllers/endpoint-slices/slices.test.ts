import {expect, test} from 'vitest';
import type {Endpoints, Pod, Service} from '../../../api/kinds/core-v1.ts';
import type {Endpoint, EndpointSlice} from '../../../api/kinds/discovery-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {aCluster, aDeployment, settle} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';
import {aPod} from '../testing/pods.ts';
import {endpointOf, portsOf} from './endpoints.ts';
import {planSlices} from './plan.ts';

const ENDS = (count: number, from = 0): readonly Endpoint[] =>
  Array.from({length: count}, (_, index) => ({
    addresses: [`10.0.${Math.floor((index + from) / 250)}.${(index + from) % 250}`],
    conditions: {ready: true},
  }));

function aSlice(
  name: string,
  endpoints: readonly Endpoint[],
  ports = [{name: '', port: 80, protocol: 'TCP' as const}],
): EndpointSlice {
  return {
    apiVersion: '',
    kind: '',
    addressType: 'IPv4',
    metadata: {name, labels: {}},
    endpoints,
    ports,
  } as unknown as EndpointSlice;
}

function outcome(existing: readonly EndpointSlice[], endpoints: readonly Endpoint[]): readonly string[] {
  const ports = [{name: '', port: 80, protocol: 'TCP' as const}];
  const plan = planSlices(existing, endpoints.length > 0 ? [{ports, endpoints}] : [], {});
  return [
    ...plan.create.map(each => `create ${each.endpoints.length}`),
    ...plan.update.map(each => `update ${each.slice.metadata.name} to ${each.endpoints.length}`),
    ...plan.remove.map(each => `remove ${each.metadata.name}`),
  ];
}

const plans: readonly {
  readonly what: string;
  readonly existing: readonly EndpointSlice[];
  readonly wanted: readonly Endpoint[];
  readonly writes: readonly string[];
}[] = [
  {what: 'a Service without endpoints gets an empty slice', existing: [], wanted: [], writes: ['create 0']},
  {what: 'an empty slice stays as it is', existing: [aSlice('a', [], [])], wanted: [], writes: []},
  {
    what: 'the empty slice is the first to be filled',
    existing: [aSlice('a', [], [])],
    wanted: ENDS(3),
    writes: ['update a to 3'],
  },
  {what: 'slices hold a hundred each', existing: [], wanted: ENDS(120), writes: ['create 100', 'create 20']},
  {what: 'nothing is written where nothing changed', existing: [aSlice('a', ENDS(3))], wanted: ENDS(3), writes: []},
  {
    what: 'many new endpoints fill up a slice before another begins',
    existing: [aSlice('a', ENDS(80))],
    wanted: ENDS(120),
    writes: ['create 20', 'update a to 100'],
  },
  {
    what: 'a new endpoint goes where it fits',
    existing: [aSlice('a', ENDS(100)), aSlice('b', ENDS(5, 100))],
    wanted: ENDS(106),
    writes: ['update b to 6'],
  },
  {
    what: 'a slice that has to be written is filled up',
    existing: [aSlice('a', ENDS(100)), aSlice('b', ENDS(5, 100))],
    wanted: [...ENDS(99), ...ENDS(7, 100)],
    writes: ['update a to 100', 'update b to 6'].slice(0, 1).concat('update b to 6'),
  },
  {
    what: 'the last slice is emptied, not removed',
    existing: [aSlice('a', ENDS(100)), aSlice('b', ENDS(20, 100))],
    wanted: [],
    writes: ['update a to 0', 'remove b'],
  },
];

for (const {what, existing, wanted, writes} of plans) {
  test(what, () => {
    expect(outcome(existing, wanted)).toEqual(writes);
  });
}

const SERVICE = {metadata: {name: 'web'}, spec: {ports: [{port: 80, targetPort: 'http', protocol: 'TCP'}]}} as unknown as Service;
const states = [
  {
    pod: aPod('a', {ready: true, ip: '10.0.0.1'}),
    shown: {ready: true, serving: true, terminating: false},
    all: {ready: true, serving: true, terminating: false},
  },
  {
    pod: aPod('b', {ip: '10.0.0.1'}),
    shown: {ready: false, serving: false, terminating: false},
    all: {ready: true, serving: false, terminating: false},
  },
  {
    pod: aPod('c', {ready: true, terminating: true, ip: '10.0.0.1'}),
    shown: {ready: false, serving: true, terminating: true},
    all: {ready: true, serving: true, terminating: true},
  },
];

test('ready, serving and terminating, also where a Service publishes all', () => {
  const open = {...SERVICE, spec: {...SERVICE.spec, publishNotReadyAddresses: true}};
  for (const {pod, shown, all} of states) {
    expect(endpointOf(pod, SERVICE, {type: 'IPv4', zone: undefined})?.conditions).toEqual(shown);
    expect(endpointOf(pod, open, {type: 'IPv4', zone: undefined})?.conditions).toEqual(all);
  }
});

test('a named port that a pod does not have is left out', () => {
  expect(portsOf(aPod('a'), SERVICE)).toEqual([]);
  const pod = aPod('b');
  const ports = [{name: 'http', containerPort: 8080}];
  const named = {...pod, spec: {...pod.spec, containers: [{name: 'c', ports}]}} as Pod;
  expect(portsOf(named, SERVICE)).toEqual([{name: '', port: 8080, protocol: 'TCP'}]);
});

function aService(api: FakeApi, name: string, app: string): void {
  const spec = {selector: {app}, clusterIP: '10.96.0.9', ports: [{name: 'http', port: 80, targetPort: 8080, protocol: 'TCP'}]};
  api.create({apiVersion: 'v1', kind: 'Service', metadata: {name, namespace: 'default', labels: {team: 'shop'}}, spec});
}

function shown(api: FakeApi): readonly string[] {
  return api.all<EndpointSlice>('endpointslices').map(slice => {
    const ends = (slice.endpoints ?? []).map(
      each => `${each.targetRef?.name?.replace(/-.*/, '')} ${each.conditions?.ready} ${each.zone}`,
    );
    return ends.join(', ');
  });
}

test('a Service that selects nobody has an empty slice; it follows its selector and its pods', () => {
  const api = aCluster();
  api.create(aDeployment('web'));
  aService(api, 'web', 'webb');
  settle(api);
  const [slice] = api.all<EndpointSlice>('endpointslices');
  expect(slice).toMatchObject({addressType: 'IPv4', endpoints: [], ports: []});
  expect(slice?.metadata).toMatchObject({
    generateName: 'web-',
    labels: {
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      'kubernetes.io/service-name': 'web',
      team: 'shop',
    },
    annotations: {'endpoints.kubernetes.io/last-change-trigger-time': '2026-11-30T04:00:03Z'},
  });
  expect(slice?.metadata.ownerReferences).toMatchObject([
    {kind: 'Service', name: 'web', controller: true, blockOwnerDeletion: true},
  ]);
  api.patch('services', 'default/web', object => ({...object, spec: {...(object.spec as object), selector: {app: 'web'}}}));
  api.run(500);
  expect(shown(api)).toEqual(['web true a, web true a']);
  expect(api.all<EndpointSlice>('endpointslices')[0]?.metadata.name).toBe(slice?.metadata.name);
  const pod = api.all<Pod>('pods')[0];
  api.remove('pods', `default/${pod?.metadata.name}`);
  api.run(500);
  expect(shown(api)[0]).toContain('false');
  api.remove('services', 'default/web');
  api.run(500);
  expect(shown(api)).toEqual([]);
  expect(api.all('endpoints')).toEqual([]);
});

test('the old Endpoints list addresses in order, ready and not', () => {
  const api = aCluster();
  aService(api, 'web', 'web');
  for (const [name, ip, status] of [
    ['b', '192.0.2.2', 'True'],
    ['a', '192.0.2.1', 'True'],
    ['c', '192.0.2.3', 'False'],
  ] as const) {
    const metadata = {name, namespace: 'default', labels: {app: 'web'}};
    const pod = {phase: 'Running', podIP: ip, podIPs: [{ip}], conditions: [{type: 'Ready', status}]};
    api.create({apiVersion: 'v1', kind: 'Pod', metadata, spec: {nodeName: 'node-1', containers: []}, status: pod});
  }
  api.run(1000);
  const endpoints = api.get<Endpoints>('endpoints', 'default/web');
  expect(
    endpoints?.subsets?.map(subset => [
      subset.addresses?.map(each => each.ip),
      subset.notReadyAddresses?.map(each => each.ip),
      subset.ports,
    ]),
  ).toEqual([[['192.0.2.1', '192.0.2.2'], ['192.0.2.3'], [{name: 'http', port: 8080, protocol: 'TCP'}]]]);
  expect(endpoints?.metadata.labels).toEqual({'endpoints.kubernetes.io/managed-by': 'endpoint-controller', team: 'shop'});
});

test('a hundred and twenty endpoints, and none', () => {
  const api = aCluster();
  aService(api, 'web', 'web');
  api.create(aDeployment('web', {replicas: 120}));
  settle(api, 4000);
  expect(
    api
      .all<EndpointSlice>('endpointslices')
      .map(slice => slice.endpoints.length)
      .toSorted((a, b) => a - b),
  ).toEqual([20, 100]);
  api.patch('deployments', 'default/web', (object: AnyObject) => ({
    ...object,
    metadata: {...object.metadata, generation: 2},
    spec: {...(object.spec as object), replicas: 0},
  }));
  settle(api, 4000);
  expect(api.all<EndpointSlice>('endpointslices')).toMatchObject([{endpoints: [], ports: []}]);
});
