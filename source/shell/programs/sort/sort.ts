// sort, as GNU's has it in the C locale: by code units.
import {openToWrite, takeDescriptor, closeDescriptor} from '../../../sim/process/open.ts';
import type {Process} from '../../../sim/process/process.ts';
import {makeProgram} from '../arguments.ts';
import type {Given} from '../arguments.ts';
import {closeInput, openInput, readWhole} from '../input.ts';
import {complain} from '../output.ts';
import {compareValues, orderingOf, partOf, readKey, valueOf} from './key.ts';
import type {Key, Ordering, Value} from './key.ts';

const LINE_COST_MS = 0.0006;
const TEXT: Ordering = {ignoresBlanks: false, dictionary: false, fold: false, printable: false, kind: 'text', reverse: false};

/** `sort [-bdfghiMnrRV] [-k key]… [-t separator] [-cCmsuz] [-o file] [file]…` */
export const sort = makeProgram(
  {
    name: 'sort',
    synopsis: '[OPTION]... [FILE]...',
    summary: 'Write sorted concatenation of all FILE(s) to standard output.',
    letters: 'bcCdfghik:mMno:rRsS:t:T:uVz1::2:',
    long: {
      'ignore-leading-blanks': 'b',
      'dictionary-order': 'd',
      'ignore-case': 'f',
      'general-numeric-sort': 'g',
      'human-numeric-sort': 'h',
      'ignore-nonprinting': 'i',
      'month-sort': 'M',
      'numeric-sort': 'n',
      'random-sort': 'R',
      reverse: 'r',
      'version-sort': 'V',
      key: 'k',
      'field-separator': 't',
      unique: 'u',
      stable: 's',
      output: 'o',
      merge: 'm',
      'zero-terminated': 'z',
      'buffer-size': 'S',
      'temporary-directory': 'T',
      check: '1',
      parallel: '2',
    },
    failure: 2,
  },
  async (process, given) => {
    const keys: Key[] = [];
    for (const text of given.values('k')) {
      const key = readKey(text);
      if (typeof key === 'string') return complain(process, `sort: ${key}`, 2);
      keys.push(key);
    }
    const tab = given.value('t');
    if (tab === '') return complain(process, 'sort: empty tab', 2);
    const separator = tab === '\\0' ? '\0' : tab;
    if (separator !== undefined && [...separator].length > 1) return complain(process, `sort: multi-character tab ‘${tab}’`, 2);
    const end = given.has('z') ? '\0' : '\n';
    const sorter = new Sorter(process, given, {keys, separator});
    const lines: string[] = [];
    for (const name of given.operands.length === 0 ? ['-'] : given.operands) {
      const read = await linesOf(process, name, end);
      if (!read) return 2;
      for (const line of read) lines.push(line);
    }
    await process.cpu(lines.length * LINE_COST_MS * Math.max(1, 32 - Math.clz32(lines.length)));
    const check = given.has('C') ? 'quiet' : given.has('c') || given.has('1') ? (given.value('1') ?? 'loud') : undefined;
    if (check !== undefined) return sorter.check(lines, given.operands[0] ?? '-', check === 'loud' || check === 'diagnose-first');
    const text = sorter
      .sorted(lines)
      .map(line => line + end)
      .join('');
    const output = given.value('o');
    if (output === undefined) {
      await process.out(text);
      return 0;
    }
    const opened = openToWrite(process, output);
    if (!opened.ok) return complain(process, `sort: open failed: ${output}: ${opened.text}`, 2);
    const fd = takeDescriptor(process, opened.stream);
    await process.write(fd, text);
    closeDescriptor(process, fd);
    return 0;
  },
);

/** The lines of a file; undefined, and said so, when it cannot be read. */
async function linesOf(process: Process, name: string, end: string): Promise<string[] | undefined> {
  const input = await openInput(process, name, 'sort: cannot read');
  if (!input) return undefined;
  const text = await readWhole(process, input.fd);
  closeInput(process, input);
  const lines = text.split(end);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

interface Item {
  readonly line: string;
  readonly values: readonly Value[];
}

class Sorter {
  readonly #process: Process;
  readonly #given: Given;
  readonly #keys: readonly {readonly key: Key; readonly ordering: Ordering}[];
  readonly #separator: string | undefined;
  readonly #seed: number;

  constructor(process: Process, given: Given, {keys, separator}: {keys: readonly Key[]; separator: string | undefined}) {
    this.#process = process;
    this.#given = given;
    this.#separator = separator;
    const usual = orderingOf(given.order.join('')) ?? TEXT;
    const whole: Key = {start: {field: 0, char: 0, ignoresBlanks: usual.ignoresBlanks}, end: undefined, ordering: undefined};
    this.#keys = (keys.length > 0 ? keys : [whole]).map(key => ({key, ordering: key.ordering ?? usual}));
    this.#seed = process.pid * 7919 + Math.floor(process.kernel.clock.now);
  }

  #item(line: string): Item {
    const values = this.#keys.map(({key, ordering}) => {
      const part = partOf(line, key, {
        separator: this.#separator,
        ignoresBlanks: key.ordering === undefined && ordering.ignoresBlanks,
      });
      return valueOf(part, ordering, this.#seed);
    });
    return {line, values};
  }

  /** By the keys alone. */
  #byKeys(a: Item, b: Item): number {
    for (const [index, {ordering}] of this.#keys.entries()) {
      const order = compareValues(a.values[index] ?? '', b.values[index] ?? '');
      if (order !== 0) return ordering.reverse ? -order : order;
    }
    return 0;
  }

  /** By the keys, and lines that are alike there by all of their text. */
  #compare(a: Item, b: Item): number {
    const order = this.#byKeys(a, b);
    if (order !== 0 || this.#given.has('s') || this.#given.has('u')) return order;
    const last = compareValues(a.line, b.line);
    return this.#given.has('r') ? -last : last;
  }

  sorted(lines: readonly string[]): readonly string[] {
    const items = lines.map(line => this.#item(line)).sort((a, b) => this.#compare(a, b));
    if (!this.#given.has('u')) return items.map(item => item.line);
    return items
      .filter((item, index) => index === 0 || this.#byKeys(items[index - 1] ?? item, item) !== 0)
      .map(item => item.line);
  }

  /** Are they sorted? The first that is not is told. */
  async check(lines: readonly string[], name: string, isLoud: boolean): Promise<number> {
    let before: Item | undefined;
    for (const [index, line] of lines.entries()) {
      const item = this.#item(line);
      const order = before ? this.#compare(before, item) : -1;
      before = item;
      if (order < 0 || (order === 0 && !this.#given.has('u')) || index === 0) continue;
      if (isLoud) await this.#process.err(`sort: ${name}:${index + 1}: disorder: ${line}\n`);
      return 1;
    }
    return 0;
  }
}
