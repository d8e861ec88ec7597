// What types and fields are for, as the server publishes it. These words are Kubernetes' own and not part of the sources: who made the
// program may have laid them beside it, and the door says how they are read. They are read when somebody first asks for them.

/** What a type is for, and its fields by their names. */
export interface Prose {
  readonly type: string;
  readonly fields: Readonly<Record<string, string>>;
}

type Book = Readonly<Record<string, Prose>>;

let read: () => Book = () => ({});
let book: Book | undefined;

/** Says where the descriptions are. */
export function readDescriptionsFrom(source: () => Book): void {
  read = source;
  book = undefined;
}

/** What is said of a type, by its long name; undefined where nothing is. */
export function proseOf(type: string): Prose | undefined {
  book ??= read();
  return Object.hasOwn(book, type) ? book[type] : undefined;
}
