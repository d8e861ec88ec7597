// What stands behind the name in `${name…}`: defaults, lengths, substrings, patterns, cases, transformations.
import {assign} from '../state/assign.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {isName} from '../state/variables.ts';
import type {Operation, OperationOf, ParameterPart, WordNode} from '../syntax/tree.ts';
import {arithmetic, expandKey, expandRaw, keysOf, parameterPlace, readParameter} from './parameters.ts';
import type {Value} from './parameters.ts';
import {changeCase, removePattern, replacePattern} from './edits.ts';
import {transform, transformList} from './transformations.ts';

/** What an expansion gives: a value, or a word to be expanded in its place (the default in `${x:-word}`). */
export type Expansion = Value | {readonly kind: 'word'; readonly word: WordNode};

const NOTHING: Expansion = {kind: 'text', text: ''};

/** Expands `$x` or `${x…}`. After an error `shell.unwind` is set. */
export function* expandParameter(shell: Shell, part: ParameterPart): Steps<Expansion> {
  const {parameter, operation} = part;
  if (!operation) return yield* required(shell, parameter, yield* readParameter(shell, parameter));
  switch (operation.type) {
    case 'BadSubstitution':
      return yield* bad(shell, operation.text);
    case 'LengthSliceError':
      return yield* bad(shell, `\${#${parameter}:…}`);
    case 'ArrayKeys':
      return {kind: 'list', values: keysOf(shell.variables.get(operation.array)), star: operation.star};
    case 'VarNamePrefix':
      return {
        kind: 'list',
        values: shell.variables.names().filter(name => name.startsWith(operation.prefix)),
        star: operation.star,
      };
    case 'Indirection':
      return yield* indirect(shell, parameter, operation);
    case 'Length':
      return yield* length(shell, parameter);
    default:
      return yield* operate(shell, {parameter, operation, value: yield* readParameter(shell, parameter)});
  }
}

function* bad(shell: Shell, text: string): Steps<Expansion> {
  yield* shell.fail(`${text.startsWith('$') ? text : `\${${text}}`}: bad substitution`);
  return NOTHING;
}

/** With `set -u` an unset parameter ends the shell. */
function* required(shell: Shell, parameter: string, value: Value): Steps<Value> {
  if (shell.options.nounset && value.kind === 'text' && value.text === undefined) {
    yield* shell.fail(`${/^\d+$/.test(parameter) ? '$' : ''}${parameter}: unbound variable`, 127, 'exit');
  }
  return value;
}

function* indirect(shell: Shell, parameter: string, operation: OperationOf<'Indirection'>): Steps<Expansion> {
  const own = shell.variables.own(parameter);
  if (own?.reference) return {kind: 'text', text: own.text};
  const pointer = yield* readParameter(shell, parameter);
  const target = pointer.kind === 'text' ? pointer.text : pointer.values[0];
  if (target === undefined || target === '') {
    yield* shell.fail(target === '' ? `${target}: invalid variable name` : `${parameter}: invalid indirect expansion`);
    return NOTHING;
  }
  if (!/^([A-Za-z_]\w*(\[.*\])?|\d+|[@*#?!$-])$/s.test(target)) {
    yield* shell.fail(`${target}: invalid variable name`);
    return NOTHING;
  }
  return yield* expandParameter(shell, {
    type: 'ParameterExpansion',
    parameter: target,
    operation: (operation.innerOp as Operation | undefined) ?? null,
  });
}

function* length(shell: Shell, parameter: string): Steps<Expansion> {
  const value = yield* required(shell, parameter, yield* readParameter(shell, parameter));
  return {kind: 'text', text: String(value.kind === 'list' ? value.values.length : lengthOfText(value.text ?? ''))};
}

/** Characters, not halves of them. */
function charactersOf(text: string): readonly string[] {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text) : text.split('');
}

/** How many characters. */
function lengthOfText(text: string): number {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).length : text.length;
}

interface Task {
  readonly parameter: string;
  readonly operation: Operation;
  readonly value: Value;
}

function* operate(shell: Shell, {parameter, operation, value}: Task): Steps<Expansion> {
  switch (operation.type) {
    case 'DefaultValue':
      return isAbsent(value, operation.checkEmpty) ? {kind: 'word', word: operation.word} : value;
    case 'UseAlternative':
      return isAbsent(value, operation.checkEmpty) ? NOTHING : {kind: 'word', word: operation.word};
    case 'AssignDefault':
      return isAbsent(value, operation.checkEmpty) ? yield* assignDefault(shell, parameter, operation.word) : value;
    case 'ErrorIfUnset':
      return isAbsent(value, operation.checkEmpty) ? yield* refuse(shell, parameter, operation) : value;
    case 'Substring':
      return yield* substring(shell, {parameter, operation, value: yield* required(shell, parameter, value)});
    case 'Transform':
      return transformation(shell, {parameter, operation, value: yield* required(shell, parameter, value)});
    default: {
      const present = yield* required(shell, parameter, value);
      const edit = yield* editOf(shell, operation);
      if (present.kind === 'list') return {...present, values: present.values.map(edit)};
      return {kind: 'text', text: edit(present.text ?? '')};
    }
  }
}

