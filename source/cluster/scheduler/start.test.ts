// Stories of a whole scheduler: what waits, what wakes it, what is written.
import {expect, test} from 'vitest';
import type {Node, Pod} from '../../api/kinds/core-v1.ts';
import type {ScheduleDetail} from '../../api/wire/scheduling.ts';
import {aNode, aPod} from './testing/builders.ts';
import {ScheduledCluster, labelled} from './testing/cluster.ts';

const waiting = (name: string) => aPod(name).with({schedulerName: 'default-scheduler'});
const TOO_BIG =
  '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';
const FULL =
  '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.';

test('a pod gets a node, an event and an entry in the trace', () => {
  const cluster = new ScheduledCluster().apply(aNode('node-1'), aNode('node-2')).start().apply(waiting('web')).pass(50);
  expect(cluster.whereIs('web')).toMatch(/^node-[12]$/);
  const [event] = cluster.eventObjects('web');
  expect(event).toMatchObject({
    type: 'Normal',
    reason: 'Scheduled',
    action: 'Binding',
    note: `Successfully assigned default/web to ${cluster.whereIs('web')}`,
    reportingController: 'default-scheduler',
    reportingInstance: 'default-scheduler-cp-1',
    regarding: {kind: 'Pod', namespace: 'default', name: 'web'},
  });
  const entry = [...cluster.trace.since()].find(each => each.verb === 'schedule');
  const detail = entry?.detail as ScheduleDetail;
  expect(detail).toMatchObject({node: cluster.whereIs('web'), total: 2, feasible: 2});
  expect(detail.scores?.rows.map(row => row.total)).toHaveLength(2);
});

test('nothing happens to a pod of another scheduler, to a gated one, and to one whose claim is missing', () => {
  const cluster = new ScheduledCluster().apply(aNode('node-1')).start();
  cluster.apply(
    aPod('other').with({schedulerName: 'my-scheduler'}),
    waiting('gated').with({schedulingGates: [{name: 'example.com/wait'}]}),
  );
  cluster.apply(waiting('claimless').with({resourceClaims: [{name: 'gpu', resourceClaimName: 'nothing'}]})).pass(400_000);
  for (const name of ['other', 'gated', 'claimless']) {
    expect(cluster.whereIs(name)).toBe('waiting');
    expect(cluster.events(name)).toEqual([]);
  }
  cluster.change<Pod>('pods', 'gated', pod => ({...pod, spec: {...pod.spec, schedulingGates: []}})).pass(50);
  expect(cluster.whereIs('gated')).toBe('node-1');
});

test('a refused pod gets a condition; the same refusal again is a new event, then a series', () => {
  const cluster = new ScheduledCluster().apply(aNode('node-1')).start();
  const since = cluster.clock.now;
  cluster.apply(waiting('big').asking({cpu: '5'})).pass(100);
  expect(cluster.get<Pod>('pods', 'big').status?.conditions).toEqual([
    expect.objectContaining({
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: TOO_BIG,
      observedGeneration: 1,
    }),
  ]);
  cluster.pass(16 * 60_000);
  // Five minutes asleep, looked at every thirty seconds counted from the scheduler's start.
  const tried = cluster.attempts('big', since);
  expect(tried).toHaveLength(4);
  for (const [index, at] of tried.slice(1).entries()) expect(at - 300 * (index + 1)).toBeLessThanOrEqual(30 * (index + 1));
  expect(cluster.events('big')).toEqual([`FailedScheduling ${TOO_BIG}`, `FailedScheduling x2 ${TOO_BIG}`]);
});

test('a node that arrives, grows, or is uncordoned wakes the pods that it helps and no others', () => {
  const cluster = new ScheduledCluster().apply(aNode('node-1')).start();
  cluster
    .apply(
      waiting('big').asking({cpu: '5'}),
      waiting('ssd').onlyOn({disk: 'ssd'}),
      waiting('gpu').asking({'nvidia.com/gpu': '1'}),
    )
    .pass(100);
  cluster.apply(aNode('node-2', {cpu: '8', memory: '8Gi'})).pass(100);
  expect(cluster.whereIs('big')).toBe('node-2');
  expect(cluster.attempts('gpu')).toHaveLength(1);
  cluster.change('nodes', 'node-1', labelled({disk: 'ssd'})).pass(100);
  expect(cluster.whereIs('ssd')).toBe('node-1');
  cluster
    .change<Node>('nodes', 'node-1', node => ({
      ...node,
      status: {...node.status, allocatable: {...node.status?.allocatable, 'nvidia.com/gpu': '2'}},
    }))
    .pass(100);
  expect(cluster.whereIs('gpu')).toBe('node-1');
});

