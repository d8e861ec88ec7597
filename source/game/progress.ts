// What a player has done so far, as a value. Where it is kept is the business of `cli`.
import {produce} from 'immer';
import {problemOf, type Run} from './run.ts';

/** The best of a level. */
export interface LevelProgress {
  readonly solved: boolean;
  readonly stars: number;
  /** Virtual milliseconds from the start to the win, of the best run. */
  readonly bestMs: number | undefined;
  readonly writes: number | undefined;
  readonly tries: number;
}

export interface Progress {
  readonly version: 1;
  readonly levels: Readonly<Record<string, LevelProgress>>;
  readonly lastLevel: string | undefined;
  /** A run that was left before its end. */
  readonly saved: Run | undefined;
  readonly settings: Settings;
}

export interface Settings {
  /** Plain letters instead of symbols. */
  readonly ascii: boolean;
  /** The three keys were shown, or were not wanted. */
  readonly keysKnown: boolean;
  readonly speed: number;
}

export const NO_PROGRESS: Progress = {
  version: 1,
  levels: {},
  lastLevel: undefined,
  saved: undefined,
  settings: {ascii: false, keysKnown: false, speed: 1},
};

/** Progress after a level was won. */
export function withWin(
  progress: Progress,
  level: string,
  run: {readonly stars: number; readonly ms: number; readonly writes: number},
): Progress {
  return produce(progress, draft => {
    const before = draft.levels[level];
    draft.levels[level] = {
      solved: true,
      stars: Math.max(before?.stars ?? 0, run.stars),
      bestMs: Math.min(before?.bestMs ?? Infinity, run.ms),
      writes: Math.min(before?.writes ?? Infinity, run.writes),
      tries: before?.tries ?? 1,
    };
    draft.saved = undefined;
    draft.lastLevel = level;
  });
}

/** Progress after a level was opened. */
export function withTry(progress: Progress, level: string): Progress {
  return produce(progress, draft => {
    const before = draft.levels[level] ?? {solved: false, stars: 0, bestMs: undefined, writes: undefined, tries: 0};
    draft.levels[level] = {...before, tries: before.tries + 1};
    draft.lastLevel = level;
  });
}

/** Reads what was kept; undefined where it is not progress of this game. */
export function readProgress(value: unknown): Progress | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const {version, levels, lastLevel, saved, settings} = value as Record<string, unknown>;
  if (version !== 1 || typeof levels !== 'object' || levels === null) return undefined;
  if (!Object.values(levels).every(isLevelProgress)) return undefined;
  return {
    version: 1,
    levels: levels as Progress['levels'],
    lastLevel: typeof lastLevel === 'string' ? lastLevel : undefined,
    saved: saved !== undefined && problemOf(saved) === undefined ? (saved as Run) : undefined,
    settings: {...NO_PROGRESS.settings, ...(typeof settings === 'object' ? settings : {})},
  };
}

function isLevelProgress(value: unknown): value is LevelProgress {
  if (typeof value !== 'object' || value === null) return false;
  const {solved, stars, tries} = value as Record<string, unknown>;
  return typeof solved === 'boolean' && typeof stars === 'number' && typeof tries === 'number';
}
