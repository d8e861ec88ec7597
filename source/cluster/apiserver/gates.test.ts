import {expect, test} from 'vitest';
import type {ResourceQuota} from '../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import {ServerRoom} from './testing/server-room.ts';

// LimitRanger, ResourceQuota, PodSecurity: sentences as recorded in golden/security.
const message = (answer: {body?: unknown}) => (answer.body as {message?: string}).message;

function namespace(name: string, labels: Record<string, string> = {}): ServerRoom {
  const room = new ServerRoom();
  room.post('/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name, labels}});
  room.post(`/api/v1/namespaces/${name}/serviceaccounts`, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {name: 'default'},
  });
  return room;
}

const container = (resources: object, name = 'app') => ({name, image: 'nginx:1.27', resources});
const create = (room: ServerRoom, kind: string, object: {metadata: {namespace: string; name: string}}): Answer =>
  room.post(`/api/v1/namespaces/${object.metadata.namespace}/${kind}`, object);
const pod = (name: string, containers: readonly object[], rest: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {name, namespace: 'promo'},
  spec: {containers, ...rest},
});

function limited(): ServerRoom {
  const room = namespace('promo');
  create(room, 'limitranges', {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: {name: 'rules', namespace: 'promo'},
    spec: {
      limits: [
        {
          type: 'Container',
          min: {cpu: '50m', memory: '32Mi'},
          max: {cpu: '1', memory: '1Gi'},
          default: {cpu: '500m', memory: '256Mi'},
          defaultRequest: {cpu: '100m', memory: '128Mi'},
          maxLimitRequestRatio: {cpu: '10'},
        },
        {type: 'Pod', max: {cpu: '1500m', memory: '1500Mi'}},
        {type: 'PersistentVolumeClaim', min: {storage: '1Gi'}, max: {storage: '5Gi'}},
      ],
    },
  } as never);
  return room;
}

test.each([
  ['max', [container({limits: {memory: '1500Mi'}})], 'maximum memory usage per Container is 1Gi, but limit is 1500Mi'],
  [
    'min',
    [container({requests: {cpu: '10m'}, limits: {cpu: '100m'}})],
    'minimum cpu usage per Container is 50m, but request is 10m',
  ],
  ['min-memory', [container({requests: {memory: '16Mi'}})], 'minimum memory usage per Container is 32Mi, but request is 16Mi'],
  [
    'ratio',
    [container({requests: {cpu: '50m'}, limits: {cpu: '1'}})],
    'cpu max limit to request ratio per Container is 10, but provided ratio is 20.000000',
  ],
  [
    'many',
    [container({requests: {cpu: '10m'}, limits: {cpu: '2'}})],
    '[minimum cpu usage per Container is 50m, but request is 10m, maximum cpu usage per Container is 1, but limit is 2, cpu max limit to request ratio per Container is 10, but provided ratio is 200.000000, maximum cpu usage per Pod is 1500m, but limit is 2]',
  ],
  [
    'pod-sum',
    [container({limits: {cpu: '1'}}, 'a'), container({limits: {cpu: '1'}}, 'b')],
    'maximum cpu usage per Pod is 1500m, but limit is 2',
  ],
])('a limit range refuses %s', (name, containers, why) => {
  expect(message(create(limited(), 'pods', pod(name, containers)))).toBe(`pods "${name}" is forbidden: ${why}`);
});

test('a limit range fills in what containers do not say', () => {
  const room = limited();
  const made = (name: string, resources: object): unknown => {
    const {body} = create(room, 'pods', pod(name, [container(resources)]));
    const object = body as AnyObject & {spec: {containers: readonly {resources: unknown}[]}};
    return [object.spec.containers[0]?.resources, object.metadata.annotations];
  };
  expect(made('plain', {})).toEqual([
    {limits: {cpu: '500m', memory: '256Mi'}, requests: {cpu: '100m', memory: '128Mi'}},
    {
      'kubernetes.io/limit-ranger':
        'LimitRanger plugin set: cpu, memory request for container app; cpu, memory limit for container app',
    },
  ]);
  expect(made('only-limit', {limits: {cpu: '200m'}})).toEqual([
    {limits: {cpu: '200m', memory: '256Mi'}, requests: {cpu: '200m', memory: '128Mi'}},
    {'kubernetes.io/limit-ranger': 'LimitRanger plugin set: memory request for container app; memory limit for container app'},
  ]);
});

