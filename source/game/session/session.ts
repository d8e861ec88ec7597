// A level while it is played. Intents come in, states go out; in between, effects are carried out on the world. Nothing that the
// player types waits for the cluster: what is typed for the shell is queued and handed over between two beats.
import {writeCount} from './writes.ts';
import type {Progress, SavedRun, Input} from '../progress.ts';
import {scoreOf} from '../score.ts';
import type {Entry} from '../course.ts';
import type {Effect, Fact, Intent} from './intents.ts';
import {learn, reduce, type Step} from './reduce.ts';
import {Watch} from './watch.ts';
import type {Opened} from './opening.ts';
import {openLevel} from './opening.ts';
import {panelsOf} from './panels.ts';
import type {Debrief, LevelState} from './state.ts';
import {freshLine} from './line-editor.ts';
import {initialState} from './initial-state.ts';
import {solutionWrites} from './solution.ts';
import type {EditRequest} from '../../world/player.ts';
import type {Process} from '../../sim/process/process.ts';
import type {Terminal} from '../../sim/process/terminal.ts';
import {yamlProblem} from './yaml-problem.ts';

export interface SessionOptions {
  readonly entry: Entry;
  readonly progress: Progress;
  readonly seed?: number;
  /** Milliseconds of the host, from any start. */
  readonly hostNow: () => number;
  /** The level after this one, as `2.2 Label of Love`. */
  readonly next?: string;
  /** Goes on from a run that was left. */
  readonly resume?: SavedRun;
  /** Hears of every input, so that a run that is cut off can be gone on with. */
  readonly onSave?: (run: SavedRun) => void;
  readonly onWin?: (run: {readonly stars: number; readonly ms: number; readonly writes: number}) => void;
  /** The player ended the shell. */
  readonly onExit?: () => void;
  readonly onSettings?: (settings: Partial<Progress['settings']>) => void;
}

/** The player types, and the game waits this long at most for the shell before it draws. */
const AHEAD_MS = 100;
/** Three minutes without a key: the game offers a hint. */
const IDLE_MS = 180_000;

export class Session {
  readonly #options: SessionOptions;
  readonly #opened: Opened;
  readonly #terminal: Terminal;
  readonly #shell: Process | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #queue: (() => void)[] = [];
  readonly #inputs: Input[] = [];
  readonly #way: {at: string; command: string; wrote: boolean}[] = [];
  #state: LevelState;
  #edit: EditRequest | undefined;
  #touched: number | undefined;
  #offered = false;
  #hints = 0;
  #changed = true;
  #working: Promise<void> = Promise.resolve();
  #traceStart: number;

