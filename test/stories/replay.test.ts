// A run is a seed and its inputs: played again it ends as it ended, its earlier moments can be looked at, and played on from.
import {beforeAll, expect, test} from 'vitest';
import {ownCourse} from '../../source/cli/level-files.ts';
import {catalogueOf} from '../../source/game/catalogue.ts';
import type {Entry} from '../../source/game/course.ts';
import {Game} from '../../source/game/game.ts';
import {NO_PROGRESS} from '../../source/game/progress.ts';
import {readRun, type Run} from '../../source/game/run.ts';
import {verify} from '../../source/game/session/verify.ts';

const course = ownCourse();
const hostNow = () => performance.now();
const MEND = 'kubectl set image deploy/web web=registry.local/web:1.4';

/** A game whose host is as uneven as hosts are, but the same each time. */
class Played {
  readonly game: Game;
  readonly runs: Run[] = [];
  #host = 0;
  #beats = 0;

  constructor() {
    const keepRun = (run: Run) => {
      this.runs.push(run);
      return 'kept';
    };
    this.game = new Game({
      catalogue: catalogueOf(course.entries),
      load: () => NO_PROGRESS,
      save: () => undefined,
      hostNow,
      keepRun,
    });
  }

  async open(entry: Entry): Promise<void> {
    await this.game.open(entry.level.id);
    this.game.dispatch({intent: 'level', level: {intent: 'begin'}});
  }

  async line(text: string): Promise<void> {
    this.game.dispatch({intent: 'level', level: {intent: 'line', key: {key: 'kill-start'}}});
    this.game.dispatch({intent: 'level', level: {intent: 'line', key: {key: 'insert', text}}});
    this.game.dispatch({intent: 'level', level: {intent: 'submit'}});
    await this.beats(8);
  }

  async complete(text: string): Promise<void> {
    this.game.dispatch({intent: 'level', level: {intent: 'line', key: {key: 'insert', text}}});
    this.game.dispatch({intent: 'level', level: {intent: 'complete'}});
    await this.beats(3);
  }

  async beats(count: number): Promise<void> {
    for (let beat = 0; beat < count; beat++) {
      this.#host += 41.7 + ((this.#beats++ * 7.31) % 90);
      await this.game.beat(this.#host);
    }
  }

  async until(holds: () => boolean): Promise<void> {
    for (let tries = 0; tries < 3000 && !holds(); tries++) await this.beats(1);
    expect(holds()).toBe(true);
  }

  get state() {
    const {level} = this.game.state;
    if (!level) throw new Error('no level is open');
    return level;
  }
}

const entry = course.entries.find(({number}) => number === '1.7a') as Entry;
let won: Played;

beforeAll(async () => {
  won = new Played();
  await won.open(entry);
  await won.line('kubectl get pods');
  await won.complete('kubectl describe pod w');
  await won.line('kubectl get deploy web -o wide | tail -1');
  await won.beats(40);
  await won.line(MEND);
  await won.until(() => won.state.debrief !== undefined);
});

test('a run that was won is kept, and ends again as it ended', async () => {
  const [run] = won.runs;
  expect(won.state.debrief?.keptAs).toBe('kept');
  expect(run?.inputs.map(({kind}) => kind)).toEqual(['type', 'complete', 'type', 'type']);
  const kept = readRun(JSON.stringify(run)) as Run;
  expect(await verify(kept, entry, hostNow)).toMatchObject({problems: []});
});

test.each([
  ['another command', (run: Run): Run => ({...run, inputs: run.inputs.slice(0, -1)}), /does not win/],
  [
    'another number of writes',
    ({end, ...run}: Run): Run => ({...run, ...(end && {end: {...end, writes: 0}})}),
    /makes 1 write, the run 0/,
  ],
  [
    'an input a little later',
    (run: Run): Run => ({...run, inputs: run.inputs.map((input, n) => (n === 3 ? {...input, at: input.at + 1} : input))}),
    /is not what happened/,
  ],
  ['a run that was left', ({end: _end, ...run}: Run): Run => run, /has no end/],
] as const)('%s is found out', async (_, change, words) => {
  const {problems} = await verify(change(won.runs[0] as Run), entry, hostNow);
  expect(problems.join('\n')).toMatch(words);
});

test('the debrief knows what was looked at first', () => {
  const looked = won.state.debrief?.looked ?? [];
  expect(looked.find(({place}) => place === 'pod')).toMatchObject({nth: 1});
  expect(looked.find(({place}) => place === 'deployment')).toMatchObject({nth: 2});
  expect(looked.find(({place}) => place === 'etcd')).toMatchObject({nth: 0, at: undefined});
});

test('an earlier moment is looked at, left again, and played on from', async () => {
  const played = new Played();
  await played.open(entry);
  await played.line('kubectl get pods');
  await played.line('kubectl scale deploy/web --replicas=5');
  await played.beats(60);
  const present = played.state;
  const scaled = present.marks.find(mark => mark.kind === 'write');
  expect(scaled?.text).toMatch(/scale/);
  if (!scaled) return;
  played.game.dispatch({intent: 'look-back', mark: scaled});
  await played.until(() => played.state.watching === 'past');
  expect(played.state.time).toBe(scaled.time);
  expect(played.state.panels.objects.find(({kind}) => kind === 'Deployment')?.ready).toBe('0/3');
  expect(played.state.transcript.lines.join('\n')).not.toMatch(/scale/);
  await played.beats(30);
  expect(played.state.time).toBe(scaled.time);
  played.game.dispatch({intent: 'back-to-now'});
  expect(played.state).toEqual(present);
  played.game.dispatch({intent: 'look-back', mark: scaled});
  await played.until(() => played.state.watching === 'past');
  played.game.dispatch({intent: 'play-on'});
  played.game.dispatch({intent: 'level', level: {intent: 'pause'}});
  await played.line(MEND);
  await played.until(() => played.state.debrief !== undefined);
  expect(played.state.debrief?.way.map(({command}) => command)).toEqual(['kubectl get pods', MEND]);
  expect(await verify(played.runs[0] as Run, entry, hostNow)).toMatchObject({problems: []});
});

test('a replay plays itself, and is played on from', async () => {
  const replayed = new Played();
  await replayed.game.perform(entry, won.runs[0] as Run, 10);
  await replayed.until(() => /describe|tail -1/.test(replayed.state.transcript.lines.join('\n')));
  expect(replayed.state.watching).toBe('replay');
  replayed.game.dispatch({intent: 'play-on'});
  await replayed.line(MEND);
  await replayed.until(() => replayed.state.debrief !== undefined);
  expect(replayed.state.debrief?.writes).toBe(1);
});

test.each([
  ['nothing', '', /no JSON/],
  ['another format', '{"format": "x"}', /format is "x"/],
  ['an input of no kind', JSON.stringify({...example(), inputs: [{at: 1, kind: 'jump'}]}), /inputs\[0\]\.kind is "jump"/],
  [
    'time that runs back',
    JSON.stringify({
      ...example(),
      inputs: [
        {at: 9, kind: 'end'},
        {at: 8, kind: 'end'},
      ],
    }),
    /inputs\[1\]\.at is 8/,
  ],
  ['an end of a wrong form', JSON.stringify({...example(), end: {won: 'yes'}}), /end\.won/],
] as const)('a file with %s is no run, and says why', (_, text, words) => {
  expect(readRun(text)).toMatch(words);
});

function example(): Run {
  return {format: 'crashloop-run/1', level: 'wrong-crate', digest: '', seed: 1, inputs: [], at: 10};
}