test.each([
  ['small', '500Mi', 'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 500Mi'],
  ['large', '10Gi', 'maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 10Gi'],
])('a limit range refuses a claim that is too %s', (name, storage, why) => {
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {name, namespace: 'promo'},
    spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage}}},
  };
  expect(message(create(limited(), 'persistentvolumeclaims', claim))).toBe(
    `persistentvolumeclaims "${name}" is forbidden: ${why}`,
  );
});

function quotaRoom(hard: Record<string, string>): ServerRoom {
  const room = namespace('promo');
  create(room, 'resourcequotas', {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: {name: 'team', namespace: 'promo'},
    spec: {hard},
  } as never);
  const used = Object.fromEntries(Object.keys(hard).map(name => [name, '0']));
  room.patch('/api/v1/namespaces/promo/resourcequotas/team/status', 'application/merge-patch+json', {status: {hard, used}});
  return room;
}

test('a quota counts what pods ask for', () => {
  const room = quotaRoom({'requests.cpu': '1', 'requests.memory': '2Gi', 'limits.memory': '2Gi', pods: '3'});
  const ask = (name: string, cpu: string, memory: string) =>
    create(room, 'pods', pod(name, [container({requests: {cpu, memory}, limits: {memory}})]));
  expect(message(create(room, 'pods', pod('plain', [container({}, 'plain')])))).toBe(
    'pods "plain" is forbidden: failed quota: team: must specify limits.memory for: plain; requests.cpu for: plain; requests.memory for: plain',
  );
  expect(message(ask('big', '2', '3Gi'))).toBe(
    'pods "big" is forbidden: exceeded quota: team, requested: limits.memory=3Gi,requests.cpu=2,requests.memory=3Gi, used: limits.memory=0,requests.cpu=0,requests.memory=0, limited: limits.memory=2Gi,requests.cpu=1,requests.memory=2Gi',
  );
  expect(ask('half', '500m', '1Gi').status).toBe(201);
  expect(message(ask('other-half', '600m', '512Mi'))).toBe(
    'pods "other-half" is forbidden: exceeded quota: team, requested: requests.cpu=600m, used: requests.cpu=500m, limited: requests.cpu=1',
  );
  expect(message(ask('third', '100m', '1536Mi'))).toBe(
    'pods "third" is forbidden: exceeded quota: team, requested: limits.memory=1536Mi,requests.memory=1536Mi, used: limits.memory=1Gi,requests.memory=1Gi, limited: limits.memory=2Gi,requests.memory=2Gi',
  );
  expect(ask('small', '100m', '64Mi').status).toBe(201);
  expect(ask('small-2', '100m', '64Mi').status).toBe(201);
  expect(message(ask('small-3', '100m', '64Mi'))).toBe(
    'pods "small-3" is forbidden: exceeded quota: team, requested: pods=1, used: pods=3, limited: pods=3',
  );
  expect((room.get('/api/v1/namespaces/promo/resourcequotas/team').body as ResourceQuota).status?.used).toEqual({
    'limits.memory': '1152Mi',
    pods: '3',
    'requests.cpu': '700m',
    'requests.memory': '1152Mi',
  });
});

test('of many that come at once only as many get in as there are places', () => {
  const room = quotaRoom({configmaps: '3'});
  const requests = Array.from({length: 8}, (_, n): Request => ({
    method: 'POST',
    path: '/api/v1/namespaces/promo/configmaps',
    body: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: `m${n}`}},
  }));
  const codes = room.askAll(requests).map(answer => answer.status);
  expect(codes.filter(code => code === 201)).toHaveLength(3);
  expect(codes.filter(code => code === 403)).toHaveLength(5);
});

