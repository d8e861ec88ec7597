// POSIX expressions as JavaScript writes them: only for those with references to earlier groups.

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

/** The same expression for JavaScript. It was read before, so it is well formed. */
export function hostSource(source: string, extended: boolean): string {
  return source.replace(/\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|\\?[^]/g, token => {
    if (token.startsWith('[') && token.length > 1) return bracket(token);
    if (token.startsWith('\\')) return escaped(token.slice(1), extended);
    if ('(){}|+?'.includes(token)) return extended ? token : `\\${token}`;
    return token === '/' ? '\\/' : token;
  });
}

function escaped(letter: string, extended: boolean): string {
  if ('(){}|+?'.includes(letter)) return extended ? `\\${letter}` : letter;
  if (/[1-9wWsSbBnt]/.test(letter)) return `\\${letter}`;
  if (letter === '<') return '\\b(?=\\w)';
  if (letter === '>') return '\\b(?<=\\w)';
  return /[A-Za-z]/.test(letter) ? letter : `\\${letter}`;
}

function bracket(token: string): string {
  const inner = token
    .slice(1, -1)
    .replace(/\\/g, '\\\\')
    .replace(/\[:(\w+):\]/g, (_, name: string) => CLASSES[name] ?? '')
    .replace(/^(\^?)\]/, '$1\\]');
  return `[${inner}]`;
}
