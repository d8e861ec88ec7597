// The processes that somebody inside a container sees beside his own. Each container counts from its own first process, which
// cannot be killed from inside; in a pod whose containers share their processes the first is the sandbox's `pause`, and every
// container's main process is an ordinary one.
//
// Not modelled: what else the other containers of such a pod, and other pods of the node, run.
import type {MachineService} from '../../sim/process/machine.ts';
import {sinkStream, type Stream} from '../../sim/process/streams.ts';
import type {Container} from './container.ts';
import type {ContainerLog} from './container-log.ts';

/** The main process of a running container. */
export interface FirstProcess {
  readonly argv: readonly string[];
  readonly startedMs: number;
  readonly memoryBytes: number;
  /** Its number, where it is a real program. */
  readonly pid?: number;
  readonly stop: (signal: string) => void;
  readonly kill: () => void;
}

const PAUSE_BYTES = 600 * 1024;
const PAUSE_USER = '65535';
/** Numbers of main processes that are models: the first, and how far apart. */
const [FIRST_PID, PID_STEP] = [7, 6];

/** What a container's programs see, without themselves. */
export function processesIn(container: Container): readonly MachineService[] {
  if (container.sandbox.config.processes !== undefined) return shared(container);
  return own(targetOf(container) ?? container, container);
}

/** The container whose processes another one wanted to see, while it runs. */
export function targetOf({config, sandbox}: Container): Container | undefined {
  const {target} = config;
  return target === undefined ? undefined : sandbox.containers.findLast(({first, status}) => first && status.name === target);
}

function own(whose: Container, viewer: Container): readonly MachineService[] {
  const {first} = whose;
  if (!first) return [];
  const {argv, startedMs, memoryBytes, pid, stop} = first;
  const signal = (name: string) => {
    if (name !== 'KILL' && name !== 'STOP') stop(name);
  };
  return [
    {
      pid: 1,
      argv,
      user: userOf(whose),
      startedMs,
      memoryBytes,
      signal,
      ...(pid === undefined || whose !== viewer ? {} : {standsFor: pid}),
    },
  ];
}

/** As `ps` writes the one who runs a container. */
function userOf(container: Container): string {
  const {name, uid} = container.machine().identity ?? {name: 'root', uid: 0};
  return name || String(uid);
}

function shared({sandbox, id, surroundings}: Container): readonly MachineService[] {
  const startedMs = surroundings.clock.now - (surroundings.wall() - sandbox.status.createdAt);
  const pause = {pid: 1, argv: ['/pause'], user: PAUSE_USER, startedMs, memoryBytes: PAUSE_BYTES, signal: () => undefined};
  const others = sandbox.containers.flatMap((each, at): MachineService[] => {
    const {first} = each;
    // A real program is listed with all others of its own container.
    if (!first || (each.id === id && first.pid !== undefined)) return [];
    const {argv, memoryBytes, stop, kill, pid = FIRST_PID + PID_STEP * at} = first;
    const user = userOf(each);
    return [{pid, argv, user, startedMs: first.startedMs, memoryBytes, signal: name => (name === 'KILL' ? kill() : stop(name))}];
  });
  const own = sandbox.config.processes === 'node' ? (surroundings.processes?.() ?? []) : [pause];
  return [...own, ...others];
}

/** What a path among the descriptors of the first process leads to: the container's log. */
export function streamOf(path: string, log: ContainerLog): Stream | undefined {
  if (path === '/proc/1/fd/1') return sinkStream(text => log.write('stdout', text));
  return path === '/proc/1/fd/2' ? sinkStream(text => log.write('stderr', text)) : undefined;
}
