// Backslash escapes of `echo -e`, `printf`, `$'…'` and `${x@E}`.

/** The text, and whether `\c` asked to print nothing more. */
export interface Unescaped {
  readonly text: string;
  readonly stops: boolean;
}

const LETTERS: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** As `echo -e` and `printf %b` do: octal numbers begin with 0 (`%b` takes them without, too). */
export function unescapeEcho(source: string, octalWithoutZero = false): Unescaped {
  return unescape(source, octalWithoutZero ? /^(?:0?([0-7]{1,3}))/ : /^0([0-7]{0,3})/, false);
}

/** As `$'…'` and the format of `printf` do. */
export function unescapeAnsi(source: string): Unescaped {
  return unescape(source, /^([0-7]{1,3})/, true);
}

function unescape(source: string, octal: RegExp, quotes: boolean): Unescaped {
  if (!source.includes('\\')) return {text: source, stops: false};
  let text = '';
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? '';
    const next = source[at + 1];
    if (char !== '\\' || next === undefined) {
      text += char;
      continue;
    }
    if (next === 'c' && !quotes) return {text, stops: true};
    const simple = LETTERS[next] ?? (quotes && (next === "'" || next === '"' || next === '?') ? next : undefined);
    if (simple !== undefined) {
      text += simple;
      at++;
      continue;
    }
    const coded = numbered(source.slice(at + 1), octal);
    text += coded ? coded.char : `\\${next}`;
    at += coded ? coded.length : 1;
  }
  return {text, stops: false};
}

function numbered(rest: string, octal: RegExp): {char: string; length: number} | undefined {
  const digits = octal.exec(rest);
  if (digits) return {char: String.fromCharCode(Number.parseInt(digits[1] || '0', 8) & 255), length: digits[0].length};
  const hex = /^(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8}))/.exec(rest);
  if (!hex) return undefined;
  const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '0', 16);
  return {char: code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code), length: hex[0].length};
}
