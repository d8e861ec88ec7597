// Reads a JSONPath template as kubectl does. Text stands outside of braces; inside are paths (`.a.b`, `['a']`, `[0]`, `[1:3]`,
// `[*]`, `[?(@.x=="y")]`, `..`), quoted text, and `range … end`. It is a dialect of its own: quotes around keys are single,
// a backslash keeps a dot inside a name.
import {goQuote} from '../meta/go-text.ts';
import type {ListNode, PathNode, Slice} from './nodes.ts';
import {unquote} from '../meta/go-unquote.ts';

/** A template, or why it cannot be read. */
export type ParsedPath = {readonly root: ListNode} | {readonly error: string};

/** Reads a template. */
export function parsePath(text: string): ParsedPath {
  const parser = new Parser(text);
  const error = parser.run();
  return error === undefined ? {root: parser.root} : {error};
}

/** A path as flags may write it without braces and first dot: `.metadata.name`, `metadata.name`; the template, or undefined. */
export function relaxedPath(text: string): string | undefined {
  const parts = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/.exec(text);
  return parts ? `{.${parts[1] ?? parts[2] ?? ''}}` : undefined;
}

class Parser {
  readonly root: ListNode = {type: 'list', nodes: []};
  readonly #input: string;
  #at = 0;
  #start = 0;

  constructor(input: string) {
    this.#input = input;
  }

  /** The error, if there is one. */
  run(): string | undefined {
    while (this.#at < this.#input.length) {
      if (this.#input[this.#at] !== '{') {
        this.#at++;
        continue;
      }
      this.#endText();
      this.#at++;
      this.#start = this.#at;
      const list: ListNode = {type: 'list', nodes: []};
      this.root.nodes.push(list);
      const error = this.#action(list);
      if (error !== undefined) return error;
    }
    this.#endText();
    return undefined;
  }

  #endText(): void {
    if (this.#at > this.#start) this.root.nodes.push({type: 'text', text: this.#take()});
  }

