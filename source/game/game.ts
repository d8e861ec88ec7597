// The whole game as the screen sees it: which screen is shown, the course and the player's progress, and the level that is open.
import type {Course, Entry} from './course.ts';
import {WORLDS} from './course.ts';
import {withTry, withWin, type Progress, type Settings} from './progress.ts';
import type {Intent} from './session/intents.ts';
import {LevelError} from './session/opening.ts';
import {Session} from './session/session.ts';
import type {LevelState} from './session/state.ts';
import {produce} from 'immer';

export type Screen = 'title' | 'map' | 'opening' | 'level' | 'settings';

/** A row of the map. */
export interface MapRow {
  readonly id: string;
  readonly number: string;
  readonly title: string;
  readonly world: string;
  readonly domain: string;
  readonly difficulty: number;
  readonly minutes: number;
  readonly idea: string;
  readonly story: string;
  readonly solved: boolean;
  readonly stars: number;
  readonly bestMs: number | undefined;
}

export interface GameState {
  readonly screen: Screen;
  readonly rows: readonly MapRow[];
  /** The id of the row that is chosen. */
  readonly chosen: string | undefined;
  readonly settings: Settings;
  readonly level: LevelState | undefined;
  /** A run that was left and can be gone on with: its level's title. */
  readonly unfinished: {readonly id: string; readonly title: string} | undefined;
  /** Level files that cannot be opened. */
  readonly broken: readonly string[];
  /** One thing that must be said. */
  readonly notice: string | undefined;
}

export type GameIntent =
  | {readonly intent: 'show'; readonly screen: 'title' | 'map' | 'settings'}
  | {readonly intent: 'choose'; readonly id: string}
  | {readonly intent: 'open'; readonly id: string; readonly resume?: boolean}
  | {readonly intent: 'retry'}
  | {readonly intent: 'next'}
  | {readonly intent: 'leave'}
  | {readonly intent: 'setting'; readonly change: Partial<Settings>}
  | {readonly intent: 'level'; readonly level: Intent};

export interface GameOptions {
  readonly course: Course;
  readonly load: () => Progress;
  readonly save: (progress: Progress) => void;
  readonly hostNow: () => number;
  readonly seed?: number;
  readonly notice?: string;
}

export class Game {
  readonly #options: GameOptions;
  readonly #listeners = new Set<() => void>();
  #progress: Progress;
  #state: GameState;
  #session: Session | undefined;
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
      broken: options.course.broken.flatMap(({problems}) => problems),
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
        if (next) void this.open(next.level.id);
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
      case 'level':
        this.#session?.dispatch(wanted.level);
    }
  };

  /** Opens a level; resolves once it can be played. */
  async open(id: string, resume = false): Promise<void> {
    const entry = this.#options.course.entries.find(({level}) => level.id === id);
    if (!entry) return;
    const ticket = ++this.#opening;
    this.#close();
    this.#update({screen: 'opening', chosen: id, notice: undefined});
    try {
      const session = await Session.open(this.#sessionOptions(entry, resume));
      if (ticket !== this.#opening) return session.close();
      this.#session = session;
      if (!resume) this.#keep(withTry(this.#progress, id));
      session.subscribe(() => this.#update({level: session.state}));
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
      ...(next ? {next: `${next.number} ${next.level.title}`} : {}),
      ...(resume && saved?.level === entry.level.id ? {resume: saved} : {}),
      onExit: () => this.#leave(),
      onSave: (run: Progress['saved']) => this.#keep({...this.#progress, saved: run}),
      onWin: (run: {stars: number; ms: number; writes: number}) => this.#keep(withWin(this.#progress, entry.level.id, run)),
      onSettings: (change: Partial<Settings>) =>
        this.#keep({...this.#progress, settings: {...this.#progress.settings, ...change}}),
    };
  }

  /** Lets time pass in the open level. */
  async beat(nowMs: number): Promise<void> {
    await this.#session?.beat(nowMs);
  }

  /** Nothing would happen in a beat: the loop may rest. */
  get isIdle(): boolean {
    return this.#session?.isIdle ?? true;
  }

  #leave(): void {
    this.#opening++;
    this.#close();
    this.#update({screen: 'map', level: undefined});
  }

  #close(): void {
    this.#session?.close();
    this.#session = undefined;
  }

  #after(id: string | undefined): Entry | undefined {
    const {entries} = this.#options.course;
    const at = entries.findIndex(({level}) => level.id === id);
    return at < 0 ? undefined : entries[at + 1];
  }

  #keep(progress: Progress): void {
    this.#progress = progress;
    this.#options.save(progress);
  }

  #update(change: Partial<GameState>): void {
    const {entries} = this.#options.course;
    const {saved, levels} = this.#progress;
    const left = entries.find(({level}) => level.id === saved?.level);
    const rows =
      change.screen === 'map' || this.#state.rows.length === 0
        ? entries.map(entry => rowOf(entry, levels[entry.level.id]))
        : this.#state.rows;
    this.#state = {
      ...this.#state,
      rows,
      unfinished: left && {id: left.level.id, title: left.level.title},
      settings: this.#progress.settings,
      ...change,
    };
    for (const listener of this.#listeners) listener();
  }
}

function rowOf({number, level}: Entry, known: Progress['levels'][string] | undefined): MapRow {
  const {id, title, domain, difficulty, minutes, idea, story} = level;
  const world = WORLDS.find(each => each.number === level.world)?.name ?? '';
  return {
    id,
    number,
    title,
    world,
    domain,
    difficulty,
    minutes,
    idea,
    story: story.trim(),
    solved: known?.solved ?? false,
    stars: known?.stars ?? 0,
    bestMs: known?.bestMs,
  };
}
