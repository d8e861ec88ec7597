// How a member is started: what its manifest's flags say.
import type {ClientHello, TlsDoor, TlsRequest} from '../../api/wire/tls.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Disk} from './disk.ts';

/** The flags, and what the machine gives. */
export interface EtcdOptions {
  readonly daemon: Daemon;
  /** What lies in --data-dir. */
  readonly disk: Disk;
  readonly dataDir?: string;
  readonly name: string;
  /** `--initial-cluster`: `cp-1=https://10.0.0.11:2380,cp-2=...`. */
  readonly initialCluster: string;
  /** `--initial-cluster-state`; default new. */
  readonly initialClusterState?: 'new' | 'existing';
  readonly initialClusterToken?: string;
  readonly initialAdvertisePeerUrls: readonly string[];
  readonly advertiseClientUrls: readonly string[];
  /** `--listen-client-urls` and the like; absent: the usual port on all addresses of the machine. */
  readonly listenClientUrls?: readonly string[];
  readonly listenPeerUrls?: readonly string[];
  readonly listenMetricsUrls?: readonly string[];
  readonly forceNewCluster?: boolean;
  readonly quotaBackendBytes?: number;
  /** Applied entries between two snapshots of raft (default 10,000), and how many stay in the log at one (5,000). */
  readonly snapshotCount?: number;
  readonly snapshotCatchUpEntries?: number;
  readonly strictReconfigCheck?: boolean;
  readonly watchProgressNotifyIntervalMs?: number;
  /** TLS on its ports, and how it greets other members; absent: none, as in tests. */
  readonly tls?: EtcdTls | undefined;
  readonly heartbeatMs?: number;
  readonly electionMs?: number;
}

/** Who is let in, and as whom this member calls others. */
export interface EtcdTls {
  readonly client?: TlsDoor;
  readonly peer?: TlsDoor;
  /** A greeting for each call of another member's host. */
  readonly hello?: (host: string) => ClientHello;
}

/** A request to another member, with the greeting where there is TLS. */
export function greeted(tls: EtcdTls | undefined, host: string, request: unknown): unknown {
  return tls?.hello ? ({tls: tls.hello(host), request} satisfies TlsRequest) : request;
}

/** The port of clients. */
export const CLIENT_PORT = 2379;
/** The port of the other members. */
export const PEER_PORT = 2380;

/** The port of probes and monitoring. */
export const METRICS_PORT = 2381;

/** What it calls itself. */
export const VERSION = '3.6.6';

/** The form of its database. */
export const STORAGE_VERSION = '3.6.0';
