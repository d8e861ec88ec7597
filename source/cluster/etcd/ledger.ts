// How large the database file is. No bytes are kept, so sizes are estimates: a value weighs the length of its JSON.
//
// Weighing every object would cost more than storing it. So while the file cannot be near its quota, only every sixteenth
// object is weighed, and the others count as the average of those (texts are always weighed, as their length costs nothing).
// With a quota smaller than the default, or from a quarter of the quota on, every value is weighed; the remembered weights
// are shared by all members. What is remembered never changes an estimate, or two equal runs could differ.
//
// A file does not shrink: what compaction frees is used again for what comes, and only defragmenting gives it back.
import {isTracked} from '../../api/schema/ownership/tracked.ts';
import type {KeyValue} from '../../api/wire/etcd.ts';

/** etcd's default for --quota-backend-bytes. */
export const DEFAULT_QUOTA_BYTES = 2_147_483_648;

/** A new file has its first pages. */
const EMPTY_BYTES = 20_480;
const EMPTY_IN_USE_BYTES = 16_384;

/** Keys, revisions and page overhead of one entry. */
const ENTRY_BYTES = 120;
const SAMPLE_EVERY = 16;

const weights = new WeakMap<object, number>();

/** Lists of owners are worked out when somebody looks, and for a weight nobody should have to: they count as one of usual length. */
const USUAL_OWNERS = '-'.repeat(600);

function lightly(value: object): object {
  const {metadata} = value as {readonly metadata?: {readonly managedFields?: unknown}};
  return isTracked(metadata?.managedFields) ? {...value, metadata: {...metadata, managedFields: USUAL_OWNERS}} : value;
}

/** The bytes of a value. */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  const known = weights.get(value);
  if (known !== undefined) return known;
  const bytes = JSON.stringify(lightly(value)).length;
  weights.set(value, bytes);
  return bytes;
}

/** The books of one file. `walk` visits all values that the file holds. */
export class Ledger {
  readonly #walk: (visit: (kv: KeyValue) => void) => void;
  #quotaBytes = DEFAULT_QUOTA_BYTES;
  #exact = false;
  #inUse = 0;
  #file = EMPTY_BYTES;
  #count = 0;
  #average = 500;

  constructor(walk: (visit: (kv: KeyValue) => void) => void) {
    this.#walk = walk;
  }

  get quotaBytes(): number {
    return this.#quotaBytes;
  }

  set quotaBytes(bytes: number) {
    this.#quotaBytes = bytes;
    if (bytes < DEFAULT_QUOTA_BYTES) this.#recount();
  }

  add(kv: KeyValue): void {
    this.#inUse += this.#sizeOf(kv);
    if (EMPTY_BYTES + this.#inUse <= this.#file) return;
    this.#file = EMPTY_BYTES + this.#inUse;
    if (!this.#exact && this.#file > this.#quotaBytes / 4) this.#recount();
  }

  remove(kv: KeyValue): void {
    this.#inUse = Math.max(this.#inUse - this.#sizeOf(kv), 0);
  }

  /** What the file takes on the disk. */
  get fileBytes(): number {
    return Math.round(this.#file);
  }

  /** What of it is in use. */
  get inUseBytes(): number {
    return EMPTY_IN_USE_BYTES + Math.round(this.#inUse);
  }

  /** Does a request of some bytes still fit? */
  fits(bytes: number): boolean {
    return this.#file + bytes < this.#quotaBytes;
  }

  /** Must requests be weighed before they are let in? */
  get isTight(): boolean {
    return this.#exact;
  }

  /** Writes the file anew without its holes. */
  defragment(): void {
    this.#file = EMPTY_BYTES + this.#inUse;
  }

  #recount(): void {
    if (this.#exact) return;
    this.#exact = true;
    this.#inUse = 0;
    this.#walk(kv => {
      this.#inUse += this.#sizeOf(kv);
    });
    this.#file = Math.max(this.#file, EMPTY_BYTES + this.#inUse);
  }

  #sizeOf({key, value}: KeyValue): number {
    return ENTRY_BYTES + key.length + this.#weightOf(value);
  }

  #weightOf(value: unknown): number {
    if (value === undefined) return 0;
    if (this.#exact || typeof value !== 'object' || value === null) return weigh(value);
    if (++this.#count % SAMPLE_EVERY === 0) this.#average += (weigh(value) - this.#average) / 64;
    return this.#average;
  }
}
