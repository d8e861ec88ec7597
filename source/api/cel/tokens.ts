// The words of an expression in CEL.
import {ESCAPED_LETTERS} from '../meta/go-unquote.ts';
import type {Problem} from './syntax.ts';

export interface Token {
  readonly type: 'name' | 'quoted-name' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

const SIGNS = [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
  '<',
  '>',
];
const NUMBER = /^(?:0x[0-9a-fA-F]+[uU]?|\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?|\d+[uU]?)/;
const TEXT = /^(?:[bB][rR]?|[rR][bB]?)?(?:"""|'''|"|')/;

/** Cuts a text into words; what is no word is a problem. */
export function tokensOf(source: string): {tokens: readonly Token[]; problems: readonly Problem[]} {
  const tokens: Token[] = [];
  const problems: Problem[] = [];
  let at = 0;
  while (at < source.length) {
    const rest = source.slice(at);
    const space = /^(?:\s+|\/\/[^\n]*)/.exec(rest);
    if (space) {
      at += space[0].length;
      continue;
    }
    const text = readWord(rest, at);
    if (text) {
      tokens.push(text);
      at += text.text.length;
      continue;
    }
    const bad = TEXT.test(rest) ? (rest.split('\n')[0] ?? rest) : ([...rest][0] ?? '');
    problems.push({at, words: `Syntax error: token recognition error at: '${bad}'`});
    at += bad.length;
  }
  tokens.push({type: 'end', text: '<EOF>', at: source.length});
  return {tokens, problems};
}

function readWord(rest: string, at: number): Token | undefined {
  const quote = TEXT.exec(rest);
  if (quote) {
    const text = readText(rest, quote[0]);
    return text === undefined ? undefined : {type: /^[rR]?[bB]/.test(quote[0]) ? 'bytes' : 'string', text, at};
  }
  const number = NUMBER.exec(rest)?.[0];
  if (number !== undefined && !(number.startsWith('.') && /^\.\d/.test(rest) === false)) {
    const type = /[uU]$/.test(number) ? 'uint' : number.startsWith('0x') || /^\d+$/.test(number) ? 'int' : 'double';
    return {type, text: number, at};
  }
  const name = /^[a-zA-Z_]\w*/.exec(rest)?.[0];
  if (name !== undefined) return {type: 'name', text: name, at};
  const quoted = /^`[\w.\-/ ]+`/.exec(rest)?.[0];
  if (quoted !== undefined) return {type: 'quoted-name', text: quoted, at};
  const sign = SIGNS.find(each => rest.startsWith(each));
  return sign === undefined ? undefined : {type: 'sign', text: sign, at};
}

/** A quoted text with its quotes; undefined when it does not end. */
function readText(rest: string, open: string): string | undefined {
  const quote = /["']+$/.exec(open)?.[0] ?? '"';
  const raw = /[rR]/.test(open);
  for (let at = open.length; at < rest.length; at++) {
    if (rest.startsWith(quote, at)) return rest.slice(0, at + quote.length);
    if (rest[at] === '\n' && quote.length === 1) return undefined;
    if (rest[at] === '\\' && !raw) at++;
  }
  return undefined;
}

const PLAIN: Readonly<Record<string, string>> = {...ESCAPED_LETTERS, '`': '`', '?': '?'};

/** What a quoted text says; undefined when an escape in it means nothing. */
export function textOf(token: string): string | Uint8Array | undefined {
  const open = TEXT.exec(token)?.[0] ?? '"';
  const quotes = /["']+$/.exec(open)?.[0].length ?? 1;
  const inner = token.slice(open.length, -quotes);
  const bytes = /[bB]/.test(open.slice(0, -quotes));
  if (/[rR]/.test(open.slice(0, -quotes))) return bytes ? Buffer.from(inner) : inner;
  let bad = false;
  const codes: number[] = [];
  const said = inner.replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.|\n))|[^\\]+/gs,
    (whole, hex, short, long, octal, letter) => {
      const code = hex ?? short ?? long;
      const said =
        code !== undefined
          ? String.fromCodePoint(Number.parseInt(code, 16))
          : octal !== undefined
            ? String.fromCodePoint(Number.parseInt(octal, 8))
            : letter === undefined
              ? whole
              : PLAIN[letter];
      bad ||= said === undefined;
      if (bytes)
        codes.push(...(hex !== undefined || octal !== undefined ? [(said ?? '').codePointAt(0) ?? 0] : Buffer.from(said ?? '')));
      return said ?? '';
    },
  );
  if (bad) return undefined;
  return bytes ? Uint8Array.from(codes) : said;
}
