// The next state of a level's screen, and what must be done outside: a pure function of what is and what came.
import {castDraft, produce, type Draft} from 'immer';
import {unreachable} from '../../sim/assert.ts';
import type {Effect, Fact, Intent} from './intents.ts';
import {editLine, freshLine, type LineKey} from './terminal/line-editor.ts';
import type {LevelState} from './state.ts';
import {editing, opened, written} from './editing.ts';
import {EMPTY_TRANSCRIPT, isAtPrompt, writeTo} from './terminal/transcript.ts';

/** A state and the effects that go with it. */
export interface Step {
  readonly state: LevelState;
  readonly effects: readonly Effect[];
}

/** Older moments than these cannot be gone back to by a mark. */
const MARKS_KEPT = 1000;

type Change = (draft: Draft<LevelState>, effects: Effect[], state: LevelState) => void;

function step(state: LevelState, change: Change): Step {
  const effects: Effect[] = [];
  return {state: produce(state, draft => change(draft, effects, state)), effects};
}

/** What an intent of the player makes of the state. */
export function reduce(state: LevelState, intent: Intent): Step {
  return step(state, (draft, effects) => {
    draft.notice = undefined;
    draft.hintOffered = false;
    switch (intent.intent) {
      case 'begin':
        if (state.phase !== 'briefing') return;
        draft.phase = 'playing';
        effects.push({effect: 'start'});
        return;
      case 'line':
      case 'submit':
      case 'complete':
      case 'interrupt':
      case 'end-input':
      case 'clear':
      case 'scroll':
      case 'suggest':
        terminal(draft, intent, {effects, state});
        return;
      case 'look':
      case 'back':
      case 'view':
      case 'focus':
      case 'select':
      case 'look-on':
      case 'skip-lesson':
      case 'ascii':
        looking(draft, intent, {effects, state});
        return;
      case 'pause':
        effects.push({effect: 'pause', paused: !state.paused});
        return;
      case 'step':
        effects.push({effect: 'pause', paused: true}, {effect: 'step'});
        return;
      case 'speed':
        effects.push({effect: 'speed', speed: intent.speed}, {effect: 'pause', paused: false});
        return;
      case 'hint':
        takeHint(draft, effects, state);
        return;
      case 'edit':
      case 'press':
      case 'paste':
      case 'save':
      case 'leave-editor':
        editing(draft, intent, effects);
        return;
      default:
        unreachable(intent);
    }
  });
}

type Of<Name extends Intent['intent']> = Extract<Intent, {intent: Name}>;
interface Around {
  readonly effects: Effect[];
  readonly state: LevelState;
}

function terminal(
  draft: Draft<LevelState>,
  intent: Of<'line' | 'submit' | 'complete' | 'interrupt' | 'end-input' | 'clear' | 'scroll' | 'suggest'>,
  {effects, state}: Around,
): void {
  if (intent.intent !== 'scroll') {
    draft.scrolled = 0;
    draft.completions = [];
  }
  switch (intent.intent) {
    case 'line':
      draft.line = editLine(state.line, intent.key as LineKey, state.history);
      return;
    case 'submit':
      submit(draft, effects, state);
      return;
    case 'complete':
      draft.line.offered = undefined;
      if (!state.busy) effects.push({effect: 'complete', line: state.line.text, cursor: state.line.cursor});
      return;
    case 'interrupt':
      draft.transcript = castDraft(writeTo(state.transcript, `${state.line.text}^C`));
      draft.line = freshLine(state.history, state.line.killed);
      effects.push({effect: 'interrupt'});
      return;
    case 'end-input':
      effects.push({effect: 'end-input'});
      return;
    case 'clear':
      draft.transcript = castDraft({...EMPTY_TRANSCRIPT, last: state.transcript.last});
      return;
    case 'scroll':
      draft.scrolled = Math.max(0, Math.min(state.transcript.lines.length, state.scrolled + intent.lines));
      return;
    case 'suggest':
      draft.line = editLine(freshLine(state.history, state.line.killed), {key: 'insert', text: intent.command}, state.history);
      draft.mode = 'terminal';
      draft.view = 'terminal';
  }
}

/** Enter: the line goes to whoever reads the terminal, the shell or a program. */
function submit(draft: Draft<LevelState>, effects: Effect[], state: LevelState): void {
  const {text} = state.line;
  draft.transcript = castDraft(writeTo(state.transcript, `${text}\n`));
  const reads = !state.busy || isAtPrompt(state.transcript);
  const history = reads && text.trim() !== '' && text !== state.history.at(-1) ? [...state.history, text] : state.history;
  draft.history = [...history];
  draft.line = freshLine(history, state.line.killed);
  if (!state.busy && text.trim() !== '') draft.busy = true;
  if (state.lesson === 'enter') draft.lesson = 'tab';
  effects.push({effect: 'type', text: `${text}\n`});
}

function looking(
  draft: Draft<LevelState>,
  intent: Of<'look' | 'back' | 'view' | 'focus' | 'select' | 'look-on' | 'skip-lesson' | 'ascii'>,
  {effects, state}: Around,
): void {
  switch (intent.intent) {
    case 'look':
      if (state.mode === 'editor') return;
      draft.mode = 'look';
      return;
    case 'back':
      draft.mode = 'terminal';
      draft.view = 'terminal';
      if (state.lesson === 'escape') finishLesson(draft, effects);
      return;
    case 'view':
      draft.view = state.view === intent.view ? 'terminal' : intent.view;
      draft.selected = intent.view === 'time' ? Math.max(0, state.marks.length - 1) : 0;
      return;
    case 'focus':
      if (state.mode === 'editor') return;
      draft.mode = intent.view === 'terminal' && state.watching === undefined ? 'terminal' : 'look';
      draft.view = intent.view;
      draft.selected = 0;
      return;
    case 'select':
      draft.selected = Math.max(0, state.selected + intent.by);
      return;
    case 'look-on':
      if (state.phase === 'breached' || state.phase === 'won') draft.phase = 'playing';
      return;
    case 'skip-lesson':
      finishLesson(draft, effects);
      return;
    case 'ascii':
      draft.ascii = !state.ascii;
  }
}

