// `read`: a line from a stream, cut into variables at IFS. What is read beyond the line is given back.
import {INTERRUPTED} from '../../sim/process/process.ts';
import {assign, LONGEST} from '../state/assign.ts';
import {statusOfSignal} from '../state/shell.ts';
import type {Shell} from '../state/shell.ts';
import {wait} from '../state/steps.ts';
import type {Steps} from '../state/steps.ts';
import {isName, placeOf} from '../state/variables.ts';
import {promptText} from '../expansion/prompts.ts';
import {readOptions} from './options.ts';

const USAGE =
  'read: usage: read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]\n';

/** `read [-rs] [-a array] [-d delim] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name …]` */
export function* read(shell: Shell, args: readonly string[]): Steps<number> {
  const given = readOptions(args, 'ersa:d:i:n:N:p:t:u:');
  if (given.wrong) {
    yield* shell.complain(`read: ${given.wrong.option}: ${given.wrong.words}`);
    yield* shell.printError(USAGE);
    return 2;
  }
  const bad = given.rest.find(name => !isName(placeOf(name).name));
  if (bad !== undefined) return yield* shell.complain(`read: \`${bad}': not a valid identifier`);
  const timeout = given.values.get('t');
  if (timeout !== undefined && !/^\d*\.?\d*$/.test(timeout))
    return yield* shell.complain(`read: ${timeout}: invalid timeout specification`);
  const fd = Number(given.values.get('u') ?? 0);
  if (!shell.process.streams.has(fd))
    return yield* shell.complain(`read: ${given.values.get('u') ?? 0}: invalid file descriptor: Bad file descriptor`);
  const prompt = given.values.get('p');
  if (prompt !== undefined && shell.process.streams.get(fd)?.isTerminal) yield* shell.printError(promptText(shell, prompt));
  const line = yield* readText(shell, fd, {
    delimiter: given.values.has('N') ? undefined : (given.values.get('d') ?? '\n').slice(0, 1) || '\0',
    limit: Number(given.values.get('N') ?? given.values.get('n') ?? Infinity),
    raw: given.letters.has('r'),
    timeoutMs: timeout === undefined ? Infinity : Number(timeout) * 1000,
  });
  if (line.status > 1 && line.status !== 142) return line.status;
  const array = given.values.get('a');
  if (given.values.has('N') && array === undefined) {
    const [name = 'REPLY', ...others] = given.rest;
    for (const other of others) assign(shell, {name: other}, '');
    const words = assign(shell, {name}, plain(line.text));
    return words === undefined ? line.status : yield* shell.complain(words);
  }
  const words = array === undefined ? spread(shell, given.rest, line.text) : fillArray(shell, array, line.text);
  return words === undefined ? line.status : yield* shell.complain(words);
}

interface Manner {
  readonly delimiter: string | undefined;
  readonly limit: number;
  readonly raw: boolean;
  readonly timeoutMs: number;
}

/** Virtual CPU milliseconds that a character costs. */
const CHARACTER_COST_MS = 0.00002;

/** A character that a backslash protects is marked, so that it does not split. */
const PROTECTED = '\u0001';

interface Line {
  readonly text: string;
  readonly status: number;
}

/** Reads up to the delimiter. Status 1 at the end of the stream, 142 when time ran out. */
function* readText(shell: Shell, fd: number, manner: Manner): Steps<Line> {
  const {process} = shell;
  const {clock} = process.kernel;
  const deadline = clock.now + manner.timeoutMs;
  const reader = new LineReader(manner);
  let late = false;
  const timer =
    manner.timeoutMs === Infinity
      ? undefined
      : clock.after(manner.timeoutMs, () => {
          late = true;
          process.interrupt('ALRM');
        });
  for (;;) {
    const part = yield* wait(process.read(fd));
    if (part === INTERRUPTED) {
      const signals = process.takeSignals().filter(name => name !== 'ALRM' || !late);
      if (late) return {text: reader.text, status: 142};
      for (const name of signals) process.interrupt(name);
      if (signals.length === 0 || clock.now > deadline) continue;
      clock.cancel(timer);
      return {text: '', status: statusOfSignal(signals[0] ?? 'INT')};
    }
    if (part === null) {
      clock.cancel(timer);
      return {text: reader.text, status: 1};
    }
    const rest = reader.take(part);
    if (reader.text.length > LONGEST) {
      clock.cancel(timer);
      return {text: '', status: yield* shell.fail(`xrealloc: cannot allocate ${reader.text.length} bytes`, 2, 'exit')};
    }
    yield* shell.pay((part.length - (rest?.length ?? 0)) * CHARACTER_COST_MS);
    if (rest === undefined) continue;
    process.streams.get(fd)?.unread(rest);
    clock.cancel(timer);
    return {text: reader.text, status: 0};
  }
}

