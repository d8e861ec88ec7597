// The command `l`: a text so that every character of it is seen.
import {Buffer} from 'node:buffer';

const NAMED: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** The text with escapes, in lines of so many characters (0: one line), with `$` at its end. */
export function visible(text: string, width: number): string {
  const most = width > 0 ? width - 1 : Infinity;
  let out = '';
  let column = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    const shown = NAMED[char] ?? (code >= 32 && code < 127 ? char : octal(char));
    if (column + shown.length > most) {
      out += '\\\n';
      column = 0;
    }
    out += shown;
    column += shown.length;
  }
  return `${out}$\n`;
}

function octal(char: string): string {
  return Array.from(Buffer.from(char, 'utf8'), byte => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
