import {expect, test} from 'vitest';
import type {TokenRequest} from '../../api/kinds/authentication-v1.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import type {Request} from '../../api/wire/http.ts';
import {certificate, ServerRoom} from './testing/server-room.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const PODS = '/api/v1/namespaces/default/pods';
const message = (answer: {body?: unknown}) => (answer.body as {message?: string}).message;
const as = (user: string, ...groups: string[]) => ({
  'impersonate-user': user,
  ...(groups.length > 0 ? {'impersonate-group': groups.join('\n')} : {}),
});

function room(): ServerRoom {
  const made = new ServerRoom();
  made.post('/api/v1/namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {name: 'default'},
  });
  return made;
}

function allow(at: ServerRoom, user: string, rules: readonly object[]): void {
  at.post(`${RBAC}/clusterroles`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {name: `role-${user}`},
    rules,
  });
  at.post(`${RBAC}/clusterrolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: {name: `binding-${user}`},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `role-${user}`},
    subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user}],
  });
}

const nobody = room();
test.each<[string, Request, string]>([
  [
    'list',
    {method: 'GET', path: PODS},
    'pods is forbidden: User "nina" cannot list resource "pods" in API group "" in the namespace "default"',
  ],
  [
    'list everywhere',
    {method: 'GET', path: '/api/v1/pods'},
    'pods is forbidden: User "nina" cannot list resource "pods" in API group "" at the cluster scope',
  ],
  [
    'get',
    {method: 'GET', path: `${PODS}/web`},
    'pods "web" is forbidden: User "nina" cannot get resource "pods" in API group "" in the namespace "default"',
  ],
  [
    'get in a group',
    {method: 'GET', path: '/apis/apps/v1/namespaces/default/deployments/web'},
    'deployments.apps "web" is forbidden: User "nina" cannot get resource "deployments" in API group "apps" in the namespace "default"',
  ],
  [
    'watch',
    {method: 'GET', path: PODS, query: {watch: 'true'}},
    'pods is forbidden: User "nina" cannot watch resource "pods" in API group "" in the namespace "default"',
  ],
  [
    'logs',
    {method: 'GET', path: `${PODS}/solo/log`},
    'pods "solo" is forbidden: User "nina" cannot get resource "pods/log" in API group "" in the namespace "default"',
  ],
  [
    'exec',
    {method: 'POST', path: `${PODS}/solo/exec`},
    'pods "solo" is forbidden: User "nina" cannot create resource "pods/exec" in API group "" in the namespace "default"',
  ],
  [
    'a node',
    {method: 'GET', path: '/api/v1/nodes/node-1'},
    'nodes "node-1" is forbidden: User "nina" cannot get resource "nodes" in API group "" at the cluster scope',
  ],
  [
    'through a node',
    {method: 'GET', path: '/api/v1/nodes/node-1/proxy/pods'},
    'nodes "node-1" is forbidden: User "nina" cannot get resource "nodes/proxy" in API group "" at the cluster scope',
  ],
  [
    'many at once',
    {method: 'DELETE', path: PODS},
    'pods is forbidden: User "nina" cannot deletecollection resource "pods" in API group "" in the namespace "default"',
  ],
  ['a path', {method: 'GET', path: '/metrics'}, 'forbidden: User "nina" cannot get path "/metrics"'],
  [
    'what is not there',
    {method: 'GET', path: '/apis/apps/v1/nopes'},
    'nopes.apps is forbidden: User "nina" cannot list resource "nopes" in API group "apps" at the cluster scope',
  ],
])('nina may not: %s', (_name, request, sentence) => {
  expect(nobody.ask({...request, headers: as('nina')})).toMatchObject({
    status: 403,
    body: {message: sentence, reason: 'Forbidden'},
  });
});

test('who may do what follows roles and bindings at once', () => {
  const at = room();
  const list = (): number => at.get(PODS, {}, as('nina')).status;
  expect(list()).toBe(403);
  allow(at, 'nina', [
    {apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list']},
    {apiGroups: [''], resources: ['configmaps'], resourceNames: ['settings'], verbs: ['update', 'get']},
  ]);
  at.pass(5);
  expect(list()).toBe(200);
  expect(at.get('/api/v1/pods', {}, as('nina')).status).toBe(200);
  expect(at.get('/api/v1/namespaces/default/configmaps/settings', {}, as('nina')).status).toBe(404);
  expect(at.get('/api/v1/namespaces/default/configmaps/other', {}, as('nina')).status).toBe(403);
  expect(at.get('/api/v1/namespaces/default/configmaps', {fieldSelector: 'metadata.name=settings'}, as('nina')).status).toBe(403);
  at.delete(`${RBAC}/clusterrolebindings/binding-nina`);
  at.pass(5);
  expect(list()).toBe(403);
});

test('a binding to a role that is missing says so', () => {
  const at = room();
  at.post(`${RBAC}/namespaces/default/rolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: {name: 'lost'},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'gone'},
    subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'nina'}],
  });
  at.pass(5);
  expect(message(at.get(PODS, {}, as('nina')))).toBe(
    'pods is forbidden: User "nina" cannot list resource "pods" in API group "" in the namespace "default": RBAC: role.rbac.authorization.k8s.io "gone" not found',
  );
});