test('room that another pod leaves is given to the one that has waited longest, the important first', () => {
  const cluster = new ScheduledCluster().apply(aNode('node-1')).start();
  cluster.apply(waiting('first').asking({cpu: '4'})).pass(50);
  cluster
    .apply(waiting('second').asking({cpu: '3'}))
    .pass(50)
    .apply(waiting('third').asking({cpu: '3'}))
    .pass(50);
  expect([cluster.whereIs('second'), cluster.whereIs('third')]).toEqual([FULL, FULL]);
  cluster.drop('pods', 'first').pass(100);
  expect([cluster.whereIs('second'), cluster.whereIs('third')]).toEqual(['node-1', FULL]);
});

test('an idle scheduler waits for no back-off: each wake-up is an attempt', () => {
  const cluster = new ScheduledCluster()
    .apply(aNode('node-1'))
    .start()
    .apply(waiting('big').asking({cpu: '20'}))
    .pass(100);
  for (let cpu = 5; cpu < 15; cpu++) cluster.apply(aNode('node-1', {cpu: String(cpu), memory: '8Gi'})).pass(300);
  expect(cluster.attempts('big')).toHaveLength(1);
  for (let n = 0; n < 10; n++) cluster.apply(aNode(`node-9${n}`, {cpu: '30', memory: '8Gi'}).tainted('a=b:NoSchedule')).pass(300);
  expect(cluster.attempts('big')).toHaveLength(11);
});

test('what other pods do: a port is freed, a label leaves the count, a friend comes, an enemy is renamed', () => {
  const zoned = (zone: string) => ({'topology.kubernetes.io/zone': zone});
  const cluster = new ScheduledCluster().apply(...['a', 'b', 'c'].map((zone, n) => aNode(`node-${n + 1}`).inZone(zone)));
  cluster.apply(
    aPod('holder').holding(8080).on('node-1'),
    aPod('counted').labelled({app: 'spread'}).on('node-2'),
    aPod('enemy').labelled({mood: 'loud'}).on('node-3'),
  );
  cluster.start();
  const term = (labels: Record<string, string>) => [
    {topologyKey: 'kubernetes.io/hostname', labelSelector: {matchLabels: labels}},
  ];
  cluster
    .apply(
      waiting('wants-port').holding(8080).onlyOn(zoned('a')),
      waiting('wants-even')
        .labelled({app: 'spread'})
        .onlyOn(zoned('b'))
        .spread({
          maxSkew: 1,
          topologyKey: 'topology.kubernetes.io/zone',
          whenUnsatisfiable: 'DoNotSchedule',
          nodeAffinityPolicy: 'Ignore',
          labelSelector: {matchLabels: {app: 'spread'}},
        }),
      waiting('wants-friend').drawnTo({podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: term({role: 'friend'})}}),
      waiting('wants-quiet')
        .onlyOn(zoned('c'))
        .drawnTo({podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: term({mood: 'loud'})}}),
    )
    .pass(100);
  const relabel = (name: string, labels: Record<string, string>) =>
    cluster.change<Pod>('pods', name, pod => ({...pod, metadata: {...pod.metadata, labels}})).pass(100);
  expect(cluster.whereIs('wants-port')).toContain('free ports');
  cluster.drop('pods', 'holder').pass(100);
  expect(cluster.whereIs('wants-port')).toBe('node-1');
  relabel('counted', {app: 'elsewhere'});
  expect(cluster.whereIs('wants-even')).toBe('node-2');
  relabel('enemy', {mood: 'loud', role: 'friend'});
  expect(cluster.whereIs('wants-friend')).toBe('node-3');
  relabel('enemy', {role: 'friend'});
  expect(cluster.whereIs('wants-quiet')).toBe('node-3');
});

test('nothing but time wakes a pod that the rule of another one refused', () => {
  const hermit = aPod('hermit').drawnTo({
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        {topologyKey: 'kubernetes.io/hostname', labelSelector: {matchLabels: {app: 'web'}}},
      ],
    },
  });
  const cluster = new ScheduledCluster()
    .apply(aNode('node-1'), hermit.on('node-1'))
    .start()
    .apply(waiting('web').labelled({app: 'web'}))
    .pass(100);
  cluster.drop('pods', 'hermit').pass(60_000);
  expect(cluster.attempts('web')).toHaveLength(1);
  cluster.pass(300_000);
  expect(cluster.whereIs('web')).toBe('node-1');
});

