// The kubelet's side of the CRI: requests to the runtime's socket as tasks. A runtime that is not there gives an error like
// any other, in gRPC's words.
import {RUNTIME_SOCKET, isCriError, type CriError, type CriRequest} from '../../api/wire/cri.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Caller, Failure} from '../../sim/network.ts';
import type {Task, Wait} from '../../sim/task.ts';

/** Talks to one runtime. */
export class RuntimeClient {
  readonly socket: string;
  readonly #daemon: Daemon;

  constructor(daemon: Daemon, socket = RUNTIME_SOCKET) {
    this.#daemon = daemon;
    this.socket = socket;
  }

  /** One request, one answer. */
  *ask<T>(request: CriRequest): Task<T | CriError> {
    return (yield this.begin(request)) as T | CriError;
  }

  /** The same as a bare wait, for the few places that every pod goes through: `(yield begin(…)) as T | CriError`. */
  begin(request: CriRequest): Wait {
    return wake => {
      this.#daemon.dial(this.socket, 0, request, {answer: wake, end: failure => wake(this.unavailable(failure))});
    };
  }

  /** A request whose answer is followed by frames. */
  stream<A, F>(
    request: CriRequest,
    hear: {answer(answer: A, more: boolean): void; frame(frame: F): void; end(failure: Failure | undefined): void},
  ): Caller {
    return this.#daemon.dial(this.socket, 0, request, {
      answer: (answer, more) => hear.answer(answer as A, more),
      frame: frame => hear.frame(frame as F),
      end: failure => hear.end(failure),
    });
  }

  /** Notes in the kubelet's log that a call was refused. */
  note(call: string, failure: CriError, about = ''): void {
    const service = call.endsWith('Image') ? 'image' : 'runtime';
    this.#daemon.print(`E log.go:32] "${call} from ${service} service failed" err=${JSON.stringify(rpcError(failure))}${about}`);
  }

  /** What gRPC says of a socket that nobody listens on, or of a runtime that went away in the middle. */
  unavailable(failure: Failure | undefined): CriError {
    const message =
      failure === 'refused'
        ? `connection error: desc = "transport: Error while dialing: dial unix ${this.socket}: connect: no such file or directory"`
        : 'error reading from server: EOF';
    return {error: {code: 'Unavailable', message}};
  }
}

/** As gRPC's status prints. */
export function rpcError({error}: CriError): string {
  return `rpc error: code = ${error.code} desc = ${error.message}`;
}

/** The message alone for errors without a code of their own, as the kubelet shows those of starts and pulls. */
export function plainError(failure: CriError): string {
  return failure.error.code === 'Unknown' ? failure.error.message : rpcError(failure);
}

export {isCriError};
