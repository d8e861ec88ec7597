// port-forward: for each connection to a forwarded port a pair of lines, one for its bytes and one for what went wrong; how they travel is
// another's affair. In the cluster a connection is a row of HTTP requests, so its bytes are read as HTTP/1.1 here: a client that speaks
// something else is not served.
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {Duplex} from 'node:stream';
import type {Answer, Request} from '../api/wire/http.ts';
import type {PortFrame, PortReply} from '../api/wire/kubelet.ts';
import {jsonText} from '../api/schema/json-text.ts';
import {readBody, readHead, withBody} from './request.ts';

/** Bytes to a client and from it. */
export interface Line {
  onData: (part: Buffer) => void;
  /** The client sends nothing more. */
  onEnd: () => void;
  write(part: Buffer): void;
  end(): void;
}

export interface ForwardOptions {
  /** A request to a port of the pod. */
  readonly send: (frame: PortFrame) => void;
  /** Somebody waits for an answer now. */
  readonly hurry: () => void;
}

/** What a new connection needs. */
export interface Opened {
  readonly port: number;
  readonly data: Line;
  readonly error: Line | undefined;
}

interface Exchange {
  readonly out: ServerResponse;
  readonly forward: Forward;
  begun: boolean;
}

/** One connection to a forwarded port. */
interface Forward extends Opened {
  readonly socket: Duplex;
}

/** The forwarded ports of one client. */
export class Forwarding {
  readonly #options: ForwardOptions;
  readonly #forwards = new WeakMap<object, Forward>();
  readonly #exchanges = new Map<number, Exchange>();
  readonly #http: Server;
  #count = 0;

  constructor(options: ForwardOptions) {
    this.#options = options;
    this.#http = createServer((incoming, out) => this.#ask(incoming, out));
  }

  /** A new connection to a port. */
  open(opened: Opened): void {
    const socket = new LineSocket(opened.data);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      opened.data.end();
      opened.error?.end();
    });
    this.#forwards.set(socket, {...opened, socket});
    this.#http.emit('connection', socket);
  }

  #ask(incoming: IncomingMessage, out: ServerResponse): void {
    const forward = this.#forwards.get(incoming.socket);
    const read = readHead(incoming, undefined);
    if (!forward || !read) {
      out.writeHead(400).end();
      return;
    }
    readBody(incoming, body => {
      const id = ++this.#count;
      this.#exchanges.set(id, {out, forward, begun: false});
      const request: Request = {...read.request, scheme: 'http'};
      this.#options.send({id, port: forward.port, request: body ? withBody(request, body) : request});
      this.#options.hurry();
    });
  }

  /** What a port of the pod said. */
  reply({id, answer, more, frame, end, message}: PortReply): void {
    const exchange = this.#exchanges.get(id);
    if (!exchange) return;
    const {out, forward} = exchange;
    if (answer !== undefined) {
      exchange.begun = true;
      const text = begin(out, answer as Answer);
      if (more) return void out.write(text);
      this.#exchanges.delete(id);
      out.end(text);
    } else if (frame !== undefined) out.write(textOf(frame));
    else if (end !== undefined) {
      this.#exchanges.delete(id);
      if (exchange.begun) out.end();
      else fail(forward, message);
    }
  }
}

/** Begins an answer; its first text. */
function begin(out: ServerResponse, {status, headers = {}, body}: Answer): string {
  for (const [name, value] of Object.entries(headers)) out.setHeader(name, value.split('\n'));
  out.statusCode = status;
  return body === undefined ? '' : textOf(body);
}

function textOf(part: unknown): string {
  return typeof part === 'string' ? part : jsonText(part);
}

/** The connection ends without an answer, and the client is told why. */
function fail({port, error, socket}: Forward, message: string | undefined): void {
  if (message !== undefined) {
    const pod = /inside namespace "([^"]+)"/.exec(message)?.[1] ?? '';
    error?.write(Buffer.from(`error forwarding port ${port} to pod ${pod}, uid : ${message}`, 'utf8'));
  }
  socket.destroy();
}

/** A line as the connection that Node's HTTP server reads and writes. */
class LineSocket extends Duplex {
  readonly #line: Line;

  constructor(line: Line) {
    super({allowHalfOpen: true});
    this.#line = line;
    line.onData = part => void this.push(part);
    line.onEnd = () => void this.push(null);
  }

  override _read(): void {
    // Parts are pushed as they come.
  }

  override _write(part: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#line.write(part);
    done();
  }

  override _final(done: () => void): void {
    this.#line.end();
    done();
  }
}
