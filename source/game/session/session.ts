// A level while it is played. Intents come in, states go out; in between, effects are carried out on the world. Nothing that the
// player types waits for the cluster: what is typed for the shell is queued and handed over between two beats.
import {timeOfDay} from '../../api/meta/time.ts';
import {writeCount} from './judging/writes.ts';
import {FORMAT, type Input, type Run} from '../run.ts';
import type {Effect, Fact, Intent} from './intents.ts';
import {debriefOf} from './debrief.ts';
import {Door} from './door.ts';
import {Chronicle} from './chronicle.ts';
import {goalMarks, type Mark, warningMark} from './marks.ts';
import type {SessionOptions} from './options.ts';
import {Queue} from './queue.ts';
import {Replay} from './replay.ts';
import {learn, reduce, type Step} from './reduce.ts';
import {Watch} from './judging/watch.ts';
import type {Opened} from './opening.ts';
import {openLevel} from './opening.ts';
import {panelsOf} from './panels.ts';
import type {LevelState} from './state.ts';
import {freshLine} from './terminal/line-editor.ts';
import {initialState} from './initial-state.ts';
import {yamlProblem} from './terminal/yaml-problem.ts';

/** Three minutes without a key: the game offers a hint. */
const IDLE_MS = 180_000;

export class Session {
  readonly #options: SessionOptions;
  readonly #opened: Opened;
  readonly #door: Door;
  readonly #listeners = new Set<() => void>();
  readonly #queue = new Queue();
  readonly #chronicle: Chronicle;
  readonly #replay: Replay;
  #state: LevelState;
  #touched: number | undefined;
  #offered = false;
  #hints = 0;
  #changed = true;
  #second = -1;
  #traceStart: number;

