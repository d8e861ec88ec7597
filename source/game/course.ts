// The course: the levels that are there, read whole. Files come as texts from whoever can read them; a file that is broken is
// kept with its problems, so that it is shown and never opened.
import {digestOf, inOrder, type LevelFile} from './catalogue.ts';
import {levelReader, numberOf, type Level} from './level/level.ts';
import {readText} from './level/text.ts';

/** A level that can be played. */
export interface Entry {
  readonly path: string;
  /** As players call it: `2.1`, `1.7a`. */
  readonly number: string;
  readonly level: Level;
  /** Of the level's text: a run tells by it whether it was played on this same level. */
  readonly digest: string;
}

export interface Course {
  readonly entries: readonly Entry[];
  /** Files that cannot be opened, and why. */
  readonly broken: readonly {readonly path: string; readonly problems: readonly string[]}[];
}

/** Reads all level files, in the order of the path. */
export function readCourse(files: readonly LevelFile[]): Course {
  const entries: Entry[] = [];
  const broken: {path: string; problems: readonly string[]}[] = [];
  for (const {path, text} of files) {
    const read = readText(text, path, levelReader);
    if (read.ok) entries.push({path, number: numberOf(read.value), level: read.value, digest: digestOf(text)});
    else broken.push({path, problems: read.problems});
  }
  entries.sort((a, b) => inOrder(a.level, b.level));
  return {entries, broken};
}
