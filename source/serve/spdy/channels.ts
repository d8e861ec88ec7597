// exec and attach over SPDY/3.1, as kubectl speaks it when WebSockets are refused, and as older clients do: a stream for each of stdin,
// stdout, stderr, the size of the terminal, and `error`, which carries the closing Status.
import {BytesReader, bytesOfText} from '../../api/meta/bytes-text.ts';
import type {ChannelFrame} from '../../api/wire/http.ts';
import {jsonText} from '../../api/schema/json-text.ts';
import {SpdySession, type SpdyStream} from './session.ts';

/** The protocol of the streams, as the client offers it. */
export const STREAM_PROTOCOL = 'v4.channel.k8s.io';

const NAMES = ['stdin', 'stdout', 'stderr', 'error', 'resize'];
const STDIN = 0;
const STATUS = 3;
const RESIZE = 4;

export interface ChannelsOptions {
  /** How many streams the client will open: it waits for each of them to be answered. */
  readonly expected: number;
  readonly write: (bytes: Buffer) => void;
  readonly send: (frame: ChannelFrame) => void;
  readonly closed: () => void;
}

/** The streams of one exec or attach. */
export class SpdyChannels {
  readonly #options: ChannelsOptions;
  readonly #session: SpdySession;
  readonly #streams = new Map<number, SpdyStream>();
  readonly #early = new Map<number, string[]>();
  #ending = false;

  constructor(options: ChannelsOptions) {
    this.#options = options;
    this.#session = new SpdySession({write: options.write, opened: stream => this.#open(stream), closed: options.closed});
  }

  take(bytes: Buffer): void {
    this.#session.take(bytes);
  }

  close(): void {
    this.#session.close();
  }

  #open(stream: SpdyStream): void {
    const channel = NAMES.indexOf(stream.headers.get('streamtype') ?? '');
    if (channel < 0) return stream.reset();
    this.#streams.set(channel, stream);
    if (channel === STDIN) this.#hear(stream);
    if (channel === RESIZE) stream.onData = part => this.#options.send({channel: RESIZE, data: sizeOf(part.toString('utf8'))});
    for (const text of this.#early.get(channel) ?? []) stream.write(bytesOfText(text));
    this.#early.delete(channel);
    if (this.#ending) this.#end();
  }

  #hear(stream: SpdyStream): void {
    const reader = new BytesReader();
    const {send} = this.#options;
    stream.onData = part => send({channel: STDIN, data: reader.read(part)});
    stream.onEnd = () => {
      const last = reader.end();
      if (last !== '') send({channel: STDIN, data: last});
      send({channel: STDIN, data: null});
    };
  }

  /** A frame from the container. */
  send({channel, data}: ChannelFrame): void {
    if (data === null || data === undefined) return;
    const text = typeof data === 'string' ? data : jsonText(data);
    const stream = this.#streams.get(channel);
    if (stream) stream.write(bytesOfText(text));
    else this.#early.set(channel, [...(this.#early.get(channel) ?? []), text]);
    if (channel === STATUS) this.end();
  }

  /** Nothing more comes: streams end when all that was said is told. */
  end(): void {
    this.#ending = true;
    this.#end();
  }

  #end(): void {
    if (this.#streams.size < this.#options.expected) return;
    for (const stream of this.#streams.values()) stream.end();
    this.#session.close();
  }
}

function sizeOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}