function finishLesson(draft: Draft<LevelState>, effects: Effect[]): void {
  draft.lesson = undefined;
  effects.push({effect: 'keys-known'});
}

function takeHint(draft: Draft<LevelState>, effects: Effect[], state: LevelState): void {
  const next = state.hints.findIndex(hint => hint.text === undefined);
  if (next >= 0) effects.push({effect: 'hint-taken'});
  draft.view = 'hints';
}

/** What the world's news make of the state. */
export function learn(state: LevelState, fact: Fact): Step {
  return step(state, (draft, effects) => {
    switch (fact.fact) {
      case 'echo':
      case 'mark':
      case 'marks':
      case 'caught-up':
      case 'played-on':
        past(draft, fact, state);
        return;
      case 'hint':
        draft.hints = state.hints.map((hint, index) => (index === fact.index ? {...hint, text: fact.text} : hint));
        return;
      case 'output':
        draft.transcript = castDraft(writeTo(state.transcript, fact.text));
        return;
      case 'busy':
        draft.busy = fact.busy;
        return;
      case 'clock':
        Object.assign(draft, {time: fact.time, paused: fact.paused, speed: fact.speed});
        return;
      case 'judged':
        judged(draft, fact, {effects, state});
        return;
      case 'panels':
        draft.panels = castDraft(fact.panels);
        return;
      case 'writes':
        draft.writes = fact.writes;
        return;
      case 'completed':
        completed(draft, fact, state);
        return;
      case 'opened':
        draft.mode = 'editor';
        draft.editor = castDraft(opened(fact));
        return;
      case 'written':
        if (draft.editor) written(draft.editor, fact.text);
        return;
      case 'problem':
        if (draft.editor) draft.editor.problem = {line: fact.line, column: fact.column, message: fact.message};
        return;
      case 'saved':
        draft.editor = undefined;
        draft.mode = 'terminal';
        effects.push({effect: 'close-editor', saved: true});
        return;
      case 'idle':
        draft.hintOffered = state.phase === 'playing' && state.hints.some(hint => hint.text === undefined);
        return;
      case 'notice':
        draft.notice = fact.text;
        return;
      case 'debrief':
        draft.debrief = castDraft(fact.debrief);
        return;
      default:
        unreachable(fact);
    }
  });
}

/** News of a run that is played again. */
function past(
  draft: Draft<LevelState>,
  fact: Extract<Fact, {fact: 'echo' | 'mark' | 'marks' | 'caught-up' | 'played-on'}>,
  state: LevelState,
): void {
  switch (fact.fact) {
    case 'echo': {
      draft.transcript = castDraft(writeTo(state.transcript, fact.text));
      const command = fact.text.trim();
      if (!state.busy && command !== '' && command !== state.history.at(-1)) draft.history.push(command);
      return;
    }
    case 'mark':
      draft.marks = [...state.marks, fact.mark].slice(-MARKS_KEPT);
      return;
    case 'marks':
      draft.marks = [...fact.marks];
      return;
    case 'caught-up':
      draft.line = fact.line;
      draft.lesson = undefined;
      if (state.watching !== undefined) draft.mode = 'look';
      return;
    case 'played-on':
      Object.assign(draft, {watching: undefined, mode: 'terminal', view: 'terminal', scrolled: 0, line: fact.line});
      draft.marks = state.marks.filter(mark => mark.at <= fact.at);
  }
}

function judged(draft: Draft<LevelState>, {judgement}: Extract<Fact, {fact: 'judged'}>, {effects, state}: Around): void {
  draft.goals = castDraft(judgement.goals);
  draft.breaches = castDraft(judgement.breaches);
  if (state.phase !== 'playing' || state.debrief) return;
  const failed = judgement.breaches.some(
    breach => breach.severity === 'fail' && !state.breaches.some(known => known.id === breach.id),
  );
  if (failed) {
    draft.phase = 'breached';
    effects.push({effect: 'pause', paused: true});
  } else if (judgement.won) {
    draft.phase = 'won';
    effects.push({effect: 'won'});
  }
}

/** Tab's answer counts only for the line that was asked about. */
function completed(draft: Draft<LevelState>, {line, start, words}: Extract<Fact, {fact: 'completed'}>, state: LevelState): void {
  if (state.line.text !== line) return;
  if (state.lesson === 'tab') draft.lesson = 'escape';
  const letters = [...line];
  const typed = letters.slice(start, state.line.cursor).join('');
  const common = commonStart(words);
  const only = words.length === 1 && !/[/=:]$/.test(words[0] ?? '') ? ' ' : '';
  if (words.length > 0 && (common.length > typed.length || only !== '')) {
    const text = `${letters.slice(0, start).join('')}${common}${only}`;
    const rest = letters.slice(state.line.cursor).join('');
    draft.line = {...state.line, text: text + rest, cursor: [...text].length};
  } else if (words.length > 1) {
    draft.completions = [...words];
  }
}

function commonStart(words: readonly string[]): string {
  const [first = '', ...rest] = words;
  let length = first.length;
  for (const word of rest) while (length > 0 && !word.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
