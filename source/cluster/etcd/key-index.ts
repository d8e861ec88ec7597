// All keys in order, each with its history. A sorted row in pieces: finding is two binary searches, an insertion moves at
// most one piece, and a range is a walk. (One long array would move a megabyte for each new key of a large cluster.)
import type {KeyValue} from '../../api/wire/etcd.ts';

/** One key: its newest value, or the mark of its deletion, and the values before that, oldest first. */
export interface Item {
  readonly key: string;
  current: KeyValue;
  older: KeyValue[] | undefined;
}

const PIECE = 512;

/** Keys in order. */
export class KeyIndex {
  readonly #byKey = new Map<string, Item>();
  #pieces: Item[][] = [];

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): Item | undefined {
    return this.#byKey.get(key);
  }

  /** Adds a key that is not there. */
  add(item: Item): void {
    this.#byKey.set(item.key, item);
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
