// What every part is given: the level's state, the theme, and its room. A part is a function to rows of text, each as wide as told.
import type {LevelState} from '../../game/session/state.ts';
import type {Theme} from '../text/theme.ts';

export interface PartView {
  readonly state: LevelState;
  readonly theme: Theme;
  readonly width: number;
  readonly height: number;
  /** Lamps that changed just now, and are shown inverse for a blink. */
  readonly blinking?: ReadonlySet<string>;
}

/** Rows of text for a part: at most `height`. */
export type Part = (view: PartView) => readonly string[];
