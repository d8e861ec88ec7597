import {expect, test} from 'vitest';
import type {Container, Pod, PodSpec} from '../../api/kinds/core-v1.ts';
import type {ContainerStatus} from '../../api/wire/cri.ts';
import {PodKnowledge} from './knowledge.ts';
import {planPod} from './plan-pod.ts';

const SANDBOX = {
  id: 's0',
  name: 'p',
  namespace: 'default',
  uid: 'u',
  attempt: 0,
  state: 'ready',
  ip: '10.244.0.2',
  createdAt: 1,
  labels: {},
} as const;

function podOf(spec: Partial<PodSpec> & {readonly containers?: readonly Container[]}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name: 'p', namespace: 'default', uid: 'u', resourceVersion: '1', creationTimestamp: ''},
    spec: {containers: [{name: 'a', image: 'x'}], ...spec},
  };
}

function status(name: string, state: ContainerStatus['state'], rest: Partial<ContainerStatus> = {}): ContainerStatus {
  return {
    id: `${name}0`,
    sandboxId: 's0',
    uid: 'u',
    name,
    attempt: 0,
    state,
    image: 'x',
    imageId: 'sha256:57',
    imageRef: 'x@sha256:0',
    createdAt: 1,
    startedAt: 1,
    finishedAt: 2,
    exitCode: 0,
    reason: '',
    message: '',
    user: {uid: 0, gid: 0, groups: [0]},
    ...rest,
  };
}

function knowing(...statuses: readonly ContainerStatus[]): PodKnowledge {
  const known = new PodKnowledge();
  known.take({kind: 'sandbox', status: SANDBOX});
  for (const each of statuses) known.take({kind: 'container', status: each});
  return known;
}

/** The plan in a few words. */
function words(pod: Pod, known: PodKnowledge): string {
  const {end, sandbox, stop, start} = planPod(pod, known);
  const parts = [
    ...(end ? ['end'] : []),
    ...(sandbox === undefined ? [] : [`sandbox ${sandbox}`]),
    ...stop.map(each => `stop ${each.container.name}: ${each.message}`),
    ...start.map(each => `start ${each.kind} ${each.container.name}`),
  ];
  return parts.join(', ') || 'nothing';
}

const init = (name: string, rest: Partial<Container> = {}): Container => ({name, image: 'x', ...rest});
const sidecar = (name: string): Container => init(name, {restartPolicy: 'Always'});

test.for<[string, Partial<PodSpec>, PodKnowledge, string]>([
  ['a new pod gets a sandbox and its containers', {}, new PodKnowledge(), 'sandbox 0, start regular a'],
  [
    'with init containers the first of them',
    {initContainers: [init('i'), init('j')]},
    new PodKnowledge(),
    'sandbox 0, start init i',
  ],
  ['what runs is left alone', {}, knowing(status('a', 'running')), 'nothing'],
  ['what was made is waited for', {}, knowing(status('a', 'created')), 'nothing'],
  ['what ended well runs again under Always', {}, knowing(status('a', 'exited')), 'start regular a'],
  ['and ends the pod under OnFailure', {restartPolicy: 'OnFailure'}, knowing(status('a', 'exited')), 'end'],
  [
    'what failed runs again under OnFailure',
    {restartPolicy: 'OnFailure'},
    knowing(status('a', 'exited', {exitCode: 3})),
    'start regular a',
  ],
  ['and ends the pod under Never', {restartPolicy: 'Never'}, knowing(status('a', 'exited', {exitCode: 3})), 'end'],
  [
    'one that ended beside one that runs is let be',
    {restartPolicy: 'Never', containers: [init('a'), init('b')]},
    knowing(status('a', 'exited'), status('b', 'running')),
    'nothing',
  ],
  ['an init container that runs is waited for', {initContainers: [init('i')]}, knowing(status('i', 'running')), 'nothing'],
  ['after it the next', {initContainers: [init('i'), init('j')]}, knowing(status('i', 'exited')), 'start init j'],
  ['after the last the others', {initContainers: [init('i')]}, knowing(status('i', 'exited')), 'start regular a'],
  ['one that failed runs again', {initContainers: [init('i')]}, knowing(status('i', 'exited', {exitCode: 1})), 'start init i'],
  [
    'or ends the pod under Never',
    {initContainers: [init('i')], restartPolicy: 'Never'},
    knowing(status('i', 'exited', {exitCode: 1})),
    'end',
  ],
  [
    'a sidecar that runs lets the others start',
    {initContainers: [sidecar('s')]},
    knowing(status('s', 'running')),
    'start regular a',
  ],
  [
    'one that ended starts again beside them',
    {initContainers: [sidecar('s')]},
    knowing(status('s', 'exited'), status('a', 'running')),
    'start init s',
  ],
  [
    'and does not keep a pod alive',
    {initContainers: [sidecar('s')], restartPolicy: 'Never'},
    knowing(status('s', 'running'), status('a', 'exited')),
    'end',
  ],
  [
    'one with a startup probe is waited for',
    {initContainers: [init('s', {restartPolicy: 'Always', startupProbe: {}})]},
    knowing(status('s', 'running')),
    'nothing',
  ],
  [
    'an ephemeral container starts once',
    {ephemeralContainers: [{name: 'e'}]},
    knowing(status('a', 'running')),
    'start ephemeral e',
  ],
  ['and not again', {ephemeralContainers: [{name: 'e'}]}, knowing(status('a', 'running'), status('e', 'exited')), 'nothing'],
])('%s', ([, spec, known, expected]) => {
  expect(words(podOf(spec), known)).toBe(expected);
});

test('a failed probe stops a container and starts it again', () => {
  const known = knowing(status('a', 'running'));
  known.of('a').probes = {id: 'a0', started: true, ready: true, failed: 'liveness'};
  expect(words(podOf({}), known)).toBe('stop a: Container a failed liveness probe, will be restarted, start regular a');
});

test('a finding about an earlier container counts no more', () => {
  const known = knowing(status('a', 'running', {id: 'a1', attempt: 1}));
  known.of('a').probes = {id: 'a0', started: true, ready: true, failed: 'liveness'};
  expect(words(podOf({}), known)).toBe('nothing');
});

test('another image stops and starts', () => {
  const known = knowing(status('a', 'running'));
  known.of('a').image = 'old';
  expect(words(podOf({}), known)).toBe('stop a: Container a definition changed, will be restarted, start regular a');
});

test('a sandbox that is gone is made again, and all in it; not for a pod that is done', () => {
  const known = knowing(status('a', 'exited', {exitCode: 137}));
  known.take({kind: 'sandbox', status: {...SANDBOX, state: 'notready'}});
  expect(words(podOf({}), known)).toBe('end, sandbox 1, start regular a');
  expect(words(podOf({restartPolicy: 'Never'}), known)).toBe('end');
});

test('what the runtime says late changes nothing back', () => {
  const known = knowing(status('a', 'exited'));
  expect(known.take({kind: 'container', status: status('a', 'running')})).toBe(false);
  expect(known.take({kind: 'container', status: status('a', 'running', {id: 'a1', attempt: 1})})).toBe(true);
  expect([known.newest('a')?.id, known.ended('a')?.id]).toEqual(['a1', 'a0']);
});
