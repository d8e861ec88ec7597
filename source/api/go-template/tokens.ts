// Takes the text of a template apart: texts between actions, and the words inside of them. `{{-` and `-}}` eat the space beside
// them; a comment is nothing.
import {goQuote} from '../meta/go-text.ts';

export type Token =
  | {readonly type: 'text'; readonly at: number; readonly text: string}
  | {readonly type: 'open' | 'close'; readonly at: number; readonly text: string}
  | {
      readonly type: 'word' | 'field' | 'variable' | 'number' | 'string' | 'letter' | 'space' | 'sign';
      readonly at: number;
      readonly text: string;
    };

/** A mistake and where it is. */
export class TemplateError {
  readonly at: number;
  readonly message: string;

  constructor(at: number, message: string) {
    this.at = at;
    this.message = message;
  }
}

const NAMES = [
  ['field', /^\.[\p{L}\d_]*/u],
  ['variable', /^\$[\p{L}\d_]*/u],
  ['word', /^[\p{L}_][\p{L}\d_]*/u],
] as const;

const SIGNS = [':=', '=', '|', '(', ')', ','];

/** The tokens, or what is wrong. */
export function tokensOf(text: string): readonly Token[] | TemplateError {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('{{', at);
    const end = open < 0 ? text.length : open;
    const trims = open >= 0 && /^\{\{-\s/.test(text.slice(open, open + 4));
    const before = text.slice(at, end);
    const shown = trims ? before.replace(/[ \t\r\n]+$/, '') : before;
    if (shown !== '') tokens.push({type: 'text', at, text: shown});
    if (open < 0) break;
    const inside = readAction(text, {open, from: open + (trims ? 3 : 2)}, tokens);
    if (inside instanceof TemplateError) return inside;
    at = inside;
  }
  return tokens;
}

/** Reads one action and gives the place behind it. */
function readAction(text: string, {open, from}: {open: number; from: number}, tokens: Token[]): number | TemplateError {
  const comment = /^\s*\/\*/.exec(text.slice(from));
  if (comment) {
    const end = text.indexOf('*/', from);
    if (end < 0) return new TemplateError(open, 'unclosed comment');
    const close = /^(\s+-)?\}\}/.exec(text.slice(end + 2));
    if (!close) return new TemplateError(open, 'comment ends before closing delimiter');
    return skip(text, end + 2 + close[0].length, close[1] !== undefined);
  }
  tokens.push({type: 'open', at: open, text: '{{'});
  let depth = 0;
  for (let at = from; ;) {
    const rest = text.slice(at);
    const close = /^(\s+-)?\}\}/.exec(rest);
    if (close) {
      if (depth > 0) return new TemplateError(at, 'unclosed left paren');
      tokens.push({type: 'close', at, text: '}}'});
      return skip(text, at + close[0].length, close[1] !== undefined);
    }
    const token = nextToken(rest, at);
    if (token instanceof TemplateError) return token;
    if (token.text === '(' && token.type === 'sign') depth++;
    if (token.text === ')' && token.type === 'sign' && --depth < 0) return new TemplateError(at, 'unexpected right paren');
    tokens.push(token);
    at += token.text.length;
  }
}

function skip(text: string, at: number, trims: boolean): number {
  return trims ? at + (/^[ \t\r\n]*/.exec(text.slice(at))?.[0].length ?? 0) : at;
}

function nextToken(rest: string, at: number): Token | TemplateError {
  if (rest === '') return new TemplateError(at, 'unclosed action');
  const letter = rest[0] ?? '';
  const match = (pattern: RegExp) => pattern.exec(rest)?.[0];
  const space = match(/^[ \t\r\n]+/);
  if (space !== undefined) return {type: 'space', at, text: space};
  if (letter === '"') return quoted(match(/^"(?:[^"\\\n]|\\.)*"/), {type: 'string', at, what: 'unterminated quoted string'});
  if (letter === '`') return quoted(match(/^`[^`]*`/), {type: 'string', at, what: 'unterminated raw quoted string'});
  if (letter === "'") return quoted(match(/^'(?:[^'\\\n]|\\.)+'/), {type: 'letter', at, what: 'unterminated character constant'});
  const number = match(/^[+-]?(?:0[xX][0-9a-fA-F_]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)/);
  if (number !== undefined)
    return /^[\p{L}_]/u.test(rest.slice(number.length))
      ? new TemplateError(at, `bad number syntax: ${goQuote(rest.slice(0, number.length + 1))}`)
      : {type: 'number', at, text: number};
  for (const [type, pattern] of NAMES) {
    const text = match(pattern);
    if (text !== undefined) return badEnd(rest.slice(text.length), text, at) ?? {type, at, text};
  }
  const sign = SIGNS.find(one => rest.startsWith(one));
  if (sign !== undefined) return {type: 'sign', at, text: sign};
  if (letter === ':') return new TemplateError(at, 'expected :=');
  // The parser tells what is wrong with other signs.
  return letter > '\u0020' && letter < '\u007f'
    ? {type: 'sign', at, text: letter}
    : new TemplateError(at, `unrecognized character in action: U+${codeOf(letter)} '${letter}'`);
}

/** What follows a name must end it. */
function badEnd(rest: string, name: string, at: number): TemplateError | undefined {
  const after = rest[0] ?? '';
  if (name === '.' || after === '' || /[\s.,|:)(]/.test(after) || rest.startsWith('}}')) return undefined;
  return new TemplateError(at, `bad character U+${codeOf(after)} '${after}'`);
}

function quoted(
  text: string | undefined,
  {type, at, what}: {type: 'string' | 'letter'; at: number; what: string},
): Token | TemplateError {
  return text === undefined ? new TemplateError(at, what) : {type, at, text};
}

function codeOf(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
