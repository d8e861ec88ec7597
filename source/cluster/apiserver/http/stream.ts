// An exchange that goes on after its answer: a watch, a followed log, a shell in a container.
import type {Answer} from '../../../api/wire/http.ts';
import type {Failure} from '../../../sim/network.ts';

/** The server's end of it. */
export interface Stream {
  open(answer: Answer): void;
  send(frame: unknown): void;
  end(failure?: Failure): void;
  onFrame(take: (frame: unknown) => void): void;
  onCancel(take: () => void): void;
}
