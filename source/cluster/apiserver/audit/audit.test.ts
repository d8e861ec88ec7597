import {expect, test} from 'vitest';
import {ServerRoom} from '../testing/server-room.ts';
import type {Policy, PolicyRule} from './policy.ts';

interface Line {
  readonly [field: string]: unknown;
  readonly stage: string;
  readonly verb: string;
  readonly responseStatus?: {readonly code: number};
}

function room(rules: readonly PolicyRule[], more: Partial<Policy> = {}): {at: ServerRoom; lines: () => Line[]} {
  const written: string[] = [];
  const at = new ServerRoom({audit: {policy: {rules, ...more}, write: line => written.push(line)}});
  written.length = 0;
  return {at, lines: () => written.splice(0).map(line => JSON.parse(line) as Line)};
}

const MAPS = '/api/v1/namespaces/default/configmaps';
const map = (name: string) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, data: {a: '1'}});
const ABOUT_MAPS = {resources: [{group: '', resources: ['configmaps']}]};
const stages = (lines: readonly Line[]) =>
  lines.map(({verb, stage, responseStatus}) => `${verb} ${stage} ${responseStatus?.code ?? ''}`.trim());

test('a request is told of when it comes and when it is answered, a watch when it begins and ends', () => {
  const {at, lines} = room([{level: 'Metadata', ...ABOUT_MAPS}]);
  at.post(MAPS, map('a'));
  expect(stages(lines())).toEqual(['create RequestReceived', 'create ResponseComplete 201']);
  const watch = at.watch(MAPS);
  expect(stages(lines())).toEqual(['watch RequestReceived', 'watch ResponseStarted 200']);
  watch.caller.cancel();
  at.pass(10);
  expect(stages(lines())).toEqual(['watch ResponseComplete 200']);
  at.get('/api/v1/namespaces/default/pods');
  expect(lines()).toEqual([]);
});

test('the first rule that fits decides, and stages may be left out', () => {
  const rules: PolicyRule[] = [
    {level: 'None', verbs: ['get'], ...ABOUT_MAPS},
    {level: 'Metadata', namespaces: ['default'], omitStages: ['RequestReceived']},
    {level: 'Metadata', nonResourceURLs: ['/health*']},
  ];
  const {at, lines} = room(rules);
  at.get(`${MAPS}/a`);
  at.post(MAPS, map('a'));
  at.get('/api/v1/namespaces/kube-system/configmaps');
  at.get('/healthz');
  at.get('/version');
  expect(stages(lines())).toEqual(['create ResponseComplete 201', 'get RequestReceived', 'get ResponseComplete 200']);
});

test('how much is written: what was asked, and what was answered, with or without its owners', () => {
  const told = (level: PolicyRule['level'], more: Partial<Policy> = {}) => {
    const {at, lines} = room([{level, omitStages: ['RequestReceived'], ...ABOUT_MAPS}], more);
    at.post(MAPS, map('a'));
    return lines()[0] ?? {stage: '', verb: ''};
  };
  expect(told('Metadata')).not.toHaveProperty('requestObject');
  expect(told('Request')).toMatchObject({requestObject: map('a')});
  expect(told('Request')).not.toHaveProperty('responseObject');
  expect(told('RequestResponse')).toHaveProperty('responseObject.metadata.managedFields');
  expect(told('RequestResponse', {omitManagedFields: true})).not.toHaveProperty('responseObject.metadata.managedFields');
  expect(told('Metadata')).toMatchObject({
    objectRef: {resource: 'configmaps', namespace: 'default', name: 'a', apiVersion: 'v1'},
  });
});

test('who is refused: by the authorizer with the decision, at the door without a name', () => {
  const {at, lines} = room([{level: 'Metadata', ...ABOUT_MAPS}]);
  at.get(`${MAPS}/a`, {}, {'impersonate-user': 'nina'});
  expect(lines().at(-1)).toMatchObject({
    user: {username: 'kubernetes-admin'},
    impersonatedUser: {username: 'nina'},
    responseStatus: {code: 403, reason: 'Forbidden'},
    annotations: {'authorization.k8s.io/decision': 'forbid'},
  });
  at.as = undefined;
  at.get(`${MAPS}/a`, {}, {authorization: 'Bearer nobody'});
  const refused = lines();
  expect(stages(refused)).toEqual(['get ResponseStarted 401']);
  expect(refused[0]?.['user']).toEqual({});
});
