// exec and attach over WebSocket, as kubectl 1.35 speaks it: the subprotocol v5.channel.k8s.io, each message with the number of its
// channel as the first byte (0 in, 1 out, 2 err, 3 the closing Status, 4 the size of the terminal, 255 a channel that closes). The
// cluster is asked first, so that what it refuses is an ordinary answer.
import type {IncomingMessage} from 'node:http';
import {StringDecoder} from 'node:string_decoder';
import type {TLSSocket} from 'node:tls';
import {WebSocketServer, type RawData, type WebSocket} from 'ws';
import type {Answer, ChannelFrame, Request} from '../api/wire/http.ts';
import type {Caller} from '../sim/network.ts';
import type {World} from '../world/world.ts';
import {jsonText} from './json.ts';
import type {Head} from './request.ts';
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

  constructor(options: UpgradeOptions) {
    this.#options = options;
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: MOST_BYTES,
      handleProtocols: offered => PROTOCOLS.find(each => offered.has(each)) ?? false,
    });
  }

  /** Ends all that are open. */
  close(): void {
    for (const socket of this.#sockets.clients) socket.close(1001);
  }

  take({incoming, socket, head, read}: Wanted): void {
    socket.on('error', () => socket.destroy());
    const isExec = /\/(exec|attach)$/.test(read.request.path);
    if (incoming.headers.upgrade?.toLowerCase() !== 'websocket' || !isExec) return refuseUpgrade(socket);
    const {world, waiting} = this.#options;
    const wait = waiting.begin();
    let channels: Channels | undefined;
    const caller: Caller = world.request(execRequest(read), {
      answer: (answer, more) => {
        waiting.answered(wait, more);
        if (!more) return writeRaw(socket, answer);
        this.#sockets.handleUpgrade(incoming, socket, head, opened => {
          channels = new Channels(opened, caller, () => waiting.begin(ECHO_MS));
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
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
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
