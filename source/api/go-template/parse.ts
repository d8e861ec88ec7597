// Reads a Go template: text with actions in `{{ }}`.
import {goQuote} from '../meta/go-text.ts';
import {unquote} from '../meta/go-unquote.ts';
import {FUNCTIONS} from './functions.ts';
import {operandText, type Command, type Node, type Operand, type Pipe, type Templates} from './nodes.ts';
import {TemplateError, tokensOf, type Token} from './tokens.ts';
import {GoFloat, GoInt} from './values.ts';

/** The templates of a text, or what is wrong with it, as `template: output:1: …`. */
export function parseTemplate(text: string): {readonly templates: Templates} | {readonly error: string} {
  const tokens = tokensOf(text);
  const parser = new Parser(tokens instanceof TemplateError ? [] : tokens, text.length);
  const problem = tokens instanceof TemplateError ? tokens : parser.parse();
  if (problem) return {error: `template: output:${lineOf(text, problem.at)}: ${problem.message}`};
  return {templates: parser.templates};
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

const KEYWORDS = new Set(['block', 'break', 'continue', 'define', 'else', 'end', 'if', 'range', 'nil', 'template', 'with']);

/** How a list of nodes ended. */
type Ending = 'end' | 'else' | 'eof';

class Parser {
  readonly templates = new Map<string, readonly Node[]>();
  readonly #tokens: readonly Token[];
  readonly #length: number;
  #index = 0;
  #variables: string[] = ['$'];
  #loops = 0;

  constructor(tokens: readonly Token[], length: number) {
    this.#tokens = tokens;
    this.#length = length;
  }

  parse(): TemplateError | undefined {
    const {nodes, ending} = this.#list();
    if (nodes instanceof TemplateError) return nodes;
    if (ending !== 'eof') return new TemplateError(this.#at(-1), `unexpected {{${ending}}}`);
    this.templates.set('', nodes);
    return undefined;
  }

  #at(offset = 0): number {
    return this.#tokens[this.#index + offset]?.at ?? this.#length;
  }

  #peek(): Token | undefined {
    while (this.#tokens[this.#index]?.type === 'space') this.#index++;
    return this.#tokens[this.#index];
  }

  #next(): Token | undefined {
    const token = this.#peek();
    this.#index++;
    return token;
  }

  #unexpected(token: Token | undefined, context: string): TemplateError {
    return new TemplateError(token?.at ?? this.#length, `unexpected ${tokenText(token)} in ${context}`);
  }

  #list(): {nodes: readonly Node[] | TemplateError; ending: Ending} {
    const nodes: Node[] = [];
    while (this.#index < this.#tokens.length) {
      const token = this.#tokens[this.#index++];
      if (token?.type === 'text') {
        nodes.push({type: 'text', at: token.at, text: token.text});
        continue;
      }
      const word = this.#peek();
      if (word?.type === 'word' && (word.text === 'end' || word.text === 'else')) {
        this.#index++;
        return {nodes, ending: word.text};
      }
      const node = this.#action();
      if (node instanceof TemplateError) return {nodes: node, ending: 'eof'};
      if (node) nodes.push(node);
    }
    return {nodes, ending: 'eof'};
  }

  /** One action behind its `{{`. A definition leaves no node. */
  #action(): Node | TemplateError | undefined {
    const first = this.#peek();
    if (first?.type === 'word') {
      const {text: word, at} = first;
      this.#index++;
      if (word === 'if' || word === 'with' || word === 'range') return this.#control(word, at);
      if (word === 'define' || word === 'block') return this.#definition(word, at);
      if (word === 'template') return this.#call(at);
      if (word === 'break' || word === 'continue') return this.#jump(word, at);
      this.#index--;
    }
    const pipe = this.#pipe('command', 'close');
    return pipe instanceof TemplateError ? pipe : {type: 'action', at: pipe.at, pipe};
  }

  #jump(type: 'break' | 'continue', at: number): Node | TemplateError {
    const token = this.#next();
    if (token?.type !== 'close') return this.#unexpected(token, `{{${type}}}`);
    return this.#loops === 0 ? new TemplateError(at, `{{${type}}} outside {{range}}`) : {type, at};
  }

  #control(type: 'if' | 'with' | 'range', at: number): Node | TemplateError {
    const known = this.#variables.length;
    const pipe = this.#pipe(type, 'close');
    if (pipe instanceof TemplateError) return pipe;
    if (type === 'range') this.#loops++;
    const {nodes: body, ending} = this.#list();
    if (type === 'range') this.#loops--;
    if (body instanceof TemplateError) return body;
    const otherwise = ending === 'else' ? this.#otherwise(type) : ending === 'end' ? this.#endOfAction() : this.#eof();
    this.#variables.length = known;
    return otherwise instanceof TemplateError ? otherwise : {type, at, pipe, body, otherwise};
  }

  #eof(): TemplateError {
    return new TemplateError(this.#length, 'unexpected EOF');
  }

  #endOfAction(): TemplateError | undefined {
    const token = this.#next();
    return token?.type === 'close' ? undefined : this.#unexpected(token, 'end');
  }

  /** `{{else}}` and its nodes; `{{else if …}}` is an `if` inside of it. */
  #otherwise(type: 'if' | 'with' | 'range'): readonly Node[] | TemplateError {
    const token = this.#peek();
    if (token?.type === 'word' && token.text === type && type !== 'range') {
      this.#index++;
      const node = this.#control(type, token.at);
      return node instanceof TemplateError ? node : [node];
    }
    this.#index++;
    if (token?.type !== 'close') return this.#unexpected(token, 'else');
    const {nodes, ending} = this.#list();
    if (nodes instanceof TemplateError) return nodes;
    if (ending === 'eof') return this.#eof();
    if (ending === 'else') return new TemplateError(this.#at(-1), 'expected end; found {{else}}');
    return this.#endOfAction() ?? nodes;
  }

  #definition(word: 'define' | 'block', at: number): Node | TemplateError | undefined {
    const name = this.#next();
    const text = name?.type === 'string' ? textOf(name.text) : undefined;
    if (text === undefined) return this.#unexpected(name, `${word} clause`);
    const pipe = word === 'block' ? this.#pipe('block clause', 'close') : this.#closing('define clause');
    if (pipe instanceof TemplateError) return pipe;
    const variables = this.#variables;
    this.#variables = ['$'];
    const {nodes, ending} = this.#list();
    this.#variables = variables;
    if (nodes instanceof TemplateError) return nodes;
    if (ending !== 'end') return this.#eof();
    const problem = this.#endOfAction();
    if (problem) return problem;
    this.templates.set(text, nodes);
    return word === 'block' ? {type: 'template', at: name?.at ?? at, name: text, pipe} : undefined;
  }

  #closing(context: string): TemplateError | undefined {
    const token = this.#next();
    return token?.type === 'close' ? undefined : this.#unexpected(token, context);
  }

  #call(at: number): Node | TemplateError {
    const name = this.#next();
    const text = name?.type === 'string' ? textOf(name.text) : undefined;
    if (text === undefined) return this.#unexpected(name, 'template clause');
    if (this.#peek()?.type === 'close') {
      this.#index++;
      return {type: 'template', at: name?.at ?? at, name: text, pipe: undefined};
    }
    const pipe = this.#pipe('template clause', 'close');
    return pipe instanceof TemplateError ? pipe : {type: 'template', at: name?.at ?? at, name: text, pipe};
  }

  #pipe(context: string, end: 'close' | 'paren'): Pipe | TemplateError {
    const at = this.#peek()?.at ?? this.#length;
    const declared = this.#declarations(context);
    if (declared instanceof TemplateError) return declared;
    const commands: Command[] = [];
    for (;;) {
      const token = this.#peek();
      if (!token) return this.#eof();
      const isEnd = end === 'close' ? token.type === 'close' : token.type === 'sign' && token.text === ')';
      if (isEnd) break;
      const command = this.#command();
      if (command instanceof TemplateError) return command;
      commands.push(command);
    }
    this.#index++;
    if (commands.length === 0) return new TemplateError(at, `missing value for ${context}`);
    const late = commands.slice(1).find(({operands: [first]}) => first && ['nil', 'constant', 'dot'].includes(first.type));
    if (late) return new TemplateError(late.at, `non executable command in pipeline stage ${commands.indexOf(late) + 1}`);
    return {at, ...declared, commands};
  }

  /** `$x :=`, `$i, $x :=`, `$x =`. */
  #declarations(context: string): Pick<Pipe, 'variables' | 'isAssignment'> | TemplateError {
    const none = {variables: [], isAssignment: false};
    const start = this.#index;
    const variables: string[] = [];
    for (;;) {
      const token = this.#next();
      if (token?.type !== 'variable') break;
      variables.push(token.text);
      const sign = this.#next();
      if (sign?.type === 'sign' && (sign.text === ':=' || sign.text === '=')) {
        this.#variables.push(...variables);
        return {variables, isAssignment: sign.text === '='};
      }
      if (sign?.type !== 'sign' || sign.text !== ',') break;
      if (context !== 'range' || variables.length > 1) return new TemplateError(sign.at, `too many declarations in ${context}`);
    }
    this.#index = start;
    return none;
  }

  #command(): Command | TemplateError {
    const start = this.#peek();
    if (start?.type === 'sign' && start.text !== '(') return this.#unexpected(start, 'command');
    const at = start?.at ?? this.#length;
    const operands: Operand[] = [];
    for (;;) {
      const operand = this.#operand();
      if (operand instanceof TemplateError) return operand;
      if (operand) operands.push(operand);
      const token = this.#tokens[this.#index];
      if (token?.type === 'space') {
        this.#index++;
        if (!['sign', 'close'].includes(this.#peek()?.type ?? '') || this.#peek()?.text === '(') continue;
      }
      const next = this.#peek();
      if (next?.type === 'sign' && next.text === '|') {
        this.#index++;
        break;
      }
      if (!next || next.type === 'close' || (next.type === 'sign' && next.text === ')')) break;
      return operand ? this.#unexpected(next, 'operand') : this.#unexpected(next, 'command');
    }
    return operands.length === 0 ? new TemplateError(at, 'empty command') : {at, operands};
  }

  #operand(): Operand | TemplateError | undefined {
    const term = this.#term();
    if (!term || term instanceof TemplateError) return term;
    const names = this.#fields();
    if (names.length === 0) return term;
    if (term.type === 'field') return {...term, at: this.#at(-names.length), names: [...term.names, ...names]};
    if (term.type === 'constant' || term.type === 'nil' || term.type === 'dot')
      return new TemplateError(term.at, `unexpected . after term ${goQuote(operandText(term))}`);
    return {type: 'chain', at: this.#at(-names.length), from: term, names};
  }

  /** Fields that stand right behind a term. */
  #fields(): string[] {
    const names: string[] = [];
    for (;;) {
      const token = this.#tokens[this.#index];
      if (token?.type !== 'field' || token.text === '.') return names;
      names.push(token.text.slice(1));
      this.#index++;
    }
  }

  #term(): Operand | TemplateError | undefined {
    const token = this.#peek();
    if (!token) return undefined;
    const {type, text, at} = token;
    this.#index++;
    switch (type) {
      case 'word':
        return wordTerm(text, at);
      case 'field':
        return text === '.' ? {type: 'dot', at} : {type: 'field', at, variable: undefined, names: [text.slice(1)]};
      case 'variable':
        return this.#variables.includes(text)
          ? {type: 'field', at, variable: text, names: []}
          : new TemplateError(at, `undefined variable ${goQuote(text)}`);
      case 'number':
        return numberTerm(text, at);
      case 'string': {
        const value = textOf(text);
        return value === undefined ? new TemplateError(at, 'invalid syntax') : {type: 'constant', at, text, value};
      }
      case 'letter':
        return {type: 'constant', at, text, value: new GoInt((unquote(text) ?? '').codePointAt(0) ?? 0)};
      default:
        break;
    }
    if (type === 'sign' && text === '(') {
      const pipe = this.#pipe('parenthesized pipeline', 'paren');
      return pipe instanceof TemplateError ? pipe : {type: 'pipe', at, pipe};
    }
    this.#index--;
    return undefined;
  }
}

function wordTerm(text: string, at: number): Operand | TemplateError {
  if (text === 'true' || text === 'false') return {type: 'constant', at, text, value: text === 'true'};
  if (text === 'nil') return {type: 'nil', at};
  return FUNCTIONS.has(text)
    ? {type: 'function', at, name: text}
    : new TemplateError(at, `function ${goQuote(text)} not defined`);
}

function numberTerm(text: string, at: number): Operand {
  const plain = text.replaceAll('_', '');
  const isInteger = /^[+-]?(\d+|0[xX][0-9a-fA-F]+)$/.test(plain);
  return {type: 'constant', at, text, value: isInteger ? new GoInt(Number(plain)) : new GoFloat(Number(plain))};
}

function textOf(quoted: string): string | undefined {
  return quoted.startsWith('`') ? quoted.slice(1, -1) : unquote(quoted);
}

function tokenText(token: Token | undefined): string {
  if (!token) return 'EOF';
  if ((token.type === 'word' && KEYWORDS.has(token.text)) || token.text === '.') return `<${token.text}>`;
  return token.text.length > 10 ? `${goQuote(token.text.slice(0, 10))}...` : goQuote(token.text);
}
