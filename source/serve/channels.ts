// An exec or attach over a WebSocket: each message has the number of its channel as the first byte.
import type {RawData, WebSocket} from 'ws';
import {BytesReader, bytesOfText} from '../api/meta/bytes-text.ts';
import type {ChannelFrame} from '../api/wire/http.ts';
import type {Caller} from '../sim/network.ts';
import {jsonText} from '../api/schema/json-text.ts';
import {bytesOf} from './pipes.ts';

const CLOSE = 255;
const STATUS = 3;
const RESIZE = 4;

/** The channels of one WebSocket. */
export class Channels {
  readonly #socket: WebSocket;
  readonly #reader = new BytesReader();

  constructor(socket: WebSocket, caller: Caller, typed: () => void) {
    this.#socket = socket;
    socket.on('message', data => {
      for (const frame of this.#read(data)) caller.send(frame);
      typed();
    });
    socket.on('close', () => caller.cancel());
    socket.on('error', () => socket.terminate());
  }

  #read(data: RawData): readonly ChannelFrame[] {
    const bytes = bytesOf(data);
    const [channel] = bytes;
    const rest = bytes.subarray(1);
    if (channel === RESIZE) return [{channel: RESIZE, data: sizeOf(rest.toString('utf8'))}];
    if (channel === 0) return [{channel: 0, data: this.#reader.read(rest)}];
    if (channel !== CLOSE) return [];
    const closed = {channel: rest[0] ?? 0, data: null};
    const last = closed.channel === 0 ? this.#reader.end() : '';
    return last === '' ? [closed] : [{channel: 0, data: last}, closed];
  }

  send({channel, data}: ChannelFrame): void {
    if (data === null || data === undefined) return;
    const text = typeof data === 'string' ? data : jsonText(data);
    this.#socket.send(Buffer.concat([Buffer.of(channel), bytesOfText(text)]));
    if (channel === STATUS) this.end();
  }

  /** The proper end: any other code is an error to kubectl. */
  end(): void {
    this.#socket.close(1000);
  }
}

function sizeOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}
