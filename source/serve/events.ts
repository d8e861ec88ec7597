// A watch over a WebSocket, as programs in browsers have it: each event is a message of text.
import type {WebSocket} from 'ws';
import type {Caller} from '../sim/network.ts';
import {lineOf, MOST_WAITING} from './answer.ts';

/** The events of one watch. */
export class Events {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket, caller: Caller) {
    this.#socket = socket;
    socket.on('close', () => caller.cancel());
    socket.on('error', () => socket.terminate());
  }

  send(frame: unknown): void {
    if (typeof frame !== 'object' || frame === null) return;
    this.#socket.send(lineOf(frame), {binary: false});
    // Who does not read is let go before he fills the memory.
    if (this.#socket.bufferedAmount > MOST_WAITING) this.#socket.terminate();
  }

  end(): void {
    this.#socket.close(1000);
  }
}
