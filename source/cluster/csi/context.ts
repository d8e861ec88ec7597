// What each part of the driver is given, and how all of them speak of failures.
import type {Client} from '../../client/client.ts';
import {EventRecorder} from '../../client/events.ts';
import {Informers} from '../../client/informer.ts';
import {WorkQueue, type WorkQueueOptions} from '../../client/work-queue.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {DiskArray, Refusal} from '../../sim/disk-array.ts';

export interface PartOptions {
  /** Its process, with the network of its pod. */
  readonly daemon: Daemon;
  readonly client: Client;
  /** The disks that the driver lends. */
  readonly disks: DiskArray;
  /** The pod it runs in. */
  readonly pod: string;
}

/** A part at work. */
export interface Part extends PartOptions {
  readonly informers: Informers;
  readonly recorder: EventRecorder;
  queue(options: Omit<WorkQueueOptions, 'daemon' | 'name'>): WorkQueue;
}

/** Starts a part: `begin` says what it watches and does; its queues open when everything is known. */
export function startPart(
  options: PartOptions,
  role: {readonly name: string; readonly component: string},
  begin: (part: Part) => void,
): void {
  const {daemon, client} = options;
  const queues: WorkQueue[] = [];
  const informers = new Informers(client);
  const part: Part = {
    ...options,
    informers,
    recorder: new EventRecorder({client, component: role.component}),
    queue(wishes) {
      const made = new WorkQueue({...wishes, daemon, name: role.name});
      queues.push(made);
      return made;
    },
  };
  begin(part);
  informers.start(() => {
    for (const queue of queues) queue.start();
  });
}

/** An answer of the driver that is none, as gRPC words it. */
export function rpcText(
  code: 'NotFound' | 'FailedPrecondition' | 'ResourceExhausted' | 'InvalidArgument',
  words: string,
): string {
  return `rpc error: code = ${code} desc = ${words}`;
}

/** Why the array refused, in the driver's words. */
export function refusalText(refusal: Refusal, disk: string): string {
  if (refusal === 'absent') return rpcText('NotFound', `disk ${disk} does not exist`);
  if (refusal === 'elsewhere') return rpcText('FailedPrecondition', `disk ${disk} is attached to another node`);
  return rpcText('ResourceExhausted', 'the array has no room left');
}

/** Waits between tries: a second, doubled each time, five minutes at most. */
export class Patience {
  readonly #failures = new Map<string, number>();

  /** How long to wait after one more failure. */
  failed(key: string): {readonly afterMs: number} {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return {afterMs: Math.min(300_000, 1000 * 2 ** Math.min(failures, 20))};
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }
}
