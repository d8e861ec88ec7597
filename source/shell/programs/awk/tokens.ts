// The words of a program of awk. A slash begins an expression where no operand stands before it.

/** `call` is a name with its parenthesis right behind it. */
export interface Token {
  readonly kind: 'number' | 'string' | 'regex' | 'name' | 'call' | 'builtin' | 'keyword' | 'sign' | 'newline' | 'end';
  readonly text: string;
  readonly line: number;
}

/** What is wrong with a program. */
export class AwkProblem extends Error {}

const KEYWORDS = new Set(
  'BEGIN END function func if else while for do break continue next nextfile exit return delete in getline print printf'.split(
    ' ',
  ),
);

/** Functions that every program has. */
export const BUILTINS: ReadonlySet<string> = new Set(
  (
    'length substr index split sub gsub gensub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper ' +
    'system close fflush systime strftime'
  ).split(' '),
);

const SIGNS = '**= && || ++ -- += -= *= /= %= ^= ** == <= >= != !~ >> { } ( ) [ ] ; , + - * / % ^ ! > < | ? : ~ $ ='.split(' ');

/** Splits a program. */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let at = 0;
  const add = (kind: Token['kind'], text: string): void => void tokens.push({kind, text, line});
  while (at < source.length) {
    const blank = /(?:[ \t\r]|\\\r?\n|#[^\n]*)+/y;
    blank.lastIndex = at;
    const skipped = blank.exec(source)?.[0] ?? '';
    at += skipped.length;
    line += skipped.split('\n').length - 1;
    const char = source[at];
    if (char === undefined) break;
    if (char === '\n') {
      add('newline', '\n');
      line++;
      at++;
    } else if (char === '"') {
      const read = stringAt(source, at + 1, line);
      add('string', read.text);
      at = read.end;
    } else if (char === '/' && !isOperand(tokens.at(-1))) {
      const read = regexAt(source, at + 1, line);
      add('regex', read.text);
      at = read.end;
    } else at = plainAt(source, at, {line, add});
  }
  add('newline', '\n');
  add('end', '');
  return tokens;
}

function isOperand(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === 'builtin') return token.text === 'length';
  return ['number', 'string', 'regex', 'name'].includes(token.kind) || [')', ']', '$', '++', '--'].includes(token.text);
}

function plainAt(
  source: string,
  from: number,
  {line, add}: {line: number; add: (kind: Token['kind'], text: string) => void},
): number {
  const plain = /(0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)/y;
  plain.lastIndex = from;
  const match = plain.exec(source);
  if (match?.[1] !== undefined) add('number', match[1]);
  else if (match?.[2] !== undefined) {
    const name = match[2];
    if (KEYWORDS.has(name)) add('keyword', name === 'func' ? 'function' : name);
    else if (BUILTINS.has(name)) add('builtin', name);
    else add(source[from + name.length] === '(' ? 'call' : 'name', name);
  } else {
    const sign = SIGNS.find(each => source.startsWith(each, from));
    if (sign === undefined) throw new AwkProblem(`line ${line}: unexpected character '${source[from]}'`);
    add('sign', sign === '**' ? '^' : sign === '**=' ? '^=' : sign);
    return from + sign.length;
  }
  return from + match[0].length;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  '/': '/',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** The text of a string with its escapes made characters. */
export function unescaped(text: string): string {
  return text.replace(/\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|\r?\n|[^])/g, (all, escape: string) => {
    if (/^[0-7]/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8));
    if (/^x./.test(escape)) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    if (escape.endsWith('\n')) return '';
    return ESCAPES[escape] ?? all;
  });
}

function stringAt(source: string, from: number, line: number): {text: string; end: number} {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '"') return {text: unescaped(source.slice(from, at)), end: at + 1};
    else if (source[at] === '\n') break;
  }
  throw new AwkProblem(`line ${line}: runaway string constant "${source.slice(from, from + 10)} ...`);
}

function regexAt(source: string, from: number, line: number): {text: string; end: number} {
  let inBracket = false;
  for (let at = from; at < source.length && source[at] !== '\n'; at++) {
    const char = source[at];
    if (char === '\\') at++;
    else if (char === '[' && !inBracket) {
      inBracket = true;
      if (source[at + 1] === '^') at++;
      if (source[at + 1] === ']') at++;
    } else if (char === ']') inBracket = false;
    else if (char === '/' && !inBracket) return {text: source.slice(from, at).replaceAll('\\/', '/'), end: at + 1};
  }
  throw new AwkProblem(`line ${line}: runaway regular expression /${source.slice(from, from + 10)} ...`);
}
