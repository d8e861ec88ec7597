// The words and operators of a script, as far as one must know them to see where a command ends. Words are measured, not
// understood: their quotes, `$(…)`, `${…}` and backquotes are followed to their ends.

/** One token. `text` of an operator is the operator; `newline` and `end` stand for themselves. */
export interface Token {
  readonly kind: 'word' | 'operator' | 'newline' | 'end';
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A piece of the text to be written otherwise for the parser. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** What is wrong with a script, at an offset. `isOpen` where more text could mend it. */
export class SyntaxProblem extends Error {
  readonly at: number;
  readonly isOpen: boolean;
  constructor(words: string, at: number, isOpen: boolean) {
    super(words);
    this.at = at;
    this.isOpen = isOpen;
  }
}

const OPERATORS = [
  '<<-',
  '<<<',
  ';;&',
  '&>>',
  '&&',
  '||',
  ';;',
  ';&',
  '|&',
  '<<',
  '>>',
  '<&',
  '>&',
  '<>',
  '>|',
  '&>',
  ';',
  '&',
  '|',
  '(',
  ')',
  '<',
  '>',
];

/** Operators that take a word: redirections. */
export const REDIRECTIONS: ReadonlySet<string> = new Set([
  '<',
  '>',
  '>>',
  '<<',
  '<<-',
  '<<<',
  '<&',
  '>&',
  '<>',
  '>|',
  '&>',
  '&>>',
]);

/** Hands out tokens one after the other, and steps over the bodies of here-documents at the ends of lines. */
export class Tokens {
  readonly text: string;
  #at: number;
  #ahead: Token | undefined;
  #documents: {delimiter: string; stripsTabs: boolean}[] = [];
  /** Where the parser needs help: it loses its way in words that begin with a brace and have quotes behind it. */
  readonly edits = new Map<number, Edit>();

  constructor(text: string, from: number) {
    this.text = text;
    this.#at = from;
  }

  /** Where the next token is looked for. */
  get at(): number {
    return this.#ahead?.from ?? this.#at;
  }

  peek(): Token {
    this.#ahead ??= this.#read();
    return this.#ahead;
  }

  next(): Token {
    const token = this.peek();
    this.#ahead = undefined;
    return token;
  }

  /** A here-document begins on the next line. */
  expectDocument(word: string, stripsTabs: boolean): void {
    this.#documents.push({delimiter: word.replace(/\\(.)|['"]/g, '$1'), stripsTabs});
  }

  /** Moves on to an offset that the caller measured itself. */
  skipTo(at: number): void {
    this.#ahead = undefined;
    this.#at = at;
  }

