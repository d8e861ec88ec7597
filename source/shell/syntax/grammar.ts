// The grammar of commands, to tell where a command ends and, where a script is wrong, which token bash would name. It builds
// nothing: the tree is the parser's, whose own words for errors are not bash's.
import {endOfParentheses, REDIRECTIONS, SyntaxProblem, Tokens} from './tokens.ts';
import type {Edit, Token} from './tokens.ts';

/** Words that may not begin a command. */
const CLOSING: ReadonlySet<string> = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}']);

/** A command line: where it ends, and its text as the parser is to see it. */
export interface CommandLine {
  readonly end: number;
  readonly text: string;
}

/** What stands before the variable of a `select`, which the parser sees as a `for`. */
export const SELECT_MARK = '__select__';
/** What stands before the name of a `coproc`, which the parser sees as a function, or as a word before a simple command. */
export const COPROC_MARK = '__coproc__';

/** Reads one command line from `from`. Throws a SyntaxProblem. */
export function readCommandLine(text: string, from: number): CommandLine {
  const tokens = new Tokens(text, from);
  const grammar = new Grammar(tokens);
  grammar.line();
  let edited = '';
  let at = from;
  for (const edit of [...grammar.edits, ...tokens.edits.values()].toSorted((a, b) => a.from - b.from)) {
    if (edit.from >= tokens.at) continue;
    edited += text.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return {end: tokens.at, text: edited + text.slice(at, tokens.at)};
}

const COMPOUND_BEGINS = /^\s*(\{\s|\(|\[\[|(while|until|for|if|case|select)\b)/;

class Grammar {
  readonly #tokens: Tokens;
  readonly edits: Edit[] = [];

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /** Empty lines, then commands up to the end of their line. */
  line(): void {
    this.#newlines();
    if (this.#tokens.peek().kind === 'end') return;
    for (;;) {
      this.#chain();
      const token = this.#tokens.peek();
      if (token.kind === 'operator' && (token.text === ';' || token.text === '&')) {
        this.#tokens.next();
        const after = this.#tokens.peek();
        if (after.kind !== 'newline' && after.kind !== 'end') continue;
      }
      const end = this.#tokens.next();
      if (end.kind !== 'newline' && end.kind !== 'end') throw this.#unexpected(end);
      return;
    }
  }

  #unexpected(token: Token): SyntaxProblem {
    if (token.kind === 'end') return new SyntaxProblem('syntax error: unexpected end of file', token.from, true);
    return new SyntaxProblem(`syntax error near unexpected token \`${token.text}'`, token.from, false);
  }

  #newlines(): void {
    while (this.#tokens.peek().kind === 'newline') this.#tokens.next();
  }

  #is(text: string): boolean {
    const token = this.#tokens.peek();
    return token.kind !== 'newline' && token.kind !== 'end' && token.text === text;
  }

  #expect(...texts: string[]): string {
    const token = this.#tokens.next();
    if (token.kind === 'newline' || token.kind === 'end' || !texts.includes(token.text)) throw this.#unexpected(token);
    return token.text;
  }

  /** Commands up to a closing word, which is left; at least one. */
  #list(...closers: string[]): void {
    this.#newlines();
    for (;;) {
      this.#chain();
      const token = this.#tokens.peek();
      const isSeparator = token.kind === 'newline' || (token.kind === 'operator' && (token.text === ';' || token.text === '&'));
      if (isSeparator) {
        this.#tokens.next();
        this.#newlines();
      }
      const next = this.#tokens.peek();
      if (next.kind === 'end') throw this.#unexpected(next);
      if (closers.includes(next.text) && (isSeparator || next.kind === 'operator')) return;
      if (!isSeparator) throw this.#unexpected(next);
    }
  }

  /** `a && b || c` */
  #chain(): void {
    for (;;) {
      this.#pipeline();
      if (!this.#is('&&') && !this.#is('||')) return;
      this.#tokens.next();
      this.#newlines();
    }
  }

  #pipeline(): void {
    while (this.#is('!') || this.#is('time')) {
      const token = this.#tokens.next();
      const after = this.#tokens.peek();
      if (token.text === 'time' && (after.kind === 'newline' || after.kind === 'end' || after.text === ';')) return;
      if (token.text === 'time' && this.#is('-p')) this.#tokens.next();
    }
    for (;;) {
      this.#command();
      if (!this.#is('|') && !this.#is('|&')) return;
      this.#tokens.next();
      this.#newlines();
    }
  }

  #command(): void {
    const token = this.#tokens.peek();
    if (token.kind === 'word') {
      if (CLOSING.has(token.text)) throw this.#unexpected(token);
      if (this.#compound(token.text)) {
        this.#redirections();
        return;
      }
      this.#simple();
      return;
    }
    if (token.kind === 'operator' && token.text === '(') {
      this.#parentheses(token);
      this.#redirections();
      return;
    }
    if (token.kind === 'operator' && REDIRECTIONS.has(token.text)) {
      this.#simple();
      return;
    }
    throw this.#unexpected(token);
  }

  #parentheses(token: Token): void {
    const {text} = this.#tokens;
    if (text[token.to] === '(') {
      const end = endOfParentheses(text, token.from);
      if (text[end - 2] === ')') {
        this.#tokens.skipTo(end);
        return;
      }
    }
    this.#tokens.next();
    this.#list(')');
    this.#expect(')');
  }

  /** A command that begins with a reserved word. */
  #compound(word: string): boolean {
    switch (word) {
      case 'if':
        this.#if();
        return true;
      case 'while':
      case 'until':
        this.#tokens.next();
        this.#list('do');
        this.#doGroup();
        return true;
      case 'for':
      case 'select':
        this.#for();
        return true;
      case 'coproc':
        this.#coproc();
        return true;
      case 'case':
        this.#case();
        return true;
      case '{':
        this.#tokens.next();
        this.#list('}');
        this.#expect('}');
        return true;
      case '[[':
        this.#condition();
        return true;
      case 'function':
        this.#function();
        return true;
      default:
        return false;
    }
  }

  #if(): void {
    this.#tokens.next();
    this.#list('then');
    this.#expect('then');
    for (;;) {
      this.#list('elif', 'else', 'fi');
      const word = this.#expect('elif', 'else', 'fi');
      if (word === 'fi') return;
      if (word === 'else') {
        this.#list('fi');
        this.#expect('fi');
        return;
      }
      this.#list('then');
      this.#expect('then');
    }
  }

  #doGroup(): void {
    if (this.#is('{')) {
      this.#tokens.next();
      this.#list('}');
      this.#expect('}');
      return;
    }
    this.#expect('do');
    this.#list('done');
    this.#expect('done');
  }

  /** `coproc [name] compound` or `coproc simple` */
  #coproc(): void {
    const word = this.#tokens.next();
    const next = this.#tokens.peek();
    const rest = this.#tokens.text.slice(next.to, next.to + 20);
    const isNamed = next.kind === 'word' && /^[A-Za-z_]\w*$/.test(next.text) && COMPOUND_BEGINS.test(rest);
    if (isNamed) this.#tokens.next();
    const begins = this.#tokens.text.slice(this.#tokens.peek().from, this.#tokens.peek().from + 20);
    if (isNamed || COMPOUND_BEGINS.test(begins)) {
      const name = isNamed ? next.text : 'COPROC';
      this.edits.push({from: word.from, to: isNamed ? next.to : word.to, text: `${COPROC_MARK}${name} ()`});
    } else this.edits.push({from: word.from, to: word.to, text: COPROC_MARK});
    this.#command();
  }

  #for(): void {
    const keyword = this.#tokens.next();
    const name = this.#tokens.peek();
    if (keyword.text === 'select' && name.kind === 'word') {
      this.edits.push({from: keyword.from, to: name.from, text: `for ${SELECT_MARK}`});
    }
    if (name.kind === 'operator' && name.text === '(' && this.#tokens.text[name.to] === '(') {
      this.#tokens.skipTo(endOfParentheses(this.#tokens.text, name.from));
      if (this.#is(';')) this.#tokens.next();
    } else {
      this.#word();
      this.#newlines();
      if (this.#is('in')) {
        this.#tokens.next();
        while (this.#tokens.peek().kind === 'word') this.#tokens.next();
        const end = this.#tokens.next();
        if (end.kind !== 'newline' && end.text !== ';') throw this.#unexpected(end);
      } else if (this.#is(';')) this.#tokens.next();
    }
    this.#newlines();
    this.#doGroup();
  }

  #word(): Token {
    const token = this.#tokens.next();
    if (token.kind === 'end') throw new SyntaxProblem("syntax error near unexpected token `newline'", token.from, false);
    if (token.kind !== 'word') throw this.#unexpected(token);
    return token;
  }

  #case(): void {
    this.#tokens.next();
    this.#word();
    this.#newlines();
    this.#expect('in');
    for (;;) {
      this.#newlines();
      if (this.#is('esac')) break;
      if (this.#is('(')) this.#tokens.next();
      if (this.#tokens.peek().kind === 'end') throw this.#unexpected(this.#tokens.peek());
      this.#word();
      while (this.#is('|')) {
        this.#tokens.next();
        this.#word();
      }
      this.#expect(')');
      this.#newlines();
      if (!this.#isItemEnd()) this.#list(';;', ';&', ';;&', 'esac');
      if (this.#is('esac')) break;
      this.#tokens.next();
    }
    this.#expect('esac');
  }

  #isItemEnd(): boolean {
    return this.#is(';;') || this.#is(';&') || this.#is(';;&') || this.#is('esac');
  }

  /** What stands in `[[ … ]]` is left to the parser, but for its end. */
  #condition(): void {
    const begin = this.#tokens.next();
    for (;;) {
      const token = this.#tokens.next();
      if (token.kind === 'end') throw this.#unexpected(token);
      if (token.kind === 'word' && token.text === ']]') return;
      if (token.kind === 'operator' && token.text === ';') {
        throw new SyntaxProblem(`syntax error in conditional expression: unexpected token \`;'`, begin.from, false);
      }
    }
  }

  #function(): void {
    this.#tokens.next();
    this.#word();
    if (this.#is('(')) {
      this.#tokens.next();
      this.#expect(')');
    }
    this.#body();
  }

  #body(): void {
    this.#newlines();
    const token = this.#tokens.peek();
    if (token.kind === 'operator' && token.text === '(') this.#parentheses(token);
    else if (token.kind !== 'word' || !this.#compound(token.text)) throw this.#unexpected(token);
    this.#redirections();
  }

  #simple(): void {
    let words = 0;
    for (;;) {
      const token = this.#tokens.peek();
      if (token.kind === 'word') {
        this.#tokens.next();
        words++;
      } else if (token.kind === 'operator' && REDIRECTIONS.has(token.text)) this.#redirection();
      else if (token.kind === 'operator' && token.text === '(' && words === 1) {
        this.#tokens.next();
        this.#expect(')');
        this.#body();
        return;
      } else return;
    }
  }

  #redirection(): void {
    const operator = this.#tokens.next();
    const target = this.#word();
    if (operator.text === '<<' || operator.text === '<<-') this.#tokens.expectDocument(target.text, operator.text === '<<-');
  }

  #redirections(): void {
    for (;;) {
      const token = this.#tokens.peek();
      const number = token.kind === 'word' && /^\d+$/.test(token.text) && /[<>]/.test(this.#tokens.text[token.to] ?? '');
      if (number) this.#tokens.next();
      else if (token.kind !== 'operator' || !REDIRECTIONS.has(token.text)) return;
      else this.#redirection();
    }
  }
}
