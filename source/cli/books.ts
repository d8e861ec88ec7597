// Where the books of Kubernetes' prose lie: beside the bundle, where the build has put them.
import {existsSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {gunzipSync} from 'node:zlib';
import {readBooksFrom, type Book} from '../api/words/books.ts';

/** Lets the API server and kubectl find the books when somebody asks for them. */
export function offerBooks(): void {
  readBooksFrom(name => {
    for (const way of [`chunks/${name}.json.gz`, `${name}.json.gz`]) {
      const path = fileURLToPath(new URL(way, import.meta.url));
      if (existsSync(path)) return JSON.parse(gunzipSync(readFileSync(path)).toString()) as Book;
    }
    return {};
  });
}
