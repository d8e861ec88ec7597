// Tab on a line of kubectl, as its script for bash does it: the program itself is asked with `__completeNoDesc`, and its last line
// says whether files may stand there. A value behind `--flag=` comes back alone and is put behind the flag again.
import type {Ask, Known} from './complete.ts';

const NO_FILES = 4;
const FILES_ENDING = 8;

/** What kubectl knows of the last of these words, which are behind its name. */
export async function kubectlWords(words: readonly string[], ask: Ask): Promise<Known> {
  const lines = (await ask(['kubectl', '__completeNoDesc', ...words])).split('\n').filter(line => line !== '');
  const directive = Number(/^:(\d+)$/.exec(lines.at(-1) ?? '')?.[1] ?? 0);
  const found = lines.slice(0, -1);
  if ((directive & FILES_ENDING) !== 0) return {words: [], files: found};
  const flag = /^-[^=]*=/.exec(words.at(-1) ?? '')?.[0] ?? '';
  return {words: found.map(word => flag + word), files: (directive & NO_FILES) === 0};
}
