import {expect, test} from 'vitest';
import type {APIService} from '../../api/kinds/apiregistration-v1.ts';
import type {Request} from '../../api/wire/http.ts';
import type {Call} from '../../sim/network.ts';
import {certificate, ServerRoom} from './testing/server-room.ts';

// What the server asks others for: kubelets, and extension servers behind APIServices.
const PODS = '/api/v1/namespaces/default/pods';
const message = (answer: {body?: unknown}) => (answer.body as {message?: string}).message;

/** A node with a pod on it, and whatever its kubelet does. */
function withKubelet(take?: (call: Call) => void, containers: readonly string[] = ['app']): ServerRoom {
  const room = new ServerRoom();
  room.network.attach('node-1', '10.0.0.21');
  if (take) room.network.listen('10.0.0.21', 10_250, take);
  room.post('/api/v1/namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {name: 'default'},
  });
  room.post('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {name: 'node-1'},
    status: {addresses: [{type: 'InternalIP', address: '10.0.0.21'}]},
  });
  room.post(PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name: 'web'},
    spec: {nodeName: 'node-1', containers: containers.map(name => ({name, image: 'nginx'}))},
  });
  room.pass(5);
  return room;
}

test('logs come from the kubelet of the pod', () => {
  const seen: Request[] = [];
  const room = withKubelet(call => {
    seen.push(call.request as Request);
    call.answer({status: 200, body: 'hello\n'});
  });
  expect(room.get(`${PODS}/web/log`, {tailLines: '5'})).toMatchObject({status: 200, body: 'hello\n'});
  expect(seen).toMatchObject([{method: 'GET', path: '/containerLogs/default/web/app', query: {tailLines: '5'}}]);
  expect(message(room.get(`${PODS}/web/log`, {container: 'other'}))).toBe('container other is not valid for pod web');
});

test.each([
  [
    'without a kubelet',
    undefined,
    500,
    'Get "https://10.0.0.21:10250/containerLogs/default/web/app": dial tcp 10.0.0.21:10250: connect: connection refused',
  ],
  [
    'that the kubelet refuses',
    (call: Call) => call.answer({status: 400, body: 'container "app" in pod "web" is waiting to start: ContainerCreating'}),
    400,
    'container "app" in pod "web" is waiting to start: ContainerCreating',
  ],
])('logs %s', (_name, take, status, sentence) => {
  expect(withKubelet(take).get(`${PODS}/web/log`)).toMatchObject({status, body: {message: sentence}});
});

test('a pod of two containers wants to know which', () => {
  expect(message(withKubelet(undefined, ['a', 'b']).get(`${PODS}/web/log`))).toBe(
    'a container name must be specified for pod web, choose one of: [a b]',
  );
});

test('a command in a container is a duplex through the server', () => {
  const room = withKubelet(call => {
    call.open({status: 101});
    call.onFrame(frame => {
      call.send({channel: 1, data: `echo ${(frame as {data: string}).data}`});
      call.send({channel: 3, data: {kind: 'Status', status: 'Success'}});
      call.end();
    });
  });
  const heard: unknown[] = [];
  const caller = room.network.call(
    '192.168.0.2',
    '10.0.0.10',
    6443,
    {
      method: 'POST',
      path: `${PODS}/web/exec`,
      certificate: certificate('root', 'system:masters'),
      body: {command: ['sh'], stdin: true, stdout: true, stderr: true, tty: false},
    },
    {
      answer: (answer, more) => heard.push({answer, more}),
      frame: frame => heard.push(frame),
      end: failure => heard.push({end: failure}),
    },
  );
  room.pass(5);
  caller.send({channel: 0, data: 'hi'});
  room.pass(5);
  expect(heard).toEqual([
    {answer: {status: 101}, more: true},
    {channel: 1, data: 'echo hi'},
    {channel: 3, data: {kind: 'Status', status: 'Success'}},
    {end: undefined},
  ]);
});

test('an extension server takes its group, as long as it can be reached', () => {
  const room = new ServerRoom();
  const seen: Request[] = [];
  room.network.attach('metrics', '10.96.0.77');
  const serve = () =>
    room.network.listen('10.96.0.77', 443, call => {
      const request = call.request as Request;
      seen.push(request);
      call.answer({
        status: 200,
        body:
          request.path === '/apis/metrics.k8s.io/v1beta1'
            ? {
                kind: 'APIResourceList',
                resources: [{name: 'nodes', singularName: '', namespaced: false, kind: 'NodeMetrics', verbs: ['get', 'list']}],
              }
            : {kind: 'NodeMetricsList', items: []},
      });
    });
  const open = serve();
  const group = {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: {name: 'v1beta1.metrics.k8s.io'},
    spec: {
      group: 'metrics.k8s.io',
      version: 'v1beta1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      service: {namespace: 'kube-system', name: 'metrics', port: 443},
    },
  };
  room.post('/apis/apiregistration.k8s.io/v1/apiservices', group);
  const condition = () =>
    (room.get('/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io').body as APIService).status?.conditions?.[0];
  room.pass(1000);
  expect(condition()).toMatchObject({
    type: 'Available',
    status: 'False',
    reason: 'ServiceNotFound',
    message: 'service/metrics in "kube-system" is not present',
  });
  expect(room.get('/apis/metrics.k8s.io/v1beta1/nodes').status).toBe(503);
  room.post('/api/v1/namespaces/kube-system/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name: 'metrics'},
    spec: {clusterIP: '10.96.0.77', ports: [{port: 443}]},
  });
  room.post('/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {name: 'metrics-1', labels: {'kubernetes.io/service-name': 'metrics'}},
    addressType: 'IPv4',
    endpoints: [{addresses: ['10.244.1.2'], conditions: {ready: true}}],
    ports: [{port: 443}],
  });
  room.pass(1000);
  expect(condition()).toMatchObject({status: 'True', reason: 'Passed', message: 'all checks passed'});
  expect(room.get('/apis/metrics.k8s.io/v1beta1/nodes').body).toEqual({kind: 'NodeMetricsList', items: []});
  expect(seen.at(-1)?.headers).toMatchObject({
    'x-remote-user': 'kubernetes-admin',
    'x-remote-group': 'system:masters,system:authenticated',
  });
  expect(
    JSON.stringify(room.get('/apis', {}, {accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'}).body),
  ).toContain('"NodeMetrics"');
  open?.close();
  room.pass(31_000);
  expect(condition()).toMatchObject({
    status: 'False',
    reason: 'FailedDiscoveryCheck',
    message: expect.stringMatching(
      /^failing or missing response from https:\/\/10\.\d+\.\d+\.\d+:443\/apis\/metrics\.k8s\.io\/v1beta1: Get "https:.*": dial tcp .*: connect: connection refused$/,
    ) as string,
  });
});
