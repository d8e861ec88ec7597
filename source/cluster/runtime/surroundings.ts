// What the containers of a node need of the world around them. `world` fills it in, once a node.
import type {Clock} from '../../sim/clock.ts';
import type {Daemon, Dial} from '../../sim/daemon.ts';
import type {Dice} from '../../sim/dice.ts';
import type {Files} from '../../sim/files.ts';
import type {Listener} from '../../sim/network.ts';
import type {Kernel} from '../../sim/process/kernel.ts';
import type {Machine, MachineService} from '../../sim/process/machine.ts';
import type {Trace} from '../../sim/trace.ts';

/** The files by which somebody finds names; read anew for each name. */
export interface NameFiles {
  readonly hosts: () => string | undefined;
  readonly resolvConf: () => string | undefined;
}

/** The programs inside an image. */
export interface Toolbox {
  readonly program: Machine['program'];
  readonly programNames: Machine['programNames'];
}

/** A component of the cluster that runs in a container, as CoreDNS does. */
export interface ComponentContext {
  /** Its process; `dial` and `listen` are the pod's network. */
  readonly daemon: Daemon;
  readonly argv: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  /** The container's files, with the mounted service account token under /var/run/secrets/kubernetes.io/serviceaccount. */
  readonly files: () => Files;
  readonly pod: {readonly namespace: string; readonly name: string; readonly uid: string; readonly ip: string};
  /** The node it runs on. */
  readonly node: string;
}

/** Starts a component. */
export type StartComponent = (context: ComponentContext) => void;

/** A pod, as the runtime knows it. */
export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

export interface ContainerSurroundings {
  readonly clock: Clock;
  readonly trace: Trace;
  readonly dice: Dice;
  readonly kernel: Kernel;
  /** The node's name and main address. */
  readonly host: string;
  readonly address: string;
  readonly wall: () => number;
  /** The node's disk. */
  readonly files: Files;
  /** Gives the node one more address, and takes it away. */
  readonly attachAddress: (address: string, pod: PodName) => void;
  readonly detachAddress: (address: string) => void;
  /** How somebody at that address reaches others: cluster names, Services, packet rules. */
  readonly dialFrom: (address: string, names: NameFiles) => Dial;
  readonly listen: (address: string, port: number, listener: Listener) => {close(): void} | undefined;
  /** The node as a machine. */
  readonly node?: Machine;
  /** What runs on the node itself. */
  readonly processes?: () => readonly MachineService[];
  /** The programs of an image, by what its catalogue entry says (`tools`) and its repository. */
  readonly programsFor: (tools: string | undefined, repository: string) => Toolbox;
  /** Images that are components, by repository: `registry.k8s.io/coredns/coredns`. */
  readonly components: ReadonlyMap<string, StartComponent>;
}
