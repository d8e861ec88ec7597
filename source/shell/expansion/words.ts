// Words: from what stands in the script to the fields that a command gets. In bash's order: braces, then tilde, parameters,
// arithmetic and command substitution from left to right, then splitting, names of files, and quotes taken away.
//
// A word is expanded in one of three ways: to fields (arguments), to one text (assignments, redirections, `case`), or to a
// pattern, in which quoted characters carry a backslash.
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import type {Arithmetic, ParameterPart, WordNode, WordPart} from '../syntax/tree.ts';
import {countOf, expandBraces} from './braces.ts';
import {Fields} from './fields.ts';
import type {Field} from './fields.ts';
import {expandGlob} from './globs.ts';
import {expandParameter} from './operations.ts';
import type {Expansion} from './operations.ts';
import {arithmetic, expandRaw, plainText} from './parameters.ts';
import {escapePattern, escapeQuoted} from './patterns.ts';
import {substituteCommand, substituteProcess} from './substitution.ts';
import {expandTilde} from './tilde.ts';

const IFS = ' \t\n';
const constants = new WeakMap<WordNode, string | null>();

/** The text of a word that has nothing to expand; undefined for others. */
export function constantOf(word: WordNode): string | undefined {
  let known = constants.get(word);
  if (known === undefined) {
    known = constantText(word.parts);
    constants.set(word, known);
  }
  return known ?? undefined;
}

/** A word that is one plain parameter, `$x` or `"$x"`: most words that are expanded are. */
interface PlainParameter {
  readonly name: string;
  readonly isQuoted: boolean;
}

const plainParameters = new WeakMap<WordNode, PlainParameter | null>();

function plainParameterOf(word: WordNode): PlainParameter | null {
  let known = plainParameters.get(word);
  if (known === undefined) {
    const [first] = word.parts;
    const inner = first?.type === 'DoubleQuoted' && first.parts.length === 1 ? first.parts[0] : first;
    const isPlain =
      word.parts.length === 1 &&
      inner?.type === 'ParameterExpansion' &&
      !inner.operation &&
      /^[A-Za-z_0-9]+$/.test(inner.parameter);
    known = isPlain ? {name: inner.parameter, isQuoted: inner !== first} : null;
    plainParameters.set(word, known);
  }
  return known;
}

/** The text of `$x` where no splitting and no file names can come of it; undefined where more is to be done. */
function quickText(shell: Shell, word: WordNode): string | undefined {
  const parameter = plainParameterOf(word);
  const text = parameter ? plainText(shell, parameter.name) : undefined;
  if (text === undefined || parameter?.isQuoted) return text;
  return text !== '' && PLAIN_TEXT.test(text) && shell.variables.text('IFS') === IFS ? text : undefined;
}

/** Nothing in it could separate fields or be a pattern. */
const PLAIN_TEXT = /^[\w./:,=%-]+$/;

function constantText(parts: readonly WordPart[]): string | null {
  const [first] = parts;
  if (first?.type === 'Glob' && parts.length === 1 && first.pattern === '[') return '[';
  let text = '';
  for (const part of parts) {
    if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'Escaped') text += part.value;
    else if (part.type === 'DoubleQuoted') {
      const inner = constantText(part.parts);
      if (inner === null) return null;
      text += inner;
    } else return null;
  }
  return text;
}

/** The arguments that some words become. After an error `shell.unwind` is set. */
export function* expandWords(shell: Shell, words: readonly WordNode[]): Steps<string[]> {
  const texts: string[] = [];
  for (const word of words) {
    const constant = constantOf(word);
    const text = constant ?? quickText(shell, word);
    if (text !== undefined) texts.push(text);
    else {
      yield* expandWord(shell, word, texts);
      if (shell.unwind) return texts;
    }
  }
  return texts;
}

