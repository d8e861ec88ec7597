import {expect, test} from 'vitest';
import type {Pod, Service} from '../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import {certificate, ServerRoom} from './testing/server-room.ts';

const PODS = '/api/v1/namespaces/default/pods';
const MAPS = '/api/v1/namespaces/default/configmaps';
const STRATEGIC = 'application/strategic-merge-patch+json';
const MERGE = 'application/merge-patch+json';

/** A room whose default namespace has its account. */
function room(): ServerRoom {
  const made = new ServerRoom();
  made.post('/api/v1/namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {name: 'default'},
  });
  return made;
}

const pod = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {name},
  spec: {containers: [{name: 'app', image: 'nginx:1.27'}], ...spec},
});
const message = (answer: {body?: unknown}) => (answer.body as {message?: string}).message;

test('a new pod is completed by defaults and admission', () => {
  const at = room();
  const created = at.post(PODS, pod('plain')).body as Pod;
  expect(created.metadata).toMatchObject({namespace: 'default', generation: 1});
  expect(created.status).toEqual({phase: 'Pending', qosClass: 'BestEffort'});
  const {spec} = created;
  expect(spec).toMatchObject({
    serviceAccountName: 'default',
    serviceAccount: 'default',
    priority: 0,
    preemptionPolicy: 'PreemptLowerPriority',
    enableServiceLinks: true,
  });
  expect(spec?.tolerations).toEqual(
    ['not-ready', 'unreachable'].map(key => ({
      key: `node.kubernetes.io/${key}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    })),
  );
  const [volume] = spec?.volumes ?? [];
  expect(volume?.name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
  expect(volume?.projected?.sources?.[0]).toEqual({serviceAccountToken: {expirationSeconds: 3607, path: 'token'}});
  expect(spec?.containers[0]?.volumeMounts).toEqual([
    {name: volume?.name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount'},
  ]);
});

test('pods of one template share what is the same in them', () => {
  const at = room();
  const set = at.post('/apis/apps/v1/namespaces/default/replicasets', {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {name: 'web'},
    spec: {
      replicas: 2,
      selector: {matchLabels: {app: 'web'}},
      template: {metadata: {labels: {app: 'web'}}, spec: {containers: [{name: 'app', image: 'nginx:1.27'}]}},
    },
  }).body as {spec: {template: {spec: object}}};
  const [one, two] = at.askAll(
    [1, 2].map(() => ({
      method: 'POST',
      path: PODS,
      body: {apiVersion: 'v1', kind: 'Pod', metadata: {generateName: 'web-'}, spec: set.spec.template.spec},
    })),
  );
  const first = one?.body as Pod;
  const second = two?.body as Pod;
  expect(first.metadata.name).toMatch(/^web-[a-z0-9]{5}$/);
  expect(first.metadata.name).not.toBe(second.metadata.name);
  expect(first.spec).toBe(second.spec);
  expect(first.status).toBe(second.status);
});

test.each([
  [
    'an account that is not there',
    {serviceAccountName: 'robot'},
    'error looking up service account default/robot: serviceaccount "robot" not found',
  ],
  ['a class that is not there', {priorityClassName: 'gold'}, 'no PriorityClass with name gold was found'],
  [
    'a priority of its own',
    {priority: 100},
    'the integer value of priority (100) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  ],
  ['a runtime class that is not there', {runtimeClassName: 'gvisor'}, 'pod rejected: RuntimeClass "gvisor" not found'],
  [
    'overhead without a class',
    {overhead: {cpu: '10m'}},
    'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  ],
])('a pod with %s is refused', (_name, spec, why) => {
  expect(message(room().post(PODS, pod('p', spec)))).toBe(`pods "p" is forbidden: ${why}`);
});

test('a pod may be replaced by what it was written as: what was computed for it stays', () => {
  const at = room();
  const written = pod('again', {serviceAccountName: 'default', automountServiceAccountToken: false});
  expect(at.post(PODS, written).status).toBe(201);
  const body = {...written, metadata: {name: 'again', labels: {a: 'b'}}};
  const [replaced] = at.askAll([{method: 'PUT', path: `${PODS}/again`, body}]);
  expect(replaced).toMatchObject({
    status: 200,
    body: {metadata: {labels: {a: 'b'}}, spec: {priority: 0, preemptionPolicy: 'PreemptLowerPriority'}},
  });
});

test('a pod waits a moment for the account of a new namespace', () => {
  const at = new ServerRoom();
  at.post('/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'new'}});
  at.clock.after(400, () =>
    at.daemon.scope.run(
      at.server.ask({
        method: 'POST',
        path: '/api/v1/namespaces/new/serviceaccounts',
        certificate: certificate('x', 'system:masters'),
        body: {apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name: 'default'}},
      }),
    ),
  );
  expect(at.post('/api/v1/namespaces/new/pods', pod('early')).status).toBe(201);
  expect(message(at.post('/api/v1/namespaces/kube-public/pods', pod('late')))).toBe(
    'pods "late" is forbidden: error looking up service account kube-public/default: serviceaccount "default" not found',
  );
});

test('a pod is bound once, and gets the zone of its node', () => {
  const at = room();
  at.post('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {name: 'node-1', labels: {'topology.kubernetes.io/zone': 'west'}},
  });
  at.post(PODS, pod('web'));
  const binding = {apiVersion: 'v1', kind: 'Binding', metadata: {name: 'web'}, target: {kind: 'Node', name: 'node-1'}};
  expect(at.post(`${PODS}/web/binding`, binding)).toMatchObject({
    status: 201,
    body: {kind: 'Status', status: 'Success', code: 201},
  });
  const bound = at.get(`${PODS}/web`).body as Pod;
  expect(bound.spec?.nodeName).toBe('node-1');
  expect(bound.metadata.labels).toEqual({'topology.kubernetes.io/zone': 'west'});
  expect(bound.status?.conditions).toEqual([{type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-11-30T04:20:20Z'}]);
  expect(message(at.post(`${PODS}/web/binding`, binding))).toBe(
    'Operation cannot be fulfilled on pods/binding "web": pod web is already assigned to node "node-1"',
  );
});

test('a new node is tainted until it is ready', () => {
  const at = room();
  const node = at.post('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {name: 'node-1'},
    status: {capacity: {cpu: '4'}},
  }).body;
  expect(node).toMatchObject({
    spec: {taints: [{key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule'}]},
    status: {capacity: {cpu: '4'}},
  });
});

test('a pod that no node has goes at once, another one after its kubelet is done', () => {
  const at = room();
  at.post(PODS, pod('free', {terminationGracePeriodSeconds: 60}));
  expect(at.delete(`${PODS}/free`)).toMatchObject({status: 200, body: {kind: 'Pod'}});
  expect(at.get(`${PODS}/free`).status).toBe(404);
  at.post(PODS, pod('held', {nodeName: 'node-1'}));
  const marked = at.delete(`${PODS}/held`).body as Pod;
  expect(marked.metadata).toMatchObject({
    deletionTimestamp: '2026-11-30T04:20:50Z',
    deletionGracePeriodSeconds: 30,
    generation: 2,
  });
  expect(message(at.post(PODS, pod('held')))).toBe('object is being deleted: pods "held" already exists');
  const sooner = at.delete(`${PODS}/held`, {gracePeriodSeconds: 5}).body as Pod;
  expect(sooner.metadata).toMatchObject({deletionTimestamp: '2026-11-30T04:20:25Z', deletionGracePeriodSeconds: 5});
  at.delete(`${PODS}/held`, {gracePeriodSeconds: 0});
  expect(at.get(`${PODS}/held`).status).toBe(404);
});

test('finalizers hold an object until the last one is taken away', () => {
  const at = room();
  at.post(MAPS, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'held', finalizers: ['example.com/hold']}});
  expect(at.delete(`${MAPS}/held`).body).toMatchObject({
    kind: 'ConfigMap',
    metadata: {deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 0},
  });
  expect(message(at.post(MAPS, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'held'}}))).toBe(
    'object is being deleted: configmaps "held" already exists',
  );
  expect(at.patch(`${MAPS}/held`, MERGE, {metadata: {finalizers: null}}).status).toBe(200);
  expect(at.get(`${MAPS}/held`).status).toBe(404);
});

test('how dependents are treated is written down as a finalizer', () => {
  const at = room();
  const sets = '/apis/apps/v1/namespaces/default/replicasets';
  const set = (name: string) => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {name},
    spec: {
      replicas: 0,
      selector: {matchLabels: {app: name}},
      template: {metadata: {labels: {app: name}}, spec: {containers: [{name: 'c', image: 'x'}]}},
    },
  });
  at.post(sets, set('a'));
  at.post(sets, set('b'));
  expect((at.delete(`${sets}/a`, {propagationPolicy: 'Foreground'}).body as AnyObject).metadata.finalizers).toEqual([
    'foregroundDeletion',
  ]);
  expect((at.delete(`${sets}/b`, {propagationPolicy: 'Orphan'}).body as AnyObject).metadata.finalizers).toEqual(['orphan']);
  // A second, background delete during the first one ends it.
  at.delete(`${sets}/a`, {propagationPolicy: 'Background'});
  expect(at.get(`${sets}/a`).status).toBe(404);
  expect(message(at.delete(`${sets}/b`, {propagationPolicy: 'Sideways'}))).toContain(
    'propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
  );
});

test('of two writers with the same resourceVersion one wins; patches go on', () => {
  const at = room();
  const object = at.post(MAPS, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'race'}, data: {n: '0'}}).body as AnyObject;
  const puts = at.askAll(['1', '2'].map(n => ({method: 'PUT', path: `${MAPS}/race`, body: {...object, data: {n}}})));
  expect(puts.map(answer => answer.status)).toEqual([200, 409]);
  const patches = at.askAll(
    ['a', 'b', 'c'].map(key => ({
      method: 'PATCH',
      path: `${MAPS}/race`,
      headers: {'content-type': MERGE},
      body: {data: {[key]: 'x'}},
    })),
  );
  expect(patches.map(answer => answer.status)).toEqual([200, 200, 200]);
  expect(at.get(`${MAPS}/race`).body).toMatchObject({data: {n: '1', a: 'x', b: 'x', c: 'x'}});
});

test('an update that changes nothing writes nothing', () => {
  const at = room();
  const object = at.post(MAPS, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'same'}, data: {a: 'b'}}).body as AnyObject;
  const again = at.put(`${MAPS}/same`, object).body as AnyObject;
  expect(again.metadata.resourceVersion).toBe(object.metadata.resourceVersion);
  expect((at.patch(`${MAPS}/same`, MERGE, {data: {a: 'b'}}).body as AnyObject).metadata.resourceVersion).toBe(
    object.metadata.resourceVersion,
  );
});

test('spec and status are written by different hands', () => {
  const at = room();
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const deployment = at.post(path, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name: 'web'},
    status: {replicas: 7},
    spec: {
      selector: {matchLabels: {app: 'web'}},
      template: {metadata: {labels: {app: 'web'}}, spec: {containers: [{name: 'c', image: 'nginx'}]}},
    },
  }).body as AnyObject;
  expect(deployment).toMatchObject({metadata: {generation: 1}, status: {}, spec: {replicas: 1}});
  expect(
    at.put(`${path}/web/status`, {...deployment, spec: {...(deployment.spec as object), replicas: 9}, status: {replicas: 3}})
      .body,
  ).toMatchObject({spec: {replicas: 1}, status: {replicas: 3}, metadata: {generation: 1}});
  expect(at.patch(`${path}/web`, STRATEGIC, {spec: {replicas: 2}, status: {replicas: 9}}).body).toMatchObject({
    spec: {replicas: 2},
    status: {replicas: 3},
    metadata: {generation: 2},
  });
  expect(at.patch(`${path}/web`, STRATEGIC, {metadata: {annotations: {a: 'b'}}}).body).toMatchObject({metadata: {generation: 3}});
  expect(at.patch(`${path}/web`, STRATEGIC, {metadata: {labels: {a: 'b'}}}).body).toMatchObject({metadata: {generation: 3}});
  expect(at.get(`${path}/web/scale`).body).toMatchObject({
    kind: 'Scale',
    spec: {replicas: 2},
    status: {replicas: 3, selector: 'app=web'},
  });
  expect(at.patch(`${path}/web/scale`, MERGE, {spec: {replicas: 5}}).body).toMatchObject({kind: 'Scale', spec: {replicas: 5}});
  expect(message(at.patch(`${path}/web/scale`, MERGE, {spec: {replicas: -1}}))).toBe(
    'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  );
});

test('Services get addresses and ports, keep them, and give them back', () => {
  const at = room();
  const path = '/api/v1/namespaces/default/services';
  const service = (name: string, spec: object) => ({apiVersion: 'v1', kind: 'Service', metadata: {name}, spec});
  const web = at.post(path, service('web', {type: 'NodePort', ports: [{port: 80}]})).body as Service;
  expect(web.spec?.clusterIP).toMatch(/^10\.(9[6-9]|1[01]\d)\.\d+\.\d+$/);
  expect(web.spec?.clusterIPs).toEqual([web.spec?.clusterIP]);
  expect(web.spec?.ports?.[0]?.nodePort).toBeGreaterThanOrEqual(30_086);
  expect(at.get(`/apis/networking.k8s.io/v1/ipaddresses/${web.spec?.clusterIP}`).body).toMatchObject({
    spec: {parentRef: {resource: 'services', namespace: 'default', name: 'web'}},
  });
  expect(message(at.post(path, service('same', {clusterIP: web.spec?.clusterIP, ports: [{port: 80}]})))).toBe(
    `Service "same" is invalid: spec.clusterIPs: Invalid value: ["${web.spec?.clusterIP}"]: failed to allocate IP ${web.spec?.clusterIP}: provided IP is already allocated`,
  );
  expect(message(at.post(path, service('out', {clusterIP: '192.168.1.1', ports: [{port: 80}]})))).toBe(
    'Service "out" is invalid: spec.clusterIPs: Invalid value: ["192.168.1.1"]: failed to allocate IP 192.168.1.1: the provided network does not match the current range',
  );
  const nodePort = web.spec?.ports?.[0]?.nodePort;
  expect(message(at.post(path, service('port', {type: 'NodePort', ports: [{port: 80, nodePort}]})))).toBe(
    `Service "port" is invalid: spec.ports[0].nodePort: Invalid value: ${nodePort}: provided port is already allocated`,
  );
  expect(message(at.post(path, service('low', {type: 'NodePort', ports: [{port: 80, nodePort: 80}]})))).toBe(
    'Service "low" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  );
  expect((at.put(`${path}/web`, service('web', {type: 'NodePort', ports: [{port: 80}]})).body as Service).spec).toMatchObject({
    clusterIP: web.spec?.clusterIP,
    ports: [{nodePort}],
  });
  expect((at.patch(`${path}/web`, STRATEGIC, {spec: {type: 'ClusterIP'}}).body as Service).spec?.ports).toEqual([
    {port: 80, protocol: 'TCP', targetPort: 80},
  ]);
  expect(
    (at.patch(`${path}/web`, STRATEGIC, {spec: {type: 'ExternalName', externalName: 'db.example.com'}}).body as Service).spec,
  ).toEqual({
    type: 'ExternalName',
    externalName: 'db.example.com',
    ports: [{port: 80, protocol: 'TCP', targetPort: 80}],
    sessionAffinity: 'None',
  });
  expect(at.get(`/apis/networking.k8s.io/v1/ipaddresses/${web.spec?.clusterIP}`).status).toBe(404);
  const dry = at.post(path, service('dry', {ports: [{port: 80}]}), {dryRun: 'All'}).body as Service;
  expect(dry.spec?.clusterIP).toBe('10.96.0.0');
  expect(
    (at.post(path, service('headless', {clusterIP: 'None', selector: {a: 'b'}, ports: [{port: 80}]})).body as Service).spec
      ?.clusterIPs,
  ).toEqual(['None']);
});

test('a namespace that ends takes nothing new and goes when its finalizer goes', () => {
  const at = room();
  at.post('/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'shop'}});
  expect(at.get('/api/v1/namespaces/shop').body).toMatchObject({
    metadata: {labels: {'kubernetes.io/metadata.name': 'shop'}},
    spec: {finalizers: ['kubernetes']},
    status: {phase: 'Active'},
  });
  expect(at.delete('/api/v1/namespaces/shop').body).toMatchObject({status: {phase: 'Terminating'}});
  expect(
    message(at.post('/api/v1/namespaces/shop/configmaps', {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'late'}})),
  ).toBe('configmaps "late" is forbidden: unable to create new content in namespace shop because it is being terminated');
  expect(at.patch('/api/v1/namespaces/shop', MERGE, {spec: {finalizers: []}}).body).toMatchObject({
    spec: {finalizers: ['kubernetes']},
  });
  expect(
    at.put('/api/v1/namespaces/shop/finalize', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {name: 'shop'},
      spec: {finalizers: []},
    }).status,
  ).toBe(200);
  expect(at.get('/api/v1/namespaces/shop').status).toBe(404);
  expect(message(at.delete('/api/v1/namespaces/default'))).toBe(
    'namespaces "default" is forbidden: this namespace may not be deleted',
  );
});

test('an eviction asks the budget first', () => {
  const at = room();
  for (const name of ['a', 'b']) {
    at.post(PODS, {...pod(name, {nodeName: 'node-1'}), metadata: {name, labels: {app: 'web'}}});
    at.patch(`${PODS}/${name}/status`, MERGE, {status: {phase: 'Running', conditions: [{type: 'Ready', status: 'True'}]}});
  }
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  at.post(budgets, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: {name: 'web'},
    spec: {minAvailable: 1, selector: {matchLabels: {app: 'web'}}},
  });
  const evict = (name: string) =>
    at.post(`${PODS}/${name}/eviction`, {apiVersion: 'policy/v1', kind: 'Eviction', metadata: {name}});
  expect(evict('a')).toMatchObject({
    status: 429,
    body: {
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {causes: [{message: 'The disruption budget web is still being processed by the server.'}]},
    },
  });
  at.patch(`${budgets}/web/status`, MERGE, {
    status: {observedGeneration: 1, disruptionsAllowed: 1, desiredHealthy: 1, currentHealthy: 2},
  });
  expect(evict('a').status).toBe(201);
  expect((at.get(`${PODS}/a`).body as Pod).status?.conditions).toMatchObject([
    {type: 'Ready', status: 'True'},
    {type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting'},
  ]);
  expect(at.get(`${budgets}/web`).body).toMatchObject({status: {disruptionsAllowed: 0, disruptedPods: {a: expect.any(String)}}});
  expect(evict('b')).toMatchObject({
    status: 429,
    body: {
      details: {
        causes: [{reason: 'DisruptionBudget', message: 'The disruption budget web needs 1 healthy pods and has 2 currently'}],
      },
    },
  });
});

test.each([
  ['the budget has what it needs', {}, {desiredHealthy: 1, currentHealthy: 1}, 201],
  ['the budget lacks others', {}, {desiredHealthy: 2, currentHealthy: 1}, 429],
  ['the budget does not care', {unhealthyPodEvictionPolicy: 'AlwaysAllow'}, {desiredHealthy: 2, currentHealthy: 0}, 201],
])('a pod that is not ready and %s', (_what, more, status, code) => {
  const at = room();
  at.post(PODS, {...pod('ill', {nodeName: 'node-1'}), metadata: {name: 'ill', labels: {app: 'web'}}});
  at.patch(`${PODS}/ill/status`, MERGE, {status: {phase: 'Running', conditions: [{type: 'Ready', status: 'False'}]}});
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  const spec = {minAvailable: status.desiredHealthy, selector: {matchLabels: {app: 'web'}}, ...more};
  at.post(budgets, {apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: {name: 'web'}, spec});
  at.patch(`${budgets}/web/status`, MERGE, {status: {observedGeneration: 1, disruptionsAllowed: 0, ...status}});
  const eviction = {apiVersion: 'policy/v1', kind: 'Eviction', metadata: {name: 'ill'}};
  expect(at.post(`${PODS}/ill/eviction`, eviction).status).toBe(code);
  expect(at.get(`${budgets}/web`).body).toMatchObject({status: {disruptionsAllowed: 0}});
});

test('events live an hour, by leases that they share', () => {
  const at = room();
  const event = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {name},
    involvedObject: {kind: 'Pod', name: 'web', namespace: 'default'},
    reason: 'Pulled',
    message: 'done',
    type: 'Normal',
    source: {component: 'kubelet'},
  });
  at.post('/api/v1/namespaces/default/events', event('one'));
  at.post('/api/v1/namespaces/default/events', event('two'));
  at.pass(61_000);
  at.post('/api/v1/namespaces/default/events', event('three'));
  const [one, two, three] = ['one', 'two', 'three'].map(name => at.etcd.keys.get(`/registry/events/default/${name}`)?.lease);
  expect(one).toBeGreaterThan(0);
  expect(two).toBe(one);
  expect(three).not.toBe(one);
  const own = at.get('/apis/events.k8s.io/v1/namespaces/default/events', {fieldSelector: 'regarding.name=web'}).body as {
    items: AnyObject[];
  };
  expect(own.items).toHaveLength(3);
  expect(own.items[0]).toMatchObject({
    apiVersion: 'events.k8s.io/v1',
    regarding: {name: 'web'},
    note: 'done',
    deprecatedSource: {component: 'kubelet'},
  });
  // Nobody reported it: core v1 says so, the newer version does not.
  const reported = (object: unknown) => Object.entries(object as object).filter(([name]) => name.startsWith('reporting'));
  expect(reported(own.items[0])).toEqual([]);
  expect(reported(at.get('/api/v1/namespaces/default/events/one').body)).toEqual([
    ['reportingComponent', ''],
    ['reportingInstance', ''],
  ]);
  expect(at.get('/api/v1/events', {fieldSelector: 'involvedObject.name=other'}).body).toMatchObject({items: []});
});

test('a whole selection is deleted at once', () => {
  const at = room();
  for (const name of ['a', 'b', 'c'])
    at.post(MAPS, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, labels: {set: name === 'c' ? 'z' : 'x'}}});
  const answer = at.delete(MAPS, undefined, {labelSelector: 'set=x'}).body as {kind: string; items: AnyObject[]};
  expect(answer.kind).toBe('ConfigMapList');
  expect(answer.items.map(item => item.metadata.name)).toEqual(['a', 'b']);
  expect((at.get(MAPS).body as {items: AnyObject[]}).items.map(item => item.metadata.name)).toEqual(['c']);
});

test('without a leader reads wait 60 seconds, creates 34, and the cache still answers', () => {
  const at = room();
  at.etcd.silent = true;
  let before = at.clock.now;
  expect(at.get(`${MAPS}/x`)).toMatchObject({
    status: 504,
    body: {reason: 'Timeout', message: 'Timeout: request did not complete within the allotted timeout'},
  });
  expect(at.clock.now - before).toBeCloseTo(60_000, -1);
  before = at.clock.now;
  expect(message(at.post(MAPS, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'x'}}))).toBe(
    'Timeout: request did not complete within requested timeout - context deadline exceeded',
  );
  expect(at.clock.now - before).toBeCloseTo(34_000, -1);
  expect(at.get('/api/v1/namespaces', {resourceVersion: '0'}).body).toMatchObject({
    kind: 'NamespaceList',
    items: [{}, {}, {}, {}],
  });
  expect(at.get('/readyz')).toMatchObject({
    status: 500,
    body: expect.stringContaining('[-]etcd failed: reason withheld') as string,
  });
});

test('every write is in the trace, and what follows says because of what', () => {
  const at = room();
  const watch = at.watch(MAPS, {resourceVersion: String(at.server.revision)});
  at.ask({
    method: 'POST',
    path: MAPS,
    headers: {'user-agent': 'kubectl/v1.35.2 (linux/amd64)'},
    body: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'seen'}},
  });
  at.pass(5);
  const [entry] = at.trace.backwards();
  expect(entry).toMatchObject({who: 'kubectl', verb: 'create', object: 'configmaps/default/seen', detail: {code: 201}});
  expect(watch.frames.at(-1)?.cause).toBe(entry?.n);
});
