// The course: the worlds, and the levels that are there. Files come as texts from whoever can read them; a file that is broken is
// kept with its problems, so that it is shown and never opened.
import {createHash} from 'node:crypto';
import {levelReader, numberOf, type Level} from './level/level.ts';
import {readText} from './level/text.ts';

/** A level file's text. */
export interface LevelFile {
  readonly path: string;
  readonly text: string;
}

export interface World {
  readonly number: number;
  readonly name: string;
  readonly theme: string;
}

/** The worlds of the course, in the order of the path. */
export const WORLDS: readonly World[] = [
  {number: 1, name: 'The Path', theme: 'from kubectl apply to a running container, one broken link a room'},
  {number: 2, name: 'The Dispatcher', theme: 'scheduling'},
  {number: 3, name: 'The Assembly Line', theme: 'workloads, rollouts, configuration'},
  {number: 4, name: 'The Boiler Room', theme: 'resources, quota, priority, eviction'},
  {number: 5, name: 'The Switchboard', theme: 'Services, DNS, policies, ingress'},
  {number: 6, name: 'The Warehouse', theme: 'storage and identity'},
  {number: 7, name: 'The Gatehouse', theme: 'access, admission, webhooks'},
  {number: 8, name: 'The Engine Room', theme: 'control plane and etcd surgery'},
  {number: 9, name: 'The Night Shift', theme: 'incidents'},
];

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
    if (read.ok)
      entries.push({
        path,
        number: numberOf(read.value),
        level: read.value,
        digest: createHash('sha256').update(text).digest('hex').slice(0, 16),
      });
    else broken.push({path, problems: read.problems});
  }
  entries.sort((a, b) => a.level.world - b.level.world || a.level.order - b.level.order);
  return {entries, broken};
}

/** Finds a level by its number, its name, or the path of its file. */
export function findEntry({entries}: Course, words: string): Entry | undefined {
  return entries.find(({number, level, path}) => number === words || level.id === words || path === words);
}
