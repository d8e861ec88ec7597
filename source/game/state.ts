// What the screen gets of the game, and what it may ask for.
import type {MapRow} from './map-row.ts';
import type {Settings} from './progress.ts';
import type {Intent} from './session/intents.ts';
import type {Mark} from './session/marks.ts';
import type {LevelState} from './session/state.ts';

export type Screen = 'title' | 'map' | 'opening' | 'level' | 'settings';

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
  /** Shows an earlier moment of the run. */
  | {readonly intent: 'look-back'; readonly mark: Mark}
  /** From an earlier moment to the mark before it, or after it. */
  | {readonly intent: 'travel'; readonly by: -1 | 1}
  | {readonly intent: 'back-to-now'}
  /** The moment that is looked at is the present from now on: what came after it never was. */
  | {readonly intent: 'play-on'}
  | {readonly intent: 'setting'; readonly change: Partial<Settings>}
  | {readonly intent: 'level'; readonly level: Intent};