test('a quota counts Services and their ports', () => {
  const room = quotaRoom({
    services: '1',
    'services.nodeports': '0',
    'services.loadbalancers': '0',
    'count/deployments.apps': '0',
  });
  const service = (name: string) =>
    create(room, 'services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {name, namespace: 'promo'},
      spec: {ports: [{port: 80}]},
    } as never);
  expect(service('web').status).toBe(201);
  expect(message(service('web2'))).toBe(
    'services "web2" is forbidden: exceeded quota: team, requested: services=1, used: services=1, limited: services=1',
  );
  const type = (to: string) =>
    room.patch('/api/v1/namespaces/promo/services/web', 'application/strategic-merge-patch+json', {spec: {type: to}});
  expect(message(type('NodePort'))).toBe(
    'services "web" is forbidden: exceeded quota: team, requested: services.nodeports=1, used: services.nodeports=0, limited: services.nodeports=0',
  );
  expect(message(type('LoadBalancer'))).toBe(
    'services "web" is forbidden: exceeded quota: team, requested: services.loadbalancers=1,services.nodeports=1, used: services.loadbalancers=0,services.nodeports=0, limited: services.loadbalancers=0,services.nodeports=0',
  );
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name: 'one'},
    spec: {
      replicas: 0,
      selector: {matchLabels: {a: 'b'}},
      template: {metadata: {labels: {a: 'b'}}, spec: {containers: [container({})]}},
    },
  };
  expect(message(room.post('/apis/apps/v1/namespaces/promo/deployments', deployment))).toBe(
    'deployments.apps "one" is forbidden: exceeded quota: team, requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0',
  );
});

const baseline: readonly (readonly [string, object, string])[] = [
  [
    'privileged',
    {containers: [{name: 'app', image: 'x', securityContext: {privileged: true}}]},
    'privileged (container "app" must not set securityContext.privileged=true)',
  ],
  [
    'host namespaces',
    {hostNetwork: true, hostPID: true, hostIPC: true},
    'host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)',
  ],
  [
    'host paths',
    {
      volumes: [
        {name: 'a', hostPath: {path: '/etc'}},
        {name: 'b', hostPath: {path: '/var'}},
        {name: 'c', emptyDir: {}},
      ],
    },
    'hostPath volumes (volumes "a", "b")',
  ],
  [
    'host ports',
    {
      containers: [
        {
          name: 'app',
          image: 'x',
          ports: [
            {containerPort: 80, hostPort: 8080},
            {containerPort: 81, hostPort: 8081},
          ],
        },
      ],
    },
    'hostPort (container "app" uses hostPorts 8080, 8081)',
  ],
  [
    'capabilities',
    {containers: [{name: 'app', image: 'x', securityContext: {capabilities: {add: ['NET_ADMIN', 'SYS_TIME', 'CHOWN']}}}]},
    'non-default capabilities (container "app" must not include "NET_ADMIN", "SYS_TIME" in securityContext.capabilities.add)',
  ],
  [
    'seccomp',
    {securityContext: {seccompProfile: {type: 'Unconfined'}}},
    'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    'AppArmor',
    {securityContext: {appArmorProfile: {type: 'Unconfined'}}},
    'forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")',
  ],
  [
    'SELinux',
    {securityContext: {seLinuxOptions: {type: 'unconfined_t', user: 'root'}}},
    'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "unconfined_t"; user may not be set)',
  ],
  [
    'sysctls',
    {
      securityContext: {
        sysctls: [
          {name: 'kernel.msgmax', value: '1'},
          {name: 'net.ipv4.ip_unprivileged_port_start', value: '80'},
        ],
      },
    },
    'forbidden sysctls (kernel.msgmax)',
  ],
  [
    'probe hosts',
    {
      containers: [
        {
          name: 'app',
          image: 'x',
          livenessProbe: {httpGet: {host: '8.8.8.8', port: 80}},
          lifecycle: {preStop: {httpGet: {host: 'example.com', port: 80}}},
        },
      ],
    },
    'probe or lifecycle host (container "app" uses probe or lifecycle hosts "8.8.8.8", "example.com")',
  ],
  [
    'many',
    {
      hostPID: true,
      volumes: [{name: 'a', hostPath: {path: '/'}}],
      initContainers: [{name: 'prepare', image: 'x', securityContext: {privileged: true}}],
      containers: [
        {name: 'app', image: 'x', securityContext: {privileged: true}, ports: [{containerPort: 80, hostPort: 80}]},
        {name: 'side', image: 'x', securityContext: {privileged: true, capabilities: {add: ['SYS_ADMIN']}}},
      ],
    },
    'non-default capabilities (container "side" must not include "SYS_ADMIN" in securityContext.capabilities.add), host namespaces (hostPID=true), hostPath volumes (volume "a"), hostPort (container "app" uses hostPort 80), privileged (containers "prepare", "app", "side" must not set securityContext.privileged=true)',
  ],
];