  #read(): Token {
    const {text} = this;
    for (;;) {
      const char = text[this.#at];
      if (char === ' ' || char === '\t' || char === '\r') this.#at++;
      else if (char === '\\' && text[this.#at + 1] === '\n') this.#at += 2;
      else if (char === '#') {
        const end = text.indexOf('\n', this.#at);
        this.#at = end < 0 ? text.length : end;
      } else break;
    }
    const from = this.#at;
    if (from >= text.length) return {kind: 'end', text: '', from, to: from};
    if (text[from] === '\n') {
      this.#at++;
      this.#skipDocuments();
      return {kind: 'newline', text: 'newline', from, to: from + 1};
    }
    const isProcess = (text[from] === '<' || text[from] === '>') && text[from + 1] === '(';
    const operator = isProcess ? undefined : OPERATORS.find(each => text.startsWith(each, from));
    if (operator !== undefined) {
      this.#at += operator.length;
      return {kind: 'operator', text: operator, from, to: this.#at};
    }
    this.#at = endOfWord(text, from);
    const word = text.slice(from, this.#at);
    if (word.length > 1 && word.startsWith('{') && /['"\\]/.test(word)) this.edits.set(from, {from, to: from, text: "''"});
    return {kind: 'word', text: word, from, to: this.#at};
  }

  #skipDocuments(): void {
    for (const {delimiter, stripsTabs} of this.#documents.splice(0)) {
      for (;;) {
        if (this.#at >= this.text.length) break;
        const end = this.text.indexOf('\n', this.#at);
        const line = this.text.slice(this.#at, end < 0 ? undefined : end);
        this.#at = end < 0 ? this.text.length : end + 1;
        if ((stripsTabs ? line.replace(/^\t+/, '') : line) === delimiter) break;
      }
    }
  }

  /** Are there here-documents whose bodies have not begun? */
  get awaitsDocuments(): boolean {
    return this.#documents.length > 0;
  }
}

/** Where a word ends that begins at `from`. */
function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '\\') at += 2;
    else if (char === "'") at = endOfSingle(text, at);
    else if (char === '"') at = endOfDouble(text, at);
    else if (char === '`') at = endOfEscaped(text, at, '`');
    else if (char === '$') at = endOfDollar(text, at);
    else if ((char === '<' || char === '>') && text[at + 1] === '(' && at === from) at = endOfParentheses(text, at + 1);
    else if ('@?*+!'.includes(char) && text[at + 1] === '(') at = endOfParentheses(text, at + 1);
    else if (char === '(' && text[at - 1] === '=' && /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=$/.test(text.slice(from, at)))
      at = endOfParentheses(text, at);
    else if (char === '[' && /^[A-Za-z_]\w*$/.test(text.slice(from, at))) at = endOfSubscript(text, at);
    else if (/[\s;&|<>()]/.test(char)) break;
    else at++;
  }
  return Math.min(at, text.length);
}

function unclosed(sign: string, at: number): SyntaxProblem {
  return new SyntaxProblem(`unexpected EOF while looking for matching \`${sign}'`, at, true);
}

function endOfSingle(text: string, from: number): number {
  const end = text.indexOf("'", from + 1);
  if (end < 0) throw unclosed("'", from);
  return end + 1;
}

/** Where a text ends that a sign closes, but for one behind a backslash: `$'…'` and backquotes. */
function endOfEscaped(text: string, from: number, sign: string): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === sign) return at + 1;
  }
  throw unclosed(sign, from);
}

function endOfDouble(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    const char = text[at];
    if (char === '"') return at + 1;
    if (char === '\\') at += 2;
    else if (char === '`') at = endOfEscaped(text, at, '`');
    else if (char === '$' && (text[at + 1] === '(' || text[at + 1] === '{')) at = endOfDollar(text, at);
    else at++;
  }
  throw unclosed('"', from);
}

function endOfDollar(text: string, from: number): number {
  const next = text[from + 1];
  if (next === "'") return endOfEscaped(text, from + 1, "'");
  if (next === '"') return endOfDouble(text, from + 1);
  if (next === '(') return endOfParentheses(text, from + 1);
  if (next === '{') return endOfBraces(text, from + 1);
  return from + 1;
}

/** Where a group in parentheses ends; quotes, comments and `case` patterns in it are followed. */
export function endOfParentheses(text: string, from: number): number {
  let depth = 0;
  let cases = 0;
  let at = from;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '\\') at += 2;
    else if (char === "'") at = endOfSingle(text, at);
    else if (char === '"') at = endOfDouble(text, at);
    else if (char === '`') at = endOfEscaped(text, at, '`');
    else if (char === '$' && /[('"{]/.test(text[at + 1] ?? '')) at = endOfDollar(text, at);
    else if (char === '#' && /[\s;(]/.test(text[at - 1] ?? '')) at = endOfLine(text, at);
    else if (/[a-z]/.test(char) && !/[\w$-]/.test(text[at - 1] ?? '')) {
      const word = /^[a-z]+/.exec(text.slice(at, at + 8))?.[0] ?? '';
      if (word === 'case') cases++;
      else if (word === 'esac') cases--;
      at += word.length;
    } else {
      if (char === '(') depth++;
      else if (char === ')' && (depth > 1 || cases <= 0)) depth--;
      at++;
      if (depth === 0) return at;
    }
  }
  const isCommand = text[from - 1] === '$' && text[from + 1] !== '(';
  throw unclosed(')', isCommand ? text.length : from);
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function endOfBraces(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '\\') at += 2;
    else if (char === "'") at = endOfSingle(text, at);
    else if (char === '"') at = endOfDouble(text, at);
    else if (char === '`') at = endOfEscaped(text, at, '`');
    else if (char === '$' && /[('"{]/.test(text[at + 1] ?? '')) at = endOfDollar(text, at);
    else {
      if (char === '{') depth++;
      else if (char === '}') depth--;
      at++;
      if (depth === 0) return at;
    }
  }
  throw unclosed('}', from);
}

function endOfSubscript(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"') at = endOfDouble(text, at) - 1;
    else if (char === "'") at = endOfSingle(text, at) - 1;
    else if (char === '$') at = endOfDollar(text, at) - 1;
    else if (char === '[') depth++;
    else if (char === ']' && --depth === 0) return at + 1;
    else if (char === '\n' || char === ';') break;
  }
  return from + 1;
}
