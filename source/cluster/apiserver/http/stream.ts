// An exchange that goes on after its answer: a watch, a followed log, a shell in a container.
import type {Answer} from '../../../api/wire/http.ts';
import type {Failure} from '../../../sim/network.ts';

/** The server's end of it. */
export interface Stream {
  /** The address that the request came from. */
  readonly from?: string;
  open(answer: Answer): void;
  send(frame: unknown): void;
  end(failure?: Failure): void;
  onFrame(take: (frame: unknown) => void): void;
  onCancel(take: () => void): void;
}

/** A stream whose answer has some more headers. */
export function withHeaders(stream: Stream, more: Readonly<Record<string, string>>): Stream {
  return {
    ...(stream.from === undefined ? {} : {from: stream.from}),
    open: answer => stream.open({...answer, headers: {...answer.headers, ...more}}),
    send: frame => stream.send(frame),
    end: failure => stream.end(failure),
    onFrame: take => stream.onFrame(take),
    onCancel: take => stream.onCancel(take),
  };
}