test.each(baseline)('the baseline refuses %s', (_name, spec, sentence) => {
  const room = namespace('promo', {'pod-security.kubernetes.io/enforce': 'baseline'});
  expect(message(create(room, 'pods', pod('p', [container({})], spec)))).toBe(
    `pods "p" is forbidden: violates PodSecurity "baseline:latest": ${sentence}`,
  );
  expect(create(room, 'pods', pod('plain', [container({})])).status).toBe(201);
});

const HARD = {allowPrivilegeEscalation: false, capabilities: {drop: ['ALL']}};
const SAFE = {runAsNonRoot: true, seccompProfile: {type: 'RuntimeDefault'}};
const restricted: readonly (readonly [string, object, string])[] = [
  [
    'plain',
    {containers: [{name: 'app', image: 'x'}]},
    'allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "app" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "app" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "app" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ],
  [
    'root',
    {securityContext: {...SAFE, runAsUser: 0}, containers: [{name: 'app', image: 'x', securityContext: HARD}]},
    'runAsUser=0 (pod must not set runAsUser=0)',
  ],
  [
    'root-container',
    {
      securityContext: SAFE,
      containers: [{name: 'app', image: 'x', securityContext: {...HARD, runAsUser: 0, runAsNonRoot: false}}],
    },
    'runAsNonRoot != true (container "app" must not set securityContext.runAsNonRoot=false), runAsUser=0 (container "app" must not set runAsUser=0)',
  ],
  [
    'volumes',
    {
      securityContext: SAFE,
      volumes: [
        {name: 'a', hostPath: {path: '/x'}},
        {name: 'b', nfs: {server: 'a', path: '/b'}},
      ],
      containers: [{name: 'app', image: 'x', securityContext: HARD}],
    },
    'restricted volume types (volumes "a", "b" use restricted volume types "hostPath", "nfs")',
  ],
  [
    'caps',
    {
      securityContext: SAFE,
      containers: [
        {
          name: 'app',
          image: 'x',
          securityContext: {...HARD, capabilities: {drop: ['ALL'], add: ['NET_BIND_SERVICE', 'SYS_TIME']}},
        },
      ],
    },
    'unrestricted capabilities (container "app" must not include "SYS_TIME" in securityContext.capabilities.add)',
  ],
  [
    'privileged',
    {
      hostNetwork: true,
      securityContext: SAFE,
      containers: [{name: 'app', image: 'x', securityContext: {privileged: true, capabilities: {drop: ['ALL']}}}],
    },
    'host namespaces (hostNetwork=true), privileged (container "app" must not set securityContext.privileged=true), allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false)',
  ],
];

test.each(restricted)('the restricted standard refuses %s, and warns about its template', (name, spec, sentence) => {
  const room = namespace('promo', {
    'pod-security.kubernetes.io/enforce': 'restricted',
    'pod-security.kubernetes.io/warn': 'restricted',
  });
  expect(message(create(room, 'pods', pod(name, [], spec)))).toBe(
    `pods "${name}" is forbidden: violates PodSecurity "restricted:latest": ${sentence}`,
  );
  const answer = room.post('/apis/apps/v1/namespaces/promo/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name},
    spec: {selector: {matchLabels: {a: 'b'}}, template: {metadata: {labels: {a: 'b'}}, spec}},
  });
  expect(answer.status).toBe(201);
  expect(answer.headers?.['warning']).toBe(
    `299 - "${`would violate PodSecurity "restricted:latest": ${sentence}`.replaceAll('"', '\\"')}"`,
  );
});
