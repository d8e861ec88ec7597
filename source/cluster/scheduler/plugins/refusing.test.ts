// What each plugin refuses, and in which words: nodes node-1 to node-3 in zones a to c, and cp-1 with the control plane's taint.
import {expect, test} from 'vitest';
import type {TopologySpreadConstraint} from '../../../api/kinds/core-v1.ts';
import {makeProfile} from '../profile.ts';
import {aCluster, aNode, aPod, outcomeOf, type NodeBuilder, type PodBuilder} from '../testing/builders.ts';

interface Case {
  readonly name: string;
  readonly nodes?: readonly NodeBuilder[];
  readonly standing?: readonly PodBuilder[];
  readonly pod: PodBuilder;
  readonly outcome: string;
}

function trio(): NodeBuilder[] {
  return [
    aNode('cp-1').tainted('node-role.kubernetes.io/control-plane:NoSchedule'),
    aNode('node-1').inZone('a'),
    aNode('node-2').inZone('b'),
    aNode('node-3').inZone('c'),
  ];
}

const UNHELPFUL = 'no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.';

const web = {app: 'web'};
const zoneOf = (zone: string) => ({'topology.kubernetes.io/zone': zone});
const spread = (more: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint => ({
  maxSkew: 1,
  topologyKey: 'topology.kubernetes.io/zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: {matchLabels: web},
  ...more,
});
const awayFrom = (labels: Record<string, string>, topologyKey = 'kubernetes.io/hostname') => ({
  podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey, labelSelector: {matchLabels: labels}}]},
});
const nearTo = (labels: Record<string, string>, topologyKey = 'kubernetes.io/hostname') => ({
  podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey, labelSelector: {matchLabels: labels}}]},
});
const named = (...values: string[]) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{matchFields: [{key: 'metadata.name', operator: 'In' as const, values}]}],
    },
  },
});

