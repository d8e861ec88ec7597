// Passing a request on to somebody else (a kubelet, an extension server, a pod behind a proxy path) and his answer and frames
// back, both ways, until one side ends it.
import type {Answer, Request} from '../../../api/wire/http.ts';
import type {Daemon} from '../../../sim/daemon.ts';
import {wait, type Task} from '../../../sim/task.ts';
import type {Caller, Failure} from '../../../sim/network.ts';
import type {Stream} from './stream.ts';

/** Where a request goes on to. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** What became of it: an answer, an open stream (undefined), or why nobody answered. */
export type Passed = {readonly answer: Answer} | {readonly failure: string} | undefined;

const TIMEOUT_MS = 30_000;

const WORDS: Readonly<Record<Failure | 'silence', string>> = {
  refused: 'connect: connection refused',
  reset: 'read: connection reset by peer',
  closed: 'EOF',
  silence: 'i/o timeout',
  unresolved: 'no such host',
};

/** Passes a request on. */
export function* passOn(daemon: Daemon, request: Request, to: {target: Target; stream: Stream | undefined}): Task<Passed> {
  const {
    target: {host, port},
    stream,
  } = to;
  return yield* wait<Passed>(wake => {
    let begun = false;
    const begin = (passed: Passed): void => {
      if (begun) return;
      begun = true;
      daemon.clock.cancel(timer);
      wake(passed);
    };
    const failed = (failure: Failure | 'silence'): void =>
      begin({failure: failure === 'closed' ? 'EOF' : `dial tcp ${host}:${port}: ${WORDS[failure]}`});
    const caller: Caller = daemon.dial(host, port, request, {
      answer: (answer, more) => {
        if (!more || !stream) return begin({answer: answer as Answer});
        stream.open(answer as Answer);
        stream.onFrame(frame => caller.send(frame));
        stream.onCancel(() => caller.cancel());
        begin(undefined);
      },
      frame: frame => stream?.send(frame),
      end: failure => {
        if (begun) stream?.end(failure);
        else failed(failure ?? 'closed');
      },
    });
    const timer = daemon.scope.after(TIMEOUT_MS, () => {
      if (begun) return;
      caller.cancel();
      failed('silence');
    });
  });
}
