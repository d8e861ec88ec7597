// What runs inside a container, as its runtime holds it: a model, a real program, or a component. All three can be asked to end,
// be killed, and be measured.
import type {ContainerConfig} from '../../api/wire/cri.ts';
import type {Machine} from '../../sim/process/machine.ts';
import type {ContainerLog} from './container-log.ts';
import type {ImageContent} from './image.ts';
import type {Sandbox} from './sandbox.ts';
import type {ContainerSurroundings} from './surroundings.ts';

/** The container, as what runs in it sees it. */
export interface RunContext {
  readonly surroundings: ContainerSurroundings;
  readonly sandbox: Sandbox;
  /** With the limits as they are now. */
  readonly config: ContainerConfig;
  readonly image: ImageContent;
  readonly argv: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  readonly log: ContainerLog;
  /** The inside of the container, made when somebody looks. */
  machine(): Machine;
  /** The text of a file inside, as it is now. */
  fileText(path: string): string | undefined;
  /** It ended by itself, or because it was asked to. */
  ended(code: number, reason?: string): void;
}

/** A run that goes on. */
export interface Run {
  /** The stop signal. */
  stop(signal: string): void;
  /** Ends it at once and gives back all that it holds. It does not call `ended`. */
  kill(): void;
  /** Cores in use, core-seconds so far and bytes. */
  usage(): {readonly cpuCores: number; readonly cpuSeconds: number; readonly memoryBytes: number};
  /** The process that it is, where it is a real one. */
  readonly pid?: number;
  /** New limits, while it runs. */
  resize?(): void;
}
