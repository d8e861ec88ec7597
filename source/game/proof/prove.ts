// A level proves itself: its symptom shows and nothing is won at the start; its solution, its last hint and its other ways win and
// stay won; its wrong fixes do not win, and meet what the file says they meet. Each clause is played in a world of its own.
import type {Level, Step} from '../level/level.ts';
import type {Breach, Judgement} from '../session/judging/judge.ts';
import {LevelError} from '../session/level-error.ts';
import {openLevel} from '../session/opening.ts';
import {runSteps, type Said} from '../session/steps.ts';
import {Watch} from '../session/judging/watch.ts';
import {expectationProblem} from './expectation.ts';

/** One clause of the proof. */
export interface Clause {
  /** As an author would say it: `the solution wins`. */
  readonly says: string;
  /** Where in the file: `cheats[2]`. */
  readonly path: string;
  /** Undefined where it holds. */
  readonly problem: string | undefined;
}

/** How long a level may take to be won after the last step, and must stay won. */
const WIN_WITHIN_MS = 120_000;
const STAY_WON_MS = 60_000;
const SYMPTOM_WITHIN_MS = 60_000;

type HostNow = () => number;

/** Plays all clauses; `told` hears of each as it is known. */
export async function proveLevel(
  level: Level,
  hostNow: HostNow,
  told: (clause: Clause) => void = () => undefined,
): Promise<readonly Clause[]> {
  const clauses: Clause[] = [];
  const add = (says: string, path: string, problem: string | undefined) => {
    const clause = {says, path, problem};
    clauses.push(clause);
    told(clause);
  };
  try {
    for (const {says, path, play} of clausesOf(level, hostNow)) add(says, path, await play());
  } catch (error) {
    if (!(error instanceof LevelError)) throw error;
    add('the level opens', 'objects', error.message);
  }
  return clauses;
}

interface Play {
  readonly says: string;
  readonly path: string;
  readonly play: () => Promise<string | undefined>;
}

function clausesOf(level: Level, hostNow: HostNow): readonly Play[] {
  const {solution, lastHint, cheats = []} = level;
  return [
    {says: 'the symptom shows, and nothing is won at the start', path: 'symptom', play: () => showsSymptom(level, hostNow)},
    {says: 'the solution wins, and it stays won', path: 'solution', play: () => wins(level, solution.steps, hostNow)},
    {says: 'the last hint wins', path: 'lastHint', play: () => wins(level, lastHint, hostNow)},
    ...(solution.also ?? []).flatMap(({id, steps}, index) =>
      steps ? [{says: `the other way ${id} wins`, path: `solution.also[${index}]`, play: () => wins(level, steps, hostNow)}] : [],
    ),
    ...cheats.map((cheat, index) => ({
      says: `the wrong fix ${cheat.id} does not win`,
      path: `cheats[${index}]`,
      play: () => fails(level, cheat, hostNow),
    })),
  ];
}

async function showsSymptom(level: Level, hostNow: HostNow): Promise<string | undefined> {
  const {world, judge} = await openLevel(level, {hostNow});
  const {goals, breaches} = judge.look();
  const [breach] = breaches;
  if (breach) return `the constraint ${breach.id} is broken at the start`;
  if (goals.every(goal => goal.met)) return 'all objectives hold at the start';
  for (const {run, expect, within = expect.within ?? SYMPTOM_WITHIN_MS, after = 0} of level.symptom) {
    await world.advance(after);
    const deadline = world.now + within;
    let problem: string | undefined;
    do {
      problem = expectationProblem(expect, await world.player.run(run));
      if (problem) await world.advance(1000);
    } while (problem && world.now < deadline);
    if (problem) return `${run}: ${problem}`;
  }
  return undefined;
}

async function wins(level: Level, steps: readonly Step[], hostNow: HostNow): Promise<string | undefined> {
  const opened = await openLevel(level, {hostNow});
  const watch = new Watch(opened);
  const said: Said[] = [];
  const failed = await runSteps(steps, {...opened, heard: each => said.push(each)});
  if (failed) return failed;
  const won = await opened.world.until(() => watch.latest.won, WIN_WITHIN_MS);
  if (!won) return lost(watch.latest, said);
  await opened.world.advance(STAY_WON_MS);
  const {won: still, goals} = opened.judge.look();
  return still ? undefined : `it was won, and then ${goals.find(goal => !goal.met)?.id ?? 'a constraint'} held no more`;
}

function lost({goals, breaches}: Judgement, said: readonly Said[]): string {
  const [breach] = breaches.filter(each => each.severity === 'fail');
  const refused = said.find(each => each.code !== 0);
  const open = goals.filter(goal => !goal.met).map(goal => `${goal.id} (${goal.note})`);
  return [
    breach ? `the constraint ${breach.id} was broken` : `not met: ${open.join(', ')}`,
    ...(refused
      ? [`and ${JSON.stringify(refused.run)} ended with ${refused.code}: ${refused.err.trim().split('\n')[0] ?? ''}`]
      : []),
  ].join('; ');
}

async function fails(level: Level, cheat: NonNullable<Level['cheats']>[number], hostNow: HostNow): Promise<string | undefined> {
  const opened = await openLevel(level, {hostNow});
  const watch = new Watch(opened);
  const said: Said[] = [];
  const failed = await runSteps(cheat.steps, {...opened, heard: each => said.push(each)});
  if (failed) return failed;
  const {breach, unmet, stderr, log} = cheat.expect;
  await opened.world.until(
    () => watch.latest.won || (breach !== undefined && isBroken(watch.latest.breaches, breach)),
    WIN_WITHIN_MS,
  );
  const {won, breaches, goals} = watch.latest;
  if (won) return 'it wins';
  if (breach !== undefined && !isBroken(breaches, breach)) return `the constraint ${breach} was not broken`;
  if (unmet !== undefined && goals.find(goal => goal.id === unmet)?.met !== false) return `the objective ${unmet} is met`;
  if (stderr !== undefined && !said.some(each => each.err.includes(stderr))) return `nobody said ${JSON.stringify(stderr)}`;
  if (log !== undefined && !opened.world.machines.hasLogged(log.node, log.contains))
    return `nobody on ${log.node} logged ${JSON.stringify(log.contains)}`;
  return undefined;
}

function isBroken(breaches: readonly Breach[], id: string): boolean {
  return breaches.some(breach => breach.id === id);
}
