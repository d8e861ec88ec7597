// From what Ink tells of the keyboard to keys. One call may carry many keys, as when a line is sent at once: it is taken apart here.
import type {Key as InkKey} from 'ink';

/** A key: a name such as `enter`, `up`, `ctrl-c`, `alt-b`; or `text` with letters. */
export interface KeyPress {
  readonly name: string;
  readonly text: string;
}

const NAMED: readonly (readonly [keyof InkKey, string])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'page-up'],
  ['pageDown', 'page-down'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
];

/** The keys of one call of `useInput`. */
export function readKeys(input: string, key: InkKey): readonly KeyPress[] {
  for (const [field, name] of NAMED) {
    if (key[field] !== true) continue;
    if (key.meta && name === 'backspace') return [{name: 'alt-backspace', text: ''}];
    if ((key.ctrl || key.meta) && (name === 'left' || name === 'right'))
      return [{name: name === 'left' ? 'alt-b' : 'alt-f', text: ''}];
    return [{name, text: ''}];
  }
  if (key.tab) return [{name: key.shift ? 'shift-tab' : 'tab', text: ''}];
  if (key.ctrl && input.length === 1) return [{name: `ctrl-${input.toLowerCase()}`, text: ''}];
  if (key.meta && input.length === 1) return [{name: `alt-${input.toLowerCase()}`, text: ''}];
  return takeApart(input);
}

/** A run of letters and control characters as keys. */
export function takeApart(input: string): readonly KeyPress[] {
  const keys: KeyPress[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') keys.push({name: 'text', text});
    text = '';
  };
  for (const letter of input.replaceAll('\r\n', '\r')) {
    const code = letter.codePointAt(0) ?? 0;
    if (code >= 0x20 && code !== 0x7f) {
      text += letter;
      continue;
    }
    flush();
    keys.push({name: controlName(code), text: ''});
  }
  flush();
  return keys;
}

function controlName(code: number): string {
  if (code === 0x0d || code === 0x0a) return 'enter';
  if (code === 0x09) return 'tab';
  if (code === 0x7f || code === 0x08) return 'backspace';
  if (code === 0x1b) return 'escape';
  return `ctrl-${String.fromCodePoint(code + 0x60)}`;
}