const cases: readonly Case[] = [
  {
    name: 'a request above what any node can give is no matter for preemption',
    pod: aPod('big').asking({cpu: '5'}),
    outcome: `0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 Insufficient cpu. ${UNHELPFUL}`,
  },
  {
    name: 'a full node counts once for each resource that does not suffice',
    standing: [1, 2, 3].map(n => aPod(`filler-${n}`).asking({cpu: '3', memory: '7Gi'}).on(`node-${n}`)),
    pod: aPod('late').asking({cpu: '2', memory: '2Gi'}),
    outcome:
      '0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 Insufficient cpu, 3 Insufficient memory. no new claims to deallocate, ' +
      'preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod.',
  },
  {
    name: 'a device that no node has',
    pod: aPod('gpu').asking({'nvidia.com/gpu': '1'}),
    outcome: `0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 Insufficient nvidia.com/gpu. ${UNHELPFUL}`,
  },
  {
    name: 'a node that takes no more pods',
    nodes: [aNode('node-1', {cpu: '4', memory: '8Gi', pods: '1'})],
    standing: [aPod('first').on('node-1')],
    pod: aPod('second').asking({cpu: '1'}),
    outcome:
      '0/1 nodes are available: 1 Too many pods. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
  },
  {
    name: 'ten nodes sort before two, as text does',
    nodes: [
      ...Array.from({length: 10}, (_, n) => aNode(`small-${n}`, {cpu: '1', memory: '1Gi'})),
      aNode('t-1').tainted('a=b:NoSchedule'),
      aNode('t-2').tainted('a=b:NoExecute'),
    ],
    pod: aPod('big').asking({cpu: '2'}),
    outcome:
      '0/12 nodes are available: 10 Insufficient cpu, 2 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/12 nodes are available: 12 Preemption is not helpful for scheduling.',
  },
  {
    name: 'cordoned nodes are named before their taint',
    nodes: trio().map((node, n) => (n === 0 ? node : node.cordoned().tainted('node.kubernetes.io/unschedulable:NoSchedule'))),
    pod: aPod('web'),
    outcome: `0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 node(s) were unschedulable. ${UNHELPFUL}`,
  },
  {
    name: 'a pod that tolerates the cordon goes to a cordoned node',
    nodes: [aNode('node-1').cordoned().tainted('node.kubernetes.io/unschedulable:NoSchedule')],
    pod: aPod('stubborn').tolerating({key: 'node.kubernetes.io/unschedulable', operator: 'Exists'}),
    outcome: 'node-1',
  },
  {
    name: 'a toleration of another effect does not help',
    pod: aPod('cp')
      .tolerating({key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoExecute'})
      .onlyOn({'kubernetes.io/hostname': 'cp-1'}),
    outcome: `0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 node(s) didn't match Pod's node affinity/selector. ${UNHELPFUL}`,
  },
  {
    name: 'an empty key tolerates everything',
    pod: aPod('everywhere').tolerating({operator: 'Exists'}).onlyOn({'kubernetes.io/hostname': 'cp-1'}),
    outcome: 'cp-1',
  },
  {
    name: 'a pod of a DaemonSet is looked at on its node alone',
    pod: aPod('agent').drawnTo(named('node-2')).asking({cpu: '5'}),
    outcome: `0/4 nodes are available: 1 Insufficient cpu, 3 node(s) didn't satisfy plugin(s) [NodeAffinity]. ${UNHELPFUL}`,
  },
  {
    name: 'a name that no node has',
    pod: aPod('agent').drawnTo(named('node-9')),
    outcome: `0/4 nodes are available: 4 node(s) didn't satisfy plugin(s) [NodeAffinity]. ${UNHELPFUL}`,
  },
  {
    name: 'a host port is held once on a node',
    standing: [1, 2, 3].map(n => aPod(`edge-${n}`).holding(8080).on(`node-${n}`)),
    pod: aPod('edge-4').holding(8080),
    outcome:
      "0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 node(s) didn't have free ports for the requested pod ports. no new claims to deallocate, " +
      'preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod.',
  },
  {
    name: 'the same port of another protocol is another port',
    nodes: [aNode('node-1')],
    standing: [aPod('tcp').holding(53).on('node-1')],
    pod: aPod('udp').holding(53, {protocol: 'UDP'}),
    outcome: 'node-1',
  },
  {
    name: 'two addresses of a node are two holders, but one of them and all of them collide',
    nodes: [aNode('node-1')],
    standing: [
      aPod('a').holding(9090, {hostIP: '127.0.0.1'}).on('node-1'),
      aPod('b').holding(9091, {hostIP: '10.0.0.21'}).on('node-1'),
    ],
    pod: aPod('c').holding(9090, {hostIP: '10.0.0.21'}),
    outcome: 'node-1',
  },
  {
    name: 'spreading refuses what would lean too far; the cordoned zone still counts as empty',
    nodes: trio().map((node, n) => (n === 3 ? node.cordoned() : node)),
    standing: [aPod('web-1').labelled(web).on('node-1'), aPod('web-2').labelled(web).on('node-2')],
    pod: aPod('web-3').labelled(web).spread(spread()),
    outcome:
      "0/4 nodes are available: 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 2 node(s) didn't match pod topology spread constraints. " +
      'no new claims to deallocate, preemption: 0/4 nodes are available: 2 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.',
  },
  {
    name: 'nodeTaintsPolicy Honor leaves a tainted zone out',
    nodes: trio().map((node, n) => (n === 3 ? node.tainted('a=b:NoSchedule') : node)),
    standing: [
      aPod('web-1').labelled(web).on('node-1'),
      aPod('web-2').labelled(web).on('node-1'),
      aPod('web-3').labelled(web).on('node-2'),
    ],
    pod: aPod('web-4')
      .labelled(web)
      .spread(spread({nodeTaintsPolicy: 'Honor'})),
    outcome: 'node-2',
  },
  {
    name: 'minDomains makes the emptiest domain empty until there are enough of them',
    standing: [1, 2, 3].map(n => aPod(`web-${n}`).labelled(web).on(`node-${n}`)),
    pod: aPod('web-4')
      .labelled(web)
      .spread(spread({minDomains: 5})),
    outcome:
      "0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 node(s) didn't match pod topology spread constraints. no new claims to deallocate, " +
      'preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod.',
  },
  {
    name: 'a node without the label of a constraint',
    pod: aPod('rack')
      .labelled(web)
      .spread(spread({topologyKey: 'example.com/rack'})),
    outcome: `0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 node(s) didn't match pod topology spread constraints (missing required label). ${UNHELPFUL}`,
  },
  {
    name: 'pods that are being deleted do not count for spreading',
    standing: [
      aPod('old').labelled(web).on('node-1').beingDeleted(),
      aPod('web-2').labelled(web).on('node-2'),
      aPod('web-3').labelled(web).on('node-3'),
    ],
    pod: aPod('web-1').labelled(web).spread(spread()),
    outcome: 'node-1',
  },
  {
    name: 'no friend anywhere',
    pod: aPod('lonely').drawnTo(nearTo({app: 'db'})),
    outcome: `0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 node(s) didn't match pod affinity rules. ${UNHELPFUL}`,
  },
  {
    name: 'the first of its own kind may go where the label is, and only there',
    pod: aPod('own').labelled(web).drawnTo(nearTo(web, 'example.com/rack')),
    outcome: `0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 node(s) didn't match pod affinity rules. ${UNHELPFUL}`,
  },
  {
    name: 'a friend in the zone',
    standing: [aPod('db').labelled({app: 'db'}).on('node-3')],
    pod: aPod('web').drawnTo(nearTo({app: 'db'}, 'topology.kubernetes.io/zone')),
    outcome: 'node-3',
  },
  {
    name: 'a friend of another namespace is none',
    standing: [aPod('db').labelled({app: 'db'}).in('other').on('node-3')],
    pod: aPod('web').drawnTo(nearTo({app: 'db'}, 'topology.kubernetes.io/zone')),
    outcome: `0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 node(s) didn't match pod affinity rules. ${UNHELPFUL}`,
  },
  {
    name: 'its own anti-affinity, and that of a pod which stands there',
    standing: [
      aPod('web-1').labelled(web).on('node-1'),
      aPod('hermit').labelled({app: 'hermit'}).drawnTo(awayFrom(web)).on('node-2'),
      aPod('web-3').labelled(web).on('node-3'),
    ],
    pod: aPod('web-4').labelled(web).drawnTo(awayFrom(web)),
    outcome:
      "0/4 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules, 1 node(s) had untolerated taint(s), 2 node(s) didn't match pod anti-affinity rules. " +
      'no new claims to deallocate, preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod.',
  },
  {
    name: 'a claim that is missing ends all talk',
    pod: aPod('db').with({volumes: [{name: 'data', persistentVolumeClaim: {claimName: 'missing'}}]}),
    outcome: '0/4 nodes are available: persistentvolumeclaim "missing" not found. not found',
  },
  {name: 'no nodes at all', nodes: [], pod: aPod('web'), outcome: 'no nodes available to schedule pods'},
  {name: 'a zone that is asked for', pod: aPod('web').onlyOn(zoneOf('b')), outcome: 'node-2'},
];

test.each(cases)('$name', ({nodes, standing, pod, outcome}) => {
  expect(outcomeOf(aCluster(nodes ?? trio(), standing), pod)).toBe(outcome);
});

const withArguments = (name: string, args: object) => makeProfile({pluginConfig: [{name, args: args as never}]});

test('an affinity of the configuration holds for every pod, and draws it', () => {
  const zone = (value: string) => ({matchExpressions: [{key: 'topology.kubernetes.io/zone', operator: 'In', values: [value]}]});
  const required = {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [zone('b')]}};
  const enforced = withArguments('NodeAffinity', {addedAffinity: required});
  expect(outcomeOf(aCluster(trio()), aPod('web'), enforced)).toBe('node-2');
  expect(outcomeOf(aCluster(trio()), aPod('web').onlyOn(zoneOf('a')), enforced)).toContain(
    "2 node(s) didn't match scheduler-enforced node affinity",
  );
  const preferred = {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 100, preference: zone('c')}]};
  expect(outcomeOf(aCluster(trio()), aPod('web'), withArguments('NodeAffinity', {addedAffinity: preferred}))).toBe('node-3');
});

test('extended resources that somebody else sees to are passed over', () => {
  const pod = () => aPod('gpu').asking({'nvidia.com/gpu': '1', 'example.com/card': '1'});
  const ignoring = (args: object) => outcomeOf(aCluster(trio()), pod(), withArguments('NodeResourcesFit', args));
  expect(ignoring({ignoredResources: ['nvidia.com/gpu']})).toContain('3 Insufficient example.com/card.');
  expect(ignoring({ignoredResources: ['nvidia.com/gpu'], ignoredResourceGroups: ['example.com']})).toMatch(/^node-/);
});
