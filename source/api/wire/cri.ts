// What a kubelet (and crictl) says to the container runtime of its node, after the CRI. A request is dialled to the runtime's
// socket, port 0, and answered once, with its own answer or with a `CriError`; `events`, `logs`, `exec`, `attach` and
// `port-forward` are answered and then send frames.
//
// Where the real interface passes paths of the node's disk, a mount may also carry the files themselves: a volume of a hundred
// thousand pods is then laid out only for the container that looks at it.
import type {Files} from '../../sim/files.ts';

/** Where containerd listens on every node. */
export const RUNTIME_SOCKET = '/run/containerd/containerd.sock';

/** A refusal, with gRPC's code. */
export interface CriError {
  readonly error: {
    readonly code:
      | 'NotFound'
      | 'Unknown'
      | 'Unavailable'
      | 'InvalidArgument'
      | 'FailedPrecondition'
      | 'DeadlineExceeded'
      | 'Internal';
    readonly message: string;
  };
}

/** One pod's surroundings: its network and its name. */
export interface SandboxConfig {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly attempt: number;
  readonly hostname: string;
  readonly hostNetwork: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  readonly dns?: {readonly servers: readonly string[]; readonly searches: readonly string[]; readonly options: readonly string[]};
  /** How the runtime runs it; absent: as usual. */
  readonly runtimeHandler?: string;
  readonly sysctls?: Readonly<Record<string, string>>;
  /** Its containers see each other's processes, or those of the node; absent: each only its own. */
  readonly processes?: 'pod' | 'node';
  /** The host name with its domain, for a pod that has one. */
  readonly fullName?: string;
  readonly hostAliases?: readonly {readonly ip: string; readonly hostnames: readonly string[]}[];
  readonly hostPorts?: readonly {readonly hostPort: number; readonly containerPort: number; readonly hostIP?: string}[];
}

/** A volume, or a part of one, at a path of the container. */
export interface Mount {
  readonly path: string;
  readonly readOnly: boolean;
  /** The tree that the mounted path lies in; made when somebody looks. */
  readonly files: () => Files;
  /** The path in that tree, a folder or a file. */
  readonly from: string;
  /** The files are those of an image. */
  readonly image?: string;
  /** Where the node's disk has it. */
  readonly source: string;
  /** How large a volume in memory is. */
  readonly memoryBytes?: number;
}

export interface ContainerConfig {
  readonly name: string;
  readonly attempt: number;
  /** As the pod's spec writes it. */
  readonly image: string;
  /** Replaces the image's entry point. */
  readonly command?: readonly string[];
  /** Replaces the image's arguments. */
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly env: ReadonlyMap<string, string>;
  /** Asked for when somebody looks inside. */
  readonly mounts: () => readonly Mount[];
  /** Something is mounted besides a token: it may meet what the image has there. */
  readonly mountsVolumes?: boolean;
  readonly user?: number;
  readonly group?: number;
  readonly groups?: readonly number[];
  readonly readOnlyRoot?: boolean;
  readonly privileged?: boolean;
  /** The process may not get more rights than it began with. */
  readonly noNewPrivileges?: boolean;
  readonly capabilities?: {readonly add?: readonly string[]; readonly drop?: readonly string[]};
  /** A seccomp profile of the node that must exist. */
  readonly seccompProfile?: string;
  /** An AppArmor profile that must have been loaded on the node. */
  readonly appArmorProfile?: string;
  /** Cores. */
  readonly cpuLimit?: number;
  /** Bytes. */
  readonly memoryLimit?: number;
  readonly tty?: boolean;
  readonly stdin?: boolean;
  readonly stopSignal?: string;
  /** The container of its pod whose processes it sees. */
  readonly target?: string;
}

export interface SandboxStatus {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly attempt: number;
  readonly state: 'ready' | 'notready';
  /** Empty on the host's network. */
  readonly ip: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly labels: Readonly<Record<string, string>>;
}

