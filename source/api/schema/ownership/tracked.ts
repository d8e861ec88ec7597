// managedFields that are worked out when somebody looks. Most writes of a cluster are those of kubelets and controllers, and hardly
// anybody asks who owns what, so a write only notes who wrote, and the object before and after; the owners are folded from a few
// such notes when the list is read, when somebody applies, or when the notes become many.
//
// The list that an object carries is an ordinary array to whoever reads it; it is filled at the first look.
import type {ManagedFieldsEntry} from '../../kinds/meta.ts';
import {compare} from './compare.ts';
import type {FieldSet} from './field-set.ts';
import {entriesOf, ownersOf, updatedOwners, type Owners, type Writer} from './owners.ts';
import type {Shape} from './shape.ts';

/** One write. */
export interface TrackedWrite {
  readonly writer: Writer;
  readonly time: string;
  readonly shape: Shape;
  readonly before: unknown;
  readonly after: unknown;
  /** What this way of writing does not change. */
  readonly ignored: FieldSet;
}

type Entries = readonly ManagedFieldsEntry[];

/** Notes are folded before there are more than this. */
const MOST_NOTES = 8;

/** The owners of one state of an object, perhaps still to be folded. */
class History {
  #owners: Owners | undefined;
  #previous: History | undefined;
  #write: TrackedWrite | undefined;
  readonly depth: number;

  constructor(owners: Owners | undefined, previous?: History, write?: TrackedWrite) {
    this.#owners = owners;
    this.#previous = previous;
    this.#write = write;
    this.depth = owners ? 0 : (previous?.depth ?? 0) + 1;
  }

  get owners(): Owners {
    const steps = this.working();
    for (;;) {
      const {done, value} = steps.next();
      if (done) return value;
    }
  }

  /** Works the owners out, with a stop after each write that is folded. */
  *working(): Generator<void, Owners> {
    if (this.#owners) return this.#owners;
    const notes: History[] = [this];
    let at = this.#previous;
    for (; at && !at.#owners; at = at.#previous) notes.push(at);
    let owners: Owners = (at && at.#owners) ?? [];
    for (const note of notes.reverse()) {
      // Somebody else may have worked them out between two steps.
      owners = note.#owners ?? note.#fold(owners);
      note.#owners = owners;
      note.#previous = undefined;
      note.#write = undefined;
      yield;
    }
    return owners;
  }

  #fold(owners: Owners): Owners {
    const write = this.#write;
    if (!write) return owners;
    const {writer, time, shape, before, after, ignored} = write;
    return updatedOwners(owners, {writer, time, ignored, comparison: compare(shape, before, after)});
  }
}

const HISTORY = Symbol('history');

/** The array behind a list that is filled at the first look. */
class Unfilled extends Array<ManagedFieldsEntry> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
  readonly #history: History;
  #filled = false;

  constructor(history: History) {
    super();
    this.#history = history;
  }

  static historyOf(list: Unfilled): History {
    return list.#history;
  }

  static fill(list: Unfilled): void {
    if (list.#filled) return;
    list.#filled = true;
    for (const entry of entriesOf(list.#history.owners)) list.push(entry);
    Object.freeze(list);
  }
}

const FILLING: ProxyHandler<Unfilled> = {
  get: (list, key) => {
    if (key === HISTORY) return Unfilled.historyOf(list);
    Unfilled.fill(list);
    return Reflect.get(list, key) as unknown;
  },
  has: (list, key) => {
    Unfilled.fill(list);
    return Reflect.has(list, key);
  },
  ownKeys: list => {
    Unfilled.fill(list);
    return Reflect.ownKeys(list);
  },
  getOwnPropertyDescriptor: (list, key) => {
    Unfilled.fill(list);
    return Reflect.getOwnPropertyDescriptor(list, key);
  },
  isExtensible: list => {
    Unfilled.fill(list);
    return false;
  },
  preventExtensions: list => {
    Unfilled.fill(list);
    return true;
  },
};

function historyOf(entries: Entries): History | undefined {
  return (entries as unknown as {readonly [HISTORY]?: History})[HISTORY];
}

/** Is it a list of this server's, which needs no decoding? */
export function isTracked(value: unknown): boolean {
  return Array.isArray(value) && historyOf(value as Entries) !== undefined;
}

/** The owners that a list tells of; none when it is not there or no such list. */
export function ownersIn(entries: Entries | undefined): Owners {
  return (entries && (historyOf(entries)?.owners ?? ownersOf(entries))) ?? [];
}

/** The same, with a stop after each write that had not been folded yet. */
export function* ownersInSteps(entries: Entries): Generator<void, Owners> {
  const history = historyOf(entries);
  return history ? yield* history.working() : (ownersOf(entries) ?? []);
}

/** The list after a write; `before` is undefined when nobody owned anything. */
export function afterWrite(entries: Entries | undefined, write: TrackedWrite): Entries {
  const previous = entries && (historyOf(entries) ?? new History(ownersOf(entries) ?? []));
  const history = new History(undefined, previous, write);
  if (history.depth > MOST_NOTES) void history.owners;
  return listOf(history);
}

/** The list of some owners. */
export function listOfOwners(owners: Owners): Entries {
  return listOf(new History(owners));
}

function listOf(history: History): Entries {
  return new Proxy(new Unfilled(history), FILLING);
}
