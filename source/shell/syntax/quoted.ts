// A raw text of the script (a subscript, the inside of `$((…))`) as a word: its `$` and backquotes are expanded, its quotes are
// taken away, and nothing is split.
import {parseScript} from './parser.ts';
import type {WordNode} from './tree.ts';

/** Has the text anything to expand or to unquote? */
export function isPlain(raw: string): boolean {
  return !/[$`"'\\]/.test(raw);
}

/** The word; undefined where it cannot be read. */
export function quotedWord(raw: string): WordNode | undefined {
  const parsed = parseScript(`: "${inDoubleQuotes(raw)}"`);
  if (!parsed.ok) return undefined;
  const command = parsed.script.statements[0]?.pipelines[0]?.commands[0];
  return command?.type === 'SimpleCommand' ? command.args[0] : undefined;
}

function inDoubleQuotes(raw: string): string {
  let text = '';
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at] ?? '';
    if (char === '$' && (raw[at + 1] === '(' || raw[at + 1] === '{')) {
      const end = closing(raw, at + 1);
      text += raw.slice(at, end + 1);
      at = end;
    } else if (char === '`') {
      const end = raw.indexOf('`', at + 1);
      text += end < 0 ? '\\`' : raw.slice(at, end + 1);
      at = end < 0 ? at : end;
    } else if (char === "'") {
      const end = raw.indexOf("'", at + 1);
      if (end < 0) text += char;
      else {
        text += raw.slice(at + 1, end).replace(/[$`"\\]/g, '\\$&');
        at = end;
      }
    } else if (char === '\\') text += `\\${raw[++at] ?? '\\'}`;
    else if (char !== '"') text += char;
  }
  return text;
}

/** The place of the bracket that closes the one at `open`. */
function closing(raw: string, open: number): number {
  let depth = 0;
  for (let at = open; at < raw.length; at++) {
    const char = raw[at];
    if (char === '(' || char === '{') depth++;
    else if ((char === ')' || char === '}') && --depth === 0) return at;
  }
  return raw.length - 1;
}
