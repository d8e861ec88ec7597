// What each controller is given. Controllers share the informers of the process; each writes with a client of its own, which
// speaks as the controller's service account, so that RBAC judges each alone.
import type {Client} from '../../client/client.ts';
import type {EventRecorder} from '../../client/events.ts';
import type {Informers} from '../../client/informer.ts';
import type {Kinds} from './kinds.ts';
import type {WorkQueue, WorkQueueOptions} from '../../client/work-queue.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Tuning} from './tuning.ts';

/** A range of pod addresses, of which each node gets a part with a mask of that many bits. */
export interface PodRange {
  readonly cidr: string;
  readonly maskSize: number;
}

/** What the flags of kube-controller-manager say. */
export interface Settings {
  /** Where nodes' pod ranges come from; empty when none are handed out (`--allocate-node-cidrs=false`). */
  readonly podRanges: readonly PodRange[];
  readonly tuning: Tuning;
  /** The certificate authority of the API server, as PEM text. */
  readonly rootCa: string;
  /** The authority that signs requests for certificates, as PEM text; empty where there is none. */
  readonly signingCa: string;
}

export type QueueOptions = Omit<WorkQueueOptions, 'daemon' | 'name'>;

/** All that a controller knows of the world. */
export interface Context {
  readonly daemon: Daemon;
  /** Writes as the controller's service account. */
  readonly client: Client;
  /** Shared by all controllers of the process. */
  readonly informers: Informers;
  /** The kinds there are, also those that were defined. */
  readonly kinds: Kinds;
  readonly recorder: EventRecorder;
  readonly settings: Settings;
  /** A work queue that begins to work when all informers have their first list. */
  queue(options: QueueOptions): WorkQueue;
  /** Calls `run` when all informers have their first list. */
  whenSynced(run: () => void): void;
}

/** One controller of kube-controller-manager. */
export interface Controller {
  /** As `--controllers` and the trace call it. */
  readonly name: string;
  /** Its name of earlier days, which flags still know. */
  readonly alias?: string;
  /** `*` does not mean it: it runs where it is named. */
  readonly onlyByName?: boolean;
  /** The service account in kube-system that it works as; empty for the process's own identity. */
  readonly account: string;
  /** As its events call it; absent where that is the name. */
  readonly component?: string;
  readonly start: (context: Context) => void;
}
