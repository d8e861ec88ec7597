// Pods, nodes and clusters for tests and benches, written as one would say them:
//
//     aPod('web').asking({cpu: '500m'}).labelled({app: 'web'})
//     aNode('node-1', {cpu: '4', memory: '8Gi'}).inZone('a').tainted('dedicated=gpu:NoSchedule')
import type {
  Affinity,
  Container,
  Node,
  Pod,
  PodSpec,
  PodStatus,
  Taint,
  Toleration,
  TopologySpreadConstraint,
} from '../../../api/kinds/core-v1.ts';
import type {OwnerReference} from '../../../api/kinds/meta.ts';
import {deepFreeze} from '../../../api/meta/object.ts';
import {Dice} from '../../../sim/dice.ts';
import {ClusterState} from '../state/cluster-state.ts';
import {decide, newCourse} from '../decide.ts';
import type {Lookups} from '../lookups.ts';
import {makeProfile} from '../profile.ts';

type Quantities = Readonly<Record<string, string>>;

let count = 0;

/** A pod being described; `pod` is the frozen object. */
export class PodBuilder {
  readonly #name: string;
  #namespace = 'default';
  #labels: Quantities | undefined;
  #owner: OwnerReference | undefined;
  #deletedAt: string | undefined;
  #status: PodStatus = {phase: 'Pending'};
  #spec: PodSpec = {containers: [{name: 'main', image: 'nginx:1.27'}]};

  constructor(name: string) {
    this.#name = name;
  }

  in(namespace: string): this {
    this.#namespace = namespace;
    return this;
  }

  labelled(labels: Quantities): this {
    this.#labels = labels;
    return this;
  }

  /** Requests of the (last) container. */
  asking(requests: Quantities): this {
    return this.#main({resources: {requests}});
  }

  running(image: string): this {
    return this.#main({image});
  }

  /** Wants a port of its node. */
  holding(hostPort: number, more: {readonly hostIP?: string; readonly protocol?: 'TCP' | 'UDP'} = {}): this {
    return this.#main({ports: [{containerPort: 80, hostPort, ...more}]});
  }

  onlyOn(nodeSelector: Quantities): this {
    return this.with({nodeSelector});
  }

  tolerating(...tolerations: readonly Toleration[]): this {
    return this.with({tolerations});
  }

