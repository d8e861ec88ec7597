// Arithmetic as in `$((…))`, `((…))`, subscripts and `-eq`. A text becomes a tree of closures, kept by text, so that a loop's
// condition is read once. Errors carry the token that bash would name: the text from the last token on.
import {add, bitNot, divide, fromDigits, isZero, negate, power, remainder} from './integers.ts';
import type {Integer} from './integers.ts';
import {LEVELS, OPERATORS, SIMPLE} from './operators.ts';

/** Where arithmetic finds and leaves its variables. */
export interface Cells {
  /** The text of a variable or element (its key, or its index in digits); undefined when unset. */
  read(name: string, key: string | undefined): string | undefined;
  /** Words for what is wrong, if anything. */
  write(name: string, key: string | undefined, value: Integer): string | undefined;
  /** Is it a table, whose subscripts are texts? */
  isTable(name: string): boolean;
  /** Must unset variables be an error? */
  readonly strict: boolean;
}

/** The value, or bash's words for what is wrong. */
export type Outcome =
  | {readonly ok: true; readonly value: Integer}
  | {readonly ok: false; readonly words: string; readonly unbound?: boolean};

type Evaluate = (cells: Cells, depth: number) => Integer;

/** Leaves the evaluation; never seen outside of this file. */
class Failure extends Error {
  readonly unbound: boolean;
  constructor(words: string, unbound = false) {
    super(words);
    this.unbound = unbound;
  }
}

const DEEPEST = 1000;
const KEPT = 1000;
const kept = new Map<string, Evaluate | Failure>();

/** Evaluates a text whose `$` are already expanded. */
export function evaluate(text: string, cells: Cells): Outcome {
  const value = quick(text);
  if (value !== undefined) return {ok: true, value};
  try {
    return {ok: true, value: compiled(text)(cells, 0)};
  } catch (failure) {
    // Thousands of parentheses: the host's stack is at its end.
    if (failure instanceof RangeError) return {ok: false, words: 'expression recursion level exceeded'};
    if (!(failure instanceof Failure)) throw failure;
    return {ok: false, words: failure.message, unbound: failure.unbound};
  }
}

function quick(text: string): number | undefined {
  if (text.length > 15 || !/^-?(0|[1-9]\d*)$/.test(text)) return undefined;
  return Number(text) + 0;
}

function compiled(text: string): Evaluate {
  let known = kept.get(text);
  if (!known) {
    try {
      known = new Reader(text).whole();
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      known = failure;
    }
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value ?? '');
    kept.set(text, known);
  }
  if (known instanceof Failure) throw known;
  return known;
}

/** The number that a variable's text stands for: often digits, else an expression of its own. */
function numberOf(text: string | undefined, name: string, frame: {cells: Cells; depth: number}): Integer {
  if (text === undefined || text === '') {
    if (text === undefined && frame.cells.strict) throw new Failure(`${name}: unbound variable`, true);
    return 0;
  }
  const value = quick(text);
  if (value !== undefined) return value;
  if (frame.depth > DEEPEST) throw new Failure(`${name}: expression recursion level exceeded (error token is "${name}")`);
  return compiled(text)(frame.cells, frame.depth + 1);
}

interface Lvalue {
  readonly name: string;
  readonly subscript: string | undefined;
}

interface Operand {
  readonly evaluate: Evaluate;
  readonly target: Lvalue | undefined;
}

class Reader {
  readonly #text: string;
  #at = 0;
  #token = '';
  #tokenAt = 0;

  constructor(text: string) {
    this.#text = text.trimStart();
    this.#advance();
  }

