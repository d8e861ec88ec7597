// The editor over the screen: keys change its text; saving, writing and leaving ask the session. vi and the plain editor share it.
import {castDraft, original, type Draft} from 'immer';
import {unreachable} from '../../sim/assert.ts';
import type {Effect, Fact, Intent} from './intents.ts';
import type {EditorState, LevelState} from './state.ts';
import {editText, openText, textOf} from './terminal/text-editor.ts';
import {FRESH_VI, says, type ViText, type Wish} from './terminal/vi/state.ts';
import {pasteVi, pressVi} from './terminal/vi/vi.ts';

type Editing = Extract<Intent, {intent: 'edit' | 'press' | 'paste' | 'save' | 'leave-editor'}>;

/** The editor for a file that a program opened. */
export function opened({path, text, isVi}: Extract<Fact, {fact: 'opened'}>): EditorState {
  return {
    path,
    text: openText(text),
    vi: isVi ? FRESH_VI : undefined,
    original: text,
    isWritten: false,
    problem: undefined,
    asking: false,
  };
}

/** What an intent makes of the editor. */
export function editing(draft: Draft<LevelState>, intent: Editing, effects: Effect[]): void {
  const {editor} = draft;
  if (!editor) return;
  const {text, vi} = original(editor) ?? editor;
  switch (intent.intent) {
    case 'edit':
      Object.assign(editor, {text: editText(text, intent.key), asking: false, problem: undefined});
      return;
    case 'press': {
      if (!vi) return;
      const next = pressVi({text, vi}, intent.key);
      const asked = editor.asking;
      show(editor, next);
      if (next.wish) fulfil(draft, next.wish, {effects, asked});
      return;
    }
    case 'paste':
      show(editor, vi ? pasteVi({text, vi}, intent.text) : {text: editText(text, {key: 'insert', text: intent.text}), vi});
      return;
    case 'save':
      effects.push({effect: 'save-file', path: editor.path, text: textOf(editor.text), checked: true, stay: false});
      return;
    case 'leave-editor':
      if (!isSaved(editor) && !intent.discard) editor.asking = !editor.asking;
      else leave(draft, effects);
      return;
    default:
      unreachable(intent);
  }
}

function show(editor: Draft<EditorState>, {text, vi}: Pick<EditorState, 'text' | 'vi'>): void {
  const isSame = text.lines === editor.text.lines;
  Object.assign(editor, {text: castDraft(text), vi: castDraft(vi), asking: false, problem: isSame ? editor.problem : undefined});
}

function isSaved(editor: Draft<EditorState>): boolean {
  const text = textOf(editor.text);
  return text === editor.original || text === `${editor.original}\n`;
}

function fulfil(
  draft: Draft<LevelState>,
  wish: Wish,
  {effects, asked}: {readonly effects: Effect[]; readonly asked: boolean},
): void {
  const {editor} = draft;
  if (!editor) return;
  switch (wish.wish) {
    case 'reload':
      editor.text = castDraft({...openText(editor.original), killed: editor.text.killed});
      return;
    case 'leave':
      if (wish.force || isSaved(editor)) leave(draft, effects);
      else editor.asking = !asked;
      return;
    case 'save':
    case 'write':
      effects.push({
        effect: 'save-file',
        path: editor.path,
        text: textOf(editor.text),
        checked: !wish.force,
        stay: wish.wish === 'write',
      });
      return;
    default:
      unreachable(wish);
  }
}

/** The program behind the editor ends: with what was written last, or with nothing new. */
function leave(draft: Draft<LevelState>, effects: Effect[]): void {
  const {editor} = draft;
  if (editor?.isWritten) {
    effects.push({effect: 'save-file', path: editor.path, text: editor.original, checked: false, stay: false});
    return;
  }
  draft.editor = undefined;
  draft.mode = 'terminal';
  effects.push({effect: 'close-editor', saved: false});
}

/** `:w`: what stands there counts from now on. */
export function written(editor: Draft<EditorState>, text: string): void {
  const {vi, text: shown} = original(editor) ?? editor;
  Object.assign(editor, {original: text, isWritten: true, problem: undefined});
  if (!vi) return;
  const told = `"${editor.path.split('/').at(-1)}" ${shown.lines.length}L, ${Buffer.byteLength(text)}B written`;
  editor.vi = castDraft(says({text: shown, vi} satisfies ViText, told).vi);
}
