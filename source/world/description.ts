// What a cluster is built from: plain data, from a preset, a level, or a list of nodes.
import type {Node, Taint} from '../api/kinds/core-v1.ts';
import type {AnyObject} from '../api/meta/object.ts';
import type {ProgramModel} from '../cluster/runtime/program-model.ts';

/** One machine that is to be a node. */
export interface NodeDescription {
  readonly name: string;
  /** Its address on the machines' network. */
  readonly address: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** Quantities by resource; `allocatable` too. */
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly controlPlane: boolean;
  readonly nodeInfo: NonNullable<NonNullable<Node['status']>['nodeInfo']>;
}

/** An image that some registry holds, and the model of the program in it. */
export interface ImageDescription {
  /** As a manifest names it, with registry and tag. */
  readonly image: string;
  readonly sizeBytes: number;
  /** A name in `programs`. */
  readonly program: string;
}

/** Who sits at the laptop. */
export interface PlayerDescription {
  readonly user: string;
  /** Who the kubeconfig says that it is; absent: the user. */
  readonly identity?: string;
  readonly groups: readonly string[];
  readonly namespace: string;
  /** Files in the home folder, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Names of programs that may be typed; empty for all. */
  readonly allowed: readonly string[];
  /** Machines that may be logged in to; absent: all of the cluster. */
  readonly ssh?: readonly string[];
  /** Further variables of the player's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Further variables of root's environment, by machine; `*` in a name stands for anything. */
  readonly hostEnvironment?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A whole cluster. */
export interface WorldDescription {
  readonly seed: number;
  /** The time at the start, in milliseconds since 1970. */
  readonly startMs: number;
  readonly nodes: readonly NodeDescription[];
  /** Laid out as kubeadm does it, with CoreDNS and kube-proxy; else bare, with what a fresh API server has. */
  readonly kubeadm: boolean;
  readonly metricsServer: boolean;
  /** A driver makes disks for claims, with the default class `standard`; absent: nobody does. */
  readonly storage?: {
    /** What all disks together may hold. */
    readonly capacityBytes?: number;
  };
  /** The kubelets run the control plane, from the manifests in /etc/kubernetes/manifests; else its components are plain processes. */
  readonly staticPods?: boolean;
  readonly images: readonly ImageDescription[];
  /** Behaviour models by name. */
  readonly programs: Readonly<Record<string, ProgramModel>>;
  readonly player: PlayerDescription;
  /** Applied as an administrator, in this order, before anything else of a level happens. */
  readonly objects: readonly AnyObject[];
}

/** The address that clients reach the API server under. */
export const API_ADDRESS = '10.0.0.10';
export const API_PORT = 6443;
/** Where pods get their addresses: 256 ranges of nodes, as kubeadm's users choose it; a range for each of very many nodes. */
export function podNetworkOf({nodes}: Pick<WorldDescription, 'nodes'>): string {
  return nodes.length > 256 ? '10.128.0.0/9' : '10.244.0.0/16';
}
/** The Service `kubernetes`. */
export const SERVICE_ADDRESS = '10.96.0.1';
export const SERVICE_NETWORK = '10.96.0.0/12';
