// Headers as SPDY/3.1 packs them: names and values with their lengths, through one zlib stream for each direction of a connection.
import {constants, createDeflate, createInflate, type Deflate, type Inflate} from 'node:zlib';
import {DICTIONARY} from './dictionary.ts';

export type Headers = ReadonlyMap<string, string>;

const MOST_BYTES = 64 * 1024;
const MOST_HEADERS = 200;

/** Unpacks the headers of one connection, in their order. */
export class Unpacker {
  readonly #stream: Inflate = createInflate({dictionary: DICTIONARY});
  #parts: Buffer[] = [];
  #failed: Error | undefined;
  #wake: () => void = () => undefined;

  constructor() {
    this.#stream.on('data', (part: Buffer) => this.#parts.push(part));
    this.#stream.on('error', error => {
      this.#failed = error;
      this.#wake();
    });
  }

  /** The headers in a block. */
  async unpack(block: Buffer): Promise<Headers> {
    this.#parts = [];
    await new Promise<void>(done => {
      this.#wake = done;
      this.#stream.write(block, () => setImmediate(done));
    });
    const bytes = Buffer.concat(this.#parts);
    if (this.#failed || bytes.length > MOST_BYTES) throw new Error('headers that cannot be unpacked');
    return readBlock(bytes);
  }

  close(): void {
    this.#stream.destroy();
  }
}

/** Packs the headers of one connection, in their order. */
export class Packer {
  readonly #stream: Deflate = createDeflate({dictionary: DICTIONARY});
  #parts: Buffer[] = [];

  constructor() {
    this.#stream.on('data', (part: Buffer) => this.#parts.push(part));
    this.#stream.on('error', () => undefined);
  }

  async pack(headers: Headers): Promise<Buffer> {
    this.#parts = [];
    this.#stream.write(writeBlock(headers));
    await new Promise<void>(done => this.#stream.flush(constants.Z_SYNC_FLUSH, () => setImmediate(done)));
    return Buffer.concat(this.#parts);
  }

  close(): void {
    this.#stream.destroy();
  }
}

function readBlock(bytes: Buffer): Headers {
  const headers = new Map<string, string>();
  let at = 4;
  const text = (): string => {
    const length = bytes.readUInt32BE(at);
    const from = at + 4;
    at = from + length;
    if (at > bytes.length) throw new Error('a header that goes on past the end');
    return bytes.toString('latin1', from, at);
  };
  const count = bytes.readUInt32BE(0);
  if (count > MOST_HEADERS) throw new Error('too many headers');
  for (let left = count; left > 0; left--) {
    const name = text();
    headers.set(name.toLowerCase(), text());
  }
  return headers;
}

function writeBlock(headers: Headers): Buffer {
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const text = (value: string): Buffer[] => [number(Buffer.byteLength(value, 'latin1')), Buffer.from(value, 'latin1')];
  return Buffer.concat([number(headers.size), ...[...headers].flatMap(([name, value]) => [...text(name), ...text(value)])]);
}
