// Reads an expression in CEL. Macros (has, all, exists, map …) are taken apart here. What is wrong is said as cel-go says it, the first
// problem of the grammar only.
import {macroOf} from './macros.ts';
import type {Entry, Item, Node, Problem} from './syntax.ts';
import {Uint} from './syntax.ts';
import {textOf, tokensOf, type Token} from './tokens.ts';

export type Parsed = {readonly node: Node} | {readonly problems: readonly Problem[]};

const OPENERS =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const RESERVED = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'false',
  'for',
  'function',
  'if',
  'import',
  'in',
  'let',
  'loop',
  'package',
  'namespace',
  'null',
  'return',
  'true',
  'var',
  'void',
  'while',
]);
const DEEPEST = 250;

class Fault extends Error {
  readonly problem: Problem;
  constructor(at: number, words: string) {
    super(words);
    this.problem = {at, words};
  }
}

/** Reads an expression. */
export function parse(source: string): Parsed {
  const {tokens, problems} = tokensOf(source);
  const parser = new Parser(tokens);
  try {
    const node = parser.whole();
    return problems.length > 0 ? {problems} : {node};
  } catch (error) {
    if (error instanceof Fault) return {problems: [...problems, error.problem]};
    throw error;
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  #place = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Node {
    const node = this.#expression();
    const token = this.#now;
    if (token.type === 'end') return node;
    const last = this.#tokens[this.#place + 1]?.type === 'end';
    throw new Fault(token.at, `Syntax error: ${last ? 'extraneous' : 'mismatched'} input '${token.text}' expecting <EOF>`);
  }

  get #now(): Token {
    return this.#tokens[this.#place] as Token;
  }

  #is(text: string): boolean {
    return this.#now.text === text && (this.#now.type === 'sign' || text === 'in');
  }

  #take(text: string): Token | undefined {
    if (!this.#is(text)) return undefined;
    return this.#tokens[this.#place++];
  }

  #need(text: string): Token {
    const token = this.#take(text);
    if (token) return token;
    throw new Fault(this.#now.at, `Syntax error: missing '${text}' at '${this.#now.text}'`);
  }

  #expression(): Node {
    if (++this.#depth > DEEPEST) throw new Fault(this.#now.at, `expression recursion limit exceeded: ${DEEPEST}`);
    const condition = this.#binary(0);
    const mark = this.#take('?');
    this.#depth--;
    if (!mark) return condition;
    const first = this.#binary(0);
    this.#need(':');
    return {type: 'call', at: mark.at, name: '_?_:_', target: undefined, args: [condition, first, this.#expression()]};
  }

  #binary(level: number): Node {
    const signs = LEVELS[level];
    if (!signs) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const sign = signs.find(each => this.#is(each));
      if (sign === undefined) return left;
      const {at} = this.#now;
      this.#place++;
      const right = this.#binary(level + 1);
      left = {type: 'call', at, name: sign === 'in' ? '@in' : `_${sign}_`, target: undefined, args: [left, right]};
    }
  }

  #unary(): Node {
    const token = this.#now;
    for (const sign of ['!', '-']) {
      if (!this.#is(sign)) continue;
      let count = 0;
      while (this.#take(sign)) count++;
      const next = this.#now;
      if (sign === '-' && count % 2 === 1 && (next.type === 'int' || next.type === 'double')) {
        const value = next.type === 'int' ? -BigInt(next.text) : -Number(next.text);
        this.#place++;
        return this.#members({type: 'constant', at: token.at, value});
      }
      const inner = this.#members(this.#primary());
      return count % 2 === 0
        ? inner
        : {type: 'call', at: token.at, name: sign === '!' ? '!_' : '-_', target: undefined, args: [inner]};
    }
    return this.#members(this.#primary());
  }

  #members(first: Node): Node {
    let node = first;
    for (;;) {
      const {at} = this.#now;
      if (this.#take('.')) node = this.#member(node, at);
      else if (this.#take('[')) {
        const optional = this.#take('?') !== undefined;
        const index = this.#expression();
        this.#need(']');
        node = {type: 'call', at, name: optional ? '_[?_]' : '_[_]', target: undefined, args: [node, index]};
      } else return node;
    }
  }

  #member(of: Node, at: number): Node {
    const optional = this.#take('?') !== undefined;
    const token = this.#now;
    if (token.type !== 'name' && token.type !== 'quoted-name')
      throw new Fault(token.at, `Syntax error: no viable alternative at input '.${token.text}'`);
    this.#place++;
    const open = this.#now.at;
    if (token.type === 'name' && !optional && this.#take('(')) {
      const args = this.#args();
      return this.#macro({type: 'call', at: open, name: token.text, target: of, args});
    }
    const field = token.type === 'quoted-name' ? token.text.slice(1, -1) : token.text;
    return {type: 'select', at, of, field, optional};
  }

  #macro(call: Extract<Node, {type: 'call'}>): Node {
    const made = macroOf(call);
    if (made && 'words' in made) throw new Fault(made.at, made.words);
    return made ?? call;
  }

  #args(): Node[] {
    const args: Node[] = [];
    if (this.#take(')')) return args;
    do args.push(this.#expression());
    while (this.#take(','));
    this.#need(')');
    return args;
  }

  #primary(): Node {
    const token = this.#now;
    const {at, text} = token;
    if (this.#take('(')) {
      const inner = this.#expression();
      this.#need(')');
      return inner;
    }
    if (this.#take('[')) return {type: 'list', at, items: this.#items()};
    if (this.#take('{')) return {type: 'map', at, entries: this.#entries(() => this.#expression())};
    const leading = this.#take('.') !== undefined;
    const word = this.#now;
    if (word.type === 'name') return this.#named(word, leading);
    if (!leading) {
      const value = constantOf(token);
      if (value !== undefined) {
        this.#place++;
        return {type: 'constant', at, value};
      }
    }
    throw new Fault(
      at,
      token.type === 'end' || token.type === 'sign'
        ? `Syntax error: mismatched input '${text}' expecting ${OPENERS}`
        : `Syntax error: invalid literal`,
    );
  }

  #named(word: Token, leading: boolean): Node {
    const {text, at} = word;
    if (!leading && text in WORDS) {
      this.#place++;
      return {type: 'constant', at, value: WORDS[text] ?? null};
    }
    if (text === 'in') throw new Fault(at, `Syntax error: mismatched input 'in' expecting ${OPENERS}`);
    if (RESERVED.has(text)) throw new Fault(at, `reserved identifier: ${text}`);
    this.#place++;
    const open = this.#now.at;
    if (this.#take('(')) return this.#macro({type: 'call', at: open, name: text, target: undefined, args: this.#args()});
    if (this.#is('{')) {
      this.#place++;
      const entries = this.#entries(() => {
        const name = this.#now;
        this.#place++;
        return {type: 'constant', at: name.at, value: name.text};
      });
      return {type: 'struct', at: open, name: text, entries};
    }
    return {type: 'name', at, name: text};
  }

  #items(): Item[] {
    const items: Item[] = [];
    while (!this.#is(']')) {
      const optional = this.#take('?') !== undefined;
      items.push({optional, value: this.#expression()});
      if (!this.#take(',')) break;
    }
    this.#need(']');
    return items;
  }

  #entries(key: () => Node): Entry[] {
    const entries: Entry[] = [];
    while (!this.#is('}')) {
      const optional = this.#take('?') !== undefined;
      const name = key();
      this.#need(':');
      entries.push({optional, key: name, value: this.#expression()});
      if (!this.#take(',')) break;
    }
    this.#need('}');
    return entries;
  }
}

const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<=', '>=', '<', '>', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];
const WORDS: Readonly<Record<string, boolean | null>> = {true: true, false: false, null: null};

function constantOf({type, text}: Token): bigint | number | string | Uint8Array | Uint | undefined {
  switch (type) {
    case 'int':
      return BigInt(text);
    case 'uint':
      return new Uint(BigInt(text.slice(0, -1)));
    case 'double':
      return Number(text);
    case 'string':
    case 'bytes':
      return textOf(text);
    default:
      return undefined;
  }
}
