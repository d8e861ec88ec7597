// A cluster of nodes and a scheduler, and nothing else: what a test of the whole scheduler says, one step after the other.
import type {Node, Pod} from '../../../api/kinds/core-v1.ts';
import type {Event} from '../../../api/kinds/events-v1.ts';
import {keyOf, type AnyObject, type KubeObject} from '../../../api/meta/object.ts';
import {Client} from '../../../client/client.ts';
import {FakeApi} from '../../../client/testing/fake-api.ts';
import type {SchedulerConfig} from '../profile.ts';
import {startScheduler} from '../start.ts';
import type {NodeBuilder, PodBuilder} from './builders.ts';

const START = Date.UTC(2026, 10, 30, 4, 20, 20);

/** The cluster, with the hands of a user and of kubelets. */
export class ScheduledCluster {
  readonly server = new FakeApi('kube-scheduler', START);
  readonly clock = this.server.clock;
  readonly trace = this.server.trace;

  /** Starts the scheduler and waits until it leads. */
  start(config?: SchedulerConfig): this {
    const {daemon} = this.server;
    const client = new Client({daemon, host: 'cp-1', port: 6443, credentials: {}, userAgent: 'kube-scheduler'});
    startScheduler({daemon, client, identity: 'cp-1_1', ...(config ? {config} : {})});
    return this.pass(1000);
  }

  /** Lets time pass. */
  pass(ms: number): this {
    this.server.run(ms);
    return this;
  }

  /** Creates pods or nodes, or replaces them. */
  apply(...builders: readonly (PodBuilder | NodeBuilder)[]): this {
    for (const builder of builders) this.server.put('pod' in builder ? builder.pod : builder.node);
    return this;
  }

  change<T extends KubeObject>(resource: string, name: string, change: (object: T) => T): this {
    this.server.put(change(this.get<T>(resource, name)));
    return this;
  }

  /** Takes an object away at once. */
  drop(resource: string, name: string): this {
    this.server.drop(resource, keyOf(this.get(resource, name)));
    return this;
  }

  get<T extends KubeObject>(resource: string, name: string): T {
    const keys = [`default/${name}`, `kube-system/${name}`, name];
    const object = keys.map(key => this.server.get<T>(resource, key)).find(Boolean);
    if (!object) throw new Error(`there is no ${resource}/${name}`);
    return object;
  }

  /** Where a pod is, or what its condition says. */
  whereIs(name: string): string {
    const pod = this.get<Pod>('pods', name);
    return (
      pod.spec.nodeName ?? pod.status?.conditions?.find(condition => condition.type === 'PodScheduled')?.message ?? 'waiting'
    );
  }

  /** The events about an object, as `REASON note` with the count of a series. */
  events(name: string): readonly string[] {
    return this.eventObjects(name).map(({reason, note, series}) => `${reason}${series ? ` x${series.count}` : ''} ${note}`);
  }

  eventObjects(name: string): readonly Event[] {
    return this.server.all<Event & AnyObject>('events.events.k8s.io').filter(event => event.regarding?.name === name);
  }

  /** When the pod was tried, in seconds since `since`. */
  attempts(name: string, since = 0): readonly number[] {
    const entries = [...this.trace.since()].filter(entry => entry.verb === 'schedule' && entry.object === `pods/default/${name}`);
    return entries.map(entry => Math.round((entry.at - since) / 1000));
  }
}

/** A change of a node's labels. */
export function labelled(labels: Readonly<Record<string, string>>): (node: Node) => Node {
  return node => ({...node, metadata: {...node.metadata, labels: {...node.metadata.labels, ...labels}}});
}
