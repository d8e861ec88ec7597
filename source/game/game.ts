// The whole game as the screen sees it: which screen is shown, the course and the player's progress, and the level that is open.
import {cardOf, type Card, type Catalogue} from './catalogue.ts';
import type {Entry} from './course.ts';
import {rowOf} from './map-row.ts';
import {withTry, withWin, type Progress, type Settings} from './progress.ts';
import type {Run} from './run.ts';
import type {Mark} from './session/marks.ts';
import {LevelError} from './session/level-error.ts';
import type {Session} from './session/session.ts';
import type {GameIntent, GameState} from './state.ts';
import {produce} from 'immer';

export interface GameOptions {
  readonly catalogue: Catalogue;
  readonly load: () => Progress;
  readonly save: (progress: Progress) => void;
  readonly hostNow: () => number;
  readonly seed?: number;
  readonly notice?: string;
  /** Keeps a run that was won; answers under which name. */
  readonly keepRun?: (run: Run) => string;
}

/** Loaded when it is needed: the first frame does without. */
const engine = () => import('./session/session.ts');

interface Wanted {
  readonly resume: boolean;
  readonly read: () => Promise<Entry | undefined>;
  readonly script?: {readonly run: Run; readonly speed: number};
}

export class Game {
  readonly #options: GameOptions;
  readonly #listeners = new Set<() => void>();
  #progress: Progress;
  #state: GameState;
  #session: Session | undefined;
  /** An earlier moment of the session, that is looked at now. */
  #past: {readonly session: Session; readonly mark: Mark} | undefined;
  #opening = 0;

