// How Go's YAML writes strings: plain where it reads back as the same string, else quoted, else as a literal block. The
// rules are those of a YAML 1.1 reader, so `yes`, `0644`, `12:30`, `1e3` and dates need quotes.

const WORDS = new Set(
  [
    ['', '~', 'null', 'Null', 'NULL'],
    ['y', 'Y', 'yes', 'Yes', 'YES', 'n', 'N', 'no', 'No', 'NO'],
    ['true', 'True', 'TRUE', 'false', 'False', 'FALSE'],
    ['on', 'On', 'ON', 'off', 'Off', 'OFF'],
    ['.nan', '.NaN', '.NAN', '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF', '-.inf', '-.Inf', '-.INF'],
  ].flat(),
);
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const INTEGER = /^[-+]?(0|[1-9][0-9]*|0[0-7]+|0[oO][0-7]+|0[xX][0-9a-fA-F]+|0[bB][01]+)$/;
const TIMESTAMP =
  /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]\d\d?:\d\d?:\d\d?(?:\.\d+)?(?:Z|[-+]\d\d:\d\d))|(?: \d\d?:\d\d?:\d\d?(?:\.\d+)?))?$/;

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

/** How a string is written; `key` is for keys, which stand on one line. */
export function scalarStyle(text: string, key: boolean): ScalarStyle {
  const form = analyze(text);
  let style: ScalarStyle = text.includes('\n') ? 'literal' : readsAsString(text) ? 'plain' : 'double';
  if (style === 'plain' && !form.plain) style = 'single';
  if (style === 'single' && !form.single) style = 'double';
  if (style === 'literal' && (!form.block || key)) style = 'double';
  return style;
}

/** Would a YAML 1.1 reader take it for a string? */
function readsAsString(text: string): boolean {
  if (WORDS.has(text)) return false;
  const first = text.charAt(0);
  if (!/[-+.0-9]/.test(first)) return true;
  if (BASE_60.test(text)) return false;
  if (first === '.') return !FLOAT.test(text);
  if (TIMESTAMP.test(text)) return false;
  const plain = text.replaceAll('_', '');
  return !INTEGER.test(plain) && !FLOAT.test(plain);
}

interface Form {
  readonly multiline: boolean;
  readonly plain: boolean;
  readonly single: boolean;
  readonly block: boolean;
}

/** What can stand where: after the signs, spaces and breaks in the text. */
function analyze(text: string): Form {
  if (text === '') return {multiline: false, plain: true, single: true, block: false};
  const breaks = /[\r\n\u0085\u2028\u2029]/.test(text);
  const special = hasSpecial(text);
  const spaceBreak = / [\r\n\u0085\u2028\u2029]/.test(text);
  const breakSpace = /[\r\n\u0085\u2028\u2029] /.test(text);
  const edges = /^[ \r\n\u0085\u2028\u2029]|[ \r\n\u0085\u2028\u2029]$/.test(text);
  const hard = spaceBreak || special;
  return {
    multiline: breaks,
    plain: !hard && !breakSpace && !edges && !breaks && !hasIndicator(text),
    single: !hard && !breakSpace,
    block: !hard && !text.endsWith(' '),
  };
}

/** Signs that mean something to YAML where they stand. */
function hasIndicator(text: string): boolean {
  if (/^(---|\.\.\.)/.test(text)) return true;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text)) return true;
  return /^[-?](?:[ \t]|$)/.test(text) || /:(?:[ \t\r\n]|$)/.test(text) || /[ \t\r\n]#/.test(text);
}

/** Letters that cannot be written as they are: control characters, tabs, byte order marks. */
function hasSpecial(text: string): boolean {
  if (/^[\n\x20-\x7e]*$/.test(text)) return false;
  return (
    /[\x00-\x09\x0b-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]/.test(text) ||
    !text.isWellFormed() ||
    /[\u{10000}-\u{10ffff}]/u.test(text)
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x00': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u00a0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** A string in double quotes. */
export function doubleQuoted(text: string): string {
  let out = '';
  for (const letter of text) out += escapeLetter(letter);
  return `"${out}"`;
}

function escapeLetter(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  const known = ESCAPES[letter];
  if (known !== undefined && letter !== '\u00a0') return `\\${known}`;
  if (code >= 0x20 && code <= 0x7e) return letter;
  if (code >= 0xa0 && code < 0xfffe && code !== 0xfeff) return letter;
  if (code < 0x100) return `\\x${hex(code, 2)}`;
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, width: number): string {
  return code.toString(16).toUpperCase().padStart(width, '0');
}
