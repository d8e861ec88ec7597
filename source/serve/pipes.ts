// What carries the bytes of a client that has stopped to speak HTTP: its connection, or the messages of a WebSocket.
import type {TLSSocket} from 'node:tls';
import type {RawData, WebSocket} from 'ws';

/** What carries the bytes of a tunnel. */
export interface Pipe {
  write(bytes: Buffer): void;
  end(): void;
  listen(on: {readonly data: (bytes: Buffer) => void; readonly close: () => void}): void;
}

/** A WebSocket whose messages are parts of one row of bytes. */
export class SocketPipe implements Pipe {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  write(bytes: Buffer): void {
    this.#socket.send(bytes);
  }

  end(): void {
    this.#socket.close(1000);
  }

  listen({data, close}: Parameters<Pipe['listen']>[0]): void {
    this.#socket.on('message', part => data(bytesOf(part)));
    this.#socket.on('close', close);
    this.#socket.on('error', () => this.#socket.terminate());
  }
}

/** The connection itself, which was HTTP before. */
export class PlainPipe implements Pipe {
  readonly #socket: TLSSocket;
  readonly #head: Buffer;

  constructor(socket: TLSSocket, head: Buffer) {
    this.#socket = socket;
    this.#head = head;
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  end(): void {
    this.#socket.end();
  }

  listen({data, close}: Parameters<Pipe['listen']>[0]): void {
    if (this.#head.length > 0) data(this.#head);
    this.#socket.on('data', data);
    this.#socket.on('close', close);
  }
}

/** The bytes of a message. */
export function bytesOf(data: RawData): Buffer {
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
}