test('acting as somebody else must be allowed, thing by thing', () => {
  const at = room();
  allow(at, 'boss', [{apiGroups: [''], resources: ['users'], resourceNames: ['nina'], verbs: ['impersonate']}]);
  at.pass(5);
  at.as = certificate('boss');
  const who = (...wish: Parameters<typeof as>) =>
    at.ask({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      headers: as(...wish),
      body: {apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview'},
    });
  expect(who('nina')).toMatchObject({
    status: 201,
    body: {status: {userInfo: {username: 'nina', groups: ['system:authenticated']}}},
  });
  expect(message(who('otto'))).toBe(
    'users "otto" is forbidden: User "boss" cannot impersonate resource "users" in API group "" at the cluster scope',
  );
  expect(message(who('nina', 'crew'))).toBe(
    'groups "crew" is forbidden: User "boss" cannot impersonate resource "groups" in API group "" at the cluster scope',
  );
  expect(message(who('system:serviceaccount:default:other'))).toBe(
    'serviceaccounts "other" is forbidden: User "boss" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "default"',
  );
  at.as = certificate('root', 'system:masters');
  expect(who('system:serviceaccount:default:ci').body).toMatchObject({
    status: {userInfo: {groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated']}},
  });
});

test('certificates of strangers and old ones count for nothing', () => {
  const at = room();
  at.as = {...certificate('eve', 'system:masters'), authority: 'elsewhere'};
  expect(at.get('/healthz')).toMatchObject({status: 401, body: {message: 'Unauthorized', reason: 'Unauthorized', code: 401}});
  at.as = {...certificate('old', 'system:masters'), notAfter: 0};
  expect(at.get('/api').status).toBe(401);
  at.as = undefined;
  expect(at.get('/healthz').status).toBe(200);
  expect(message(at.get('/api'))).toBe('forbidden: User "system:anonymous" cannot get path "/api"');
  expect(at.get('/api', {}, {authorization: 'Bearer nonsense'}).status).toBe(401);
  expect(at.get('/healthz', {}, {authorization: 'Basic bm9ib2R5'}).status).toBe(200);
});

function issue(at: ServerRoom, spec: object = {}, account = 'default'): {status: number; token: string; body: unknown} {
  const answer = at.post(`/api/v1/namespaces/default/serviceaccounts/${account}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: {},
    spec,
  });
  return {status: answer.status, token: (answer.body as TokenRequest).status?.token ?? '', body: answer.body};
}

test('a token is its account, as long as account and pod live', () => {
  const at = room();
  at.post(PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name: 'web'},
    spec: {nodeName: 'node-1', containers: [{name: 'c', image: 'x'}]},
  });
  const {token} = issue(at, {expirationSeconds: 3600, boundObjectRef: {kind: 'Pod', name: 'web'}});
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;
  expect(claims).toMatchObject({
    aud: ['https://kubernetes.default.svc.cluster.local'],
    iss: 'https://kubernetes.default.svc.cluster.local',
    sub: 'system:serviceaccount:default:default',
    'kubernetes.io': {namespace: 'default', pod: {name: 'web'}},
  });
  at.as = undefined;
  const use = () => at.get('/api/v1/pods', {}, {authorization: `Bearer ${token}`});
  expect(message(use())).toBe(
    'pods is forbidden: User "system:serviceaccount:default:default" cannot list resource "pods" in API group "" at the cluster scope',
  );
  at.as = certificate('root', 'system:masters');
  at.delete(`${PODS}/web`, {gracePeriodSeconds: 0});
  at.as = undefined;
  at.pass(5);
  expect(use().status).toBe(401);
  expect(at.get('/api', {}, {authorization: `Bearer ${token.slice(0, -2)}xx`}).status).toBe(401);
});

test('a token ends when its time is up', () => {
  const at = room();
  const {token} = issue(at, {expirationSeconds: 600});
  const use = () => at.ask({method: 'GET', path: '/api', headers: {authorization: `Bearer ${token}`}});
  at.as = undefined;
  expect(use().status).toBe(200);
  at.pass(601_000);
  expect(use().status).toBe(401);
});

test.each([
  [
    'too short',
    {expirationSeconds: 300},
    'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 300: may not specify a duration less than 10 minutes',
  ],
  [
    'too long',
    {expirationSeconds: 7_200_000_000},
    'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 7200000000: may not specify a duration larger than 2^32 seconds',
  ],
  ['bound to nothing', {boundObjectRef: {kind: 'Pod', name: 'nowhere'}}, 'pods "nowhere" not found'],
])('a token request: %s', (_name, spec, sentence) => {
  expect(message(issue(room(), spec))).toBe(sentence);
});

test('a review says whose token it is, and for whom', () => {
  const at = room();
  const review = (token: string, audiences?: string[]) =>
    at.post('/apis/authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: {token, ...(audiences ? {audiences} : {})},
    }).body as {status: unknown};
  const vault = issue(at, {audiences: ['vault']}).token;
  expect(review(vault, ['vault']).status).toMatchObject({
    authenticated: true,
    audiences: ['vault'],
    user: {username: 'system:serviceaccount:default:default'},
  });
  expect(review(issue(at).token, ['vault']).status).toEqual({
    user: {},
    error:
      '[invalid bearer token, token audiences ["https://kubernetes.default.svc.cluster.local"] is invalid for the target audiences ["vault"]]',
  });
  expect(review('rubbish').status).toEqual({user: {}, error: 'invalid bearer token'});
});

test('reviews of access', () => {
  const at = room();
  allow(at, 'nina', [{apiGroups: [''], resources: ['pods'], verbs: ['delete']}]);
  at.pass(5);
  const sar = (spec: object) =>
    at.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec,
    });
  expect(sar({user: 'nina', resourceAttributes: {namespace: 'default', verb: 'delete', resource: 'pods'}}).body).toMatchObject({
    status: {
      allowed: true,
      reason: 'RBAC: allowed by ClusterRoleBinding "binding-nina" of ClusterRole "role-nina" to User "nina"',
    },
  });
  expect(
    (sar({user: 'nina', resourceAttributes: {namespace: 'default', verb: 'create', resource: 'pods'}}).body as AnyObject).status,
  ).toEqual({allowed: false});
  expect(message(sar({}))).toBe(
    ' "" is invalid: [spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified, spec.user: Invalid value: "": at least one of user or group must be specified]',
  );
  const rules = at.ask({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
    headers: as('nina'),
    body: {apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: {namespace: 'default'}},
  });
  expect((rules.body as {status: {resourceRules: unknown[]}}).status.resourceRules).toContainEqual({
    verbs: ['delete'],
    apiGroups: [''],
    resources: ['pods'],
  });
});

test('nobody grants what he does not hold', () => {
  const at = room();
  at.post(`${RBAC}/namespaces/default/rolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: {name: 'nina'},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin'},
    subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'nina'}],
  });
  at.pass(5);
  const role = (name: string, rules: object[]) =>
    at.ask({
      method: 'POST',
      path: `${RBAC}/namespaces/default/roles`,
      headers: as('nina'),
      body: {apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: {name}, rules},
    });
  expect(
    message(
      role('ci', [
        {apiGroups: [''], resources: ['nodes'], verbs: ['get']},
        {apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list']},
        {apiGroups: ['*'], resources: ['*'], verbs: ['*']},
        {apiGroups: [''], resources: ['pods', 'persistentvolumes'], verbs: ['get', 'escalate']},
        {apiGroups: [''], resources: ['secrets'], resourceNames: ['one'], verbs: ['get']},
        {apiGroups: ['ops.example.com'], resources: ['backups', 'backups/status'], verbs: ['get', 'update']},
      ]),
    ),
  ).toBe(
    [
      'roles.rbac.authorization.k8s.io "ci" is forbidden: user "nina" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:',
      '{APIGroups:[""], Resources:["nodes"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["persistentvolumes"], Verbs:["get" "escalate"]}',
      '{APIGroups:[""], Resources:["pods"], Verbs:["escalate"]}',
      '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
      '{APIGroups:["ops.example.com"], Resources:["backups"], Verbs:["get" "update"]}',
      '{APIGroups:["ops.example.com"], Resources:["backups/status"], Verbs:["get" "update"]}',
    ].join('\n'),
  );
  expect(role('fine', [{apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'update']}]).status).toBe(201);
  const bind = (name: string, ref: string) =>
    at.ask({
      method: 'POST',
      path: `${RBAC}/namespaces/default/rolebindings`,
      headers: as('nina'),
      body: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: {name},
        roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: ref},
        subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'vera'}],
      },
    });
  expect(bind('b1', 'view').status).toBe(201);
  expect(message(bind('b2', 'cluster-admin'))).toBe(
    [
      'rolebindings.rbac.authorization.k8s.io "b2" is forbidden: user "nina" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:',
      '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
      '{NonResourceURLs:["*"], Verbs:["*"]}',
    ].join('\n'),
  );
  expect(message(bind('b3', 'nowhere'))).toBe('rolebindings.rbac.authorization.k8s.io "nowhere" not found');
});

