// What types and fields are for, as the server publishes it.
import {inBook} from '../words/books.ts';

/** What a type is for, and its fields by their names. */
export interface Prose {
  readonly type: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Under this name stand, as its fields, the words of queries. */
export const PARAMETERS = 'parameters';

/** What is said of a type, by its long name; undefined where nothing is. */
export function proseOf(type: string): Prose | undefined {
  return inBook('descriptions', type) as Prose | undefined;
}
