// What a player can want while a level is open, and what can happen meanwhile. The screen turns keys into intents; the world's
// news come as facts. Both go through `reduce`.
import type {Judgement} from './judge.ts';
import type {LineKey} from './line-editor.ts';
import type {Debrief, Panels, View} from './state.ts';
import type {TextKey} from './text-editor.ts';

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
  | {readonly intent: 'select'; readonly by: number}
  /** Types a command into the terminal for the player, who may still change it. */
  | {readonly intent: 'suggest'; readonly command: string}
  | {readonly intent: 'pause'}
  | {readonly intent: 'step'}
  | {readonly intent: 'speed'; readonly speed: number}
  | {readonly intent: 'hint'}
  | {readonly intent: 'edit'; readonly key: TextKey}
  | {readonly intent: 'save'}
  | {readonly intent: 'leave-editor'; readonly discard: boolean}
  | {readonly intent: 'skip-lesson'}
  | {readonly intent: 'look-on'}
  | {readonly intent: 'ascii'};

export type Fact =
  | {readonly fact: 'output'; readonly text: string}
  | {readonly fact: 'busy'; readonly busy: boolean}
  | {readonly fact: 'clock'; readonly time: string; readonly paused: boolean; readonly speed: number}
  | {readonly fact: 'judged'; readonly judgement: Judgement}
  | {readonly fact: 'panels'; readonly panels: Panels}
  | {readonly fact: 'writes'; readonly writes: number}
  | {readonly fact: 'completed'; readonly line: string; readonly start: number; readonly words: readonly string[]}
  | {readonly fact: 'opened'; readonly path: string; readonly text: string}
  | {readonly fact: 'problem'; readonly line: number; readonly column: number; readonly message: string}
  | {readonly fact: 'saved'}
  | {readonly fact: 'idle'}
  | {readonly fact: 'notice'; readonly text: string}
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
  | {readonly effect: 'save-file'; readonly path: string; readonly text: string}
  | {readonly effect: 'close-editor'; readonly saved: boolean}
  | {readonly effect: 'keys-known'}
  | {readonly effect: 'hint-taken'}
  | {readonly effect: 'won'};
