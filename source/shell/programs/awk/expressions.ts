// Reads expressions of awk, from those that bind least to those that bind most.
import {AwkProblem} from './tokens.ts';
import type {Token} from './tokens.ts';
import type {Expression, Target} from './tree.ts';

/** Expressions and blocks within each other. */
export const DEEPEST = 400;

/** Walks over the words of a program; its heir reads statements. */
export class ExpressionReader {
  readonly tokens: readonly Token[];
  at = 0;
  depth = 0;
  /** In the head of `for` an `in` is not an operator; in `print` a `>` is none. */
  noIn = false;
  noGreater = false;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  get token(): Token {
    return this.tokens[this.at] ?? {kind: 'end', text: '', line: 0};
  }

  is(text: string): boolean {
    const {kind, text: own} = this.token;
    return own === text && (kind === 'sign' || kind === 'keyword' || kind === 'newline');
  }

  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }

  need(text: string): void {
    if (!this.take(text)) throw this.unexpected();
  }

  unexpected(): AwkProblem {
    const {kind, text, line} = this.token;
    const shown = kind === 'end' || kind === 'newline' ? 'end of program' : text;
    return new AwkProblem(`line ${line}: syntax error at or near ${shown}`);
  }

  newlines(): void {
    while (this.take('\n'));
  }

  /** Within parentheses `>` and `in` are themselves again. */
  inside<T>(read: () => T): T {
    const [noIn, noGreater] = [this.noIn, this.noGreater];
    this.noIn = false;
    this.noGreater = false;
    const value = read();
    this.noIn = noIn;
    this.noGreater = noGreater;
    return value;
  }

  list(close: string): readonly Expression[] {
    const list: Expression[] = [];
    this.newlines();
    while (!this.take(close)) {
      list.push(this.expression());
      this.newlines();
      if (this.is(close)) continue;
      this.need(',');
      this.newlines();
    }
    return list;
  }

  expression(): Expression {
    if (++this.depth > DEEPEST) throw new AwkProblem('expression is too deeply nested');
    const left = this.choice();
    const operator = ['=', '+=', '-=', '*=', '/=', '%=', '^='].find(sign => this.is(sign));
    this.depth--;
    if (operator === undefined || !isTarget(left)) return left;
    this.at++;
    this.newlines();
    return {type: 'assign', operator, target: left, value: this.expression()};
  }

  choice(): Expression {
    const test = this.either('||');
    if (!this.take('?')) return test;
    this.newlines();
    const yes = this.expression();
    this.newlines();
    this.need(':');
    this.newlines();
    return {type: 'choice', test, yes, no: this.expression()};
  }

  either(operator: '||' | '&&'): Expression {
    const next = (): Expression => (operator === '||' ? this.either('&&') : this.membership());
    let left = next();
    while (this.take(operator)) {
      this.newlines();
      left = {type: 'binary', operator, left, right: next()};
    }
    return left;
  }

  membership(): Expression {
    let left = this.matching();
    while (!this.noIn && this.take('in')) {
      const array = this.token.text;
      this.at++;
      left = {type: 'in', keys: [left], array};
    }
    return left;
  }

  matching(): Expression {
    let left = this.comparison();
    for (;;) {
      const isNegated = this.is('!~');
      if (!this.take('~') && !this.take('!~')) return left;
      left = {type: 'match', isNegated, left, right: this.comparison()};
    }
  }

  comparison(): Expression {
    let left = this.concatenation();
    for (;;) {
      const operator = ['<', '<=', '==', '!=', '>', '>='].find(sign => this.is(sign) && !(sign === '>' && this.noGreater));
      if (operator !== undefined) {
        this.at++;
        left = {type: 'binary', operator, left, right: this.concatenation()};
      } else if (this.is('|') && this.tokens[this.at + 1]?.text === 'getline') {
        this.at += 2;
        left = {type: 'getline', from: 'command', source: left, target: this.optionalTarget()};
      } else return left;
    }
  }

  concatenation(): Expression {
    let left = this.additive();
    while (this.beginsOperand()) left = {type: 'binary', operator: ' ', left, right: this.additive()};
    return left;
  }

  beginsOperand(): boolean {
    const {kind, text} = this.token;
    if (kind === 'keyword') return false;
    return (
      ['number', 'string', 'regex', 'name', 'call', 'builtin'].includes(kind) || ['$', '(', '-', '+', '++', '--'].includes(text)
    );
  }

  additive(): Expression {
    let left = this.multiplicative();
    for (;;) {
      const operator = ['+', '-'].find(sign => this.is(sign));
      if (operator === undefined) return left;
      this.at++;
      left = {type: 'binary', operator, left, right: this.multiplicative()};
    }
  }

  multiplicative(): Expression {
    let left = this.unary();
    for (;;) {
      const operator = ['*', '/', '%'].find(sign => this.is(sign));
      if (operator === undefined) return left;
      this.at++;
      left = {type: 'binary', operator, left, right: this.unary()};
    }
  }

  unary(): Expression {
    const operator = ['!', '-', '+'].find(sign => this.is(sign));
    if (operator === undefined) return this.power();
    this.at++;
    return {type: 'unary', operator, operand: this.unary()};
  }

  power(): Expression {
    const left = this.stepped();
    if (!this.take('^')) return left;
    const right = ['-', '+', '!'].some(sign => this.is(sign)) ? this.unary() : this.power();
    return {type: 'binary', operator: '^', left, right};
  }

  stepped(): Expression {
    const operator = ['++', '--'].find(sign => this.is(sign));
    if (operator !== undefined) {
      this.at++;
      const target = this.primary();
      if (!isTarget(target)) throw this.unexpected();
      return {type: 'step', isPrefix: true, by: operator === '++' ? 1 : -1, target};
    }
    const operand = this.primary();
    if (!isTarget(operand)) return operand;
    if (this.take('++')) return {type: 'step', isPrefix: false, by: 1, target: operand};
    return this.take('--') ? {type: 'step', isPrefix: false, by: -1, target: operand} : operand;
  }

  optionalTarget(): Target | undefined {
    if (this.token.kind !== 'name' && !this.is('$')) return undefined;
    const target = this.primary();
    return isTarget(target) ? target : undefined;
  }

  primary(): Expression {
    const {kind, text} = this.token;
    switch (kind) {
      case 'number':
        this.at++;
        return {type: 'number', value: Number(text)};
      case 'string':
        this.at++;
        return {type: 'string', value: text};
      case 'regex':
        this.at++;
        return {type: 'regex', source: text};
      case 'name':
        this.at++;
        return this.take('[')
          ? {type: 'element', name: text, keys: this.inside(() => this.list(']'))}
          : {type: 'variable', name: text};
      case 'call':
        this.at += 2;
        return {type: 'call', name: text, args: this.inside(() => this.list(')')), isOwn: true};
      case 'builtin':
        this.at++;
        return {type: 'call', name: text, args: this.take('(') ? this.inside(() => this.list(')')) : [], isOwn: false};
      default:
        return this.signed();
    }
  }

  signed(): Expression {
    if (this.take('$')) {
      const operator = ['++', '--', '-', '+', '!'].find(sign => this.is(sign));
      return {
        type: 'field',
        index: operator === '++' || operator === '--' ? this.stepped() : operator ? this.unary() : this.primary(),
      };
    }
    if (this.take('getline')) {
      const target = this.optionalTarget();
      if (!this.take('<')) return {type: 'getline', from: 'input', source: undefined, target};
      return {type: 'getline', from: 'file', source: this.stepped(), target};
    }
    if (!this.take('(')) throw this.unexpected();
    const list = this.inside(() => this.list(')'));
    const [inner] = list;
    if (list.length > 1) {
      if (!this.take('in')) throw this.unexpected();
      const array = this.token.text;
      this.at++;
      return {type: 'in', keys: list, array};
    }
    if (!inner) throw this.unexpected();
    return {type: 'group', inner};
  }
}

function isTarget(expression: Expression): expression is Target {
  return expression.type === 'variable' || expression.type === 'element' || expression.type === 'field';
}
