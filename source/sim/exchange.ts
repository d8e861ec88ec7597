// One call over the network, seen from both ends: a request; then an answer, or an answer and frames until somebody ends it. It may be
// passed on by who took it, as a load balancer does. What is sent over a cut link is gone, so a caller learns of it only by its own
// timeout.
import type {Clock} from './clock.ts';

/** Why a call ended without an answer: nobody listens, the other side vanished, the peer closed in the middle, or the name that was
 * dialled has no address. */
export type Failure = 'refused' | 'reset' | 'closed' | 'unresolved';

/** A request that only opens a connection, as a TCP probe does: the network itself answers it where somebody listens. */
export const CONNECT = Object.freeze({kind: 'connect'});

/** What the caller hears. After `end` nothing more comes. */
export interface Receiver<A = unknown, F = unknown> {
  /** `more` tells that frames may follow, until `end`; a plain answer is all there is. */
  answer(answer: A, more: boolean): void;
  frame?(frame: F): void;
  /** The exchange failed, or its frames are over: undefined after a proper end. */
  end?(failure: Failure | undefined): void;
}

/** What the caller holds: more frames up, and the end of its interest. */
export interface Caller<F = unknown> {
  send(frame: F): void;
  cancel(): void;
}

/** What a listener is handed. Exactly one of `answer` (done at once) or `open` (frames follow, then `end`). */
export interface Call<Q = unknown, A = unknown, F = unknown> {
  readonly request: Q;
  /** The address that the request comes from. */
  readonly from: string;
  /** The address and port that were dialled. */
  readonly to: string;
  answer(answer: A): void;
  open(answer: A): void;
  send(frame: F): void;
  end(failure?: Failure): void;
  /** Frames that the caller sends after the request. */
  onFrame(take: (frame: F) => void): void;
  /** The caller lost interest, or the caller's process died. */
  onCancel(take: () => void): void;
  /** Hands the exchange on to a port of another host, as a load balancer does: what is said from now on passes by here without being
   * looked at, and takes both ways. `refused` is called when nobody listens there. */
  pass(to: string, port: number, refused: () => void): void;
}

/** Takes calls on a port. */
export type Listener = (call: Call) => void;

/** What wants in at a host. */
export interface Arrival {
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly request: unknown;
}

/** An open port, and the calls that it has. */
export interface Port {
  readonly listener: Listener;
  readonly calls: Set<Exchange>;
}

/** What a call needs of the network. */
export interface Carrier {
  readonly clock: Clock;
  /** Delivers over a link, unless the packet is lost. */
  carry(from: string, to: string, arrive: () => void): void;
  /** Delivers over a link and the next. */
  carryPast(way: {readonly from: string; readonly past: string; readonly to: string}, arrive: () => void): void;
  portAt(address: string, port: number): Port | undefined;
  /** Is a call let in? */
  admits(arrival: Arrival): boolean;
}

/** Who calls whom. */
export interface Parties {
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly request: unknown;
  readonly receiver: Receiver;
}