  constructor(options: GameOptions) {
    this.#options = options;
    this.#progress = options.load();
    this.#state = {
      screen: 'title',
      rows: [],
      chosen: this.#progress.lastLevel,
      settings: this.#progress.settings,
      level: undefined,
      unfinished: undefined,
      broken: options.catalogue.broken,
      notice: options.notice,
    };
    this.#update({});
  }

  get state(): GameState {
    return this.#state;
  }

  subscribe = (changed: () => void): (() => void) => {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  };

  /** Takes what the player wants. Never waits; opening a level goes on in the background. */
  dispatch = (wanted: GameIntent): void => {
    switch (wanted.intent) {
      case 'show':
        this.#update({screen: wanted.screen, notice: undefined});
        return;
      case 'choose':
        this.#update({chosen: wanted.id});
        return;
      case 'open':
        void this.open(wanted.id, wanted.resume);
        return;
      case 'retry':
        if (this.#state.level) void this.open(this.#state.level.id);
        return;
      case 'next': {
        const next = this.#after(this.#state.level?.id);
        if (next) void this.open(next.id);
        else this.#leave();
        return;
      }
      case 'leave':
        this.#leave();
        return;
      case 'setting':
        this.#keep(produce(this.#progress, draft => void Object.assign(draft.settings, wanted.change)));
        this.#update({settings: this.#progress.settings});
        return;
      case 'look-back':
        void this.#lookBack(wanted.mark);
        return;
      case 'travel':
        this.#travel(wanted.by);
        return;
      case 'back-to-now':
        this.#forgetPast();
        return;
      case 'play-on':
        this.#playOn();
        return;
      case 'level':
        this.#shown?.dispatch(wanted.level);
    }
  };

  /** Opens a level; resolves once it can be played. */
  async open(id: string, resume = false): Promise<void> {
    const {catalogue} = this.#options;
    if (catalogue.cards.some(card => card.id === id)) await this.#open(id, {resume, read: () => catalogue.entry(id)});
  }

  /** Plays a run before the player's eyes. */
  async perform(entry: Entry, run: Run, speed: number): Promise<void> {
    await this.#open(entry.level.id, {resume: false, read: async () => entry, script: {run, speed}});
  }

  /** Loads what a level needs, so that opening one does not wait for it. */
  async warmUp(): Promise<void> {
    await engine();
  }

  async #open(id: string, {resume, read, script}: Wanted): Promise<void> {
    const ticket = ++this.#opening;
    this.#close();
    this.#update({screen: 'opening', chosen: id, notice: undefined});
    try {
      const [{Session}, entry] = await Promise.all([engine(), read()]);
      if (!entry) throw new LevelError(`${id}: its file cannot be read any more`);
      const replayed = script && {script, watching: 'replay' as const};
      const session = await Session.open({...this.#sessionOptions(entry, resume), ...replayed});
      if (ticket !== this.#opening) return session.close();
      this.#session = session;
      if (!resume && !script) this.#keep(withTry(this.#progress, id));
      this.#show(session);
      this.#update({screen: 'level', level: session.state});
    } catch (error) {
      if (!(error instanceof LevelError)) throw error;
      this.#update({screen: 'map', notice: error.message});
    }
  }

  #sessionOptions(entry: Entry, resume: boolean) {
    const {hostNow, seed} = this.#options;
    const next = this.#after(entry.level.id);
    const {saved} = this.#progress;
    return {
      entry,
      progress: this.#progress,
      hostNow,
      ...(seed === undefined ? {} : {seed}),
      ...(next ? {next: `${next.number} ${next.title}`} : {}),
      ...(resume && saved && isOf(saved, cardOf(entry)) ? {resume: saved} : {}),
      onExit: () => this.#leave(),
      onSave: (run: Run) => this.#keep({...this.#progress, saved: run}),
      onWin: (run: Run, ms: number) => {
        const {stars = 0, writes = 0} = run.end ?? {};
        this.#keep(withWin(this.#progress, entry.level.id, {stars, writes, ms}));
        return this.#options.keepRun?.(run);
      },
      onSettings: (change: Partial<Settings>) =>
        this.#keep({...this.#progress, settings: {...this.#progress.settings, ...change}}),
    };
  }

  /** Lets time pass in the open level. */
  async beat(nowMs: number): Promise<void> {
    await this.#shown?.beat(nowMs);
  }

  /** Nothing would happen in a beat: the loop may rest. */
  get isIdle(): boolean {
    return this.#shown?.isIdle ?? true;
  }

  #leave(): void {
    this.#opening++;
    this.#close();
    this.#update({screen: 'map', level: undefined});
  }

  #close(): void {
    this.#past?.session.close();
    this.#past = undefined;
    this.#session?.close();
    this.#session = undefined;
  }

  /** What is on the screen: an earlier moment, or the present. While the past is looked at, the present stands still. */
  get #shown(): Session | undefined {
    return this.#past?.session ?? this.#session;
  }

  #show(session: Session): void {
    session.subscribe(() => {
      if (session === this.#shown) this.#update({level: session.state});
    });
  }

  async #lookBack(mark: Mark): Promise<void> {
    const present = this.#session;
    if (!present || present.state.watching !== undefined) return;
    const ticket = ++this.#opening;
    this.#shown?.say(`Going back to ${mark.time} …`);
    const session = await present.past(mark);
    present.say(undefined);
    if (ticket !== this.#opening) return session.close();
    this.#past?.session.close();
    this.#past = {session, mark};
    this.#show(session);
    this.#update({level: session.state});
  }

  /** From mark to mark; the present lies after the last one. */
  #travel(by: -1 | 1): void {
    const marks = this.#session?.state.marks ?? [];
    const at = this.#past ? marks.indexOf(this.#past.mark) : marks.length;
    const next = marks[at + by];
    if (next) void this.#lookBack(next);
    else if (by > 0) this.#forgetPast();
  }

  #forgetPast(): void {
    if (!this.#past) return;
    this.#opening++;
    this.#past.session.close();
    this.#past = undefined;
    this.#update({level: this.#session?.state});
  }

  #playOn(): void {
    if (this.#past) {
      this.#session?.close();
      this.#session = this.#past.session;
      this.#past = undefined;
    }
    this.#session?.playOn();
  }

  #after(id: string | undefined): Card | undefined {
    const {cards} = this.#options.catalogue;
    const at = cards.findIndex(card => card.id === id);
    return at < 0 ? undefined : cards[at + 1];
  }

  #keep(progress: Progress): void {
    this.#progress = progress;
    this.#options.save(progress);
  }

  #update(change: Partial<GameState>): void {
    const {cards} = this.#options.catalogue;
    const {saved, levels} = this.#progress;
    const left = saved && cards.find(card => isOf(saved, card));
    const rows =
      change.screen === 'map' || this.#state.rows.length === 0
        ? cards.map(card => rowOf(card, levels[card.id]))
        : this.#state.rows;
    this.#state = {
      ...this.#state,
      rows,
      unfinished: left && {id: left.id, title: left.title},
      settings: this.#progress.settings,
      ...change,
    };
    for (const listener of this.#listeners) listener();
  }
}

/** A run of another text of the level would be another run. */
function isOf(run: Run, card: Card): boolean {
  return run.level === card.id && run.digest === card.digest;
}
