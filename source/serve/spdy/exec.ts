// An exec or attach whose channels are streams of SPDY.
import type {ChannelFrame} from '../../api/wire/http.ts';
import type {Caller} from '../../sim/network.ts';
import type {Pipe} from '../pipes.ts';
import {SpdyChannels} from './channels.ts';

/** An exec or attach over SPDY. */
export class SpdyStreams {
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