function* expandWord(shell: Shell, word: WordNode, texts: string[]): Steps {
  const words = shell.options.has('braceexpand') ? expandBraces(word) : [word];
  if (!words) {
    yield* shell.fail(`brace expansion: failed to allocate memory for \`${countOf(word)}' elements`);
    return;
  }
  if (words.length > 100) yield* shell.pay(words.length / 1000);
  for (const each of words) {
    const fields = new Fields(shell.variables.text('IFS') ?? IFS);
    yield* addParts(shell, fields, each.parts);
    if (shell.unwind) return;
    fields.close();
    for (const field of fields.done) {
      yield* addField(shell, field, texts);
      if (shell.unwind) return;
    }
  }
}

function* addField(shell: Shell, field: Field, texts: string[]): Steps {
  if (field.pattern === undefined || shell.options.noglob) {
    texts.push(field.text);
    return;
  }
  const {process, options} = shell;
  const found = expandGlob(process.machine.files, process.folder, field.pattern, {
    dotFiles: options.shopt('dotglob'),
    ignoreCase: options.shopt('nocaseglob'),
    globstar: options.shopt('globstar'),
  });
  if (found.length > 0) for (const path of found) texts.push(path);
  else if (options.shopt('failglob')) yield* shell.fail(`no match: ${field.text}`);
  else if (!options.shopt('nullglob')) texts.push(field.text);
}

function* addParts(shell: Shell, fields: Fields, parts: readonly WordPart[]): Steps {
  for (const part of parts) {
    yield* addPart(shell, fields, part);
    if (shell.unwind) return;
  }
}

function* addPart(shell: Shell, fields: Fields, part: WordPart): Steps {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'Escaped':
      return fields.quoted(part.value);
    case 'Glob':
      return fields.glob(yield* globText(shell, part.pattern));
    case 'DoubleQuoted':
      return yield* addQuoted(shell, fields, part.parts);
    case 'TildeExpansion':
      return fields.quoted(expandTilde(shell, part.user));
    case 'ParameterExpansion':
      return yield* addParameter(shell, fields, part);
    default:
      return fields.unquoted(yield* partText(shell, part));
  }
}

