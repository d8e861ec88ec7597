// A lab for the tests of this room: hosts on a network, each with a data directory and at most one member, and a client that
// asks and runs the clock until it has its answer.
import type {Header, KeyValue, Refusal, Request, WatchFrame} from '../../api/wire/etcd.ts';
import {assert} from '../../sim/assert.ts';
import {Clock} from '../../sim/clock.ts';
import {Daemon} from '../../sim/daemon.ts';
import {Dice} from '../../sim/dice.ts';
import {Network} from '../../sim/network.ts';
import {Trace} from '../../sim/trace.ts';
import {Disk} from './disk.ts';
import {grownDisks} from './grown.ts';
import {CLIENT_PORT, type EtcdOptions} from './options.ts';
import {type Member, startEtcd} from './start.ts';

const START_MS = Date.UTC(2026, 10, 30, 6, 0, 0);

/** One machine of the lab. */
export interface Host {
  readonly name: string;
  readonly address: string;
  /** How far its clock is off. */
  clockErrorMs: number;
  disk: Disk;
  daemon: Daemon | undefined;
  member: Member | undefined;
}

/** All machines. */
export class Lab {
  readonly clock = new Clock();
  readonly network = new Network(this.clock);
  readonly trace = new Trace(this.clock);
  readonly #dice: Dice;
  readonly hosts: Host[];
  #pid = 100;

  constructor(count: number, seed = 1) {
    this.#dice = new Dice(seed);
    this.hosts = Array.from({length: count}, (_, i) => ({
      name: `cp-${i + 1}`,
      address: `10.0.0.${11 + i}`,
      clockErrorMs: 0,
      disk: new Disk(),
      daemon: undefined,
      member: undefined,
    }));
    for (const {name, address} of this.hosts) this.network.attach(name, address);
    this.network.attach('laptop', '10.0.0.99');
  }

  /** A lab whose members have all started and serve. */
  static running(count: number, seed = 1): Lab {
    const lab = new Lab(count, seed);
    for (const host of lab.hosts) lab.start(host.name);
    lab.until(() => lab.hosts.every(host => host.member?.ready), 10_000);
    return lab;
  }

  /** Gives some hosts the disks of a cluster that grew from the first of them. */
  grow(...names: string[]): void {
    const members = names.map(name => ({
      name,
      peerUrls: [this.peerUrl(name)],
      clientUrls: [`https://${this.host(name).address}:2379`],
      addedSecond: START_MS / 1000 - 1000 + this.hosts.indexOf(this.host(name)),
    }));
    for (const [i, disk] of grownDisks(members).entries()) this.host(names[i] ?? '').disk = disk;
  }

  host(name: string): Host {
    const host = this.hosts.find(each => each.name === name);
    assert(host, `no host ${name}`);
    return host;
  }

  /** The `--initial-cluster` of some hosts. */
  cluster(...names: string[]): string {
    return names.map(name => `${name}=${this.peerUrl(name)}`).join();
  }

  peerUrl(name: string): string {
    return `https://${this.host(name).address}:2380`;
  }

  /** Starts etcd on a host, with its directory as it is. */
  start(name: string, flags: Partial<EtcdOptions> = {}): Host {
    const host = this.host(name);
    assert(!host.daemon || host.daemon.exitCode !== undefined, `etcd runs on ${name} already`);
    const {clock, network} = this;
    const daemon = new Daemon('etcd', ++this.#pid, {
      clock,
      trace: this.trace,
      dice: this.#dice.of(String(this.#pid)),
      host: name,
      wall: () => START_MS + host.clockErrorMs + clock.now,
      dial: (to, port, request, receiver) => network.call(host.address, to, port, request, receiver),
      listen: (port, listener) => network.listen(name, port, listener),
    });
    host.daemon = daemon;
    host.member = startEtcd({
      daemon,
      disk: host.disk,
      name,
      initialCluster: this.cluster(...this.hosts.map(each => each.name)),
      initialAdvertisePeerUrls: [this.peerUrl(name)],
      advertiseClientUrls: [`https://${host.address}:2379`],
      ...flags,
    });
    return host;
  }

  /** SIGKILL. */
  kill(name: string): void {
    this.host(name).daemon?.exit(137);
  }

  /** The power goes: the process dies, and what was not synced is lost. */
  powerCut(name: string): void {
    this.network.power(name, false);
    this.kill(name);
    this.host(name).disk.powerCut();
  }

  /** The power is back. */
  powerUp(name: string): void {
    this.network.power(name, true);
  }

  wipe(name: string): void {
    this.host(name).disk = new Disk();
  }

  /** Cuts a host off from some others. */
  cut(name: string, ...others: string[]): void {
    for (const other of others) this.network.cut(name, other);
  }

  /** Runs the clock for some milliseconds. */
  run(ms: number): void {
    const end = this.clock.now + ms;
    while (this.clock.next <= end) this.clock.step();
    this.clock.settle(end);
  }

  /** Runs the clock until something is so; fails after `ms`. */
  until(is: () => boolean, ms = 30_000): void {
    const end = this.clock.now + ms;
    while (!is()) {
      assert(this.clock.next <= end, `it did not come about within ${ms} ms`);
      this.clock.step();
    }
  }

  /** Asks a member and runs the clock until it answers; undefined when nothing came within `timeoutMs`. */
  ask<A = Answer>(name: string, request: Request, timeoutMs = 10_000): A | undefined {
    let answer: A | undefined;
    let over = false;
    this.send<A>(name, request, value => {
      answer = value;
      over = true;
    });
    const end = this.clock.now + timeoutMs;
    while (!over && this.clock.next <= end) this.clock.step();
    return answer;
  }

  /** Asks without waiting. */
  send<A = Answer>(name: string, request: Request, done: (answer: A | undefined) => void): void {
    this.network.call('10.0.0.99', this.host(name).address, CLIENT_PORT, request, {
      answer: value => done(value as A),
      end: () => done(undefined),
    });
  }

  /** Watches; the frames come into the list. */
  watch(name: string, request: Omit<Extract<Request, {kind: 'watch'}>, 'kind'>): WatchFrame[] {
    const frames: WatchFrame[] = [];
    this.network.call(
      '10.0.0.99',
      this.host(name).address,
      CLIENT_PORT,
      {kind: 'watch', ...request},
      {answer: () => {}, frame: frame => frames.push(frame as WatchFrame)},
    );
    return frames;
  }

  put(name: string, key: string, value: unknown): Answer | undefined {
    return this.ask(name, {kind: 'put', key, value});
  }

  get(name: string, key: string, serializable = false): unknown {
    return this.ask(name, {kind: 'range', key, serializable})?.kvs?.[0]?.value;
  }

  /** The host whose member leads and whom the most members follow. */
  get leader(): Host | undefined {
    return this.hosts.find(
      ({member, daemon}) => daemon?.exitCode === undefined && member && member.id !== '' && member.leader === member.id,
    );
  }

  /** All lines that a host's etcd has logged since its last start, as messages. */
  messages(name: string): string[] {
    return (this.host(name).daemon?.log ?? []).map(line =>
      line.startsWith('{') ? (JSON.parse(line) as {msg: string}).msg : line,
    );
  }
}

/** Any answer, for tests that look at a part of it. */
export interface Answer extends Partial<Refusal> {
  readonly header?: Header;
  readonly kvs?: readonly KeyValue[];
  readonly [field: string]: unknown;
}
