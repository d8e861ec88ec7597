// port-forward as most clients but kubectl speak it: a WebSocket with two channels for each port that the query names, an even one for
// bytes and the odd one after it for errors. The first message on each says which port it is, in two bytes. Each port is one connection.
import type {WebSocket} from 'ws';
import type {ChannelFrame} from '../api/wire/http.ts';
import type {PortReply} from '../api/wire/kubelet.ts';
import type {Caller} from '../sim/network.ts';
import {bytesOf} from './pipes.ts';
import {Forwarding, type Line} from './port-forward.ts';

/** More ports than have a number of their own in a byte. */
const MOST_PORTS = 127;

/** The ports in a query; undefined where they are none. */
export function portsOf(search: URLSearchParams): readonly number[] | undefined {
  const ports = search.getAll('ports').flatMap(each => each.split(',').map(Number));
  const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536;
  return ports.length > 0 && ports.length <= MOST_PORTS && ports.every(isPort) ? ports : undefined;
}

/** The forwarded ports of one client. */
export class PortChannels {
  readonly #socket: WebSocket;
  readonly #lines: ChannelLine[] = [];
  readonly #forwarding: Forwarding;

  constructor(socket: WebSocket, caller: Caller, {ports, hurry}: {ports: readonly number[]; hurry: () => void}) {
    this.#socket = socket;
    this.#forwarding = new Forwarding({send: frame => caller.send({channel: 0, data: frame}), hurry});
    for (const port of ports) this.#open(port);
    socket.on('message', message => {
      const bytes = bytesOf(message);
      this.#lines[bytes[0] ?? 0]?.onData(bytes.subarray(1));
    });
    socket.on('close', () => {
      for (const line of this.#lines) line.onEnd();
      caller.cancel();
    });
    socket.on('error', () => socket.terminate());
  }

  #open(port: number): void {
    const line = (): ChannelLine => {
      const made = new ChannelLine(this.#socket, this.#lines.length, () => this.#ended());
      this.#lines.push(made);
      made.write(Buffer.of(port % 256, Math.floor(port / 256)));
      return made;
    };
    this.#forwarding.open({port, data: line(), error: line()});
  }

  #ended(): void {
    if (this.#lines.every(line => line.ended)) this.end();
  }

  send({data}: ChannelFrame): void {
    this.#forwarding.reply(data as PortReply);
  }

  end(): void {
    this.#socket.close(1000);
  }
}

/** One channel. */
class ChannelLine implements Line {
  readonly #socket: WebSocket;
  readonly #channel: number;
  readonly #closed: () => void;
  onData: (part: Buffer) => void = () => undefined;
  onEnd: () => void = () => undefined;
  ended = false;

  constructor(socket: WebSocket, channel: number, closed: () => void) {
    this.#socket = socket;
    this.#channel = channel;
    this.#closed = closed;
  }

  write(part: Buffer): void {
    this.#socket.send(Buffer.concat([Buffer.of(this.#channel), part]));
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.#closed();
  }
}
