// Objects as YAML, in pieces as JSON is: the items of a long list are put in order one by one, as they are written.
import {arrangedBody, shown} from './arranged.ts';
import {yamlPieces} from '../yaml/print.ts';
import {isLong, longOf, workOutOwners} from './json-text.ts';

const PIECE = 64 * 1024;

/** A body as YAML, in pieces where it is long. */
export function* writtenYaml(body: unknown): Iterable<string> {
  const long = longOf(body);
  if (!long && isLong(body)) {
    // YAML has an order of its own.
    yield '';
    yield '';
    workOutOwners(body);
    yield '';
    return yield* yamlPieces(shown(body));
  }
  if (!long || long.parts.length === 0) return yield* yamlPieces(arrangedBody(body));
  const {head, name, parts, plainOf} = long;
  const fields = Object.entries(head);
  yield* yamlPieces(Object.fromEntries(fields.filter(([key]) => key < name)));
  let piece = `${name}:\n`;
  for (const part of parts) {
    for (const text of yamlPieces([plainOf(part)])) {
      piece += text;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
  }
  const rest = fields.filter(([key]) => key > name);
  if (rest.length > 0) for (const text of yamlPieces(Object.fromEntries(rest))) piece += text;
  yield piece;
}