export interface ContainerStatus {
  readonly id: string;
  readonly sandboxId: string;
  /** The pod's. */
  readonly uid: string;
  readonly name: string;
  readonly attempt: number;
  readonly state: 'created' | 'running' | 'exited';
  /** The full reference, as `docker.io/library/nginx:1.27`. */
  readonly image: string;
  /** With the digest, as `docker.io/library/nginx@sha256:…`. */
  readonly imageRef: string;
  /** The config's digest, `sha256:…`. */
  readonly imageId: string;
  /** Milliseconds since 1970; 0 for not yet. */
  readonly createdAt: number;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly exitCode: number;
  /** `Completed`, `Error`, `OOMKilled`, `StartError`. */
  readonly reason: string;
  readonly message: string;
  readonly user: {readonly uid: number; readonly gid: number; readonly groups: readonly number[]};
}

export interface ImageStatus {
  /** The config's digest, `sha256:…`. */
  readonly id: string;
  readonly tags: readonly string[];
  readonly digests: readonly string[];
  readonly size: number;
  readonly user: string;
  /** It runs without a look at files, environment or others: nobody would notice that a volume was not laid out yet. */
  readonly inert: boolean;
}

export interface ContainerUsage {
  readonly id: string;
  readonly uid: string;
  readonly name: string;
  /** Cores in use now, and core-seconds since the start. */
  readonly cpuCores: number;
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  /** What it has written into its own layer and its log. */
  readonly diskBytes: number;
}

/** One line of a container's log. */
export interface LogLine {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

export interface ExecRequest {
  readonly kind: 'exec';
  readonly id: string;
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly tty: boolean;
  /** Variables that the container was not given at its start, as nobody there read them. */
  readonly late?: ReadonlyMap<string, string>;
}

export type CriRequest =
  | {readonly kind: 'version'}
  | {readonly kind: 'status'}
  | {readonly kind: 'update-runtime-config'; readonly podCIDR: string}
  | {readonly kind: 'run-sandbox'; readonly config: SandboxConfig}
  | {readonly kind: 'stop-sandbox'; readonly id: string}
  | {readonly kind: 'remove-sandbox'; readonly id: string}
  | {readonly kind: 'sandboxes'; readonly uid?: string}
  | {readonly kind: 'create-container'; readonly sandboxId: string; readonly config: ContainerConfig}
  | {readonly kind: 'start-container'; readonly id: string}
  | {readonly kind: 'stop-container'; readonly id: string; readonly graceSeconds: number}
  | {readonly kind: 'remove-container'; readonly id: string}
  | {readonly kind: 'update-container'; readonly id: string; readonly cpuLimit?: number; readonly memoryLimit?: number}
  | {readonly kind: 'containers'; readonly uid?: string}
  | {readonly kind: 'container-status'; readonly id: string}
  | {readonly kind: 'pull-image'; readonly image: string}
  | {readonly kind: 'image-status'; readonly image: string}
  | {readonly kind: 'images'}
  | {readonly kind: 'remove-image'; readonly image: string}
  | {readonly kind: 'usage'; readonly uid?: string}
  | {readonly kind: 'events'}
  | {readonly kind: 'logs'; readonly id: string; readonly follow: boolean; readonly tail?: number; readonly since?: number}
  | {readonly kind: 'exec-sync'; readonly id: string; readonly command: readonly string[]; readonly timeoutSeconds: number}
  | ExecRequest
  | {readonly kind: 'attach'; readonly id: string; readonly stdin: boolean; readonly tty: boolean}
  | {readonly kind: 'port-forward'; readonly sandboxId: string; readonly port: number};

/** What `status` says: the two conditions of a runtime. `message` is empty where all is well. */
export interface RuntimeStatus {
  readonly version: string;
  readonly networkReady: boolean;
  readonly networkReason: string;
  readonly networkMessage: string;
}

/** What `exec-sync` says, for probes and hooks. */
export interface ExecResult {
  readonly exitCode: number;
  /** Standard output, and after it standard error. */
  readonly output: string;
  /** Standard error alone. */
  readonly errors: string;
}

/** A frame of `events`: what a container or a sandbox is now, or the runtime as a whole. */
export type RuntimeEvent =
  | {readonly kind: 'container'; readonly status: ContainerStatus}
  | {readonly kind: 'sandbox'; readonly status: SandboxStatus}
  | {readonly kind: 'removed'; readonly uid: string; readonly id: string}
  | {readonly kind: 'status'; readonly status: RuntimeStatus};

/** Did the runtime refuse? */
export function isCriError(answer: unknown): answer is CriError {
  return typeof answer === 'object' && answer !== null && 'error' in answer;
}
