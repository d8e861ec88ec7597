// port-forward as kubectl speaks it: SPDY frames, in them a pair of streams for each connection. They travel inside the messages of a
// WebSocket, or where kubectl is told so on the connection itself.
import type {ChannelFrame} from '../../api/wire/http.ts';
import type {PortReply} from '../../api/wire/kubelet.ts';
import type {Caller} from '../../sim/network.ts';
import type {Pipe} from '../pipes.ts';
import {Forwarding} from '../port-forward.ts';
import {SpdySession, type SpdyStream} from './session.ts';

/** The subprotocol of a WebSocket with these frames. */
export const FORWARD_PROTOCOL = 'SPDY/3.1+portforward.k8s.io';

/** The forwarded ports of one kubectl. */
export class SpdyForward {
  readonly #pipe: Pipe;
  readonly #session: SpdySession;
  readonly #forwarding: Forwarding;
  /** Streams of errors whose streams of bytes have not come yet. */
  readonly #errors = new Map<string, SpdyStream>();

  constructor(pipe: Pipe, caller: Caller, hurry: () => void) {
    this.#pipe = pipe;
    this.#forwarding = new Forwarding({send: frame => caller.send({channel: 0, data: frame}), hurry});
    const closed = (): void => {
      caller.cancel();
      pipe.end();
    };
    this.#session = new SpdySession({write: bytes => pipe.write(bytes), opened: stream => this.#open(stream), closed});
    pipe.listen({data: bytes => this.#session.take(bytes), close: () => this.#session.close()});
  }

  #open(stream: SpdyStream): void {
    const {headers} = stream;
    const request = headers.get('requestid') ?? '';
    if (headers.get('streamtype') === 'error') {
      this.#errors.set(request, stream);
      return;
    }
    const error = this.#errors.get(request);
    this.#errors.delete(request);
    this.#forwarding.open({port: Number(headers.get('port') ?? 0), data: stream, error});
  }

  send({data}: ChannelFrame): void {
    this.#forwarding.reply(data as PortReply);
  }

  end(): void {
    this.#pipe.end();
  }
}
