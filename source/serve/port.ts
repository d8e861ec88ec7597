// The API server on a TLS port of the host, for real clients: HTTP/2 and HTTP/1.1 on one port of the loopback, client certificates
// and bearer tokens, and what comes in becomes the same request that a program inside the cluster would send.
//
// Not modelled on the wire: compression of anything but schemas, and answers in protobuf (bodies that come so are read). When the
// cluster's API server cannot be reached, the connection is dropped, as a client of a dead server sees it; when packets to it are lost,
// it waits.
import {createSecureServer, type Http2SecureServer, type ServerHttp2Session} from 'node:http2';
import {ServerResponse} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import type {TLSSocket} from 'node:tls';
import {type failure, tooLarge} from '../api/meta/status.ts';
import {ecKeyOf, x509Pem} from '../api/pki/x509.ts';
import type {Answer, Request} from '../api/wire/http.ts';
import type {World} from '../world/world.ts';
import {destroy, Stream, writeAnswer, type Asked, type Outgoing} from './answer.ts';
import {Upgrades} from './upgrade.ts';
import {endWhenIdle} from './idle.ts';
import type {PortIdentity} from './identity.ts';
import {BODY_MS, Certificates, MOST_BYTES, readBody, readHead, withBody, type Incoming} from './request.ts';
import {Turns} from './turns.ts';
import {Waiting} from './waiting.ts';

export interface PortOptions {
  readonly world: World;
  readonly identity: PortIdentity;
  /** 0 for any free one. */
  readonly port: number;
  /** Milliseconds of the host, from any start. */
  readonly hostNow: () => number;
  /** Hears of what should never happen. */
  readonly failed: (error: unknown) => void;
}

const BEAT_MS = 10;
const MOST_CONNECTIONS = 2000;
const HANDSHAKE_MS = 10_000;
/** How long a connection without a request stays open, as with a real server. */
const IDLE_MS = 90_000;
const HEADER_BYTES = 64 * 1024;
/** How long open streams may take to end. */
const GRACE_MS = 500;

