// `crashloop replay FILE`: plays a run again before one's eyes, or only verifies that it ends as it says.
import {counted} from '../game/counted.ts';
import {existsSync, readFileSync, statSync} from 'node:fs';
import {NO_PROGRESS} from '../game/progress.ts';
import {readRun, type Run} from '../game/run.ts';
import {verify} from '../game/session/verify.ts';
import {catalogueOf} from '../game/catalogue.ts';
import type {Entry} from '../game/course.ts';
import {numberFlag, UsageError, type Command} from './command.ts';
import {openLevel} from './level-files.ts';
import {keptRun} from './profile.ts';

export const replay: Command = {
  name: 'replay',
  usage: 'replay FILE|NAME [--speed N] [--check [--json]] [--level FILE]',
  summary: 'plays a run again, or only verifies that it ends as it says',
  flags: [
    {name: 'speed', value: 'N', says: 'virtual seconds a second (default 1)'},
    {name: 'check', says: 'plays it without a screen and compares its end, byte for byte'},
    {name: 'json', says: 'what --check found, for programs'},
    {name: 'level', value: 'FILE', says: 'the level that it was played on, where that does not come with the game'},
  ],
  words: {least: 1, most: 1},
  examples: ['crashloop replay wrong-crate --speed 10', 'crashloop replay run.json --check'],
  async run(typed) {
    const [file = ''] = typed.words;
    const {flags} = typed;
    const speed = numberFlag(typed, 'speed') ?? 1;
    if (speed < 1 || speed > 1000) throw new UsageError(`crashloop replay: --speed is 1 to 1000, not ${speed}`);
    if (flags['json'] === true && flags['check'] !== true) throw new UsageError('crashloop replay: --json goes with --check');
    const run = readFile(/^[\w.-]+$/.test(file) && !existsSync(file) ? keptRun(file) : file);
    const entry = await levelOf(run, typeof flags['level'] === 'string' ? flags['level'] : undefined);
    if (flags['check'] === true) return check(run, entry, flags['json'] === true);
    if (process.stdout.isTTY !== true || process.stdin.isTTY !== true)
      throw new UsageError('crashloop replay: there is no terminal to draw on; --check verifies a run without one');
    const {runGame} = await import('./run-game.tsx');
    const catalogue = catalogueOf([entry]);
    return runGame({catalogue, load: () => NO_PROGRESS, save: () => undefined}, game => void game.perform(entry, run, speed));
  },
};

/** A run of a person is far smaller. */
const LARGEST_FILE = 64 * 1024 * 1024;

function readFile(file: string): Run {
  let text: string;
  try {
    if (statSync(file).size > LARGEST_FILE) throw new UsageError(`crashloop replay: ${file} is far too large for a run`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`crashloop replay: ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const run = readRun(text);
  if (typeof run === 'string') throw new UsageError(`crashloop replay: ${file} holds no run: ${run}`);
  return run;
}

async function levelOf(run: Run, file: string | undefined): Promise<Entry> {
  const entry = await openLevel(file ?? run.level);
  if (entry.level.id !== run.level)
    throw new UsageError(`crashloop replay: the run is one of ${run.level}, not of ${entry.level.id}`);
  if (entry.digest !== run.digest)
    throw new UsageError(`crashloop replay: ${run.level} has changed since the run was played: it would be another run`);
  return entry;
}

async function check(run: Run, entry: Entry, json: boolean): Promise<number> {
  const {problems, seconds} = await verify(run, entry, () => performance.now());
  const {level, end: {writes = 0, stars = 0} = {}} = run;
  if (json) process.stdout.write(`${JSON.stringify({level, seconds, ...run.end, verified: problems.length === 0, problems})}\n`);
  else if (problems.length === 0)
    process.stdout.write(
      `${level}: won in ${seconds} s with ${counted(writes, 'write')} and ${counted(stars, 'star')}, as it says\n`,
    );
  else process.stdout.write(`${problems.map(problem => `${level}: ${problem}`).join('\n')}\n`);
  return problems.length === 0 ? 0 : 1;
}
