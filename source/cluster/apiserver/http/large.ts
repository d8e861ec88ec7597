// Requests with large bodies: what they need is done in pieces, each in an event of its own, and the server's clock moves on a little
// between two of them, as such work takes a real server time too. So others are served meanwhile, and whoever runs the cluster beside
// real time can let others pass as well.
import type {Request} from '../../../api/wire/http.ts';
import type {Daemon} from '../../../sim/daemon.ts';
import {sleep, type Task} from '../../../sim/task.ts';

/** Bodies of more bytes are large. */
const LARGE_BYTES = 64 * 1024;
const PIECE_MS = 0.1;

/** Is the body of a request large? Only what came as bytes has a size. */
export function isLarge({bytes = 0}: Request): boolean {
  return bytes > LARGE_BYTES;
}

/** Ends a piece of work. */
export function* endPiece({clock}: Daemon): Task {
  clock.laboured = true;
  yield* sleep(PIECE_MS);
}
