// The books of Kubernetes' own prose, made anew from the development dependencies and never committed.
import type {Book, BookName} from '../../source/api/words/books.ts';
import {readDescriptions} from './descriptions.ts';
import {readPages} from './pages.ts';

/** All of them. Where a dependency is missing, its book is empty. */
export async function readBooks(): Promise<Readonly<Record<BookName, Book>>> {
  return {descriptions: readDescriptions(), kubectl: await readPages()};
}
