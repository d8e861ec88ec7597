// What the parts of a running member share. server.ts makes it; the handlers of requests are functions over it.
import type {Header, Refusal} from '../../api/wire/etcd.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Backend} from './backend.ts';
import type {Disk} from './disk.ts';
import type {LeaseClock} from './lease-clock.ts';
import type {Node} from './node.ts';
import type {EtcdOptions} from './options.ts';
import type {Peers} from './peers.ts';
import type {Command} from './proposal.ts';
import type {Done, Proposals, Reads} from './waiting.ts';
import type {WatchHub} from './watch-hub.ts';

/** A running member, seen from inside. */
export interface Context {
  readonly options: EtcdOptions;
  readonly daemon: Daemon;
  readonly disk: Disk;
  readonly id: string;
  readonly node: Node;
  readonly peers: Peers;
  readonly hub: WatchHub;
  readonly proposals: Proposals;
  readonly reads: Reads;
  readonly leaseClock: LeaseClock;
  /** Changes when a snapshot replaces the state. */
  readonly backend: Backend;
  /** How often this member has seen another leader. */
  readonly leaderChanges: number;
  /** Since when there has been a leader, or none. */
  readonly leaderSince: number;
  readonly header: (revision?: number) => Header;
  /** Proposes a command; the cause is what is current. */
  readonly propose: (command: Command, done: Done) => void;
  /** Raises the alarm for lack of space, once. */
  readonly raiseNoSpace: () => void;
}

/** Hands out an answer or a refusal. */
export type Reply = (answer: object | Refusal) => void;