test('a kubelet sees what its pods need', () => {
  const at = room();
  at.post('/api/v1/nodes', {apiVersion: 'v1', kind: 'Node', metadata: {name: 'node-1'}});
  at.post('/api/v1/nodes', {apiVersion: 'v1', kind: 'Node', metadata: {name: 'node-2'}});
  for (const name of ['here', 'there'])
    at.post('/api/v1/namespaces/default/secrets', {apiVersion: 'v1', kind: 'Secret', metadata: {name}});
  for (const [name, node, secretName] of [
    ['p1', 'node-1', 'here'],
    ['p2', 'node-2', 'there'],
  ]) {
    at.post(PODS, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {name},
      spec: {nodeName: node, volumes: [{name: 's', secret: {secretName}}], containers: [{name: 'c', image: 'x'}]},
    });
  }
  at.pass(5);
  at.as = certificate('system:node:node-1', 'system:nodes');
  const secrets = '/api/v1/namespaces/default/secrets';
  expect(at.get(`${secrets}/here`).status).toBe(200);
  expect(message(at.get(`${secrets}/there`))).toBe(
    'secrets "there" is forbidden: User "system:node:node-1" cannot get resource "secrets" in API group "" in the namespace "default": no relationship found between node \'node-1\' and this object',
  );
  expect(message(at.get(secrets))).toBe(
    'secrets is forbidden: User "system:node:node-1" cannot list resource "secrets" in API group "" in the namespace "default": No Object name found',
  );
  expect(message(at.get('/api/v1/nodes'))).toBe(
    'nodes is forbidden: User "system:node:node-1" cannot list resource "nodes" in API group "" at the cluster scope: node \'node-1\' cannot read all nodes, only its own Node object',
  );
  expect(at.get('/api/v1/pods', {fieldSelector: 'spec.nodeName=node-1'}).body).toMatchObject({items: [{metadata: {name: 'p1'}}]});
  expect(message(at.get(PODS))).toBe(
    'pods is forbidden: User "system:node:node-1" cannot list resource "pods" in API group "" in the namespace "default": can only list/watch pods with spec.nodeName field selector',
  );
  expect(at.get('/api/v1/nodes/node-1').status).toBe(200);
  const status = {metadata: {}, status: {phase: 'Running'}};
  expect(at.patch(`${PODS}/p1/status`, 'application/merge-patch+json', status).status).toBe(200);
  expect(message(at.patch(`${PODS}/p2/status`, 'application/merge-patch+json', status))).toBe(
    'pods "p2" is forbidden: node "node-1" can only update pod status for pods with spec.nodeName set to itself',
  );
  expect(message(at.delete(`${PODS}/p2`))).toBe(
    'pods "p2" is forbidden: node "node-1" can only delete pods with spec.nodeName set to itself',
  );
  expect(message(at.patch(`${PODS}/p1`, 'application/merge-patch+json', {}))).toBe(
    'pods "p1" is forbidden: User "system:node:node-1" cannot patch resource "pods" in API group "" in the namespace "default"',
  );
  expect(message(at.patch('/api/v1/nodes/node-1', 'application/merge-patch+json', {spec: {taints: []}}))).toBe(
    'nodes "node-1" is forbidden: node "node-1" is not allowed to modify taints',
  );
  expect(
    message(
      at.patch('/api/v1/nodes/node-1', 'application/merge-patch+json', {
        metadata: {labels: {'node-role.kubernetes.io/worker': ''}},
      }),
    ),
  ).toBe('nodes "node-1" is forbidden: is not allowed to modify labels: node-role.kubernetes.io/worker');
  expect(at.patch('/api/v1/nodes/node-1', 'application/merge-patch+json', {metadata: {labels: {team: 'shop'}}}).status).toBe(200);
  expect(message(issue(at))).toBe('serviceaccounts "default" is forbidden: node requested token not bound to a pod');
  const lease = (name: string) =>
    at.post('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {name},
      spec: {},
    });
  expect(message(lease('node-2'))).toBe(
    'leases.coordination.k8s.io "node-2" is forbidden: can only access node lease with the same name as the requesting node',
  );
  expect(lease('node-1').status).toBe(201);
});
