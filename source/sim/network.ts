// The network as far as physics goes: hosts with addresses, listeners on ports, links with latency that can be cut. A call
// is one exchange over a link: a request; then an answer, or an answer and frames until somebody ends it; frames may go both
// ways (exec, attach, port-forward). What is sent over a cut link is gone, so a caller learns of it only by its own timeout.
// A listener that closes (its process died) resets its open calls; a host without power just falls silent.
//
// Names, Services and packet rules are the business of the room that models a node's network, not of this file.
import {assert} from './assert.ts';
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

interface Host {
  readonly name: string;
  powered: boolean;
  admits?: (arrival: Arrival) => boolean;
}

interface Port {
  readonly listener: Listener;
  readonly calls: Set<Exchange>;
}

/** All hosts and the links between them. */
export class Network {
  readonly clock: Clock;
  /** One way, in milliseconds, between two hosts; a host's own addresses are `loopbackMs` away. */
  latencyMs: number;
  loopbackMs = 0.02;
  readonly #hosts = new Map<string, Host>();
  readonly #owners = new Map<string, Host>();
  readonly #apart = new Set<string>();
  readonly #ports = new Map<string, Port>();
  readonly #cuts = new Set<string>();
  readonly #delays = new Map<string, number>();

  constructor(clock: Clock, latencyMs = 0.1) {
    this.clock = clock;
    this.latencyMs = latencyMs;
  }

  /** Adds a host, or an address to one. */
  attach(host: string, address: string): void {
    const known = this.#hosts.get(host) ?? {name: host, powered: true};
    this.#hosts.set(host, known);
    this.#owners.set(address, known);
  }

  /** Adds an address on a network of its own, for whoever looks after the machines: what is cut does not concern it. */
  attachApart(host: string, address: string): void {
    this.attach(host, address);
    this.#apart.add(address);
  }

  /** Takes an address away, as when a pod's sandbox goes. */
  detach(address: string): void {
    this.#owners.delete(address);
  }

  /** Asks about each call that arrives at one of the addresses of a host; one that is not let in is lost. */
  guard(address: string, admits: (arrival: Arrival) => boolean): void {
    const host = this.#owners.get(address);
    assert(host, `a guard at an unknown address ${address}`);
    host.admits = admits;
  }

  /** Is a call let in? */
  admits(arrival: Arrival): boolean {
    return this.#owners.get(arrival.to)?.admits?.(arrival) ?? true;
  }

  /** The host that has the address. */
  hostOf(address: string): string | undefined {
    return this.#owners.get(address)?.name;
  }

  /** Listens on a port of an address until `close`, which resets all open calls. False when the port is taken. */
  listen(address: string, port: number, listener: Listener): {close(): void} | undefined {
    const key = `${address}:${port}`;
    if (this.#ports.has(key)) return undefined;
    const open: Port = {listener, calls: new Set()};
    this.#ports.set(key, open);
    return {
      close: () => {
        if (this.#ports.get(key) === open) this.#ports.delete(key);
        for (const call of open.calls) call.lose(open);
      },
    };
  }

  /** Does somebody listen there? For `ss` and for checks; a caller finds out by calling. */
  isListening(address: string, port: number): boolean {
    return this.#ports.has(`${address}:${port}`);
  }

  /** The ports of an address that somebody listens on, the lowest first. */
  portsOf(address: string): number[] {
    const found: number[] = [];
    for (const key of this.#ports.keys()) if (key.startsWith(`${address}:`)) found.push(Number(key.slice(address.length + 1)));
    return found.sort((a, b) => a - b);
  }

  /** Sends a request from an address of one host to a port. The receiver hears nothing, ever, when packets are lost. */
  call(from: string, to: string, port: number, request: unknown, receiver: Receiver): Caller {
    const exchange = new Exchange(this, {from, to, port, request, receiver});
    exchange.begin();
    return exchange.caller;
  }

  /** No packet passes between two hosts, in either direction. */
  cut(a: string, b: string): void {
    this.#cuts.add(pair(a, b));
  }

  /** All cut links pass packets again, or all of one host. */
  heal(host?: string): void {
    if (host === undefined) this.#cuts.clear();
    else for (const cut of this.#cuts) if (cut.split(' ').includes(host)) this.#cuts.delete(cut);
  }

  /** Sets the one-way latency between two hosts. */
  delay(a: string, b: string, ms: number): void {
    this.#delays.set(pair(a, b), ms);
  }

  /** A host without power neither sends nor receives. */
  power(host: string, powered: boolean): void {
    const known = this.#hosts.get(host);
    assert(known, `power of an unknown host ${host}`);
    known.powered = powered;
  }

  /** Delivers over a link: undefined latency means that the packet is lost. Both ends are asked again on arrival. */
  carry(from: string, to: string, arrive: () => void): void {
    const latency = this.#latency(from, to);
    if (latency === undefined) return;
    this.clock.after(latency, () => {
      if (this.#latency(from, to) !== undefined) arrive();
    });
  }

  /** Delivers over a link and the next. */
  carryPast({from, past, to}: {readonly from: string; readonly past: string; readonly to: string}, arrive: () => void): void {
    const latency = this.#sum(from, past, to);
    if (latency === undefined) return;
    this.clock.after(latency, () => {
      if (this.#sum(from, past, to) !== undefined) arrive();
    });
  }

  #sum(from: string, past: string, to: string): number | undefined {
    const first = this.#latency(from, past);
    const second = this.#latency(past, to);
    return first === undefined || second === undefined ? undefined : first + second;
  }

  /** The port that listens at an address; on `0.0.0.0` of a host for all of its addresses. */
  portAt(address: string, port: number): Port | undefined {
    return this.#ports.get(`${address}:${port}`) ?? this.#ports.get(`${this.#owners.get(address)?.name}:${port}`);
  }

  #isCut({from, to}: {readonly from: string; readonly to: string}, hosts: string): boolean {
    return this.#cuts.has(hosts) && !this.#apart.has(from) && !this.#apart.has(to);
  }

  #latency(from: string, to: string): number | undefined {
    const a = this.#owners.get(from);
    const b = this.#owners.get(to);
    if (!a?.powered || !b?.powered) return undefined;
    if (a === b) return this.loopbackMs;
    if (this.#cuts.size > 0 && this.#isCut({from, to}, pair(a.name, b.name))) return undefined;
    return this.#delays.size > 0 ? (this.#delays.get(pair(a.name, b.name)) ?? this.latencyMs) : this.latencyMs;
  }
}

interface Parties {
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly request: unknown;
  readonly receiver: Receiver;
}

/** One call under way, seen from both ends. */
class Exchange implements Call {
  readonly caller: Caller = {send: frame => this.#up(frame), cancel: () => this.#cancel()};
  readonly #network: Network;
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

  constructor(network: Network, parties: Parties) {
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

function pair(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
