// What programs take from their command line and show of requests.
import type {Request} from '../../../api/wire/http.ts';

/** The value of an option, as `-name=x`, `--name=x` or `--name x`. */
export function valueOf(argv: readonly string[], name: string): string | undefined {
  for (const [at, word] of argv.entries()) {
    const [, option, value] = /^--?([\w-]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (option === name) return value ?? argv[at + 1] ?? '';
  }
  return undefined;
}

/** The headers of a request, a line each. */
export function echoedHeaders(request: Request, between: string, capital = false): string {
  const word = (name: string) => (capital ? name.replaceAll(/(^|-)[a-z]/g, letter => letter.toUpperCase()) : name);
  const sorted = Object.entries(request.headers ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, value]) => `${word(name)}${between}${value}\n`).join('');
}
