// exec, attach and port-forward over WebSocket, as kubectl 1.35 speaks it. port-forward is a tunnel, see port-forward.ts; the others have
// the subprotocol v5.channel.k8s.io, each message with the number of its channel as the first byte (0 in, 1 out, 2 err, 3 the closing
// Status, 4 the size of the terminal, 255 a channel that closes). The cluster is asked first, so that what it refuses is an ordinary
// answer. Both are spoken over SPDY as well: kubectl asks so once more when a WebSocket was refused, and shows that answer.
import type {IncomingMessage} from 'node:http';
import {StringDecoder} from 'node:string_decoder';
import type {TLSSocket} from 'node:tls';
import {WebSocketServer, type RawData, type WebSocket} from 'ws';
import type {Answer, ChannelFrame, Request} from '../api/wire/http.ts';
import type {PortReply} from '../api/wire/kubelet.ts';
import type {Caller} from '../sim/network.ts';
import type {World} from '../world/world.ts';
import {jsonText} from './json.ts';
import {FORWARD_PROTOCOL, Forwarding} from './port-forward.ts';
import type {Head} from './request.ts';
import {SpdyChannels, STREAM_PROTOCOL} from './spdy/channels.ts';
import type {Waiting} from './waiting.ts';

export interface UpgradeOptions {
  readonly world: World;
  readonly waiting: Waiting;
}

/** A connection that wants to be something else. */
export interface Wanted {
  readonly incoming: IncomingMessage;
  readonly socket: TLSSocket;
  readonly head: Buffer;
  readonly read: Head;
}

const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const MOST_BYTES = 4 * 1024 * 1024;
const CLOSE = 255;
const STATUS = 3;
const RESIZE = 4;
/** Time is run ahead after a key, until its echo is there. */
const ECHO_MS = 5;

/** Takes the upgrades of a port. */
export class Upgrades {
  readonly #options: UpgradeOptions;
  readonly #sockets: WebSocketServer;
  readonly #tunnels = new WebSocketServer({noServer: true, maxPayload: MOST_BYTES});