  /** The text since the last call. */
  #take(): string {
    const text = this.#input.slice(this.#start, this.#at);
    this.#start = this.#at;
    return text;
  }

  /** The next letter; empty at the end. */
  #next(): string {
    const letter = this.#input[this.#at] ?? '';
    this.#at++;
    return letter;
  }

  #action(list: ListNode): string | undefined {
    for (;;) {
      const rest = this.#input.slice(this.#at, this.#at + 3);
      if (rest.startsWith('}')) {
        this.#at++;
        this.#take();
        return undefined;
      }
      const error = rest === '[?(' ? this.#filter(list) : rest.startsWith('..') ? this.#recursive(list) : this.#part(list);
      if (error !== undefined) return error;
    }
  }

  #part(list: ListNode): string | undefined {
    const letter = this.#next();
    if (letter === '' || letter === '\n' || letter === '\r') return 'unclosed action';
    if (letter === ' ' || letter === '@' || letter === '$') return void this.#take();
    if (letter === '[') return this.#array(list);
    if (letter === '"' || letter === "'") return this.#quote(list, letter);
    if (letter === '.') return this.#field(list);
    this.#at--;
    if (/[-+0-9]/.test(letter)) return this.#number(list);
    if (/[\w\p{L}\p{N}]/u.test(letter)) return this.#identifier(list);
    return `unrecognized character in action: U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} '${letter}'`;
  }

  #recursive(list: ListNode): string | undefined {
    if (list.nodes.at(-1)?.type === 'recursive') return 'invalid multiple recursive descent';
    this.#at += 2;
    this.#take();
    list.nodes.push({type: 'recursive'});
    return /[\w\p{L}\p{N}]/u.test(this.#input[this.#at] ?? '') ? this.#field(list) : undefined;
  }

  #field(list: ListNode): undefined {
    this.#take();
    for (;;) {
      const letter = this.#next();
      if (letter === '\\') this.#at++;
      else if (isEnd(letter)) break;
    }
    this.#at = Math.min(this.#at - 1, this.#input.length);
    const name = this.#take();
    list.nodes.push(name === '*' ? {type: 'wildcard'} : {type: 'field', name: name.replaceAll('\\', '')});
  }

  #identifier(list: ListNode): undefined {
    while (!isEnd(this.#next()));
    this.#at--;
    const name = this.#take();
    list.nodes.push(name === 'true' || name === 'false' ? {type: 'value', value: name === 'true'} : {type: 'identifier', name});
  }

  #number(list: ListNode): string | undefined {
    this.#at++;
    while (/[.0-9]/.test(this.#next()));
    this.#at--;
    const text = this.#take();
    if (!/^[-+]?(\d+\.?\d*|\.\d+)$/.test(text)) return `cannot parse number ${text}`;
    list.nodes.push({type: 'value', value: Number(text)});
    return undefined;
  }

  #quote(list: ListNode, mark: string): string | undefined {
    for (;;) {
      const letter = this.#next();
      if (letter === '' || letter === '\n') return 'unterminated quoted string';
      if (letter === mark && this.#input[this.#at - 2] !== '\\') break;
    }
    const text = this.#take();
    const value = unquote(text);
    if (value === undefined) return `unquote string ${text} error invalid syntax`;
    list.nodes.push({type: 'text', text: value});
    return undefined;
  }

  #array(list: ListNode): string | undefined {
    for (let letter = this.#next(); letter !== ']'; letter = this.#next()) {
      if (letter === '' || letter === '\n') return 'unterminated array';
    }
    const inner = this.#take().slice(1, -1);
    const text = inner === '*' ? ':' : inner;
    const parts = text.split(',');
    if (parts.length > 1) return this.#union(list, parts);
    const key = /^'([^']*)'$/.exec(text)?.[1];
    if (key !== undefined) {
      const parsed = parseAction(`.${key}`);
      if ('error' in parsed) return parsed.error;
      list.nodes.push(...parsed.list.nodes);
      return undefined;
    }
    const slice = readSlice(text);
    if (!slice) return `invalid array index ${text}`;
    list.nodes.push({type: 'slice', slice});
    return undefined;
  }

  #union(list: ListNode, parts: readonly string[]): string | undefined {
    const union: PathNode[] = [];
    for (const part of parts) {
      const parsed = parseAction(`[${part.replaceAll(/^ +| +$/g, '')}]`);
      if ('error' in parsed) return parsed.error;
      union.push(parsed.list);
    }
    list.nodes.push({type: 'union', parts: union});
    return undefined;
  }

  #filter(list: ListNode): string | undefined {
    this.#at += 3;
    this.#take();
    let mark = '';
    let isClosed = false;
    for (;;) {
      const letter = this.#next();
      if (letter === '' || letter === '\n') return 'unterminated filter';
      if ((letter === '"' || letter === "'") && mark === '') mark = letter;
      else if (letter === mark && this.#input[this.#at - 2] !== '\\') isClosed = true;
      else if (letter === ')' && (mark !== '') === isClosed) break;
    }
    if (this.#next() !== ']') return 'unclosed array expect ]';
    return addFilter(list, this.#take().slice(0, -2));
  }
}

function addFilter(list: ListNode, text: string): string | undefined {
  const parts = /^([^!<>=]+)([!<>=]+)([\s\S]+?)$/.exec(text);
  const left = parseAction(parts?.[1] ?? text);
  if ('error' in left) return left.error;
  const right = parts ? parseAction(parts[3] ?? '') : {list: {type: 'list' as const, nodes: []}};
  if ('error' in right) return right.error;
  list.nodes.push({type: 'filter', left: left.list, right: right.list, operator: parts?.[2] ?? 'exists'});
  return undefined;
}

/** Reads what stands between two braces. */
function parseAction(text: string): {list: ListNode} | {error: string} {
  const parsed = parsePath(`{${text}}`);
  if ('error' in parsed) return parsed;
  const [first] = parsed.root.nodes;
  return first?.type === 'list' ? {list: first} : {error: `cannot read ${goQuote(text)}`};
}

function isEnd(letter: string): boolean {
  return letter === '' || /[\s.,[\]$@{}]/.test(letter);
}

function readSlice(text: string): Slice | undefined {
  const parts = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text);
  if (!parts) return undefined;
  const [, from = '', to, step] = parts;
  const start = numberOf(from);
  if (to === undefined) return {from: start, to: (start ?? 0) + 1, derived: true, step: undefined};
  return {from: start, to: numberOf(to.slice(1)), derived: false, step: step === undefined ? undefined : numberOf(step.slice(1))};
}

function numberOf(text: string): number | undefined {
  return text === '' || text === '-' ? undefined : Number(text);
}
