// exec, attach and port-forward over WebSocket, as kubectl 1.35 and other clients speak it. kubectl's port-forward is a tunnel, see
// spdy/forward.ts, that of others has channels, see port-channels.ts; the others have the subprotocol v5.channel.k8s.io, each message with the number of its channel as the first byte (0 in, 1 out, 2 err, 3 the closing
// Status, 4 the size of the terminal, 255 a channel that closes). The cluster is asked first, so that what it refuses is an ordinary
// answer. Both are spoken over SPDY as well: kubectl asks so once more when a WebSocket was refused, and shows that answer.
import type {IncomingMessage} from 'node:http';
import type {TLSSocket} from 'node:tls';
import {WebSocketServer, type WebSocket} from 'ws';
import {isStatus} from '../api/meta/object.ts';
import type {Answer, Request} from '../api/wire/http.ts';
import type {Caller} from '../sim/network.ts';
import type {World} from '../world/world.ts';
import {Channels} from './channels.ts';
import {Events} from './events.ts';
import {jsonText} from '../api/schema/json-text.ts';
import {PlainPipe, SocketPipe} from './pipes.ts';
import {PortChannels, portsOf} from './port-channels.ts';
import type {Head} from './request.ts';
import {STREAM_PROTOCOL} from './spdy/channels.ts';
import {SpdyStreams} from './spdy/exec.ts';
import {FORWARD_PROTOCOL, SpdyForward} from './spdy/forward.ts';
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
/** Time is run ahead after a key, until its echo is there. */
const ECHO_MS = 5;

/** What goes over an upgraded connection. */
interface Talk {
  send(frame: unknown): void;
  end(): void;
}

/** The server has taken the connection already when the node turns it away: that is told on the channel of the closing Status. */
function isUnconnected({status, body}: Answer): boolean {
  return status === 500 && isStatus(body) && body.message?.includes('unable to upgrade connection') === true;
}

