// What the parts of one kubelet share.
import type {Node, NodeAddress, NodeSystemInfo, Pod, Taint} from '../../api/kinds/core-v1.ts';
import type {Client} from '../../client/client.ts';
import type {EventRecorder, Happening} from '../../client/events.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {DiskArray} from '../../sim/disk-array.ts';
import type {Files} from '../../sim/files.ts';
import type {NodeRoom} from './node/admission.ts';
import type {ImagePuller} from './containers/images.ts';
import type {KeyedBackoff} from './containers/keyed-backoff.ts';
import type {ContainerKind} from './plan-pod.ts';
import type {References} from './references.ts';
import type {RuntimeClient} from './runtime-client.ts';
import type {StatusWriter} from './status/writer.ts';
import type {VolumesInUse} from './volumes/in-use.ts';
import type {Plugins} from './volumes/plugins.ts';

/** The machine, as it becomes a Node. */
export interface NodeConfig {
  readonly name: string;
  readonly addresses: readonly NodeAddress[];
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  readonly nodeInfo: NodeSystemInfo;
  /** Settings of the kernel that pods may change besides the safe ones: names, or their beginning and `*`. */
  readonly allowedUnsafeSysctls?: readonly string[];
}

/** Where cluster names are looked up. */
export interface ClusterNames {
  readonly dns: string;
  readonly domain: string;
}

export interface KubeletParts {
  readonly daemon: Daemon;
  readonly client: Client;
  readonly runtime: RuntimeClient;
  readonly recorder: EventRecorder;
  readonly config: NodeConfig;
  readonly hostIP: string;
  readonly names: ClusterNames;
  readonly files: Files;
  /** Disks that the cluster lends to its nodes; undefined where there are none. */
  readonly disks: DiskArray | undefined;
  readonly plugins: Plugins;
  readonly inUse: VolumesInUse;
  readonly references: References;
  readonly images: ImagePuller;
  readonly crashes: KeyedBackoff;
  readonly writer: StatusWriter;
  /** What the API shows of a static pod. */
  readonly mirrorOf: (pod: Pod) => Pod | undefined;
  readonly room: NodeRoom;
  /** The Node as the API has it. */
  readonly node: () => Node | undefined;
  /** Why pods on their own network cannot be started; undefined when they can. */
  readonly networkNotReady: () => string | undefined;
  /** Has the node a range of addresses for its pods yet? */
  readonly hasRange: () => boolean;
}

/** The path of a container in its pod, as events carry it. */
export function fieldPath(kind: ContainerKind, name: string): string {
  const list = kind === 'init' ? 'initContainers' : kind === 'ephemeral' ? 'ephemeralContainers' : 'containers';
  return `spec.${list}{${name}}`;
}

/** `name_namespace(uid)`, as messages name a pod. */
export function podText(pod: Pod): string {
  return `${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`;
}

/** Writes an event about a pod or one of its containers. */
export function tell(parts: KubeletParts, pod: Pod, happening: Happening): void {
  parts.recorder.record(pod, happening);
}
