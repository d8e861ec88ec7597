// `${x@Q}` and its sisters, and how bash quotes a text so that it can be read back.
import type {Shell} from '../state/shell.ts';
import {sortedItems} from '../state/variables.ts';
import type {Variable} from '../state/variables.ts';
import {unescapeAnsi} from './escapes.ts';

/** Quotes a text as `@Q` does: always, in single quotes, or as `$'…'` where it has control characters. */
export function quote(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) return ansiQuote(text);
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quotes a text as `printf %q` and `set -x` do: only where that is needed. */
export function quoteIfNeeded(text: string): string {
  if (text === '') return "''";
  if (/[\u0000-\u001f\u007f]/.test(text)) return ansiQuote(text);
  return text;
}

const ANSI: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\u001b': '\\E',
  "'": "\\'",
  '\\': '\\\\',
};

function ansiQuote(text: string): string {
  const inner = text.replace(
    /[\u0000-\u001f\u007f'\\]/g,
    char => ANSI[char] ?? `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `$'${inner}'`;
}

/** Quotes a text with backslashes, as `printf %q` does. */
export function quoteWithBackslashes(text: string): string {
  if (text === '') return "''";
  if (/[\u0000-\u001f\u007f]/.test(text)) return ansiQuote(text);
  return text.replace(/[^A-Za-z0-9_@%+:./\-\u0080-\uffff=]/g, '\\$&').replace(/^[~#]/, '\\$&');
}

/** Quotes a word of a trace (`set -x`) where it needs it. */
export function quoteForTrace(text: string): string {
  if (text === '') return "''";
  if (/[\u0000-\u001f\u007f]/.test(text)) return ansiQuote(text);
  return /[^A-Za-z0-9_@%+:,./=#~\-\u0080-\uffff]|^[#~]|[=:]~/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : text;
}

/** In double quotes, as `declare -p` prints values. */
export function doubleQuote(text: string): string {
  return /[\u0000-\u001f\u007f]/.test(text) ? ansiQuote(text) : `"${text.replace(/["$`\\]/g, '\\$&')}"`;
}

interface Transformed {
  readonly name: string;
  readonly operator: string;
}

/** Transforms one text. */
export function transform(shell: Shell, task: Transformed & {text: string}): string {
  const {name, operator, text} = task;
  switch (operator) {
    case 'Q':
    case 'K':
    case 'k':
      return quote(text);
    case 'E':
      return unescapeAnsi(text).text;
    case 'U':
      return text.toUpperCase();
    case 'L':
      return text.toLowerCase();
    case 'u':
      return text.slice(0, 1).toUpperCase() + text.slice(1);
    case 'a':
      return attributesOf(shell.variables.get(name));
    case 'A': {
      const variable = shell.variables.get(name);
      if (!variable) return '';
      const attributes = attributesOf(variable);
      return attributes === '' ? `${name}=${quote(text)}` : `declare -${attributes} ${name}=${quote(text)}`;
    }
    default:
      return text;
  }
}

/** Transforms all elements of a list. */
export function transformList(shell: Shell, task: Transformed & {values: readonly string[]}): readonly string[] {
  const {name, operator, values} = task;
  const variable = shell.variables.get(name);
  if (operator === 'A') return variable ? [declarationOf(name, variable)] : [];
  if ((operator === 'K' || operator === 'k') && variable) {
    return entriesOf(variable).flatMap(([key, text]) => [key, operator === 'K' ? doubleQuote(text) : text]);
  }
  return values.map(text => transform(shell, {name, operator, text}));
}

function entriesOf(variable: Variable): readonly [string, string][] {
  if (variable.list) return sortedItems(variable.list).map(([index, text]) => [String(index), text]);
  return variable.table ? [...variable.table] : [['0', variable.text ?? '']];
}

/** The letters of a variable's attributes, in the order of `declare -p`. */
export function attributesOf(variable: Variable | undefined): string {
  if (!variable) return '';
  return [
    variable.list ? 'a' : '',
    variable.table ? 'A' : '',
    variable.integer ? 'i' : '',
    variable.letters === 'lower' ? 'l' : '',
    variable.reference ? 'n' : '',
    variable.readonly ? 'r' : '',
    variable.letters === 'upper' ? 'u' : '',
    variable.exported ? 'x' : '',
  ].join('');
}

/** A line that declares the variable again. */
export function declarationOf(name: string, variable: Variable): string {
  const attributes = attributesOf(variable);
  const head = `declare -${attributes === '' ? '-' : attributes} ${name}`;
  if (variable.list)
    return `${head}=(${sortedItems(variable.list)
      .map(([index, text]) => `[${index}]=${doubleQuote(text)}`)
      .join(' ')})`;
  if (variable.table) {
    const items = [...variable.table].map(
      ([key, text]) => `[${/^[\w-]+$/.test(key) ? key : doubleQuote(key)}]=${doubleQuote(text)} `,
    );
    return `${head}=(${items.join('')})`;
  }
  return variable.text === undefined ? head : `${head}=${doubleQuote(variable.text)}`;
}
