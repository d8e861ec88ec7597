// How a level is to be played, and who hears of it.
import type {Entry} from '../course.ts';
import type {Progress} from '../progress.ts';
import type {Run} from '../run.ts';
import type {LevelState} from './state.ts';

export interface SessionOptions {
  readonly entry: Entry;
  readonly progress: Progress;
  readonly seed?: number;
  /** Milliseconds of the host, from any start. */
  readonly hostNow: () => number;
  /** The level after this one, as `2.2 Label of Love`. */
  readonly next?: string;
  /** Goes on from a run that was left, or from an earlier moment of one. */
  readonly resume?: Run;
  /** Plays a run before the player's eyes, at this many virtual seconds a second. */
  readonly script?: {readonly run: Run; readonly speed: number};
  /** Only looks: nothing is kept, until it is played on. */
  readonly watching?: LevelState['watching'];
  /** Hears of every input, so that a run that is cut off can be gone on with. */
  readonly onSave?: (run: Run) => void;
  /** Hears of a win; answers under which name its run is kept. */
  readonly onWin?: (run: Run, ms: number) => string | undefined;
  /** The player ended the shell. */
  readonly onExit?: () => void;
  readonly onSettings?: (settings: Partial<Progress['settings']>) => void;
}