  constructor(options: UpgradeOptions) {
    this.#options = options;
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: MOST_BYTES,
      handleProtocols: offered => PROTOCOLS.find(each => offered.has(each)) ?? false,
    });
    this.#tunnels.on('headers', headers => headers.push(`Sec-WebSocket-Protocol: ${FORWARD_PROTOCOL}`));
  }

  /** Ends all that are open. */
  close(): void {
    for (const socket of [...this.#sockets.clients, ...this.#tunnels.clients]) socket.close(1001);
  }

  take({incoming, socket, head, read}: Wanted): void {
    socket.on('error', () => socket.destroy());
    const way = wayOf(incoming, read.request.path);
    if (!way) return refuseUpgrade(socket);
    // Its name has a slash, which no subprotocol may have: the library would refuse it, so it does not see it.
    if (way === 'tunnel') delete incoming.headers['sec-websocket-protocol'];
    const {world, waiting} = this.#options;
    const wait = waiting.begin();
    let channels: Channels | Tunnel | SpdyStreams | undefined;
    const hurry = (): void => void waiting.begin();
    const caller: Caller = world.request(way === 'channels' || way === 'streams' ? execRequest(read) : forwardRequest(read), {
      answer: (answer, more) => {
        waiting.answered(wait, more);
        if (!more) return writeRaw(socket, answer);
        if (way === 'spdy' || way === 'streams') {
          socket.write(spdyAnswer(way === 'spdy' ? 'portforward.k8s.io' : STREAM_PROTOCOL));
          const pipe = new PlainPipe(socket, head);
          channels =
            way === 'spdy'
              ? new Tunnel(pipe, caller, hurry)
              : new SpdyStreams(pipe, {caller, expected: streamsOf(read), typed: () => waiting.begin(ECHO_MS)});
          return;
        }
        const sockets = way === 'tunnel' ? this.#tunnels : this.#sockets;
        sockets.handleUpgrade(incoming, socket, head, opened => {
          channels =
            way === 'tunnel'
              ? new Tunnel(new SocketPipe(opened), caller, hurry)
              : new Channels(opened, caller, () => waiting.begin(ECHO_MS));
        });
      },
      frame: frame => channels?.send(frame as ChannelFrame),
      end: () => {
        waiting.answered(wait, false);
        if (channels) channels.end();
        else socket.destroy();
      },
    });
    socket.on('close', () => caller.cancel());
  }
}

/** What the query says goes into the body, as a command may have any words. To run something is to create. */
function execRequest({request, search}: Head): Request {
  const isSet = (name: string) => ['true', '1'].includes(search.get(name) ?? '');
  const command = search.getAll('command');
  const container = search.get('container');
  const body = {
    ...(command.length > 0 ? {command} : {}),
    ...(container ? {container} : {}),
    stdin: isSet('stdin'),
    stdout: isSet('stdout'),
    stderr: isSet('stderr'),
    tty: isSet('tty'),
  };
  return {...request, method: 'POST', query: {}, body};
}

function forwardRequest({request}: Head): Request {
  return {...request, method: 'POST', query: {}};
}

/** How a client wants to speak; undefined when this server does not. */
function wayOf({headers}: IncomingMessage, path: string): 'channels' | 'streams' | 'tunnel' | 'spdy' | undefined {
  const [, kind] = /\/(exec|attach|portforward)$/.exec(path) ?? [];
  const upgrade = headers.upgrade?.toLowerCase();
  if (kind === undefined) return undefined;
  if (upgrade === 'spdy/3.1') {
    if (kind === 'portforward') return 'spdy';
    return String(headers['x-stream-protocol-version']).includes(STREAM_PROTOCOL) ? 'streams' : undefined;
  }
  if (upgrade !== 'websocket') return undefined;
  const isTunnel = (headers['sec-websocket-protocol'] ?? '').includes(FORWARD_PROTOCOL);
  if (kind === 'portforward') return isTunnel ? 'tunnel' : undefined;
  return isTunnel ? undefined : 'channels';
}

function spdyAnswer(protocol: string): string {
  return `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`;
}

/** What carries the bytes of a tunnel. */
interface Pipe {
  write(bytes: Buffer): void;
  end(): void;
  listen(on: {readonly data: (bytes: Buffer) => void; readonly close: () => void}): void;
}

class SocketPipe implements Pipe {
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
class PlainPipe implements Pipe {
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

/** An exec or attach over SPDY. */
class SpdyStreams {
  readonly #channels: SpdyChannels;

  constructor(pipe: Pipe, {caller, expected, typed}: {caller: Caller; expected: number; typed: () => void}) {
    this.#channels = new SpdyChannels({
      expected,
      write: bytes => pipe.write(bytes),
      send: frame => {
        caller.send(frame);
        typed();
      },
      closed: () => {
        caller.cancel();
        pipe.end();
      },
    });
    pipe.listen({data: bytes => this.#channels.take(bytes), close: () => this.#channels.close()});
  }

  send(frame: ChannelFrame): void {
    this.#channels.send(frame);
  }

  end(): void {
    this.#channels.end();
  }
}

/** A port-forward. */
class Tunnel {
  readonly #pipe: Pipe;
  readonly #forwarding: Forwarding;

  constructor(pipe: Pipe, caller: Caller, hurry: () => void) {
    this.#pipe = pipe;
    this.#forwarding = new Forwarding({
      write: bytes => pipe.write(bytes),
      send: frame => caller.send({channel: 0, data: frame}),
      hurry,
      closed: () => {
        caller.cancel();
        pipe.end();
      },
    });
    pipe.listen({data: bytes => this.#forwarding.take(bytes), close: () => this.#forwarding.close()});
  }

  send({data}: ChannelFrame): void {
    this.#forwarding.reply(data as PortReply);
  }

  end(): void {
    this.#pipe.end();
  }
}

function bytesOf(data: RawData): Buffer {
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
}

/** How many streams a client opens for what it asks; that of errors comes with every request, that of sizes with a terminal. */
function streamsOf({search}: Head): number {
  const isSet = (name: string) => ['true', '1'].includes(search.get(name) ?? '');
  return 1 + ['stdin', 'stdout', 'stderr', 'tty'].filter(isSet).length;
}

/** The channels of one WebSocket. */
class Channels {
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

function refuseUpgrade(socket: TLSSocket): void {
  writeRaw(socket, {
    status: 400,
    headers: {'content-type': 'text/plain; charset=utf-8'},
    body: 'unable to upgrade: this server speaks v5.channel.k8s.io over WebSocket\n',
  });
}

/** An answer on a connection that stays HTTP/1.1, which then ends. */
function writeRaw(socket: TLSSocket, {status, headers = {}, body}: Answer): void {
  const text = typeof body === 'string' ? body : `${jsonText(body)}\n`;
  const lines = [`HTTP/1.1 ${status} ${status < 400 ? 'OK' : 'Refused'}`, 'connection: close'];
  for (const [name, value] of Object.entries({'content-type': 'application/json', ...headers}))
    lines.push(`${name}: ${value.replaceAll('\n', ', ')}`);
  socket.end(`${lines.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}
