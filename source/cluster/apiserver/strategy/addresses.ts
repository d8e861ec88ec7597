// Which cluster addresses and node ports are taken. Addresses are objects (IPAddress), written in the same transaction as the
// Service that takes them, so two servers can never give the same one. Node ports have no objects: the server counts them from
// the Services that it sees and those that it is just writing; two servers that give one port in the same instant would both do it.
//
// New addresses come at random from the upper part of the range; the first 256 are left for those who ask for a certain one, and
// so are the first ports.
import type {Service} from '../../../api/kinds/core-v1.ts';
import type {ServiceCIDR} from '../../../api/kinds/networking-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Dice} from '../../../sim/dice.ts';
import type {ResourceCache} from '../cache/resource-cache.ts';
import {addressNumber, addressText, isInRange, rangeOf, type Range} from './ipv4.ts';

/** The caches that addresses are counted from. */
export interface AddressCaches {
  readonly services: ResourceCache;
  readonly addresses: ResourceCache;
  readonly ranges: ResourceCache;
}

const MOST_TRIES = 64;

/** Knows what is taken, and chooses what is free. */
export class Addresses {
  readonly ports: {readonly first: number; readonly last: number};
  readonly #caches: AddressCaches;
  readonly #dice: Dice;
  readonly #portOwners = new Map<number, string>();

  constructor(caches: AddressCaches, dice: Dice, ports: {readonly first: number; readonly last: number}) {
    this.#caches = caches;
    this.#dice = dice;
    this.ports = ports;
    caches.services.on((now, before, key) => {
      for (const port of portsOf(before)) if (this.#portOwners.get(port) === key) this.#portOwners.delete(port);
      for (const port of portsOf(now)) this.#portOwners.set(port, key);
    });
  }

  /** Is the address in one of the cluster's ranges? */
  isServed(address: string): boolean {
    const number = addressNumber(address);
    return number !== undefined && this.#ranges().some(range => isInRange(range, number));
  }

  /** Has some Service got it? */
  isTaken(address: string): boolean {
    return this.#caches.addresses.get(address) !== undefined;
  }

  /** A free address; undefined when there is none. */
  choose(): string | undefined {
    for (const range of this.#ranges()) {
      const reserved = Math.min(Math.max(16, Math.floor(range.size / 16)), 256);
      const found =
        this.#pick(range.size - 2 - reserved, offset => this.#free(range, 1 + reserved + offset)) ??
        this.#pick(reserved, offset => this.#free(range, 1 + offset));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Who has a node port: `namespace/name`. */
  ownerOf(port: number): string | undefined {
    return this.#portOwners.get(port);
  }

  /** A free node port, other than these. */
  choosePort(others: ReadonlySet<number>): number | undefined {
    const {first, last} = this.ports;
    const size = last - first + 1;
    const reserved = Math.min(Math.max(16, Math.floor(size / 32)), 128);
    const free = (port: number): number | undefined => (this.#portOwners.has(port) || others.has(port) ? undefined : port);
    return (
      this.#pick(size - reserved, offset => free(first + reserved + offset)) ??
      this.#pick(reserved, offset => free(first + offset))
    );
  }

  #free(range: Range, offset: number): string | undefined {
    const address = addressText(range.first + offset);
    return this.isTaken(address) ? undefined : address;
  }

  /** Tries at random, and then one after the other. */
  #pick<T>(count: number, take: (offset: number) => T | undefined): T | undefined {
    if (count <= 0) return undefined;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const found = take(this.#dice.below(count));
      if (found !== undefined) return found;
    }
    for (let offset = 0; offset < count; offset++) {
      const found = take(offset);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #ranges(): readonly Range[] {
    const all = this.#caches.ranges.objects() as unknown as ServiceCIDR[];
    const open = all.filter(({metadata}) => metadata.deletionTimestamp === undefined);
    return open.flatMap(({spec}) => spec?.cidrs?.flatMap(cidr => rangeOf(cidr) ?? []) ?? []);
  }
}

function portsOf(object: AnyObject | undefined): readonly number[] {
  const spec = (object as unknown as Service | undefined)?.spec;
  if (!spec) return [];
  return [...(spec.ports ?? []).map(port => port.nodePort ?? 0), spec.healthCheckNodePort ?? 0].filter(port => port !== 0);
}
