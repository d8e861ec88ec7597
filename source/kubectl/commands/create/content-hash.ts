// `--append-hash`: a name ends in a hash of what the object holds, so that other contents get another name.
import {createHash} from 'node:crypto';
import {compactJson} from '../../print/json.ts';

/** Letters that spell no words stand for some digits. */
const LETTERS: Readonly<Record<string, string>> = {'0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't'};
const LENGTH = 10;

/** The hash of an object's contents. */
export function contentHash(contents: Readonly<Record<string, unknown>>): string {
  const hex = createHash('sha256').update(compactJson(contents)).digest('hex').slice(0, LENGTH);
  return hex.replaceAll(/[013ae]/g, letter => LETTERS[letter] ?? letter);
}
