// The network as far as physics goes: hosts with addresses, listeners on ports, links with latency that can be cut. A call
// is one exchange over a link: a request; then an answer, or an answer and frames until somebody ends it; frames may go both
// ways (exec, attach, port-forward). What is sent over a cut link is gone, so a caller learns of it only by its own timeout.
// A listener that closes (its process died) resets its open calls; a host without power just falls silent.
//
// Names, Services and packet rules are the business of the room that models a node's network, not of this file.
import {assert} from './assert.ts';
import type {Clock} from './clock.ts';
import {Exchange, type Arrival, type Caller, type Carrier, type Listener, type Port, type Receiver} from './exchange.ts';

export {CONNECT, type Call, type Caller, type Failure, type Listener, type Receiver} from './exchange.ts';

interface Host {
  readonly name: string;
  powered: boolean;
  admits?: (arrival: Arrival) => boolean;
}

/** All hosts and the links between them. */
export class Network implements Carrier {
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

function pair(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}
