// Expressions of POSIX (basic and extended, with GNU's `\w`, `\b`, `\+`) as the same ones of JavaScript.

export type Translated = {readonly ok: true; readonly source: string} | {readonly ok: false; readonly words: string};

const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  cntrl: '\\x00-\\x1f\\x7f',
  print: ' -~',
  graph: '!-~',
  xdigit: '0-9A-Fa-f',
};

/** Translates an expression. */
export function toJavaScript(source: string, extended: boolean): Translated {
  let text = '';
  let depth = 0;
  let atStart = true;
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? '';
    if (char === '[') {
      const set = readSet(source, at);
      if (!set) return {ok: false, words: 'Unmatched [, [^, [:, [., or [='};
      text += set.text;
      at = set.end;
      atStart = false;
      continue;
    }
    const next = char === '\\' ? source[at + 1] : undefined;
    if (char === '\\' && next === undefined) return {ok: false, words: 'Trailing backslash'};
    const operator = operatorAt({char, next, extended});
    if (next !== undefined) at++;
    if (operator === '(') depth++;
    if (operator === ')' && (depth > 0 || !extended) && --depth < 0) return {ok: false, words: 'Unmatched ) or \\)'};
    if (operator === ')' && depth < 0) {
      depth = 0;
      text += '\\)';
    } else if (operator === undefined) {
      text += literal(char, next, {extended, atStart, isLast: at === source.length - 1});
    } else if (isQuantifier(operator) && atStart) {
      text += extended ? '' : `\\${operator}`;
    } else if (operator === '{') {
      const bound = /^\d*(,\d*)?/.exec(source.slice(at + 1))?.[0] ?? '';
      const closer = extended ? '}' : '\\}';
      if (bound === '' || !source.startsWith(closer, at + 1 + bound.length)) {
        if (!extended) return {ok: false, words: 'Invalid preceding regular expression'};
        text += '\\{';
      } else {
        text += `{${bound.startsWith(',') ? `0${bound}` : bound}}`;
        at += bound.length + closer.length;
      }
    } else text += operator;
    atStart = operator === '(' || operator === '|' || (atStart && char === '^');
  }
  return depth > 0 ? {ok: false, words: 'Unmatched ( or \\('} : {ok: true, source: text};
}

function isQuantifier(operator: string): boolean {
  return operator === '*' || operator === '+' || operator === '?' || operator === '{';
}

/** The operator that stands there; undefined for a character that means itself. */
function operatorAt({char, next, extended}: {char: string; next: string | undefined; extended: boolean}): string | undefined {
  if (next !== undefined) return !extended && '(){|+?'.includes(next) ? next : undefined;
  if (char === '*') return '*';
  return extended && '(){|+?'.includes(char) ? char : undefined;
}

function literal(char: string, next: string | undefined, place: {extended: boolean; atStart: boolean; isLast: boolean}): string {
  if (next !== undefined) return escapeLetter(next);
  if (char === '.') return '[^\\n]';
  if (char === '^') return place.extended || place.atStart ? '^' : '\\^';
  if (char === '$') return place.extended || place.isLast ? '$' : '\\$';
  return quoted(char);
}

function quoted(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

function escapeLetter(letter: string): string {
  switch (letter) {
    case 'w':
    case 'W':
    case 's':
    case 'S':
    case 'b':
    case 'B':
      return `\\${letter}`;
    case '<':
      return '\\b(?=\\w)';
    case '>':
      return '\\b(?<=\\w)';
    case '`':
      return '^';
    case "'":
      return '$';
    default:
      return /[1-9]/.test(letter) ? `\\${letter}` : quoted(letter);
  }
}

function readSet(source: string, open: number): {text: string; end: number} | undefined {
  let at = open + 1;
  let text = '[';
  if (source[at] === '^') {
    text += '^';
    at++;
  }
  for (let first = true; ; first = false) {
    const char = source[at];
    if (char === undefined) return undefined;
    if (char === ']' && !first) return {text: text === '[' ? '[^\\s\\S]' : `${text}]`, end: at};
    const named = char === '[' ? /^\[([:.=])([^\]]*?)\1\]/.exec(source.slice(at)) : null;
    if (named) {
      text += named[1] === ':' ? (CLASSES[named[2] ?? ''] ?? '') : quotedInSet(named[2] ?? '');
      at += named[0].length;
      continue;
    }
    text += quotedInSet(char);
    at++;
    if (source[at] === '-' && source[at + 1] !== undefined && source[at + 1] !== ']') {
      text += `-${quotedInSet(source[at + 1] ?? '')}`;
      at += 2;
    }
  }
}

function quotedInSet(char: string): string {
  return /[\\\]^[-]/.test(char) ? `\\${char}` : char;
}
