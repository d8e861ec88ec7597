// Kubernetes' own prose: what types and fields are for, and the help of kubectl's commands. These words are not part of the sources:
// who made the program may have laid them beside it, one book each, and the door says how a book is read. A book is opened when
// somebody first asks for a word of it; where there is none, all else works.

/** The books that may lie there. */
export type BookName = 'descriptions' | 'kubectl';

/** What is written, by what it is about. */
export type Book = Readonly<Record<string, unknown>>;

let read: (name: BookName) => Book = () => ({});
const open = new Map<BookName, Book>();

/** Says where the books are. */
export function readBooksFrom(source: (name: BookName) => Book): void {
  read = source;
  open.clear();
}

/** What a book says of something; undefined where it says nothing. */
export function inBook(name: BookName, about: string): unknown {
  const book = open.get(name) ?? read(name);
  open.set(name, book);
  return Object.hasOwn(book, about) ? book[about] : undefined;
}