/** Inside a bracket expression of the script there may be variables: `[$chars]`. */
function* globText(shell: Shell, pattern: string): Steps<string> {
  return /[$`"']/.test(pattern) ? yield* expandRaw(shell, pattern) : pattern;
}

function* addParameter(shell: Shell, fields: Fields, part: ParameterPart): Steps {
  const expansion = yield* expandParameter(shell, part);
  if (shell.unwind) return;
  if (expansion.kind === 'word') {
    for (const inner of expansion.word.parts) {
      if (inner.type === 'Literal') fields.unquoted(inner.value);
      else yield* addPart(shell, fields, inner);
      if (shell.unwind) return;
    }
    return;
  }
  if (expansion.kind === 'text') {
    fields.unquoted(expansion.text ?? '');
    return;
  }
  for (const [index, value] of expansion.values.entries()) {
    if (index > 0) fields.close();
    fields.unquoted(value);
  }
}

/** Parts in double quotes; "$@" becomes as many fields as it has elements. */
function* addQuoted(shell: Shell, fields: Fields, parts: readonly WordPart[]): Steps {
  if (parts.length === 0) fields.quoted('');
  for (const part of parts) {
    if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'Escaped') fields.quoted(part.value);
    else if (part.type === 'DoubleQuoted') yield* addQuoted(shell, fields, part.parts);
    else if (part.type === 'ParameterExpansion') yield* addQuotedParameter(shell, fields, {part, isAlone: parts.length === 1});
    else fields.quoted(yield* partText(shell, part));
    if (shell.unwind) return;
  }
}

function* addQuotedParameter(shell: Shell, fields: Fields, {part, isAlone}: {part: ParameterPart; isAlone: boolean}): Steps {
  const expansion = yield* expandParameter(shell, part);
  if (shell.unwind) return;
  if (expansion.kind === 'word') {
    yield* addQuoted(shell, fields, expansion.word.parts);
    return;
  }
  if (expansion.kind === 'text' || expansion.star) {
    fields.quoted(expansion.kind === 'text' ? (expansion.text ?? '') : joined(shell, expansion.values));
    return;
  }
  if (expansion.values.length === 0) {
    if (!isAlone) fields.quoted('');
    return;
  }
  for (const [index, value] of expansion.values.entries()) {
    if (index > 0) fields.close();
    fields.quoted(value);
  }
}

/** Elements with the first character of IFS between them. */
function joined(shell: Shell, values: readonly string[]): string {
  return values.join((shell.variables.text('IFS') ?? IFS).slice(0, 1));
}

/** A word as one text: nothing is split, no files are named. */
export function* expandText(shell: Shell, word: WordNode): Steps<string> {
  const constant = constantOf(word) ?? quickText(shell, word);
  if (constant !== undefined) return constant;
  return yield* textOfParts(shell, word.parts);
}

function* textOfParts(shell: Shell, parts: readonly WordPart[]): Steps<string> {
  let text = '';
  for (const part of parts) {
    text += yield* partText(shell, part);
    if (shell.unwind) return text;
  }
  return text;
}

function* partText(shell: Shell, part: WordPart): Steps<string> {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'Escaped':
      return part.value;
    case 'Glob':
      return yield* globText(shell, part.pattern);
    case 'DoubleQuoted':
      return yield* textOfParts(shell, part.parts);
    case 'ParameterExpansion': {
      const expansion = yield* expandParameter(shell, part);
      return expansion.kind === 'word' ? yield* textOfParts(shell, expansion.word.parts) : plain(shell, expansion);
    }
    case 'ArithmeticExpansion':
      return yield* arithmeticText(shell, part.expression);
    case 'CommandSubstitution':
      return yield* substituteCommand(shell, part.body.statements);
    case 'ProcessSubstitution':
      return yield* substituteProcess(shell, part);
    case 'TildeExpansion':
      return expandTilde(shell, part.user);
    default:
      return braceText(part.items);
  }
}

function plain(shell: Shell, expansion: Expansion & {kind: 'text' | 'list'}): string {
  if (expansion.kind === 'text') return expansion.text ?? '';
  return expansion.star ? joined(shell, expansion.values) : expansion.values.join(' ');
}

/** Braces where none are expanded: as they were written, as far as the tree knows. */
function braceText(items: (WordPart & {type: 'BraceExpansion'})['items']): string {
  const [first] = items;
  if (items.length === 1 && first?.type === 'Range') {
    return `{${first.startStr ?? first.start}..${first.endStr ?? first.end}${first.step === undefined ? '' : `..${first.step}`}}`;
  }
  return `{${items.map(item => (item.type === 'Word' ? (constantText(item.word.parts) ?? '') : `${item.start}..${item.end}`)).join(',')}}`;
}

/** The value of `$((…))` in digits; empty after an error, which is told. */
function* arithmeticText(shell: Shell, expression: Arithmetic): Steps<string> {
  const value = yield* arithmetic(shell, yield* expandRaw(shell, expression.originalText ?? ''));
  return value === undefined ? '' : String(value);
}

/** A word as a pattern: quoted characters are ordinary in it. */
export function* expandPattern(shell: Shell, word: WordNode): Steps<string> {
  const texts: string[] = [];
  for (const part of word.parts) {
    texts.push(yield* patternPart(shell, part));
    if (shell.unwind) return '';
  }
  return texts.join('');
}

function* patternPart(shell: Shell, part: WordPart): Steps<string> {
  switch (part.type) {
    case 'Literal':
      return escapePattern(part.value);
    case 'Glob':
      return yield* globText(shell, part.pattern);
    case 'SingleQuoted':
    case 'Escaped':
    case 'DoubleQuoted':
    case 'TildeExpansion':
      return escapeQuoted(yield* partText(shell, part));
    case 'ParameterExpansion': {
      const expansion = yield* expandParameter(shell, part);
      return expansion.kind === 'word' ? yield* expandPattern(shell, expansion.word) : plain(shell, expansion);
    }
    default:
      return yield* partText(shell, part);
  }
}
