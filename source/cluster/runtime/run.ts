// What runs inside a container, as its runtime holds it: a model, a real program, or a component. All three can be asked to end,
// be killed, and be measured.
import type {Dial} from '../../sim/daemon.ts';
import type {ContainerConfig, SandboxStatus} from '../../api/wire/cri.ts';
import type {Machine} from '../../sim/process/machine.ts';
import type {ContainerLog} from './container-log.ts';
import type {ImageContent} from './image.ts';
import type {ContainerSurroundings} from './surroundings.ts';

/** What a run is given. */
export interface RunContext {
  readonly surroundings: ContainerSurroundings;
  readonly sandbox: SandboxStatus;
  /** Where it listens and dials from: the pod's address, or the node's. */
  readonly address: string;
  readonly dial: Dial;
  readonly config: ContainerConfig;
  readonly image: ImageContent;
  readonly repository: string;
  readonly argv: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  readonly log: ContainerLog;
  /** The inside of the container, made when somebody looks. */
  readonly machine: () => Machine;
  /** It ended by itself, or because it was asked to. */
  readonly ended: (code: number, reason?: string) => void;
}

/** A run that goes on. */
export interface Run {
  /** The stop signal. */
  stop(signal: string): void;
  /** Ends it at once and gives back all that it holds. It does not call `ended`. */
  kill(): void;
  /** Cores in use, core-seconds so far and bytes. */
  usage(): {readonly cpuCores: number; readonly cpuSeconds: number; readonly memoryBytes: number};
  /** New limits, while it runs. */
  resize?(): void;
}
