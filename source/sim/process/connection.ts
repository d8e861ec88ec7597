// What a process has open over the network: a call that waits for its answer, an exchange whose frames come until its end.
import type {Clock} from '../clock.ts';
import type {Failure, Receiver} from '../network.ts';
import {INTERRUPTED} from './interrupted.ts';
import type {Interrupted} from './interrupted.ts';
import type {Process} from './process.ts';

/** What a call over the network brought: an answer, or why there is none. */
export type Reply<A> = {readonly ok: true; readonly answer: A} | {readonly ok: false; readonly failure: Failure | 'timeout'};

/** An exchange that stays open: frames come until the end. */
export interface Connection<A, F> {
  readonly answer: A;
  /** The next frame; null at the end; 'timeout' when none came in time; INTERRUPTED on a caught signal. */
  next(timeoutMs?: number): Promise<F | null | 'timeout' | Interrupted>;
  send(frame: F): void;
  close(): void;
  /** Why it ended; undefined while open, and after a proper end. */
  failure(): Failure | undefined;
}

/** Whom to call, with what, and how long to wait for the answer. */
export interface Dialling {
  readonly host: string;
  readonly port: number;
  readonly request: unknown;
  readonly timeoutMs: number;
}

interface Incoming<A, F> {
  answer?: A;
  answered?: boolean;
  failure?: Failure;
  over: boolean;
  frames: F[];
  wake: (() => void) | undefined;
}

/** Calls, and waits for the answer. */
export async function openConnection<A, F>(
  process: Process,
  dialling: Dialling,
): Promise<Connection<A, F> | {failure: Failure | 'timeout'}> {
  const state: Incoming<A, F> = {frames: [], wake: undefined, over: false};
  const caller = process.machine.dial(dialling.host, dialling.port, dialling.request, receiverOf(state));
  const close = process.hold(caller);
  const deadline = deadlineAfter(process.kernel.clock, dialling.timeoutMs, state);
  while (!state.answered && !state.over && !deadline.late) await process.block(wake => (state.wake = wake));
  deadline.cancel();
  if (!state.answered) {
    close();
    return {failure: state.failure ?? (deadline.late ? 'timeout' : 'closed')};
  }
  return {
    answer: state.answer as A,
    next: timeoutMs => nextFrame(process, state, timeoutMs),
    send: frame => caller.send(frame),
    close,
    failure: () => state.failure,
  };
}

async function nextFrame<A, F>(
  process: Process,
  state: Incoming<A, F>,
  timeoutMs = Infinity,
): Promise<F | null | 'timeout' | Interrupted> {
  const deadline = deadlineAfter(process.kernel.clock, timeoutMs, state);
  let woken = true;
  while (woken && state.frames.length === 0 && !state.over && !deadline.late) {
    woken = await process.block(wake => (state.wake = wake));
  }
  deadline.cancel();
  if (state.frames.length > 0) return state.frames.shift() as F;
  if (state.over) return null;
  return woken ? 'timeout' : INTERRUPTED;
}

interface Deadline {
  late: boolean;
  cancel(): void;
}

function deadlineAfter(clock: Clock, timeoutMs: number, state: {wake?: (() => void) | undefined}): Deadline {
  const deadline: Deadline = {late: false, cancel: () => clock.cancel(timer)};
  const timer =
    timeoutMs === Infinity
      ? undefined
      : clock.after(timeoutMs, () => {
          deadline.late = true;
          state.wake?.();
        });
  return deadline;
}

function receiverOf<A, F>(state: Incoming<A, F>): Receiver {
  return {
    answer(answer, more) {
      state.answer = answer as A;
      state.answered = true;
      if (!more) state.over = true;
      state.wake?.();
    },
    frame(frame) {
      state.frames.push(frame as F);
      state.wake?.();
    },
    end(failure) {
      state.over = true;
      if (failure) state.failure = failure;
      state.wake?.();
    },
  };
}