  private constructor(options: SessionOptions, opened: Opened) {
    this.#options = options;
    this.#opened = opened;
    const {world} = opened;
    this.#traceStart = world.traceCount;
    this.#state = initialState(options, world);
    this.#door = new Door(world, {
      shown: text => this.#learn({fact: 'output', text}),
      busy: busy => this.#learn({fact: 'busy', busy}),
      completed: (line, start, words) => this.#learn({fact: 'completed', line, start, words}),
      editing: ({path, text, program}) => this.#learn({fact: 'opened', path, text, isVi: /^vim?$/.test(program)}),
      hint: () => this.#revealHint(),
      ended: () => this.#shellEnded(),
    });
    this.#chronicle = new Chronicle(world, this.#door, mark => this.#learn({fact: 'mark', mark}));
    this.#replay = new Replay({world, learn: fact => this.#learn(fact), put: input => this.#chronicle.put(input)});
    for (const eyes of [world.spectator, world.playerView]) eyes.onChange(() => (this.#changed = true));
    const watch = new Watch(opened, judgement => {
      for (const mark of goalMarks(this.#state, judgement)) this.#chronicle.mark(mark);
      this.#learn({fact: 'judged', judgement});
    });
    this.#learn({fact: 'judged', judgement: watch.latest});
  }

  /** Opens a level, or goes on with a run that was left. */
  static async open(options: SessionOptions): Promise<Session> {
    const seed = (options.resume ?? options.script?.run)?.seed ?? options.seed;
    const opened = await openLevel(options.entry.level, {hostNow: options.hostNow, ...(seed === undefined ? {} : {seed})});
    const session = new Session(options, opened);
    await opened.world.advance(1);
    session.#chronicle.mark({kind: 'start', text: 'the beginning'});
    session.#refresh();
    if (options.resume) await session.#catchUp(options.resume);
    if (options.script) session.#perform(options.script);
    return session;
  }

  get state(): LevelState {
    return this.#state;
  }

  /** The run so far. */
  get run(): Run {
    const {entry} = this.#options;
    const {world} = this.#opened;
    return {
      format: FORMAT,
      level: entry.level.id,
      digest: entry.digest,
      seed: world.description.seed,
      inputs: [...this.#door.inputs],
      at: world.now,
    };
  }

  /** Whole virtual seconds since the player began. */
  get seconds(): number {
    return Math.round((this.#opened.world.now - this.#opened.startedAt) / 1000);
  }

  /** The hash of all that happened so far. */
  get digest(): string {
    return this.#door.digest;
  }

  /** A session of its own in an earlier moment of this one: to be looked at, and to be played on from. */
  async past(mark: Mark): Promise<Session> {
    const {script: _script, ...options} = this.#options;
    const run = {...this.run, inputs: this.#door.inputs.slice(0, mark.inputs), at: mark.at};
    const past = await Session.open({...options, resume: run, watching: 'past'});
    past.#learn({fact: 'marks', marks: this.#state.marks});
    return past;
  }

  /** What was only looked at is played from here on. */
  playOn(): void {
    this.#replay.stop();
    this.#learn({fact: 'played-on', at: this.#opened.world.now, line: freshLine(this.#state.history)});
    this.#save();
  }

  /** Calls `changed` whenever the state is another one. */
  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  /** Takes an intent of the player. Never waits. */
  dispatch(intent: Intent): void {
    this.#touched = undefined;
    this.#take(reduce(this.#state, intent));
  }

  /** Says something to the player, until the next key; or nothing any more. */
  say(text: string | undefined): void {
    this.#learn({fact: 'notice', text});
  }

  /** Lets time pass as the host's clock says, and carries out what was asked for meanwhile. */
  async beat(nowMs: number): Promise<void> {
    this.#touched ??= nowMs;
    await this.#queue.drain();
    if (this.#state.phase === 'playing') await this.#pass(nowMs);
    await this.#queue.drain();
    this.#refresh();
    const {phase, watching} = this.#state;
    if (nowMs - this.#touched > IDLE_MS && !this.#offered && phase === 'playing' && watching === undefined) {
      this.#offered = true;
      this.#learn({fact: 'idle'});
    }
  }

  /** Time passes; in a replay, as its run has it. */
  async #pass(nowMs: number): Promise<void> {
    const {pump} = this.#opened.world;
    if (this.#state.watching !== 'replay') return void (await pump.beat(nowMs));
    if ((await this.#replay.beat(nowMs)) === 'goes on') return;
    pump.pause();
    this.#clock();
    this.say('The replay is over. Enter plays on from here, if you want to.');
  }

  /** Is there anything that a beat would do? A paused game with nothing queued uses no CPU. */
  get isIdle(): boolean {
    return this.#queue.isEmpty && (this.#opened.world.pump.paused || this.#state.phase !== 'playing');
  }

  /** Ends it: the world is dropped. */
  close(): void {
    this.#opened.referee.stop();
    this.#listeners.clear();
  }

  #take(step: Step): void {
    const changed = step.state !== this.#state;
    this.#state = step.state;
    for (const effect of step.effects) this.#do(effect);
    if (changed) for (const listener of this.#listeners) listener();
  }

  #learn(fact: Fact): void {
    this.#take(learn(this.#state, fact));
  }

  #do(effect: Effect): void {
    const {world} = this.#opened;
    switch (effect.effect) {
      case 'start':
        world.pump.speed = this.#state.speed;
        world.pump.resume();
        this.#clock();
        return;
      case 'type':
        this.#input({kind: 'type', text: effect.text});
        return;
      case 'interrupt':
        this.#input({kind: 'interrupt'});
        return;
      case 'end-input':
        this.#input({kind: 'end'});
        return;
      case 'complete':
        this.#input({kind: 'complete', text: effect.line, cursor: effect.cursor});
        return;
      case 'pause':
        if (effect.paused) world.pump.pause();
        else world.pump.resume();
        this.#clock();
        return;
      case 'step':
        this.#queue.later(() => world.pump.step());
        return;
      case 'speed':
        world.pump.speed = effect.speed;
        if (this.#state.watching === undefined) this.#options.onSettings?.({speed: effect.speed});
        return;
      case 'save-file':
        this.#saveFile(effect);
        return;
      case 'close-editor':
        if (!effect.saved) this.#input({kind: 'edit', text: ''});
        return;
      case 'keys-known':
        this.#options.onSettings?.({keysKnown: true});
        return;
      case 'hint-taken':
        this.#input({kind: 'hint'});
        return;
      case 'won':
        world.pump.pause();
        this.#clock();
        this.#queue.later(() => this.#debrief());
    }
  }

  #input(input: Omit<Input, 'at'>): void {
    this.#queue.later(async () => {
      await this.#chronicle.put(input);
      this.#save();
    });
  }

  /** `exit`, or `^D`: the player leaves. */
  #shellEnded(): void {
    this.#save();
    if (this.#state.watching === undefined) this.#options.onExit?.();
  }

  #saveFile({path, text, checked, stay}: Extract<Effect, {effect: 'save-file'}>): void {
    const problem = checked && /\.(ya?ml|json)$/.test(path) ? yamlProblem(text) : undefined;
    if (problem) this.#learn({fact: 'problem', ...problem});
    else if (stay) this.#learn({fact: 'written', text});
    else {
      this.#input({kind: 'edit', text: `=${text}`});
      this.#learn({fact: 'saved'});
    }
  }

  #revealHint(): void {
    const hint = this.#options.entry.level.hints[this.#hints];
    if (!hint) return;
    this.#learn({fact: 'hint', index: this.#hints, text: hint.text});
    this.#hints++;
  }

  /** Brings clock, panels and counts of the state up to date. */
  #refresh(): void {
    const {world} = this.#opened;
    this.#clock();
    const busy = this.#door.isBusy;
    if (busy !== this.#state.busy) this.#learn({fact: 'busy', busy});
    const second = Math.floor(world.now / 1000);
    if (!this.#changed && second === this.#second) return;
    this.#changed = false;
    this.#second = second;
    const panels = panelsOf(world);
    const mark = warningMark(this.#state, panels);
    this.#learn({fact: 'panels', panels});
    if (mark) this.#chronicle.mark(mark);
    const writes = writeCount(world.traceSince(this.#traceStart));
    if (writes !== this.#state.writes) this.#learn({fact: 'writes', writes});
  }

  #clock(): void {
    const time = timeOfDay(this.#opened.world.wall);
    const {paused, speed} = this.#opened.world.pump;
    if (time !== this.#state.time || paused !== this.#state.paused || speed !== this.#state.speed)
      this.#learn({fact: 'clock', time, paused, speed});
  }

  async #debrief(): Promise<void> {
    const {entry, hostNow, next, onWin} = this.#options;
    const {world, startedAt} = this.#opened;
    const ms = world.now - startedAt;
    const {writes} = this.#state;
    const debrief = await debriefOf({entry, hostNow, next, ms, hints: this.#hints, way: this.#chronicle.way, state: this.#state});
    const {stars} = debrief.score;
    const end = {won: true, stars, writes, digest: this.digest};
    const keptAs = this.#state.watching === undefined ? onWin?.({...this.run, end}, ms) : undefined;
    this.#learn({fact: 'debrief', debrief: {...debrief, keptAs}});
  }

  #save(): void {
    if (this.#state.phase === 'playing' && this.#state.watching === undefined) this.#options.onSave?.(this.run);
  }

  /** Plays the inputs of a run as fast as it goes, up to where it was left. */
  async #catchUp(run: Run): Promise<void> {
    this.dispatch({intent: 'begin'});
    await this.#replay.catchUp(run);
    if (this.#state.watching !== undefined) this.#opened.world.pump.pause();
    this.#learn({fact: 'caught-up', line: freshLine(this.#state.history)});
    this.#changed = true;
    this.#refresh();
  }

  #perform({run, speed}: {readonly run: Run; readonly speed: number}): void {
    this.dispatch({intent: 'begin'});
    this.#replay.show(run);
    this.#opened.world.pump.speed = speed;
    this.#learn({fact: 'caught-up', line: freshLine([])});
    this.#clock();
  }
}