/** One call under way, seen from both ends. */
export class Exchange implements Call {
  readonly caller: Caller = {send: frame => this.#up(frame), cancel: () => this.#cancel()};
  readonly #network: Carrier;
  readonly #parties: Parties;
  #port: Port | undefined;
  /** Who passed it on, and where to. */
  #passed: {readonly by: Port; readonly past: string; readonly to: string; readonly port: number} | undefined;
  #over = false;
  #deaf = false;
  #takeFrame: ((frame: unknown) => void) | undefined;
  #takeCancel: (() => void) | undefined;
  #early: unknown[] = [];
  #outbox: unknown[] = [];
  #outboxAt = -1;

  constructor(network: Carrier, parties: Parties) {
    this.#network = network;
    this.#parties = parties;
  }

  get request(): unknown {
    return this.#parties.request;
  }

  get from(): string {
    return this.#passed ? this.#passed.past : this.#parties.from;
  }

  get to(): string {
    const {to, port} = this.#passed ?? this.#parties;
    return `${to}:${port}`;
  }

  begin(): void {
    const {from, to, port, request} = this.#parties;
    this.#network.carry(from, to, () => {
      if (!this.#network.admits(this.#parties)) return;
      const open = this.#network.portAt(to, port);
      if (!open) return this.#down(() => this.#parties.receiver.end?.('refused'));
      if (this.#deaf) return;
      if (request === CONNECT) return this.answer(undefined);
      this.#port = open;
      open.calls.add(this);
      open.listener(this);
    });
  }

  pass(to: string, port: number, refused: () => void): void {
    const by = this.#port;
    if (this.#over || !by) return;
    const past = this.#parties.to;
    this.#network.carry(past, to, () => {
      if (this.#over || this.#deaf || !this.#network.admits({from: past, to, port, request: this.request})) return;
      const open = this.#network.portAt(to, port);
      if (!open) return this.#network.carry(to, past, () => this.#over || refused());
      this.#passed = {by, past, to, port};
      this.#port = open;
      open.calls.add(this);
      open.listener(this);
    });
  }

  /** A port where it was open is no more: both ends hear of it. */
  lose(port: Port): void {
    if (this.#over) return;
    const passed = this.#passed;
    if (!passed || passed.by !== port) return this.end('reset');
    this.#finish();
    this.#network.carry(passed.past, this.#parties.from, () => {
      if (!this.#deaf) this.#parties.receiver.end?.('reset');
    });
    this.#network.carry(passed.past, passed.to, () => this.#takeCancel?.());
  }

  answer(answer: unknown): void {
    if (this.#over) return;
    this.#finish();
    this.#down(() => this.#parties.receiver.answer(answer, false));
  }

  open(answer: unknown): void {
    if (!this.#over) this.#down(() => this.#parties.receiver.answer(answer, true));
  }

  send(frame: unknown): void {
    if (this.#over) return;
    const {now} = this.#network.clock;
    if (this.#outboxAt === now && this.#outbox.length > 0) {
      this.#outbox.push(frame);
      return;
    }
    const batch = [frame];
    this.#outbox = batch;
    this.#outboxAt = now;
    this.#down(() => {
      if (this.#outbox === batch) this.#outbox = [];
      for (const each of batch) if (!this.#deaf) this.#parties.receiver.frame?.(each);
    });
  }

  end(failure?: Failure): void {
    if (this.#over) return;
    this.#finish();
    this.#down(() => this.#parties.receiver.end?.(failure));
  }

  onFrame(take: (frame: unknown) => void): void {
    this.#takeFrame = take;
    const early = this.#early;
    this.#early = [];
    for (const frame of early) take(frame);
  }

  onCancel(take: () => void): void {
    this.#takeCancel = take;
  }

  #finish(): void {
    this.#over = true;
    this.#port?.calls.delete(this);
    this.#passed?.by.calls.delete(this);
  }

  #down(arrive: () => void): void {
    const heard = () => {
      if (!this.#deaf) arrive();
    };
    const {from, to} = this.#parties;
    if (this.#passed) this.#network.carryPast({from: this.#passed.to, past: to, to: from}, heard);
    else this.#network.carry(to, from, heard);
  }

  /** To whoever listens. */
  #toListener(arrive: () => void): void {
    const {from, to} = this.#parties;
    if (this.#passed) this.#network.carryPast({from, past: to, to: this.#passed.to}, arrive);
    else this.#network.carry(from, to, arrive);
  }

  #up(frame: unknown): void {
    this.#toListener(() => {
      if (this.#over) return;
      if (this.#takeFrame) this.#takeFrame(frame);
      else this.#early.push(frame);
    });
  }

  #cancel(): void {
    if (this.#deaf) return;
    this.#deaf = true;
    this.#toListener(() => {
      if (this.#over) return;
      this.#finish();
      this.#takeCancel?.();
    });
  }
}
