// The right side of `s`: its pieces, and what becomes of a text.
import type {RegexMatch} from '../../text/regex/regex.ts';
import {readEscape} from './escapes.ts';
import type {Pattern, Piece, Substitution} from './script.ts';

/** Reads the right side. */
export function readPieces(source: string): {pieces: readonly Piece[]; mostGroup: number} {
  const pieces: Piece[] = [];
  let text = '';
  let mostGroup = 0;
  const add = (piece: Piece): void => {
    if (text !== '') pieces.push({kind: 'text', text});
    text = '';
    pieces.push(piece);
  };
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? '';
    if (char === '&') add({kind: 'group', index: 0});
    else if (char !== '\\') text += char;
    else {
      const letter = source[++at] ?? '\\';
      const escape = readEscape(source, at);
      if (/[0-9]/.test(letter)) {
        mostGroup = Math.max(mostGroup, Number(letter));
        add({kind: 'group', index: Number(letter)});
      } else if (/[ULulE]/.test(letter)) add({kind: 'case', letter: letter as 'U'});
      else if (escape) {
        text += escape.char;
        at += escape.length - 1;
      } else text += letter;
    }
  }
  if (text !== '') pieces.push({kind: 'text', text});
  return {pieces, mostGroup};
}

/** How letters are changed: all that follow, and the next one. */
class Casing {
  #all: 'U' | 'L' | undefined;
  #one: 'u' | 'l' | undefined;

  set(letter: 'U' | 'L' | 'u' | 'l' | 'E'): void {
    if (letter === 'u' || letter === 'l') this.#one = letter;
    else {
      this.#all = letter === 'E' ? undefined : letter;
      this.#one = undefined;
    }
  }

  apply(text: string): string {
    if (text === '') return text;
    const all = this.#all === 'U' ? text.toUpperCase() : this.#all === 'L' ? text.toLowerCase() : text;
    if (!this.#one) return all;
    const first = this.#one === 'u' ? (all[0] ?? '').toUpperCase() : (all[0] ?? '').toLowerCase();
    this.#one = undefined;
    return first + all.slice(1);
  }
}

function filled(pieces: readonly Piece[], groups: RegexMatch['groups']): string {
  const casing = new Casing();
  let out = '';
  for (const piece of pieces) {
    if (piece.kind === 'case') casing.set(piece.letter);
    else out += casing.apply(piece.kind === 'text' ? piece.text : (groups[piece.index] ?? ''));
  }
  return out;
}

/** The text with the replacements made; undefined when there was none to make. */
export function substitute(text: string, command: Substitution, pattern: NonNullable<Pattern>): string | undefined {
  const {pieces, isGlobal, nth} = command;
  let out = '';
  let count = 0;
  let copied = 0;
  let isDone = false;
  let before = -1;
  for (let from = 0; from <= text.length;) {
    const match = pattern.find(text, from);
    if (!match) break;
    const isEmpty = match.end === match.start;
    from = isEmpty ? match.end + 1 : match.end;
    // Nothing is found anew right behind a match.
    if (isEmpty && match.start === before) continue;
    before = match.end;
    if (++count < nth) continue;
    out += text.slice(copied, match.start) + filled(pieces, match.groups);
    copied = match.end;
    isDone = true;
    if (!isGlobal) break;
  }
  return isDone ? out + text.slice(copied) : undefined;
}