/** An open port. */
export class Port {
  readonly #options: PortOptions;
  readonly #server: Http2SecureServer;
  readonly #certificates: Certificates;
  readonly #waiting: Waiting;
  readonly #upgrades: Upgrades;
  readonly #turns = new Turns();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new Set<Socket>();
  readonly #streams = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PortOptions) {
    this.#options = options;
    const {world, identity, hostNow, failed} = options;
    const authorityKey = ecKeyOf(world.authority.key);
    const certificate = x509Pem(world.authority, authorityKey, authorityKey);
    this.#certificates = new Certificates({certificate, issue: (name, organizations) => world.issue(name, organizations)});
    this.#waiting = new Waiting(
      () => world.now,
      isWaiting =>
        world.pump.hurry(hostNow(), isWaiting).catch((error: unknown) => {
          failed(error);
          return true;
        }),
    );
    this.#upgrades = new Upgrades({world, waiting: this.#waiting});
    this.#server = createSecureServer({
      key: identity.server.key,
      cert: identity.server.certificate,
      ca: [identity.authority, certificate],
      requestCert: true,
      rejectUnauthorized: false,
      allowHTTP1: true,
      minVersion: 'TLSv1.2',
      handshakeTimeout: HANDSHAKE_MS,
      maxHeaderListPairs: 512,
      settings: {maxConcurrentStreams: 1000, maxHeaderListSize: HEADER_BYTES, initialWindowSize: 256 * 1024},
      http1Options: {
        maxHeaderSize: HEADER_BYTES,
        headersTimeout: HANDSHAKE_MS,
        requestTimeout: BODY_MS,
        keepAliveTimeout: IDLE_MS,
      },
    } as Parameters<typeof createSecureServer>[0]);
    this.#listenTo(this.#server);
  }

  #listenTo(server: Http2SecureServer): void {
    server.maxConnections = MOST_CONNECTIONS;
    server.on('request', (incoming, out) => {
      if ('stream' in out) this.#take(incoming, out);
      else this.#turns.take(out, () => this.#take(incoming, out));
    });
    server.on('session', session => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
      session.on('error', () => session.destroy());
      endWhenIdle(session, IDLE_MS);
    });
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    // Over HTTP/1.1 Node's parser reads from TLS without the socket's knowledge, and takes records that come while it is paused (as an
    // earlier answer is still on its way) for errors. It does not once somebody else listens to the socket.
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol !== 'h2') socket.on('data', () => undefined);
    });
    // A handshake or a line that is nonsense is the client's affair: the connection ends, and nothing else.
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    server.on('clientError', (error, socket) => {
      // An answer that is under way cannot be followed by such a page.
      if (this.#turns.isAnswering(socket) || !socket.writable) socket.destroy();
      else endWith(socket as Socket, PAGES[(error as {code?: string}).code ?? ''] ?? BAD_REQUEST);
    });
    server.on('sessionError', () => undefined);
    server.on('upgrade', (incoming, socket: TLSSocket, head: Buffer) => {
      const read = readHead(incoming, this.#certificates.of(socket));
      if (read && this.#upgrades.take({incoming, socket, head, read})) return;
      // Who wants to speak something else and cannot is answered as if nothing had been said of it.
      const out = new ServerResponse(incoming);
      out.shouldKeepAlive = false;
      out.assignSocket(socket);
      out.on('finish', () => socket.end());
      this.#take(incoming, out);
    });
  }

  /** Begins to listen and to let time pass; the port's number. */
  async open(): Promise<number> {
    const {world, hostNow, failed, port} = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', failed);
    world.pump.resume();
    this.#timer = setInterval(() => {
      const beat = world.pump.beat(hostNow());
      beat.then(done => done || this.#waiting.goOn()).catch(failed);
    }, BEAT_MS);
    return (this.#server.address() as AddressInfo).port;
  }

  /** Takes no more connections, ends what is open, and lets time stand still. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#options.world.pump.pause();
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()));
    for (const end of this.#streams) end();
    this.#upgrades.close();
    for (const session of this.#sessions) session.close();
    const late = setTimeout(() => {
      for (const session of this.#sessions) session.destroy();
      for (const socket of this.#sockets) socket.destroy();
    }, GRACE_MS);
    for (const socket of this.#sockets) if (socket.readableLength === 0 && this.#sessions.size === 0) socket.end();
    await closed;
    clearTimeout(late);
  }

  #take(incoming: Incoming, out: Outgoing): void {
    out.on('error', () => undefined);
    const socket = 'stream' in incoming ? incoming.stream.session?.socket : incoming.socket;
    const read = readHead(incoming, socket && this.#certificates.of(socket as TLSSocket));
    if (!read) return writeAnswer(out, MALFORMED, NOTHING_ASKED);
    const {request} = read;
    const asked = askedOf(request);
    if (request.method === 'GET' || request.method === 'HEAD') {
      incoming.resume();
      return this.#send(request, out, asked);
    }
    readBody(incoming, (body, isTooLarge) => {
      if (isTooLarge) return writeAnswer(out, statusAnswer(tooLarge(MOST_BYTES)), asked);
      if (body === undefined) return destroy(out);
      this.#send(withBody(request, body), out, asked);
    });
  }

  #send(request: Request, out: Outgoing, asked: Asked): void {
    const wait = this.#waiting.begin();
    let stream: Stream | undefined;
    let over = false;
    const close = (): void => {
      over = true;
      this.#waiting.answered(wait, false);
      this.#streams.delete(end);
    };
    const end = (): void => {
      caller.cancel();
      close();
      stream?.end();
    };
    const caller = this.#options.world.request(request, {
      answer: (answer, more) => {
        this.#waiting.answered(wait, more);
        if (over) return;
        if (more) {
          stream = new Stream(out, answer);
          this.#streams.add(end);
          return;
        }
        over = true;
        writeAnswer(out, answer, asked);
      },
      frame: frame => stream?.send(frame),
      end: () => {
        if (over) return;
        close();
        if (stream) stream.end();
        else destroy(out);
      },
    });
    out.on('close', () => {
      if (over) return;
      close();
      caller.cancel();
    });
  }
}

function askedOf({method, path, query, headers}: Request): Asked {
  const wish = query?.['pretty'];
  const forPeople = /^(curl|Wget|Mozilla)/.test(headers?.['user-agent'] ?? '');
  return {
    head: method === 'HEAD',
    path,
    pretty: wish === undefined ? forPeople : wish !== '0' && wish !== 'false',
    ifNoneMatch: headers?.['if-none-match'],
    accept: headers?.['accept'] ?? '',
    encodings: headers?.['accept-encoding'] ?? '',
  };
}

function statusAnswer(status: ReturnType<typeof failure>): Answer {
  return {status: status.code, headers: {'cache-control': 'no-cache, private'}, body: status};
}

/** What Go's server says of what it cannot read. */
const BAD_REQUEST = '400 Bad Request';
const PAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};
const TEXT = 'text/plain; charset=utf-8';
const MALFORMED: Answer = {status: 400, headers: {'content-type': TEXT, connection: 'close'}, body: BAD_REQUEST};

/** Ends a connection with a page. */
function endWith(socket: Socket, page: string): void {
  socket.end(`HTTP/1.1 ${page}\r\nContent-Type: ${TEXT}\r\nConnection: close\r\n\r\n${page}`, () => socket.destroy());
}

const NOTHING_ASKED: Asked = {head: false, path: '', pretty: false, ifNoneMatch: undefined, accept: '', encodings: ''};