function isAbsent(value: Value, checkEmpty: boolean): boolean {
  if (value.kind === 'list')
    return value.values.length === 0 || (checkEmpty && value.values.join('') === '' && value.values.length < 2);
  return value.text === undefined || (checkEmpty && value.text === '');
}

function* assignDefault(shell: Shell, parameter: string, word: WordNode): Steps<Expansion> {
  const text = yield* shell.interpreter.expandText(shell, word);
  const {name, subscript} = parameterPlace(parameter);
  if (!isName(name)) {
    yield* shell.fail(`$${parameter}: cannot assign in this way`);
    return NOTHING;
  }
  const key = subscript === undefined ? undefined : yield* expandKey(shell, name, subscript);
  const words = assign(shell, {name, key}, text);
  if (words !== undefined) yield* shell.fail(words);
  return {
    kind: 'text',
    text: shell.variables.text(name) === undefined ? text : key === undefined ? shell.variables.text(name) : text,
  };
}

function* refuse(shell: Shell, parameter: string, operation: OperationOf<'ErrorIfUnset'>): Steps<Expansion> {
  const words = operation.word ? yield* shell.interpreter.expandText(shell, operation.word) : '';
  const usual = operation.checkEmpty ? 'parameter null or not set' : 'parameter not set';
  yield* shell.fail(`${parameter}: ${words || usual}`, 127, 'exit');
  return NOTHING;
}

function* editOf(shell: Shell, operation: Operation): Steps<(text: string) => string> {
  switch (operation.type) {
    case 'PatternRemoval': {
      const pattern = yield* shell.interpreter.expandPattern(shell, operation.pattern);
      return text => removePattern(text, pattern, operation);
    }
    case 'PatternReplacement': {
      const pattern = yield* shell.interpreter.expandPattern(shell, operation.pattern);
      const replacement = operation.replacement ? yield* shell.interpreter.expandPattern(shell, operation.replacement) : '';
      const ignoreCase = shell.options.shopt('nocasematch');
      return text => replacePattern(text, {pattern, replacement, all: operation.all, anchor: operation.anchor, ignoreCase});
    }
    case 'CaseModification': {
      const pattern = operation.pattern ? yield* casePattern(shell, operation.pattern) : '?';
      return text => changeCase(text, pattern, operation);
    }
    default:
      return text => text;
  }
}

/** The parser gives the pattern of `${x^^[ab]}` as plain text. */
function* casePattern(shell: Shell, word: WordNode): Steps<string> {
  const [part] = word.parts;
  if (word.parts.length === 1 && part?.type === 'Literal') return part.value;
  return yield* shell.interpreter.expandPattern(shell, word);
}

interface SubstringTask extends Task {
  readonly operation: OperationOf<'Substring'>;
}

function* substring(shell: Shell, {parameter, operation, value}: SubstringTask): Steps<Expansion> {
  const offset = yield* number(shell, operation.offset.originalText ?? '0');
  const length = operation.length ? yield* number(shell, operation.length.originalText ?? '0') : undefined;
  if (shell.unwind) return NOTHING;
  const items = value.kind === 'list' ? listFrom(shell, parameter, value.values) : charactersOf(value.text ?? '');
  const start = offset < 0 ? items.length + offset : offset;
  if (start < 0 || start > items.length) return value.kind === 'list' ? {...value, values: []} : NOTHING;
  if (length !== undefined && length < 0) {
    const end = items.length + length;
    if (value.kind === 'list' || end < start) {
      yield* shell.fail(`${operation.length?.originalText ?? ''}: substring expression < 0`);
      return NOTHING;
    }
    return {kind: 'text', text: items.slice(start, end).join('')};
  }
  const taken = items.slice(start, length === undefined ? undefined : start + length);
  return value.kind === 'list' ? {...value, values: taken} : {kind: 'text', text: taken.join('')};
}

/** `${@:0}` begins with $0. */
function listFrom(shell: Shell, parameter: string, values: readonly string[]): readonly string[] {
  return parameter === '@' || parameter === '*' ? [shell.name, ...values] : values;
}

function* number(shell: Shell, raw: string): Steps<number> {
  return Number((yield* arithmetic(shell, yield* expandRaw(shell, raw))) ?? 0);
}

interface TransformTask extends Task {
  readonly operation: OperationOf<'Transform'>;
}

function transformation(shell: Shell, {parameter, operation, value}: TransformTask): Expansion {
  const {name} = parameterPlace(parameter);
  if (value.kind === 'list') {
    const values = transformList(shell, {name, operator: operation.operator, values: value.values});
    return {...value, values};
  }
  if (value.text === undefined && operation.operator !== 'a' && operation.operator !== 'A') return NOTHING;
  return {kind: 'text', text: transform(shell, {name, operator: operation.operator, text: value.text ?? ''})};
}