  private constructor(options: SessionOptions, opened: Opened) {
    this.#options = options;
    this.#opened = opened;
    const {world} = opened;
    this.#traceStart = world.traceCount;
    this.#state = initialState(options, world);
    const {terminal, shell} = world.player.openShell(text => this.#learn({fact: 'output', text}));
    this.#terminal = terminal;
    this.#shell = shell;
    shell?.onEnd(() => this.#shellEnded());
    world.player.onEdit = request => this.#openEditor(request);
    world.spectator.onChange(() => (this.#changed = true));
    const watch = new Watch(opened, judgement => this.#learn({fact: 'judged', judgement}));
    this.#learn({fact: 'judged', judgement: watch.latest});
  }

  /** Opens a level, or goes on with a run that was left. */
  static async open(options: SessionOptions): Promise<Session> {
    const seed = options.resume?.seed ?? options.seed;
    const opened = await openLevel(options.entry.level, {hostNow: options.hostNow, ...(seed === undefined ? {} : {seed})});
    const session = new Session(options, opened);
    await opened.world.advance(1);
    session.#refresh();
    if (options.resume) await session.#replay(options.resume);
    return session;
  }

  get state(): LevelState {
    return this.#state;
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

  /** Lets time pass as the host's clock says, and carries out what was asked for meanwhile. */
  async beat(nowMs: number): Promise<void> {
    this.#touched ??= nowMs;
    await this.#drain();
    const {pump} = this.#opened.world;
    if (this.#state.phase === 'playing') await pump.beat(nowMs);
    await this.#drain();
    this.#refresh();
    if (nowMs - this.#touched > IDLE_MS && !this.#offered && this.#state.phase === 'playing') {
      this.#offered = true;
      this.#learn({fact: 'idle'});
    }
  }

  /** Is there anything that a beat would do? A paused game with nothing queued uses no CPU. */
  get isIdle(): boolean {
    return this.#queue.length === 0 && (this.#opened.world.pump.paused || this.#state.phase !== 'playing');
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
        this.#input({kind: 'type', text: effect.text}, true);
        return;
      case 'interrupt':
        this.#input({kind: 'interrupt'}, true);
        return;
      case 'end-input':
        this.#input({kind: 'end'}, true);
        return;
      case 'complete':
        this.#later(() => this.#complete(effect.line, effect.cursor));
        return;
      case 'pause':
        if (effect.paused) world.pump.pause();
        else world.pump.resume();
        this.#clock();
        return;
      case 'step':
        this.#later(() => world.pump.step());
        return;
      case 'speed':
        world.pump.speed = effect.speed;
        this.#options.onSettings?.({speed: effect.speed});
        return;
      case 'save-file':
        this.#saveFile(effect.path, effect.text);
        return;
      case 'close-editor':
        this.#closeEditor(effect.saved);
        return;
      case 'keys-known':
        this.#options.onSettings?.({keysKnown: true});
        return;
      case 'hint-taken':
        this.#input({kind: 'hint'}, false);
        return;
      case 'won':
        world.pump.pause();
        this.#clock();
        this.#later(() => this.#debrief());
    }
  }

  /** Queues something to do between two beats. */
  #later(run: () => void | Promise<void>): void {
    this.#queue.push(() => {
      this.#working = this.#working.then(run);
    });
  }

  async #drain(): Promise<void> {
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      next();
      await this.#working;
    }
  }

  /** Everything that the player does to the world goes in here, with its virtual time. */
  #input(input: Omit<Input, 'at'>, ahead: boolean): void {
    this.#later(async () => {
      const at = this.#opened.world.now - this.#opened.startedAt;
      const whole: Input = {at, ...input};
      this.#inputs.push(whole);
      const before = this.#opened.world.traceCount;
      this.#apply(whole);
      if (ahead) await this.#runAhead();
      if (input.kind === 'type' && input.text?.trim()) {
        this.#way.push({
          at: this.#state.time,
          command: input.text.trim(),
          wrote: writeCount(this.#opened.world.traceSince(before)) > 0,
        });
      }
      this.#save();
    });
  }

  #apply({kind, text = ''}: Input): void {
    if (kind === 'type') this.#terminal.type(text);
    else if (kind === 'interrupt') this.#terminal.interrupt();
    else if (kind === 'end') this.#terminal.end();
    else if (kind === 'edit') this.#answerEdit(text);
    else this.#revealHint();
  }

  /** A request is answered at once, whatever the speed: virtual time may run ahead a little for it. */
  async #runAhead(): Promise<void> {
    const {world} = this.#opened;
    await world.until(() => this.#terminal.isRead, AHEAD_MS, 1);
    this.#learn({fact: 'busy', busy: this.#isBusy});
  }

  /** Does a program run in the foreground, so that what is typed is for it? */
  get #isBusy(): boolean {
    const {foreground, isRead} = this.#terminal;
    return (foreground !== undefined && foreground !== this.#shell?.group) || !isRead;
  }

  /** Asking for names takes time and requests, so it is an input like any other. */
  async #complete(line: string, cursor: number): Promise<void> {
    const {world, startedAt} = this.#opened;
    this.#inputs.push({at: world.now - startedAt, kind: 'complete', text: line});
    const {start, words} = await world.player.complete(line, cursor, this.#folder);
    this.#learn({fact: 'completed', line, start, words});
  }

  /** The folder that the shell is in. */
  get #folder(): string {
    return this.#shell?.folder ?? this.#opened.world.player.home;
  }

  /** `exit`, or `^D`: the player leaves. What was typed last is not part of the run, or it would end again when it is gone on with. */
  #shellEnded(): void {
    this.#inputs.pop();
    this.#save();
    this.#options.onExit?.();
  }

  #openEditor(request: EditRequest): void {
    this.#edit = request;
    this.#learn({fact: 'opened', path: request.path, text: request.text});
  }

  #saveFile(path: string, text: string): void {
    const problem = /\.(ya?ml|json)$/.test(path) ? yamlProblem(text) : undefined;
    if (problem) this.#learn({fact: 'problem', ...problem});
    else {
      this.#input({kind: 'edit', text: `=${text}`}, true);
      this.#learn({fact: 'saved'});
    }
  }

  #closeEditor(saved: boolean): void {
    if (!saved) this.#input({kind: 'edit', text: ''}, true);
  }

  /** `=` and the new text, or nothing for "left as it was". */
  #answerEdit(text: string): void {
    const request = this.#edit;
    this.#edit = undefined;
    request?.answer(text.startsWith('=') ? text.slice(1) : undefined);
  }

  #revealHint(): void {
    const hint = this.#options.entry.level.hints[this.#hints];
    if (!hint) return;
    this.#hints++;
    this.#state = {
      ...this.#state,
      hints: this.#state.hints.map((each, index) => (index === this.#hints - 1 ? {...each, text: hint.text} : each)),
    };
    for (const listener of this.#listeners) listener();
  }

  /** Brings clock, panels and counts of the state up to date. */
  #refresh(): void {
    const {world} = this.#opened;
    this.#clock();
    const busy = this.#isBusy;
    if (busy !== this.#state.busy) this.#learn({fact: 'busy', busy});
    const second = Math.floor(world.now / 1000);
    if (!this.#changed && second === this.#second) return;
    this.#changed = false;
    this.#second = second;
    this.#learn({fact: 'panels', panels: panelsOf(world)});
    const writes = writeCount(world.traceSince(this.#traceStart));
    if (writes !== this.#state.writes) this.#learn({fact: 'writes', writes});
  }

  #second = -1;

  #clock(): void {
    const {world} = this.#opened;
    const time = new Date(world.wall).toISOString().slice(11, 19);
    const {paused, speed} = world.pump;
    if (time !== this.#state.time || paused !== this.#state.paused || speed !== this.#state.speed)
      this.#learn({fact: 'clock', time, paused, speed});
  }

  async #debrief(): Promise<void> {
    const {entry, hostNow, next} = this.#options;
    const {level} = entry;
    const ms = this.#opened.world.now - this.#opened.startedAt;
    const first = (this.#options.progress.levels[level.id]?.tries ?? 1) <= 1;
    const prices = level.hints.slice(0, this.#hints).map((hint, index) => (index === 0 && first ? 0 : hint.stars));
    const starBreaches = this.#state.breaches.filter(breach => breach.severity === 'star').length;
    const {writes} = this.#state;
    const score = scoreOf({hintPrices: prices, starBreaches, writes, solutionWrites: await solutionWrites(level, hostNow)});
    const {model, seed = level.idea, production = '', exam = '', commands = []} = level.debrief;
    const debrief: Debrief = {score, ms, writes, model, lesson: seed, production, exam, commands, way: this.#way, next};
    this.#options.onWin?.({stars: score.stars, ms, writes});
    this.#learn({fact: 'debrief', debrief});
  }

  #save(): void {
    const {entry, onSave} = this.#options;
    if (this.#state.phase !== 'playing') return;
    onSave?.({
      level: entry.level.id,
      seed: this.#opened.world.description.seed,
      inputs: this.#inputs,
      at: this.#opened.world.now - this.#opened.startedAt,
      hints: this.#hints,
    });
  }

  /** Plays the inputs of a run that was left, as fast as it goes, up to where it was left. */
  async #replay(run: SavedRun): Promise<void> {
    const {world, startedAt} = this.#opened;
    this.dispatch({intent: 'begin'});
    for (const input of run.inputs) {
      await world.advance(Math.max(0, startedAt + input.at - world.now));
      if (input.kind === 'complete') {
        await this.#complete(input.text ?? '', [...(input.text ?? '')].length);
        continue;
      }
      if (input.kind === 'type') this.#learn({fact: 'output', text: input.text ?? ''});
      this.#inputs.push(input);
      this.#apply(input);
      await this.#runAhead();
    }
    await world.advance(Math.max(0, startedAt + run.at - world.now));
    const commands = run.inputs.filter(input => input.kind === 'type').map(input => (input.text ?? '').trim());
    const history = [...this.#state.history, ...commands.filter(Boolean)];
    this.#state = {...this.#state, history, line: freshLine(history), lesson: undefined};
    this.#refresh();
  }
}