test('preemption: nomination, the victim ends slowly, the place is kept for whom it was cleared', () => {
  const cluster = new ScheduledCluster()
    .apply(aNode('node-1', {cpu: '2', memory: '4Gi'}), aPod('victim').asking({cpu: '1500m'}).on('node-1'))
    .start();
  cluster.apply(waiting('vip').asking({cpu: '1'}).important(1000)).pass(100);
  const first = '0/1 nodes are available: 1 Insufficient cpu.';
  expect(cluster.events('vip')).toEqual([`FailedScheduling ${first}`]);
  expect(cluster.get<Pod>('pods', 'vip').status).toMatchObject({
    nominatedNodeName: 'node-1',
    conditions: [{reason: 'Unschedulable', message: first}],
  });
  const victim = cluster.get<Pod>('pods', 'victim');
  expect(victim.metadata.deletionTimestamp).toBeDefined();
  expect(victim.status?.conditions).toEqual([
    expect.objectContaining({
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: 'default-scheduler: preempting to accommodate a higher priority pod',
    }),
  ]);
  expect(cluster.eventObjects('victim')).toEqual([
    expect.objectContaining({
      type: 'Normal',
      reason: 'Preempted',
      action: 'Preempting',
      note: 'Preempted by pod uid-default-vip on node node-1',
      related: expect.objectContaining({kind: 'Pod', name: 'vip'}),
    }),
  ]);
  cluster.apply(aNode('node-2').tainted('a=b:NoSchedule')).pass(100);
  cluster.apply(waiting('small').asking({cpu: '400m'})).pass(100);
  expect(cluster.whereIs('small')).toContain('1 Insufficient cpu, 1 node(s) had untolerated taint(s)');
  cluster.drop('pods', 'victim').pass(100);
  expect([cluster.whereIs('vip'), cluster.whereIs('small')]).toEqual(['node-1', 'node-1']);
  expect(cluster.get<Pod>('pods', 'vip').status?.nominatedNodeName).toBeUndefined();
});

test('a second try while the victim ends says so', () => {
  const cluster = new ScheduledCluster()
    .apply(
      aNode('node-1', {cpu: '2', memory: '4Gi'}),
      aPod('victim').asking({cpu: '1500m'}).on('node-1'),
      aPod('friend').asking({cpu: '100m'}).important(2000).on('node-1'),
    )
    .start();
  cluster.apply(waiting('vip').asking({cpu: '1'}).important(1000)).pass(100);
  cluster.drop('pods', 'friend').pass(100);
  expect(cluster.whereIs('vip')).toBe(
    '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to a terminating pod on the nominated node.',
  );
  expect(cluster.get<Pod>('pods', 'vip').status?.nominatedNodeName).toBe('node-1');
});

test('a binding that fails is tried again after a back-off', () => {
  const cluster = new ScheduledCluster().apply(aNode('node-1')).start();
  let refusals = 2;
  cluster.server.intercept = request => {
    if (!request.path.endsWith('/binding') || refusals-- <= 0) return undefined;
    return {status: 500, body: {kind: 'Status', status: 'Failure', message: 'etcdserver: request timed out', code: 500}};
  };
  const since = cluster.clock.now;
  cluster.apply(waiting('web')).pass(10_000);
  expect(cluster.whereIs('web')).toBe('node-1');
  expect(cluster.attempts('web', since)).toEqual([0, 1, 3]);
  expect(cluster.events('web')[0]).toBe('FailedScheduling running Bind plugin "DefaultBinder": etcdserver: request timed out');
});

test('an idle scheduler does nothing but keep its lease', () => {
  const cluster = new ScheduledCluster().apply(aNode('node-1')).start().apply(waiting('web')).pass(1000);
  const before = [...cluster.trace.since()].length;
  const events = cluster.clock.count;
  cluster.pass(600_000);
  expect([...cluster.trace.since()].length).toBe(before);
  // A lease is renewed every two seconds: a get and a put, and what brings their answers.
  expect(cluster.clock.count - events).toBeLessThan(300 * 12);
});
