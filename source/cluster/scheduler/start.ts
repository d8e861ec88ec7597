// kube-scheduler: gives each pod that has no node one, or says why not.
//
//     informers ─► watching ─► cluster state ◄── decide (plugins) ◄── loop ◄── queue
//                                                                      │
//                                    binding, events, conditions ◄─────┘
//
// What is known of the cluster lies in state/, who waits in queue/, the rules in plugins/ and devices/, what is written in outcome/.
//
// Modelled: the default profile and others of a KubeSchedulerConfiguration; the queue with its hints and back-offs; nominations and
// preemption with disruption budgets; volumes that are bound and devices that are reserved before their pod is bound; events and
// conditions to the letter. Not modelled: extenders, gangs, and limits of volumes whose drivers moved out of tree.
import type {Namespace, Node, Pod} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {Client} from '../../client/client.ts';
import {Informers} from '../../client/informer.ts';
import {electLeader} from '../../client/lease.ts';
import type {Daemon} from '../../sim/daemon.ts';
import {ClusterState} from './state/cluster-state.ts';
import {informerLookups} from './informer-lookups.ts';
import {SchedulingLoop} from './loop.ts';
import {makeProfiles, type SchedulerConfig} from './profile.ts';
import {Queue} from './queue/queue.ts';
import {Watching} from './watching.ts';

export interface SchedulerOptions {
  readonly daemon: Daemon;
  readonly client: Client;
  /** Who this scheduler is among several: the host and a uuid. */
  readonly identity: string;
  readonly config?: SchedulerConfig;
  /** Does it run for leader? Default true. */
  readonly leaderElect?: boolean;
  /** The lease that it runs for: schedulers that are to work side by side have leases of their own. */
  readonly lease?: string;
}

/** Starts the scheduler: it watches, runs for leader, and places pods once it leads. Throws for a configuration that is wrong. */
export function startScheduler(options: SchedulerOptions): void {
  const {daemon, client, identity, config = {}, leaderElect = true, lease: name = 'kube-scheduler'} = options;
  const profiles = makeProfiles(config);
  const informers = new Informers(client);
  const parts: {watching?: Watching} = {};
  const cluster = new ClusterState(informerLookups(informers, event => parts.watching?.hear(event)));
  const firstBackoffMs = (config.podInitialBackoffSeconds ?? 1) * 1000;
  const mostBackoffMs = (config.podMaxBackoffSeconds ?? 10) * 1000;
  const queue = new Queue({clock: daemon.clock, cluster, firstBackoffMs, mostBackoffMs});
  const loop = new SchedulingLoop({client, cluster, queue});
  const watching = new Watching({cluster, queue, profiles, wake: () => loop.wake()});
  parts.watching = watching;
  watch(informers, watching);
  informers.start(() => {
    const onStopped = () => {
      daemon.print('E server.go:319] "Leaderelection lost"');
      daemon.exit(1);
    };
    if (!leaderElect) return loop.start();
    return daemon.scope.run(electLeader({client, name, identity, onStarted: () => loop.start(), onStopped}));
  });
}

function watch(informers: Informers, watching: Watching): void {
  informers
    .of<Namespace>(builtin('namespaces'))
    .on({
      added: namespace => watching.namespace(namespace),
      updated: namespace => watching.namespace(namespace),
      deleted: namespace => watching.namespaceGone(namespace),
    });
  informers
    .of<Node>(builtin('nodes'))
    .on({added: node => watching.node(node), updated: node => watching.node(node), deleted: node => watching.nodeGone(node)});
  informers.of<Pod>(builtin('pods')).on({
    added: pod => watching.pod(pod),
    updated: (pod, old) => {
      // A pod that was made anew under the same name while nobody watched.
      if (pod.metadata.uid !== old.metadata.uid) watching.podGone(old);
      watching.pod(pod);
    },
    deleted: pod => watching.podGone(pod),
  });
}
