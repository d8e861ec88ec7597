// Requests that come on one connection of HTTP/1.1 before the last one is answered wait for it, as with a real server: who asks a hundred
// things and reads no answer has one of them made for him.
import type {ServerResponse} from 'node:http';

/** The turns of the connections of a port. */
export class Turns {
  /** Of each connection that has an answer under way, what waits for it. */
  readonly #waiting = new WeakMap<object, (() => void)[]>();

  /** Calls `begin` when the connection's earlier answers are through. */
  take(out: ServerResponse, begin: () => void): void {
    const {socket} = out.req;
    const before = this.#waiting.get(socket);
    out.on('close', () => this.#next(socket));
    if (before) before.push(begin);
    else {
      this.#waiting.set(socket, []);
      begin();
    }
  }

  /** Is an answer under way on a connection? */
  isAnswering(socket: object): boolean {
    return this.#waiting.has(socket);
  }

  #next(socket: object): void {
    const next = this.#waiting.get(socket)?.shift();
    if (next) next();
    else this.#waiting.delete(socket);
  }
}
