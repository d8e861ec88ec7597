// Reads programs of awk: rules, functions, statements.
import {DEEPEST, ExpressionReader} from './expressions.ts';
import {AwkProblem, tokensOf} from './tokens.ts';
import type {AwkFunction, AwkProgram, Expression, Rule, Statement} from './tree.ts';

/** Reads a program; throws an AwkProblem. */
export function parseAwk(source: string): AwkProgram {
  return new Reader(tokensOf(source)).program();
}

class Reader extends ExpressionReader {
  #ends(): void {
    while (this.take('\n') || this.take(';'));
  }

  program(): AwkProgram {
    const rules: Rule[] = [];
    const functions = new Map<string, AwkFunction>();
    this.#ends();
    while (this.token.kind !== 'end') {
      if (this.take('function')) this.#function(functions);
      else rules.push(this.#rule());
      this.#ends();
    }
    return {rules, functions};
  }

  #function(functions: Map<string, AwkFunction>): void {
    const {kind, text} = this.token;
    if (kind !== 'name' && kind !== 'call') throw this.unexpected();
    this.at++;
    this.need('(');
    const parameters: string[] = [];
    while (!this.take(')')) {
      this.newlines();
      if (this.token.kind !== 'name') throw this.unexpected();
      parameters.push(this.token.text);
      this.at++;
      this.newlines();
      if (!this.is(')')) this.need(',');
    }
    this.newlines();
    functions.set(text, {parameters, body: this.#block()});
  }

  #rule(): Rule {
    if (this.take('BEGIN')) return this.#special('BEGIN');
    if (this.take('END')) return this.#special('END');
    let first: Expression | undefined;
    let second: Expression | undefined;
    if (!this.is('{')) {
      first = this.expression();
      if (this.take(',')) {
        this.newlines();
        second = this.expression();
      }
    }
    return {kind: 'main', first, second, body: this.is('{') ? this.#block() : undefined, isOn: false};
  }

  #special(kind: 'BEGIN' | 'END'): Rule {
    return {kind, first: undefined, second: undefined, body: this.#block(), isOn: false};
  }

  #block(): Statement {
    if (++this.depth > DEEPEST) throw new AwkProblem('program is too deeply nested');
    this.need('{');
    const body: Statement[] = [];
    this.#ends();
    while (!this.take('}')) {
      body.push(this.#statement());
      this.#ends();
    }
    this.depth--;
    return {type: 'block', body};
  }

  /** A statement with what ends it. */
  #statement(): Statement {
    if (this.is('{')) return this.#block();
    const compound = this.#compound();
    if (compound) return compound;
    const simple = this.#simple();
    if (!this.is('}') && !this.take(';') && !this.take('\n')) throw this.unexpected();
    return simple;
  }

  #body(): Statement {
    this.newlines();
    if (this.take(';')) return {type: 'block', body: []};
    return this.#statement();
  }

  #compound(): Statement | undefined {
    if (this.take('if')) {
      this.need('(');
      const test = this.expression();
      this.need(')');
      const yes = this.#body();
      const before = this.at;
      this.#ends();
      if (this.take('else')) return {type: 'if', test, yes, no: this.#body()};
      this.at = before;
      return {type: 'if', test, yes, no: undefined};
    }
    if (this.take('while')) {
      this.need('(');
      const test = this.expression();
      this.need(')');
      return {type: 'while', test, body: this.#body(), isFirst: false};
    }
    if (this.take('do')) {
      const body = this.#body();
      this.#ends();
      this.need('while');
      this.need('(');
      const test = this.expression();
      this.need(')');
      return {type: 'while', test, body, isFirst: true};
    }
    return this.take('for') ? this.#for() : undefined;
  }

  #for(): Statement {
    this.need('(');
    const [name, keyword, array, close] = this.tokens.slice(this.at, this.at + 4);
    if (name?.kind === 'name' && keyword?.text === 'in' && array?.kind === 'name' && close?.text === ')') {
      this.at += 4;
      return {type: 'forIn', variable: name.text, array: array.text, body: this.#body()};
    }
    const start = this.is(';') ? undefined : this.#simple();
    this.need(';');
    this.newlines();
    const test = this.is(';') ? undefined : this.expression();
    this.need(';');
    this.newlines();
    const step = this.is(')') ? undefined : this.#simple();
    this.need(')');
    return {type: 'for', start, test, step, body: this.#body()};
  }

  #simple(): Statement {
    const {text} = this.token;
    if (this.take('print') || this.take('printf')) return this.#print(text === 'printf');
    for (const kind of ['next', 'nextfile', 'break', 'continue'] as const) if (this.take(kind)) return {type: 'leave', kind};
    if (this.take('exit') || this.take('return')) {
      const value = this.is(';') || this.is('\n') || this.is('}') ? undefined : this.expression();
      return {type: text === 'exit' ? 'exit' : 'return', value};
    }
    if (this.take('delete')) {
      const name = this.token.text;
      this.at++;
      return {type: 'delete', name, keys: this.take('[') ? this.list(']') : undefined};
    }
    return {type: 'expression', expression: this.expression()};
  }

  #print(isFormatted: boolean): Statement {
    const noGreater = this.noGreater;
    this.noGreater = true;
    const args = this.#printed();
    let redirect: {operator: string; to: Expression} | undefined;
    for (const operator of ['>', '>>', '|']) {
      if (!redirect && this.take(operator)) redirect = {operator, to: this.concatenation()};
    }
    this.noGreater = noGreater;
    return {type: 'print', isFormatted, args, redirect};
  }

  /** `a, b` or `(a, b)`; a parenthesis may also only begin the first. */
  #printed(): readonly Expression[] {
    const isEnd = (): boolean => [';', '\n', '}', '>', '>>', '|'].some(sign => this.is(sign));
    if (isEnd()) return [];
    const before = this.at;
    if (this.take('(')) {
      const list = this.inside(() => this.list(')'));
      if (isEnd()) return list;
      this.at = before;
    }
    const args = [this.expression()];
    while (this.take(',')) {
      this.newlines();
      args.push(this.expression());
    }
    return args;
  }
}
