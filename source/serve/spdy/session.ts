// SPDY/3.1 on the side that is called, as far as port-forward needs it: streams that the caller opens, data both ways, half-closed ends,
// pings. There is no flow control: neither does kubectl's library do any.
//
// A frame is a control frame (first bit set: version, kind, flags, length) or data of a stream (its number, flags, length).
import {Packer, Unpacker, type Headers} from './headers.ts';

const VERSION = 3;
const SYN_STREAM = 1;
const SYN_REPLY = 2;
const RST_STREAM = 3;
const PING = 6;
const GOAWAY = 7;
const FIN = 1;
const CONTROL = 0x8000;
const HEAD_BYTES = 8;
const MOST_FRAME = 1 << 20;
const MOST_STREAMS = 2000;
const NO_HEADERS: Headers = new Map<string, string>();

/** One stream of a session. */
export class SpdyStream {
  readonly id: number;
  readonly headers: Headers;
  onData: (part: Buffer) => void = () => undefined;
  /** The caller sends nothing more. */
  onEnd: () => void = () => undefined;
  readonly #write: (bytes: Buffer) => void;
  #ended = false;

  constructor(id: number, headers: Headers, write: (bytes: Buffer) => void) {
    this.id = id;
    this.headers = headers;
    this.#write = write;
  }

  write(part: Buffer): void {
    if (!this.#ended && part.length > 0) this.#write(dataFrame(this.id, part, 0));
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#write(dataFrame(this.id, Buffer.alloc(0), FIN));
  }

  /** Ends it as a failure. */
  reset(): void {
    if (this.#ended) return;
    this.#ended = true;
    const payload = Buffer.alloc(8);
    payload.writeUInt32BE(this.id);
    payload.writeUInt32BE(5, 4);
    this.#write(controlFrame(RST_STREAM, payload));
  }
}

export interface SessionOptions {
  readonly write: (bytes: Buffer) => void;
  readonly opened: (stream: SpdyStream) => void;
  /** The caller ended the session, or sent what is no SPDY. */
  readonly closed: () => void;
}

/** A session: bytes in by `take`, bytes out by `write`. */
export class SpdySession {
  readonly #options: SessionOptions;
  readonly #unpacker = new Unpacker();
  readonly #packer = new Packer();
  readonly #streams = new Map<number, SpdyStream>();
  #rest: Buffer = Buffer.alloc(0);
  #work: Promise<void> = Promise.resolve();
  #over = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  take(bytes: Buffer): void {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    while (this.#rest.length >= HEAD_BYTES) {
      const length = this.#rest.readUIntBE(5, 3);
      if (length > MOST_FRAME) return this.close();
      if (this.#rest.length < HEAD_BYTES + length) return;
      const frame = this.#rest.subarray(0, HEAD_BYTES + length);
      this.#rest = this.#rest.subarray(HEAD_BYTES + length);
      // Headers are unpacked by and by; frames keep their order.
      this.#work = this.#work.then(() => this.#read(frame)).catch(() => this.close());
    }
  }

  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#unpacker.close();
    this.#packer.close();
    for (const stream of this.#streams.values()) stream.onEnd();
    this.#streams.clear();
    this.#options.closed();
  }

  async #read(frame: Buffer): Promise<void> {
    if (this.#over) return;
    const first = frame.readUInt16BE(0);
    const flags = frame.readUInt8(4);
    const payload = frame.subarray(HEAD_BYTES);
    if (first < CONTROL) return this.#readData(frame.readUInt32BE(0), payload, flags);
    if (first - CONTROL !== VERSION) return this.close();
    const kind = frame.readUInt16BE(2);
    if (kind === SYN_STREAM) return await this.#open(payload, flags);
    if (kind === PING) return this.#options.write(controlFrame(PING, payload));
    if (kind === RST_STREAM) return this.#end(payload.readUInt32BE(0));
    if (kind === GOAWAY) this.close();
  }

  async #open(payload: Buffer, flags: number): Promise<void> {
    const id = payload.readUInt32BE(0);
    const headers = await this.#unpacker.unpack(payload.subarray(10));
    if (this.#streams.size >= MOST_STREAMS) return this.close();
    const stream = new SpdyStream(id, headers, bytes => {
      if (!this.#over) this.#options.write(bytes);
    });
    this.#streams.set(id, stream);
    const number = Buffer.alloc(4);
    number.writeUInt32BE(id);
    this.#options.write(controlFrame(SYN_REPLY, Buffer.concat([number, await this.#packer.pack(NO_HEADERS)])));
    this.#options.opened(stream);
    if (isFinal(flags)) this.#end(id);
  }

  #readData(id: number, payload: Buffer, flags: number): void {
    if (payload.length > 0) this.#streams.get(id)?.onData(payload);
    if (isFinal(flags)) this.#end(id);
  }

  #end(id: number): void {
    const stream = this.#streams.get(id);
    this.#streams.delete(id);
    stream?.onEnd();
  }
}

function isFinal(flags: number): boolean {
  return flags % 2 === FIN;
}

function dataFrame(id: number, payload: Buffer, flags: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(id);
  head.writeUInt8(flags, 4);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

function controlFrame(kind: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt16BE(CONTROL + VERSION);
  head.writeUInt16BE(kind, 2);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}
