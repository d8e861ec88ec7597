// What a player can want while a level is open, and what can happen meanwhile. The screen turns keys into intents; the world's
// news come as facts. Both go through `reduce`.
import type {Judgement} from './judging/judge.ts';
import type {LineKey, LineState} from './terminal/line-editor.ts';
import type {Mark} from './marks.ts';
import type {Debrief, Panels, View} from './state.ts';
import type {TextKey} from './terminal/text-editor.ts';
import type {ViPress} from './terminal/vi/state.ts';

export type Intent =
  | {readonly intent: 'begin'}
  | {readonly intent: 'line'; readonly key: LineKey}
  | {readonly intent: 'submit'}
  | {readonly intent: 'complete'}
  | {readonly intent: 'interrupt'}
  | {readonly intent: 'end-input'}
  | {readonly intent: 'clear'}
  | {readonly intent: 'scroll'; readonly lines: number}
  | {readonly intent: 'look'}
  | {readonly intent: 'back'}
  | {readonly intent: 'view'; readonly view: View}
  /** Looks at a view, or goes to the terminal, from wherever the player is. */
  | {readonly intent: 'focus'; readonly view: View}
  | {readonly intent: 'select'; readonly by: number}
  /** Types a command into the terminal for the player, who may still change it. */
  | {readonly intent: 'suggest'; readonly command: string}
  | {readonly intent: 'pause'}
  | {readonly intent: 'step'}
  | {readonly intent: 'speed'; readonly speed: number}
  | {readonly intent: 'hint'}
  | {readonly intent: 'edit'; readonly key: TextKey}
  /** A key for vi, which alone knows what it means in its mode. */
  | {readonly intent: 'press'; readonly key: ViPress}
  | {readonly intent: 'paste'; readonly text: string}
  | {readonly intent: 'save'}
  | {readonly intent: 'leave-editor'; readonly discard: boolean}
  | {readonly intent: 'skip-lesson'}
  | {readonly intent: 'look-on'}
  | {readonly intent: 'ascii'};

export type Fact =
  | {readonly fact: 'output'; readonly text: string}
  /** A line of an earlier run, as if it were typed now. */
  | {readonly fact: 'echo'; readonly text: string}
  | {readonly fact: 'mark'; readonly mark: Mark}
  /** Marks of the whole run, where only an earlier moment of it is shown. */
  | {readonly fact: 'marks'; readonly marks: readonly Mark[]}
  | {readonly fact: 'hint'; readonly index: number; readonly text: string}
  /** Inputs of an earlier run were played. */
  | {readonly fact: 'caught-up'; readonly line: LineState}
  | {readonly fact: 'played-on'; readonly at: number; readonly line: LineState}
  | {readonly fact: 'busy'; readonly busy: boolean}
  | {readonly fact: 'clock'; readonly time: string; readonly paused: boolean; readonly speed: number}
  | {readonly fact: 'judged'; readonly judgement: Judgement}
  | {readonly fact: 'panels'; readonly panels: Panels}
  | {readonly fact: 'writes'; readonly writes: number}
  | {readonly fact: 'completed'; readonly line: string; readonly start: number; readonly words: readonly string[]}
  | {readonly fact: 'opened'; readonly path: string; readonly text: string; readonly isVi: boolean}
  | {readonly fact: 'problem'; readonly line: number; readonly column: number; readonly message: string}
  | {readonly fact: 'saved'}
  /** The text is kept, and the editor stays open. */
  | {readonly fact: 'written'; readonly text: string}
  | {readonly fact: 'idle'}
  | {readonly fact: 'notice'; readonly text: string | undefined}
  | {readonly fact: 'debrief'; readonly debrief: Debrief};

/** What must be done outside of the state. */
export type Effect =
  | {readonly effect: 'start'}
  | {readonly effect: 'type'; readonly text: string}
  | {readonly effect: 'interrupt'}
  | {readonly effect: 'end-input'}
  | {readonly effect: 'complete'; readonly line: string; readonly cursor: number}
  | {readonly effect: 'pause'; readonly paused: boolean}
  | {readonly effect: 'step'}
  | {readonly effect: 'speed'; readonly speed: number}
  /** `checked`: only if it is good YAML; `stay`: the editor is not closed. */
  | {
      readonly effect: 'save-file';
      readonly path: string;
      readonly text: string;
      readonly checked: boolean;
      readonly stay: boolean;
    }
  | {readonly effect: 'close-editor'; readonly saved: boolean}
  | {readonly effect: 'keys-known'}
  | {readonly effect: 'hint-taken'}
  | {readonly effect: 'won'};