  /** Adds to the rules about nodes and other pods. */
  drawnTo(affinity: Affinity): this {
    return this.with({affinity: {...this.#spec.affinity, ...affinity}});
  }

  spread(...topologySpreadConstraints: readonly TopologySpreadConstraint[]): this {
    return this.with({topologySpreadConstraints});
  }

  important(priority: number): this {
    return this.with({priority});
  }

  on(nodeName: string): this {
    return this.with({nodeName});
  }

  ownedBy(kind: string, name: string): this {
    this.#owner = {apiVersion: 'apps/v1', kind, name, uid: `${kind}-${name}`, controller: true};
    return this;
  }

  startedAt(startTime: string): this {
    this.#status = {...this.#status, phase: 'Running', startTime};
    return this;
  }

  saying(status: PodStatus): this {
    this.#status = {...this.#status, ...status};
    return this;
  }

  beingDeleted(): this {
    this.#deletedAt = '2026-11-30T04:20:20Z';
    return this;
  }

  with(spec: Partial<PodSpec>): this {
    this.#spec = {...this.#spec, ...spec};
    return this;
  }

  get pod(): Pod {
    return deepFreeze({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: this.#name,
        namespace: this.#namespace,
        uid: `uid-${this.#namespace}-${this.#name}`,
        resourceVersion: String(++count),
        creationTimestamp: '2026-11-30T04:20:00Z',
        generation: 1,
        ...(this.#labels ? {labels: this.#labels} : {}),
        ...(this.#owner ? {ownerReferences: [this.#owner]} : {}),
        ...(this.#deletedAt ? {deletionTimestamp: this.#deletedAt} : {}),
      },
      spec: this.#spec,
      status: this.#status,
    });
  }

  #main(change: Partial<Container>): this {
    const {containers} = this.#spec;
    const last = containers.at(-1);
    return last ? this.with({containers: [...containers.slice(0, -1), {...last, ...change}]}) : this;
  }
}

/** A node being described; `node` is the frozen object. */
export class NodeBuilder {
  readonly #name: string;
  readonly #allocatable: Quantities;
  #labels: Record<string, string>;
  #taints: readonly Taint[] = [];
  #unschedulable = false;
  #images: readonly {readonly names: readonly string[]; readonly sizeBytes: number}[] = [];

  constructor(name: string, allocatable: Quantities) {
    this.#name = name;
    this.#allocatable = {pods: '110', ...allocatable};
    this.#labels = {'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux'};
  }

  inZone(zone: string): this {
    return this.labelled({'topology.kubernetes.io/zone': zone});
  }

  labelled(labels: Quantities): this {
    this.#labels = {...this.#labels, ...labels};
    return this;
  }

  without(label: string): this {
    this.#labels = Object.fromEntries(Object.entries(this.#labels).filter(([key]) => key !== label));
    return this;
  }

  /** As `kubectl taint` writes them: `key=value:effect`. */
  tainted(...taints: readonly string[]): this {
    this.#taints = taints.map(text => {
      const [, key = '', value = '', effect = ''] = /^([^=:]+)(?:=([^:]*))?:(\w+)$/.exec(text) ?? [];
      return {key, value, effect: effect as Taint['effect']};
    });
    return this;
  }

  cordoned(): this {
    this.#unschedulable = true;
    return this;
  }

  having(image: string, sizeBytes: number): this {
    this.#images = [...this.#images, {names: [image], sizeBytes}];
    return this;
  }

  get node(): Node {
    return deepFreeze({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: this.#name,
        uid: `uid-${this.#name}`,
        resourceVersion: String(++count),
        creationTimestamp: '2026-11-30T04:00:00Z',
        labels: this.#labels,
      },
      spec: {taints: this.#taints, ...(this.#unschedulable ? {unschedulable: true} : {})},
      status: {allocatable: this.#allocatable, capacity: this.#allocatable, images: this.#images},
    });
  }
}

export function aPod(name: string): PodBuilder {
  return new PodBuilder(name);
}

export function aNode(
  name: string,
  allocatable: Quantities = {cpu: '4', memory: '8Gi', 'ephemeral-storage': '100Gi'},
): NodeBuilder {
  return new NodeBuilder(name, allocatable);
}

/** A cluster with these nodes, and pods on the nodes that they name. */
export function aCluster(nodes: readonly NodeBuilder[], pods: readonly PodBuilder[] = [], lookups?: Lookups): ClusterState {
  const cluster = new ClusterState(lookups);
  cluster.setNamespace('default', {'kubernetes.io/metadata.name': 'default'});
  for (const {node} of nodes) cluster.setNode(node);
  for (const {pod} of pods) cluster.place(cluster.describe(pod), pod.spec.nodeName ?? '', false);
  return cluster;
}

/** What the scheduler would do with a pod: the node, or the words of FailedScheduling. */
export function outcomeOf(cluster: ClusterState, pod: PodBuilder, profile = makeProfile({})): string {
  const info = cluster.describe(pod.pod);
  const dice = new Dice(1);
  const decision = decide(profile, {cluster, pod: info}, newCourse(dice));
  if (decision.node) return decision.node.name;
  const words: string[] = [];
  for (const plugin of profile.postFilters) {
    const outcome = plugin.postFilter?.({cluster, pod: info, profile, diagnosis: decision.diagnosis, dice});
    if (outcome?.nominated)
      return `preempts ${outcome.victims?.map(victim => victim.pod.metadata.name).join(', ')} on ${outcome.nominated}`;
    words.push(outcome?.message ?? '');
    if (outcome?.final) break;
  }
  decision.diagnosis.postFilter = words.join(', ');
  return decision.diagnosis.message();
}

/** The weighted scores of each node by plugin, and their sum, as `why` shows them. */
export function scoresOf(
  cluster: ClusterState,
  pod: PodBuilder,
  profile = makeProfile({}),
): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const {scores} = decide(profile, {cluster, pod: cluster.describe(pod.pod)}, newCourse(new Dice(1)));
  const rows = (scores?.nodes ?? []).map((node, index) => {
    const byPlugin = (scores?.byPlugin ?? []).map(each => [each.plugin, each.scores[index] ?? 0] as const);
    return [node.name, {...Object.fromEntries(byPlugin), total: scores?.totals[index] ?? 0}] as const;
  });
  return Object.fromEntries(rows);
}
