// Reads the text of a label selector (`a=b,c in (x,y),!d`), with the server's words for what it cannot read.
import {aggregateText, type FieldError, invalid} from './field-error.ts';
import {goQuote} from './go-text.ts';
import {checkLabelValue, checkQualifiedName} from './names.ts';
import {type Requirement, type SelectorOperator, sortRequirements, sortedSet} from './selector.ts';

/** What was read, or why it could not be. */
export type ParsedSelector = {readonly requirements: readonly Requirement[]} | {readonly error: string};

type Kind = 'end' | 'word' | 'in' | 'notin' | ')' | '(' | ',' | '!' | '=' | '==' | '!=' | '>' | '<' | 'error';

interface Token {
  readonly kind: Kind;
  readonly text: string;
}

const SYMBOLS = '=!(),><';
const TOKENS: ReadonlySet<string> = new Set([')', '(', ',', '!', '=', '==', '!=', '>', '<']);
const OPERATORS: ReadonlyMap<Kind, SelectorOperator> = new Map<Kind, SelectorOperator>([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);
const OPERATOR_WORDS = 'in, notin, =, ==, !=, gt, lt';
const END: Token = {kind: 'end', text: ''};

/** A sentence of refusal on its way out of the parser; it never leaves this file. */
class Refused extends Error {}

/** Reads a label selector. The empty text selects everything. */
export function parseSelector(text: string): ParsedSelector {
  try {
    return {requirements: sortRequirements(readAll(new Reader(tokenize(text))))};
  } catch (error) {
    if (error instanceof Refused) return {error: error.message};
    throw error;
  }
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) at++;
    else {
      const token = SYMBOLS.includes(text.charAt(at)) ? symbolAt(text, at) : wordAt(text, at);
      tokens.push(token);
      at += token.text.length;
    }
  }
  return tokens;
}

function wordAt(text: string, at: number): Token {
  const word = /^[^\s=!(),><]+/.exec(text.slice(at))?.[0] ?? '';
  return {kind: word === 'in' || word === 'notin' ? word : 'word', text: word};
}

/** The longest sign that begins here. */
function symbolAt(text: string, at: number): Token {
  const pair = text.slice(at, at + 2);
  if (TOKENS.has(pair)) return {kind: pair as Kind, text: pair};
  return {kind: text.charAt(at) as Kind, text: text.charAt(at)};
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** The next token; where a value may stand, `in` and `notin` are words. */
  peek(): Token {
    const token = this.#tokens[this.#at] ?? END;
    return token.kind === 'in' || token.kind === 'notin' ? {kind: 'word', text: token.text} : token;
  }

  take(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  takeOperator(): Token {
    return this.#tokens[this.#at++] ?? END;
  }
}

function readAll(reader: Reader): Requirement[] {
  const requirements: Requirement[] = [];
  for (;;) {
    const next = reader.peek();
    if (next.kind === 'end') return requirements;
    if (next.kind !== 'word' && next.kind !== '!')
      throw new Refused(`found '${next.text}', expected: !, identifier, or 'end of string'`);
    requirements.push(readRequirement(reader));
    const after = reader.take();
    if (after.kind === 'end') return requirements;
    if (after.kind !== ',') throw new Refused(`found '${after.text}', expected: ',' or 'end of string'`);
    const following = reader.peek();
    if (following.kind !== 'word' && following.kind !== '!') {
      throw new Refused(`found '${following.text}', expected: identifier after ','`);
    }
  }
}

function readRequirement(reader: Reader): Requirement {
  const negated = reader.peek().kind === '!';
  if (negated) reader.take();
  const key = reader.take();
  if (key.kind !== 'word') refuse(`found '${key.text}', expected: identifier`);
  const keyErrors = checkQualifiedName(key.text);
  if (keyErrors.length > 0) refuse(`<nil>: Invalid value: ${goQuote(key.text)}: ${keyErrors.join('; ')}`);
  const next = reader.peek().kind;
  if (negated) return {key: key.text, operator: '!', values: []};
  if (next === 'end' || next === ',') return {key: key.text, operator: 'exists', values: []};
  const sign = reader.takeOperator();
  const operator = OPERATORS.get(sign.kind);
  if (!operator) refuse(`found '${sign.text}', expected: ${OPERATOR_WORDS}`);
  const values = operator === 'in' || operator === 'notin' ? readValues(reader) : readExactValue(reader);
  const requirement = {key: key.text, operator, values: sortedSet(values)};
  const errors = checkRequirement(requirement);
  if (errors.length > 0) refuse(aggregateText(errors));
  return requirement;
}

function refuse(why: string): never {
  throw new Refused(`unable to parse requirement: ${why}`);
}

function checkRequirement({key, operator, values}: Requirement): FieldError[] {
  const errors: FieldError[] = [];
  if ((operator === 'in' || operator === 'notin') && values.length === 0) {
    errors.push(invalid('values', values, "for 'in', 'notin' operators, values set can't be empty"));
  }
  values.forEach((value, i) => {
    if ((operator === 'gt' || operator === 'lt') && !/^[-+]?\d+$/.test(value)) {
      errors.push(invalid(`values[${i}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
  });
  values.forEach((value, i) => {
    const wrong = checkLabelValue(value);
    if (wrong.length > 0) errors.push(invalid(`values[${i}][${key}]`, value, wrong.join('; ')));
  });
  return errors;
}

function readExactValue(reader: Reader): readonly string[] {
  const next = reader.peek().kind;
  if (next === 'end' || next === ',') return [''];
  const token = reader.take();
  if (token.kind !== 'word') refuse(`found '${token.text}', expected: identifier`);
  return [token.text];
}

function readValues(reader: Reader): readonly string[] {
  const open = reader.take();
  if (open.kind !== '(') refuse(`found '${open.text}' expected: '('`);
  const first = reader.peek();
  if (first.kind === ')') {
    reader.take();
    return [];
  }
  if (first.kind !== 'word' && first.kind !== ',') refuse(`found '${first.text}', expected: ',', ')' or identifier`);
  const values = readList(reader);
  if (reader.take().kind !== ')') refuse(`found '${first.text}', expected: ')'`);
  return values;
}

/** Words and commas up to the closing bracket, which stays; an empty place is an empty value. */
function readList(reader: Reader): readonly string[] {
  const values: string[] = [];
  for (;;) {
    const token = reader.take();
    if (token.kind === 'word') {
      values.push(token.text);
      const next = reader.peek();
      if (next.kind === ')') return values;
      if (next.kind !== ',') refuse(`found '${next.text}', expected: ',' or ')'`);
    } else if (token.kind === ',') {
      if (values.length === 0) values.push('');
      const next = reader.peek();
      if (next.kind === ')') return [...values, ''];
      if (next.kind === ',') {
        reader.take();
        values.push('');
      }
    } else refuse(`found '${token.text}', expected: ',', or identifier`);
  }
}