class LineReader {
  text = '';
  readonly #manner: Manner;
  #count = 0;
  #escaped = false;

  constructor(manner: Manner) {
    this.#manner = manner;
  }

  /** Takes text; what is left behind the end of the line, undefined when that has not come. */
  take(part: string): string | undefined {
    const {delimiter, raw, limit} = this.#manner;
    if (raw && limit === Infinity && delimiter !== undefined) {
      const end = part.indexOf(delimiter);
      this.text += end < 0 ? part : part.slice(0, end);
      return end < 0 ? undefined : part.slice(end + 1);
    }
    for (let at = 0; at < part.length; at++) {
      if (this.#count >= limit) return part.slice(at);
      const char = part[at] ?? '';
      if (this.#escaped) {
        this.#escaped = false;
        if (char !== '\n') {
          this.text += PROTECTED + char;
          this.#count++;
        }
      } else if (char === '\\' && !raw) this.#escaped = true;
      else if (char === delimiter) return part.slice(at + 1);
      else {
        this.text += char;
        this.#count++;
      }
    }
    return this.#count >= limit ? '' : undefined;
  }
}

function plain(text: string): string {
  return text.includes(PROTECTED) ? text.replaceAll(PROTECTED, '') : text;
}

/** Cuts the line into the variables; the last gets the rest. Words when one cannot be set. */
function spread(shell: Shell, names: readonly string[], line: string): string | undefined {
  const [first] = names;
  if (first === undefined) return assign(shell, {name: 'REPLY'}, plain(line));
  const cutter = new Cutter(shell, line);
  for (const [index, name] of names.entries()) {
    const text = index === names.length - 1 ? cutter.rest() : cutter.next();
    const place = placeOf(name);
    const words = assign(shell, {name: place.name, key: place.subscript}, plain(text));
    if (words !== undefined) return words;
  }
  return undefined;
}

function fillArray(shell: Shell, name: string, line: string): string | undefined {
  const variable = shell.variables.obtain(name);
  if (variable.readonly) return `${name}: readonly variable`;
  variable.text = undefined;
  variable.list = new Map();
  const cutter = new Cutter(shell, line);
  while (!cutter.isDone) variable.list.set(variable.list.size, plain(cutter.next()));
  return undefined;
}

/** Cuts fields off a line. */
class Cutter {
  readonly #separators: string;
  readonly #line: string;
  #at = 0;

  constructor(shell: Shell, line: string) {
    this.#separators = shell.variables.text('IFS') ?? ' \t\n';
    this.#line = line;
    this.#skipBlanks();
  }

  get isDone(): boolean {
    return this.#at >= this.#line.length;
  }

  #isBlank(at: number): boolean {
    const char = this.#line[at] ?? '';
    return char !== '' && ' \t\n'.includes(char) && this.#separators.includes(char);
  }

  #skipBlanks(): void {
    while (this.#isBlank(this.#at)) this.#at++;
  }

  next(): string {
    const from = this.#at;
    while (this.#at < this.#line.length && !this.#separators.includes(this.#line[this.#at] ?? '')) {
      this.#at += this.#line[this.#at] === PROTECTED ? 2 : 1;
    }
    const text = this.#line.slice(from, this.#at);
    this.#skipBlanks();
    const char = this.#line[this.#at] ?? '';
    if (char !== '' && this.#separators.includes(char) && !this.#isBlank(this.#at)) {
      this.#at++;
      this.#skipBlanks();
    }
    return text;
  }

  /** All that is left; without the blanks, and the one separator, at its end. */
  rest(): string {
    const from = this.#at;
    let end = this.#line.length;
    while (end > from && this.#isBlank(end - 1) && this.#line[end - 2] !== PROTECTED) end--;
    const before = this.#at;
    this.next();
    if (this.#at >= this.#line.length) {
      this.#at = before;
      return this.next();
    }
    return this.#line.slice(from, end);
  }
}
