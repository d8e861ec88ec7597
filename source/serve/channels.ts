// An exec or attach over a WebSocket: each message has the number of its channel as the first byte.
import {StringDecoder} from 'node:string_decoder';
import type {RawData, WebSocket} from 'ws';
import type {ChannelFrame} from '../api/wire/http.ts';
import type {Caller} from '../sim/network.ts';
import {jsonText} from './json.ts';
import {bytesOf} from './pipes.ts';

const CLOSE = 255;
const STATUS = 3;
const RESIZE = 4;

/** The channels of one WebSocket. */
export class Channels {
  readonly #socket: WebSocket;
  readonly #decoder = new StringDecoder('utf8');

  constructor(socket: WebSocket, caller: Caller, typed: () => void) {
    this.#socket = socket;
    socket.on('message', data => {
      const frame = this.#read(data);
      if (frame) caller.send(frame);
      typed();
    });
    socket.on('close', () => caller.cancel());
    socket.on('error', () => socket.terminate());
  }

  #read(data: RawData): ChannelFrame | undefined {
    const bytes = bytesOf(data);
    const [channel] = bytes;
    const rest = bytes.subarray(1);
    if (channel === CLOSE) return {channel: rest[0] ?? 0, data: null};
    if (channel === RESIZE) return {channel: RESIZE, data: sizeOf(rest.toString('utf8'))};
    return channel === 0 ? {channel: 0, data: this.#decoder.write(rest)} : undefined;
  }

  send({channel, data}: ChannelFrame): void {
    if (data === null || data === undefined) return;
    const text = typeof data === 'string' ? data : jsonText(data);
    this.#socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(text, 'utf8')]));
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