function told(talk: Talk, {body}: Answer): void {
  talk.send({channel: 3, data: body});
  talk.end();
}

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
      // The fifth can end its input, which a forwarded port does not.
      handleProtocols: (offered, {url = ''}) =>
        PROTOCOLS.slice(/\/portforward(\?|$)/.test(url) ? 1 : 0).find(each => offered.has(each)) ?? false,
    });
    this.#tunnels.on('headers', headers => headers.push(`Sec-WebSocket-Protocol: ${FORWARD_PROTOCOL}`));
  }

  /** Ends all that are open. */
  close(): void {
    for (const socket of [...this.#sockets.clients, ...this.#tunnels.clients]) socket.close(1001);
  }

  /** False when what a connection wants to be is nothing that is spoken there. */
  take(wanted: Wanted): boolean {
    const {incoming, socket, read} = wanted;
    socket.on('error', () => socket.destroy());
    const way = wayOf(incoming, read);
    if (!way) return false;
    const {world, waiting} = this.#options;
    const wait = waiting.begin();
    let talk: Talk | undefined;
    const caller: Caller = world.request(requestOf(way, read), {
      answer: (answer, more) => {
        waiting.answered(wait, more);
        if (more) this.#open(way, wanted, {caller, opened: made => (talk = made)});
        else if (way === 'channels' && isUnconnected(answer))
          this.#open(way, wanted, {caller, opened: made => told(made, answer)});
        else writeRaw(socket, answer);
      },
      frame: frame => talk?.send(frame),
      end: () => {
        waiting.answered(wait, false);
        if (talk) talk.end();
        else socket.destroy();
      },
    });
    socket.on('close', () => caller.cancel());
    return true;
  }

  #open(
    way: Way,
    {incoming, socket, head, read}: Wanted,
    {caller, opened}: {caller: Caller; opened: (talk: Talk) => void},
  ): void {
    const {waiting} = this.#options;
    const hurry = (): void => void waiting.begin();
    const typed = (): void => void waiting.begin(ECHO_MS);
    const upgraded = (sockets: WebSocketServer, make: (socket: WebSocket) => Talk): void =>
      sockets.handleUpgrade(incoming, socket, head, made => opened(make(made)));
    switch (way) {
      case 'channels':
        return upgraded(this.#sockets, made => new Channels(made, caller, typed));
      case 'events':
        return upgraded(this.#sockets, made => new Events(made, caller));
      case 'ports':
        return upgraded(this.#sockets, made => new PortChannels(made, caller, {ports: portsOf(read.search) ?? [], hurry}));
      case 'tunnel':
        // Its name has a slash, which no subprotocol may have: the library would refuse it, so it does not see it.
        delete incoming.headers['sec-websocket-protocol'];
        return upgraded(this.#tunnels, made => new SpdyForward(new SocketPipe(made), caller, hurry));
      case 'spdy':
        socket.write(spdyAnswer('portforward.k8s.io'));
        return opened(new SpdyForward(new PlainPipe(socket, head), caller, hurry));
      case 'streams':
        socket.write(spdyAnswer(STREAM_PROTOCOL));
        return opened(new SpdyStreams(new PlainPipe(socket, head), {caller, expected: streamsOf(read), typed}));
    }
  }
}

/** What the query says goes into the body, as a command may have any words. To run something is to create. */
function execRequest({request, search}: Head): Request {
  const command = search.getAll('command');
  const container = search.get('container');
  const body = {
    ...(command.length > 0 ? {command} : {}),
    ...(container ? {container} : {}),
    stdin: isSet(search, 'stdin'),
    stdout: isSet(search, 'stdout'),
    stderr: isSet(search, 'stderr'),
    tty: isSet(search, 'tty'),
  };
  return {...request, method: 'POST', query: {}, body};
}

function requestOf(way: Way, read: Head): Request {
  if (way === 'channels' || way === 'streams') return execRequest(read);
  return way === 'events' ? read.request : {...read.request, method: 'POST', query: {}};
}

type Way = 'channels' | 'events' | 'streams' | 'ports' | 'tunnel' | 'spdy';

/** How a client wants to speak; undefined when this server does not. */
function wayOf({headers}: IncomingMessage, {request, search}: Head): Way | undefined {
  const [, kind] = /\/(exec|attach|portforward)$/.exec(request.path) ?? [];
  const upgrade = headers.upgrade?.toLowerCase();
  if (kind === undefined) return upgrade === 'websocket' && isSet(search, 'watch') ? 'events' : undefined;
  if (upgrade === 'spdy/3.1') {
    if (kind === 'portforward') return 'spdy';
    return String(headers['x-stream-protocol-version']).includes(STREAM_PROTOCOL) ? 'streams' : undefined;
  }
  if (upgrade !== 'websocket') return undefined;
  const isTunnel = (headers['sec-websocket-protocol'] ?? '').includes(FORWARD_PROTOCOL);
  if (kind !== 'portforward') return isTunnel ? undefined : 'channels';
  if (isTunnel) return 'tunnel';
  return portsOf(search) ? 'ports' : undefined;
}

function spdyAnswer(protocol: string): string {
  return `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`;
}

/** How many streams a client opens for what it asks; that of errors comes with every request, that of sizes with a terminal. */
function streamsOf({search}: Head): number {
  return 1 + ['stdin', 'stdout', 'stderr', 'tty'].filter(name => isSet(search, name)).length;
}

function isSet(search: URLSearchParams, name: string): boolean {
  return ['true', '1'].includes(search.get(name) ?? '');
}

/** An answer on a connection that stays HTTP/1.1, which then ends. */
function writeRaw(socket: TLSSocket, {status, headers = {}, body}: Answer): void {
  const text = typeof body === 'string' ? body : `${jsonText(body)}\n`;
  const lines = [`HTTP/1.1 ${status} ${status < 400 ? 'OK' : 'Refused'}`, 'connection: close'];
  for (const [name, value] of Object.entries({'content-type': 'application/json', ...headers}))
    lines.push(`${name}: ${value.replaceAll('\n', ', ')}`);
  socket.end(`${lines.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}
