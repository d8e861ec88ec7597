// All that the screen of a level shows, as one value. It is changed by `reduce` alone.
import type {Score} from '../score.ts';
import type {Breach, GoalState} from './judging/judge.ts';
import type {LineState} from './terminal/line-editor.ts';
import type {Mark} from './marks.ts';
import type {Place} from './own-way.ts';
import type {TextState} from './terminal/text-editor.ts';
import type {ViState} from './terminal/vi/state.ts';
import type {Transcript} from './terminal/transcript.ts';

/** What state a thing is in; each has a shape of its own, so that nobody needs to see its colour. */
export type Light = 'ready' | 'working' | 'waiting' | 'broken' | 'stale';

/** One component on the object's way. */
export interface Lamp {
  readonly id: string;
  /** Short, for the row of lamps: `sched`. */
  readonly label: string;
  /** Whole, for the path view: `scheduler`. */
  readonly name: string;
  readonly light: Light;
  /** The component's own last words about the object; empty when it said nothing. */
  readonly words: string;
  /** When, as a time of day; empty when unknown. */
  readonly at: string;
}

/** A row of the objects panel, as kubectl would put it. */
export interface ObjectRow {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  readonly depth: number;
  readonly ready: string;
  readonly light: Light;
  readonly status: string;
  readonly age: string;
}

/** A row of the nodes panel: what is requested of it, as the scheduler sees it. */
export interface NodeRow {
  readonly name: string;
  readonly light: Light;
  /** Undefined where the player may not see all pods. */
  readonly requestedBytes: number | undefined;
  readonly allocatableBytes: number;
  readonly note: string;
}

export interface Panels {
  readonly lamps: readonly Lamp[];
  /** The pod or workload whose path the lamps show. */
  readonly pathOf: string;
  readonly objects: readonly ObjectRow[];
  readonly nodes: readonly NodeRow[];
  /** The newest Warning. */
  readonly warning:
    | {readonly reason: string; readonly object: string; readonly message: string; readonly count: number}
    | undefined;
  readonly events: readonly EventRow[];
  /** Seconds since the API server was last heard; undefined while it is. */
  readonly staleSeconds: number | undefined;
}

export interface EventRow {
  readonly age: string;
  readonly type: string;
  readonly reason: string;
  readonly object: string;
  readonly message: string;
}

export interface Hint {
  readonly stars: number;
  /** The text, once it was paid for. */
  readonly text: string | undefined;
}

/** What lies over the terminal, or beside it. */
export type View = 'terminal' | 'goals' | 'objects' | 'path' | 'events' | 'hints' | 'time' | 'help';

/** One command of the player. */
export interface WayStep {
  /** The time of day. */
  readonly at: string;
  readonly command: string;
  readonly wrote: boolean;
  /** What it looks at. */
  readonly looks: readonly Place[];
}

export interface Debrief {
  readonly score: Score;
  readonly ms: number;
  readonly writes: number;
  readonly model: string;
  readonly lesson: string;
  readonly production: string;
  readonly exam: string;
  readonly commands: readonly string[];
  /** What the player typed. */
  readonly way: readonly WayStep[];
  /** When each place of the way was first looked at, and as which in the player's order; absent and 0 for never. */
  readonly looked: readonly {readonly place: Place; readonly at: string | undefined; readonly nth: number}[];
  /** The name under which this run was kept, to be replayed. */
  readonly keptAs: string | undefined;
  readonly next: string | undefined;
}

export interface LevelState {
  readonly number: string;
  readonly id: string;
  readonly title: string;
  readonly story: string;
  readonly briefing: string;
  readonly wanted: readonly string[];
  readonly phase: 'opening' | 'briefing' | 'playing' | 'breached' | 'won';
  /** Who types, and where: for the frame of the terminal. */
  readonly user: string;
  readonly namespace: string;
  /** Time of day in the cluster, `09:04:12`. */
  readonly time: string;
  readonly paused: boolean;
  readonly speed: number;
  readonly mode: 'terminal' | 'look' | 'editor';
  readonly view: View;
  readonly transcript: Transcript;
  readonly line: LineState;
  readonly history: readonly string[];
  /** A program runs in the foreground. */
  readonly busy: boolean;
  /** Words that could complete the line, shown below it until the next key. */
  readonly completions: readonly string[];
  /** Lines that the player has scrolled back. */
  readonly scrolled: number;
  readonly selected: number;
  readonly goals: readonly GoalState[];
  readonly breaches: readonly Breach[];
  readonly hints: readonly Hint[];
  /** The game asks whether a hint is wanted. */
  readonly hintOffered: boolean;
  readonly writes: number;
  readonly panels: Panels;
  /** Moments that one can go back to, the oldest first. */
  readonly marks: readonly Mark[];
  /** An earlier moment, or a run that plays itself: it can be looked at and not be changed. */
  readonly watching: 'past' | 'replay' | undefined;
  readonly editor: EditorState | undefined;
  readonly debrief: Debrief | undefined;
  /** Which of the three keys the player has yet to be shown; undefined when none. */
  readonly lesson: 'enter' | 'tab' | 'escape' | undefined;
  readonly ascii: boolean;
  /** One sentence for the player, shown until the next key. */
  readonly notice: string | undefined;
}

export interface EditorState {
  readonly path: string;
  readonly text: TextState;
  /** What vi knows besides; undefined for an editor that types what is pressed. */
  readonly vi: ViState | undefined;
  /** The text as it was opened, or written last. */
  readonly original: string;
  /** `:w` was typed: what was written counts when the editor is left. */
  readonly isWritten: boolean;
  readonly problem: {readonly line: number; readonly column: number; readonly message: string} | undefined;
  /** `Esc` was pressed with unsaved changes: the next key decides. */
  readonly asking: boolean;
}
