// A real kube-proxy's rules on node-1, for the Services of facts/kube-proxy/services.yaml. The order of rules inside a chain that
// lists Services is random in the original, so lines are compared as a set; the chains' own order is compared in the product.
import {expect, test} from 'vitest';
import type {Service} from '../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import {compareStrings} from '../../api/meta/go-text.ts';
import {LazyTable} from './table.ts';
import {RECORDED} from './testing/recorded-rules.ts';

const web = ['10.244.1.20', 'node-1', '10.244.2.17', 'node-2'];
const far = ['10.244.3.23', 'node-3'];

function aService(name: string, clusterIP: string, spec: Partial<NonNullable<Service['spec']>>, ingress?: string): Service {
  const [namespace = '', own = ''] = name.split('/');
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name: own, namespace, uid: name, resourceVersion: '1', creationTimestamp: ''},
    spec: {clusterIP, ...spec},
    ...(ingress ? {status: {loadBalancer: {ingress: [{ip: ingress, ipMode: 'VIP'}]}}} : {}),
  };
}

function aSlice(name: string, port: {readonly name?: string; readonly port: number}, places: readonly string[]): EndpointSlice {
  const [namespace = '', own = ''] = name.split('/');
  const endpoints = places.flatMap((address, at) =>
    at % 2 === 0 ? [{addresses: [address], nodeName: places[at + 1] ?? '', conditions: {ready: true}}] : [],
  );
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    addressType: 'IPv4',
    metadata: {
      name: `${own}-x`,
      namespace,
      uid: name,
      resourceVersion: '1',
      creationTimestamp: '',
      labels: {'kubernetes.io/service-name': own},
    },
    ports: [{name: '', protocol: 'TCP', ...port}],
    endpoints,
  };
}

const http = (nodePort?: number) => [{name: 'http', port: 80, targetPort: 8080, ...(nodePort ? {nodePort} : {})}];
const services = [
  aService('default/kubernetes', '10.96.0.1', {ports: [{name: 'https', port: 443}]}),
  aService('shop/web', '10.96.0.80', {ports: http()}),
  aService('shop/hollow', '10.96.0.81', {ports: [{port: 80}]}),
  aService('shop/sticky', '10.96.0.82', {sessionAffinity: 'ClientIP', ports: [{port: 80}]}),
  aService(
    'shop/edge',
    '10.96.0.83',
    {type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 31877, ports: http(30080)},
    '203.0.113.9',
  ),
  aService('shop/edge-far', '10.96.0.84', {type: 'NodePort', externalTrafficPolicy: 'Local', ports: http(30084)}),
  aService('shop/np', '10.96.0.85', {type: 'NodePort', ports: http(30085)}),
  aService('shop/here', '10.96.0.86', {internalTrafficPolicy: 'Local', ports: [{port: 80}]}),
  aService('shop/np-hollow', '10.96.0.87', {type: 'NodePort', ports: [{port: 80, nodePort: 30087}]}),
  aService('shop/headless', 'None', {ports: [{port: 80}]}),
];
const slices = [
  aSlice('default/kubernetes', {name: 'https', port: 6443}, ['10.0.0.10', '']),
  ...['web', 'edge', 'np'].map(name => aSlice(`shop/${name}`, {name: 'http', port: 8080}, web)),
  aSlice('shop/sticky', {port: 80}, web),
  aSlice('shop/edge-far', {name: 'http', port: 8080}, far),
  aSlice('shop/here', {port: 80}, far),
];

const table = new LazyTable({services: () => services, slices: () => slices, nodeName: 'node-1', clusterCidr: '10.244.0.0/16'});

test('the rules of a real kube-proxy', () => {
  const sorted = (text: string) => text.split('\n').sort();
  expect(sorted(table.text())).toEqual(sorted(RECORDED));
});

test('the chains come in order, and the last rule of KUBE-SERVICES is the one for node ports', () => {
  const lines = table.text().split('\n');
  const chains = lines.filter(line => line.startsWith(':KUBE-S') && line.includes('-')).map(line => line.split(' ')[0] ?? '');
  expect(chains.slice(1)).toEqual(chains.slice(1).toSorted(compareStrings));
  expect(lines.filter(line => line.startsWith('-A KUBE-SERVICES')).at(-1)).toContain('this must be the last rule');
});

test.each([
  ['a Service with endpoints', 'web', '10.96.0.80', 80, {action: 'forward', count: 2}],
  ['one without endpoints', 'hollow', '10.96.0.81', 80, {action: 'reject', count: 0}],
  ['one whose endpoints are elsewhere, with a policy of Local', 'here', '10.96.0.86', 80, {action: 'drop', count: 0}],
] as const)('inside: %s', (_name, _service, address, port, expected) => {
  const rule = table.service('TCP', address, port);
  expect(rule?.inside.action).toBe(expected.action);
  expect(rule?.inside.action === 'forward' ? rule.inside.destinations.length : 0).toBe(expected.count);
});

test.each([
  ['policy Local with an endpoint here', 30080, 'forward', 1],
  ['policy Local without one', 30084, 'drop', 0],
  ['policy Cluster', 30085, 'forward', 2],
  ['no endpoints anywhere', 30087, 'reject', 0],
])('from outside, a node port: %s', (_name, port, action, count) => {
  const outside = table.nodePort('TCP', port)?.outside;
  expect(outside?.action).toBe(action);
  expect(outside?.action === 'forward' ? outside.destinations.length : 0).toBe(count);
});

test('a pod reaches a node port of policy Local by any endpoint', () => {
  expect(table.nodePort('TCP', 30084)?.inside).toMatchObject({
    action: 'forward',
    destinations: [{address: '10.244.3.23', port: 8080}],
  });
});

test('an ending endpoint takes traffic only while no other is ready', () => {
  const ending = {addresses: ['10.244.1.9'], nodeName: 'node-1', conditions: {ready: false, serving: true, terminating: true}};
  const ready = {addresses: ['10.244.2.9'], nodeName: 'node-2', conditions: {ready: true}};
  const rulesWith = (endpoints: EndpointSlice['endpoints']) => {
    const slice = {...aSlice('shop/web', {name: 'http', port: 8080}, []), endpoints};
    return new LazyTable({
      services: () => services,
      slices: () => [slice],
      nodeName: 'node-1',
      clusterCidr: '10.244.0.0/16',
    }).service('TCP', '10.96.0.80', 80)?.inside;
  };
  expect(rulesWith([ending])).toMatchObject({destinations: [{address: '10.244.1.9'}]});
  expect(rulesWith([ending, ready])).toMatchObject({destinations: [{address: '10.244.2.9'}]});
});
