// All keys in order, each with its history. A sorted row in pieces: finding is two binary searches, an insertion moves at
// most one piece, and a range is a walk. (One long array would move a megabyte for each new key of a large cluster.)
//
// Order is made when somebody asks for it. New keys wait in a heap of their own until the next walk over a range: between
// two of them there are often thousands of creates, and at a follower that nobody lists there is never one.
import type {KeyValue} from '../../api/wire/etcd.ts';

/** One key: its newest value, or the mark of its deletion, and the values before that, oldest first. */
export interface Item {
  readonly key: string;
  current: KeyValue;
  older: KeyValue[] | undefined;
}

const PIECE = 512;

/** So few new keys are put in one by one. */
const FEW = 256;

/** Keys in order. */
export class KeyIndex {
  readonly #byKey = new Map<string, Item>();
  #pieces: Item[][] = [];
  #fresh: Item[] = [];

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): Item | undefined {
    return this.#byKey.get(key);
  }

  /** Adds a key that is not there. */
  add(item: Item): void {
    this.#byKey.set(item.key, item);
    this.#fresh.push(item);
  }

  #order(): void {
    const fresh = this.#fresh;
    if (fresh.length === 0) return;
    this.#fresh = [];
    if (fresh.length < FEW) {
      for (const item of fresh) this.#insert(item);
      return;
    }
    fresh.sort((a, b) => (a.key < b.key ? -1 : 1));
    const row = merge(this.#pieces.flat(), fresh);
    this.#pieces = [];
    for (let at = 0; at < row.length; at += PIECE / 2) this.#pieces.push(row.slice(at, at + PIECE / 2));
  }

  #insert(item: Item): void {
    const at = this.#pieceOf(item.key);
    const piece = this.#pieces[at];
    if (!piece) {
      this.#pieces.push([item]);
      return;
    }
    if (piece.length > 0 && (piece.at(-1) as Item).key < item.key) piece.push(item);
    else piece.splice(firstNotBefore(piece, item.key), 0, item);
    // A last piece that grew by appending is left full, as keys often come in order.
    if (piece.length > PIECE) this.#pieces.splice(at + 1, 0, piece.splice(at === this.#pieces.length - 1 ? PIECE : PIECE / 2));
  }

  /** Forgets a key. */
  remove(key: string): void {
    if (!this.#byKey.delete(key)) return;
    this.#order();
    const at = this.#pieceOf(key);
    const piece = this.#pieces[at];
    if (!piece) return;
    piece.splice(firstNotBefore(piece, key), 1);
    if (piece.length === 0) this.#pieces.splice(at, 1);
  }

  /** Visits the keys from `key` up to, not including, `end` in order, until `visit` says false. No end: `key` alone. */
  walk(key: string, end: string | undefined, visit: (item: Item) => boolean | void): void {
    if (end === undefined) {
      const item = this.#byKey.get(key);
      if (item) visit(item);
      return;
    }
    this.#order();
    const toTheEnd = end === FROM_KEY;
    for (let at = this.#pieceOf(key); at < this.#pieces.length; at++) {
      const piece = this.#pieces[at] as Item[];
      const first = piece[0];
      const start = first && first.key >= key ? 0 : firstNotBefore(piece, key);
      for (let i = start; i < piece.length; i++) {
        const item = piece[i] as Item;
        if (!toTheEnd && item.key >= end) return;
        if (visit(item) === false) return;
      }
    }
  }

  // The piece that has the key, or would.
  #pieceOf(key: string): number {
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#pieces[middle]?.[0]?.key ?? '') <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** As an `end`: all keys from the given one on. */
export const FROM_KEY = '\0';

function firstNotBefore(piece: readonly Item[], key: string): number {
  let low = 0;
  let high = piece.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((piece[middle] as Item).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function merge(row: readonly Item[], fresh: readonly Item[]): Item[] {
  const merged: Item[] = [];
  let at = 0;
  for (const item of fresh) {
    while (at < row.length && (row[at] as Item).key < item.key) merged.push(row[at++] as Item);
    merged.push(item);
  }
  while (at < row.length) merged.push(row[at++] as Item);
  return merged;
}