  whole(): Evaluate {
    if (this.#token === '') return () => 0;
    const evaluate = this.#comma();
    if (this.#token !== '') throw this.#failure('syntax error in expression');
    return evaluate;
  }

  #failure(words: string, from = this.#tokenAt): Failure {
    return new Failure(`${this.#text}: ${words} (error token is "${this.#text.slice(from)}")`);
  }

  #advance(): void {
    const text = this.#text;
    while (/\s/.test(text[this.#at] ?? '')) this.#at++;
    if (this.#at >= text.length) {
      this.#token = '';
      return;
    }
    this.#tokenAt = this.#at;
    const word = /[A-Za-z0-9_]/.test(text[this.#at] ?? '') ? /^[A-Za-z0-9_#@]+/.exec(text.slice(this.#at))?.[0] : undefined;
    this.#token = word ?? OPERATORS.find(each => text.startsWith(each, this.#at)) ?? text[this.#at] ?? '';
    this.#at += this.#token.length;
  }

  #is(token: string): boolean {
    return this.#token === token;
  }

  #comma(): Evaluate {
    let left = this.#assignment();
    while (this.#token === ',') {
      this.#advance();
      const first = left;
      const second = this.#assignment();
      left = (cells, depth) => {
        first(cells, depth);
        return second(cells, depth);
      };
    }
    return left;
  }

  #assignment(): Evaluate {
    const left = this.#conditional();
    const operator = this.#token;
    if (operator === '=' || (operator.endsWith('=') && operator.length > 1 && !LEVELS.has(operator))) {
      const {target} = left;
      if (!target) throw this.#failure('attempted assignment to non-variable');
      this.#advance();
      const right = this.#assignment();
      if (operator === '=') return (cells, depth) => store(cells, target, right(cells, depth));
      const combine = this.#combination(operator.slice(0, -1));
      return (cells, depth) => store(cells, target, combine(left.evaluate(cells, depth), right(cells, depth)));
    }
    return left.evaluate;
  }

  #conditional(): Operand {
    const condition = this.#binary(1);
    if (this.#token !== '?') return condition;
    this.#advance();
    if (['', ':'].includes(this.#token)) throw this.#failure('expression expected');
    const yes = this.#comma();
    if (!this.#is(':')) throw this.#failure("`:' expected for conditional expression");
    this.#advance();
    if (this.#is('')) throw this.#failure('expression expected');
    const no = this.#conditional().evaluate;
    return {
      evaluate: (cells, depth) => (isZero(condition.evaluate(cells, depth)) ? no(cells, depth) : yes(cells, depth)),
      target: undefined,
    };
  }

  #binary(level: number): Operand {
    let left = this.#unary();
    for (;;) {
      const operator = this.#token;
      const tight = LEVELS.get(operator);
      if (tight === undefined || tight < level) return left;
      this.#advance();
      const right = this.#binary(operator === '**' ? tight : tight + 1).evaluate;
      left = {evaluate: this.#joined(operator, left.evaluate, right), target: undefined};
    }
  }

  #joined(operator: string, left: Evaluate, right: Evaluate): Evaluate {
    if (operator === '&&') {
      return (cells, depth) => (isZero(left(cells, depth)) || isZero(right(cells, depth)) ? 0 : 1);
    }
    if (operator === '||') {
      return (cells, depth) => (isZero(left(cells, depth)) && isZero(right(cells, depth)) ? 0 : 1);
    }
    const combine = this.#combination(operator);
    return (cells, depth) => combine(left(cells, depth), right(cells, depth));
  }

  #combination(operator: string): (a: Integer, b: Integer) => Integer {
    const simple = SIMPLE.get(operator);
    if (simple) return simple;
    const from = this.#tokenAt;
    if (operator === '**') {
      return (a, b) => {
        if (b < 0) throw this.#failure('exponent less than 0', from);
        return power(a, b);
      };
    }
    return (a, b) => {
      if (isZero(b)) throw this.#failure('division by 0', from);
      return operator === '/' ? divide(a, b) : remainder(a, b);
    };
  }

  #unary(): Operand {
    const operator = this.#token;
    if (operator === '++' || operator === '--') {
      this.#advance();
      const {target} = this.#unary();
      const step = operator === '++' ? 1 : -1;
      if (!target) throw this.#failure('syntax error: operand expected');
      return {evaluate: (cells, depth) => store(cells, target, add(load(cells, target, depth), step)), target: undefined};
    }
    if (operator !== '' && '!~+-'.includes(operator)) {
      this.#advance();
      const {evaluate} = this.#unary();
      return {evaluate: unaryOf(operator, evaluate), target: undefined};
    }
    return this.#postfix(this.#primary());
  }

  #postfix(operand: Operand): Operand {
    const {target} = operand;
    if (!target || (this.#token !== '++' && this.#token !== '--')) return operand;
    const step = this.#token === '++' ? 1 : -1;
    this.#advance();
    return {
      evaluate: (cells, depth) => {
        const before = load(cells, target, depth);
        store(cells, target, add(before, step));
        return before;
      },
      target: undefined,
    };
  }

  #primary(): Operand {
    const token = this.#token;
    if (token === '(') {
      this.#advance();
      const evaluate = this.#comma();
      if (this.#token !== ')') throw this.#failure("missing `)'");
      this.#advance();
      return {evaluate, target: undefined};
    }
    if (/^[0-9]/.test(token)) {
      const value = this.#number(token);
      this.#advance();
      return {evaluate: () => value, target: undefined};
    }
    if (/^[A-Za-z_]/.test(token)) return this.#variable(token);
    throw this.#failure('syntax error: operand expected');
  }

  #variable(token: string): Operand {
    const name = /^[A-Za-z0-9_]+/.exec(token)?.[0] ?? '';
    if (name !== token) {
      this.#at = this.#tokenAt + name.length;
      this.#advance();
      throw this.#failure('syntax error: invalid arithmetic operator');
    }
    const target: Lvalue = {name, subscript: this.#text[this.#at] === '[' ? this.#subscript() : undefined};
    this.#advance();
    return {evaluate: (cells, depth) => load(cells, target, depth), target};
  }

  #subscript(): string {
    const from = this.#at + 1;
    let depth = 0;
    for (let at = this.#at; at < this.#text.length; at++) {
      if (this.#text[at] === '[') depth++;
      else if (this.#text[at] === ']' && --depth === 0) {
        this.#at = at + 1;
        return this.#text.slice(from, at);
      }
    }
    throw new Failure(`${this.#text}: bad array subscript (error token is "${this.#text.slice(this.#tokenAt)}")`);
  }

  #number(token: string): Integer {
    const based = /^(\d+)#(.*)$/.exec(token);
    if (based) {
      const base = Number(based[1]);
      if (base < 2 || base > 64) throw this.#failure('invalid arithmetic base');
      if (based[2] === '') throw this.#failure('invalid integer constant');
      return this.#digits(based[2] ?? '', base);
    }
    if (/^0[xX]/.test(token)) return this.#digits(token.slice(2), 16);
    return token.length > 1 && token.startsWith('0') ? this.#digits(token.slice(1), 8) : this.#digits(token, 10);
  }

  #digits(digits: string, base: number): Integer {
    const value = fromDigits(digits, base);
    if (value === undefined) throw this.#failure('value too great for base');
    return value;
  }
}

function unaryOf(operator: string, evaluate: Evaluate): Evaluate {
  switch (operator) {
    case '!':
      return (cells, depth) => (isZero(evaluate(cells, depth)) ? 1 : 0);
    case '~':
      return (cells, depth) => bitNot(evaluate(cells, depth));
    case '-':
      return (cells, depth) => negate(evaluate(cells, depth));
    default:
      return evaluate;
  }
}

function keyOf(cells: Cells, target: Lvalue, depth: number): string | undefined {
  const {name, subscript} = target;
  if (subscript === undefined || cells.isTable(name)) return subscript;
  return String(numberOf(subscript, name, {cells, depth}));
}

function load(cells: Cells, target: Lvalue, depth: number): Integer {
  return numberOf(cells.read(target.name, keyOf(cells, target, depth)), target.name, {cells, depth});
}

function store(cells: Cells, target: Lvalue, value: Integer, depth = 0): Integer {
  const words = cells.write(target.name, keyOf(cells, target, depth), value);
  if (words !== undefined) throw new Failure(words);
  return value;
}
