// Three members through whatever may befall machines and links. Afterwards: no write that was acknowledged is lost, all members
// hold the same history, and whoever watched (and came back after a break where it had left off) has seen every revision once.
import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {WatchFrame} from '../../api/wire/etcd.ts';
import type {Caller} from '../../sim/network.ts';
import {Lab} from './lab.ts';

const NAMES = ['cp-1', 'cp-2', 'cp-3'] as const;
const FLAGS = {snapshotCount: 15, snapshotCatchUpEntries: 4};

type Step =
  | {do: 'put' | 'kill' | 'power' | 'start' | 'pause' | 'resume'; at: string}
  | {do: 'cut'; at: string; other: string}
  | {do: 'heal'}
  | {do: 'run'; ms: number};

const at = fc.constantFrom<string>(...NAMES);
const step: fc.Arbitrary<Step> = fc.oneof(
  {weight: 12, arbitrary: fc.record({do: fc.constant('put' as const), at})},
  {weight: 8, arbitrary: fc.record({do: fc.constant('run' as const), ms: fc.constantFrom(0.3, 0.9, 5, 300, 2500, 8000)})},
  {weight: 2, arbitrary: fc.record({do: fc.constantFrom('kill' as const, 'power' as const), at})},
  {weight: 4, arbitrary: fc.record({do: fc.constant('start' as const), at})},
  {weight: 2, arbitrary: fc.record({do: fc.constantFrom('pause' as const, 'resume' as const), at})},
  {weight: 2, arbitrary: fc.record({do: fc.constant('cut' as const), at, other: at})},
  {weight: 2, arbitrary: fc.constant({do: 'heal' as const})},
);

class Chaos {
  readonly lab = new Lab(3);
  readonly acknowledged = new Map<number, string>();
  readonly seen = new Map<string, number[]>(NAMES.map(name => [name, []]));
  readonly #callers = new Map<string, Caller>();
  #writes = 0;

  constructor() {
    for (const name of NAMES) this.lab.start(name, FLAGS);
    this.lab.until(() => this.lab.hosts.every(host => host.member?.ready));
    for (const name of NAMES) this.#watch(name);
  }

  // Watches from where it left off, and again whenever the watch ends.
  #watch(name: string): void {
    const seen = this.seen.get(name) ?? [];
    const {network} = this.lab;
    const request = {kind: 'watch', key: 'k', end: 'l', from: (seen.at(-1) ?? 1) + 1};
    this.#callers.get(name)?.cancel();
    const caller = network.call('10.0.0.99', this.lab.host(name).address, 2379, request, {
      answer: () => {},
      frame: frame => {
        for (const {current} of (frame as WatchFrame).events) seen.push(current.modRevision);
      },
    });
    this.#callers.set(name, caller);
  }

  play(step: Step): void {
    const {lab} = this;
    switch (step.do) {
      case 'put':
        return this.#put(step.at);
      case 'kill':
      case 'power':
        return this.#down(step.at, step.do === 'power');
      case 'start':
        return this.#up(step.at);
      case 'pause':
      case 'resume':
        return lab.host(step.at).daemon?.scope[step.do]();
      case 'cut':
        return lab.network.cut(step.at, step.other);
      case 'heal':
        return lab.network.heal();
      default:
        return lab.run(step.ms);
    }
  }

  #put(name: string): void {
    const value = `v${++this.#writes}`;
    this.lab.send(name, {kind: 'put', key: `k${this.#writes % 5}`, value}, answer => {
      if (answer?.header) this.acknowledged.set(answer.header.revision, value);
    });
  }

  #down(name: string, power: boolean): void {
    if (this.lab.host(name).daemon?.exitCode !== undefined) return;
    if (power) this.lab.powerCut(name);
    else this.lab.kill(name);
  }

  #up(name: string): void {
    const {lab} = this;
    if (lab.host(name).daemon?.exitCode === undefined) return;
    lab.powerUp(name);
    lab.start(name, FLAGS);
    this.#watch(name);
  }

  heal(): void {
    const {lab} = this;
    lab.network.heal();
    for (const name of NAMES) {
      lab.host(name).daemon?.scope.resume();
      this.#up(name);
    }
    lab.until(() => lab.hosts.every(host => host.member?.ready && host.member.leader !== ''), 60_000);
    lab.run(20_000);
  }

  check(): void {
    const {lab} = this;
    for (const {name, daemon} of lab.hosts) {
      expect(daemon?.exitCode, `${name}: ${daemon?.log.at(-1)}`).toBeUndefined();
      for (const [revision, value] of this.acknowledged) {
        const kvs = lab.ask(name, {kind: 'range', key: 'k', end: 'l', revision})?.kvs;
        expect(kvs?.find(kv => kv.modRevision === revision)?.value).toBe(value);
      }
    }
    const hashes = NAMES.map(name => lab.ask(name, {kind: 'hash'})?.['hash']);
    expect(new Set(hashes).size).toBe(1);
    const revision = lab.host('cp-1').member?.status?.header.revision ?? 0;
    for (const name of NAMES) expect(this.seen.get(name)).toEqual(Array.from({length: revision - 1}, (_, i) => i + 2));
  }
}

test('no acknowledged write is lost, all members agree, and watches see every revision once', () => {
  fc.assert(
    fc.property(fc.array(step, {minLength: 10, maxLength: 80, size: 'max'}), steps => {
      const chaos = new Chaos();
      for (const each of steps) chaos.play(each);
      chaos.heal();
      chaos.check();
    }),
    {numRuns: 100},
  );
});
