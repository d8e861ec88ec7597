// Levels read whole, from the files on the host.
import {resolve} from 'node:path';
import {readCourse, type Course, type Entry} from '../game/course.ts';
import {UsageError} from './command.ts';
import {filesBelow, levelsFolder} from './level-folder.ts';
import {ownCatalogue} from './own-catalogue.ts';

/** The course that comes with the game. */
export function ownCourse(): Course {
  return readCourse(filesBelow(levelsFolder()));
}

/** A level by number, name or file; a UsageError tells what is wrong with the words or the file. */
export async function openLevel(words: string): Promise<Entry> {
  if (/[/\\]|\.ya?ml$/.test(words)) {
    const {entries, broken} = readCourse(filesBelow(resolve(words)));
    const [entry] = entries;
    if (!entry) throw new UsageError(broken.flatMap(each => each.problems).join('\n') || `${words} is no level file`);
    return entry;
  }
  const catalogue = await ownCatalogue();
  const card = catalogue.cards.find(({number, id}) => number === words || id === words);
  const entry = card && (await catalogue.entry(card.id));
  if (entry) return entry;
  throw new UsageError(
    `there is no level ${JSON.stringify(words)}; there are ${catalogue.cards.map(({number, id}) => `${number} ${id}`).join(', ')}`,
  );
}
