// diff, as GNU's 3.8 has it: normal, -u, -c, -y, -e; folders with -r and -N. Not: -D, -l, -n, -F, -p, line formats.
import {nameOf} from '../../../sim/files.ts';
import type {FileInfo} from '../../../sim/files.ts';
import {closeDescriptor, openToRead, takeDescriptor} from '../../../sim/process/open.ts';
import type {Process} from '../../../sim/process/process.ts';
import {patternOf} from '../../expansion/patterns.ts';
import {compileRegex} from '../../text/regex/regex.ts';
import {makeProgram} from '../arguments.ts';
import type {Given} from '../arguments.ts';
import {readWhole} from '../input.ts';
import {compareLines, sameEnds} from './compare.ts';
import type {Change} from './compare.ts';
import {colourPaint, edScript, inContext, normal, plainPaint, unified} from './formats.ts';
import type {Comparison, Paint} from './formats.ts';
import {sideBySide} from './side-by-side.ts';
import {keysOf, SEEING, textOf} from './text.ts';
import type {Blindness, Text} from './text.ts';

const HINT = "diff: Try 'diff --help' for more information.";
const CONTEXT = 3;
const WIDTH = 130;
const LINE_COST_MS = 0.001;

/** `diff [-urNqswbBiy] [-U N] first second`: 0 when they are the same, 1 when not, 2 for trouble. */
export const diff = makeProgram(
  {
    name: 'diff',
    synopsis: '[OPTION]... FILES',
    summary: 'Compare FILES line by line.',
    letters: 'aBbcC:deEI:iL:NqrsTtuU:wW:x:yZlp5::7::8::',
    long: {
      brief: 'q',
      'report-identical-files': 's',
      context: '8',
      unified: '7',
      ed: 'e',
      'side-by-side': 'y',
      width: 'W',
      'left-column': '1',
      'suppress-common-lines': '2',
      label: 'L',
      recursive: 'r',
      'new-file': 'N',
      exclude: 'x',
      'ignore-case': 'i',
      'ignore-trailing-space': 'Z',
      'ignore-space-change': 'b',
      'ignore-all-space': 'w',
      'ignore-blank-lines': 'B',
      'ignore-matching-lines': 'I',
      'strip-trailing-cr': '3',
      'expand-tabs': 't',
      text: 'a',
      minimal: 'd',
      normal: '4',
      color: '5',
      'no-dereference': '6',
    },
    failure: 2,
    hint: HINT,
  },
  async (process, given) => {
    const [first, second, extra] = given.operands;
    const problem =
      extra !== undefined
        ? `extra operand '${extra}'`
        : second === undefined
          ? `missing operand after '${first ?? 'diff'}'`
          : undefined;
    if (problem !== undefined || first === undefined || second === undefined) {
      await process.err(`diff: ${problem}\n${HINT}\n`);
      return 2;
    }
    const run = new Run(process, given);
    return run.compare({name: first}, {name: second}, true);
  },
);

/** A side of a comparison: a file or folder that may be missing. */
interface Operand {
  readonly name: string;
  readonly isMissing?: boolean;
}

class Run {
  readonly #process: Process;
  readonly #given: Given;
  readonly #blind: Blindness;
  readonly #paint: Paint;
  #standardInput: string | undefined;

  constructor(process: Process, given: Given) {
    this.#process = process;
    this.#given = given;
    const blanks = given.has('w') ? 'all' : given.has('b') ? 'amount' : given.has('Z') ? 'end' : undefined;
    this.#blind = {ignoreCase: given.has('i'), blanks, ignoreReturn: given.has('3')};
    const colour = given.has('5') ? (given.value('5') ?? 'auto') : 'never';
    const isTerminal = process.streams.get(1)?.isTerminal === true;
    this.#paint = colour === 'always' || (colour === 'auto' && isTerminal) ? colourPaint : plainPaint;
  }

  async compare(left: Operand, right: Operand, isTop: boolean): Promise<number> {
    const infos = [this.#info(left), this.#info(right)] as const;
    if (isTop) {
      for (const [index, operand] of [left, right].entries()) {
        if (infos[index] === undefined && !this.#given.has('N')) {
          const other = [left, right][1 - index];
          await this.#trouble(operand.name);
          if (index === 0 && other && !infos[1]) await this.#trouble(other.name);
          return 2;
        }
      }
      if (infos[0]?.kind === 'folder' && infos[1]?.kind === 'file') {
        return this.compare({name: inside(left.name, nameOf(right.name))}, right, true);
      }
      if (infos[1]?.kind === 'folder' && infos[0]?.kind === 'file') {
        return this.compare(left, {name: inside(right.name, nameOf(left.name))}, true);
      }
    }
    const kinds = infos.map(info => info?.kind);
    if (kinds.includes('folder')) {
      if (kinds.includes('file')) return this.#mixed(left, right, kinds[0] === 'folder');
      if (isTop || this.#given.has('r')) return this.#folders(left, right);
      await this.#process.out(`Common subdirectories: ${left.name} and ${right.name}\n`);
      return 0;
    }
    return this.#files(left, right, isTop);
  }

  async #trouble(name: string, words = 'No such file or directory'): Promise<void> {
    await this.#process.err(`diff: ${name}: ${words}\n`);
  }

  async #mixed(left: Operand, right: Operand, leftIsFolder: boolean): Promise<number> {
    const kind = (isFolder: boolean): string => (isFolder ? 'a directory' : 'a regular file');
    await this.#process.out(`File ${left.name} is ${kind(leftIsFolder)} while file ${right.name} is ${kind(!leftIsFolder)}\n`);
    return 1;
  }

  #info({name, isMissing}: Operand): Pick<FileInfo, 'kind' | 'modified'> | undefined {
    if (isMissing) return undefined;
    const path = this.#process.path(name);
    if (name === '-' || path.startsWith('/dev/')) return {kind: 'file', modified: this.#process.machine.wall()};
    return this.#process.machine.files.info(path);
  }

  async #folders(left: Operand, right: Operand): Promise<number> {
    const {files} = this.#process.machine;
    const namesOf = (side: Operand): readonly string[] =>
      side.isMissing ? [] : (files.list(this.#process.path(side.name)) ?? []);
    const [lefts, rights] = [new Set(namesOf(left)), new Set(namesOf(right))];
    let status = 0;
    for (const name of [...new Set([...lefts, ...rights])].sort()) {
      if (this.#given.values('x').some(pattern => patternOf(pattern).matches(name))) continue;
      const only = lefts.has(name) ? (rights.has(name) ? undefined : left) : right;
      if (only && !this.#given.has('N')) {
        await this.#process.out(`Only in ${only.name}: ${name}\n`);
        status = Math.max(status, 1);
        continue;
      }
      const side = (of: Operand, has: boolean): Operand => ({name: inside(of.name, name), isMissing: !has});
      status = Math.max(status, await this.compare(side(left, lefts.has(name)), side(right, rights.has(name)), false));
    }
    return status;
  }

  async #read({name, isMissing}: Operand): Promise<string | undefined> {
    if (isMissing) return '';
    if (name === '-') return (this.#standardInput ??= await readWhole(this.#process, 0));
    const opened = openToRead(this.#process, name);
    if (!opened.ok) {
      if (this.#given.has('N') && opened.text === 'No such file or directory') return '';
      await this.#trouble(name, opened.text);
      return undefined;
    }
    const fd = takeDescriptor(this.#process, opened.stream);
    const text = await readWhole(this.#process, fd);
    closeDescriptor(this.#process, fd);
    return text;
  }

  async #files(left: Operand, right: Operand, isTop: boolean): Promise<number> {
    const texts = [await this.#read(left), await this.#read(right)] as const;
    const [first, second] = texts;
    if (first === undefined || second === undefined) return 2;
    const out = (text: string): Promise<void> | undefined => this.#process.out(text);
    const isBinary = !this.#given.has('a') && (first.includes('\0') || second.includes('\0'));
    if (first !== second && isBinary) {
      await out(`${this.#given.has('q') ? 'Files' : 'Binary files'} ${left.name} and ${right.name} differ\n`);
      return this.#given.has('q') ? 1 : 2;
    }
    const comparison = await this.#comparison([left, right], [textOf(first), textOf(second)]);
    const isSame = comparison.changes.every(comparison.isIgnored);
    if (isSame && !this.#given.has('y')) {
      if (this.#given.has('s')) await out(`Files ${left.name} and ${right.name} are identical\n`);
      return 0;
    }
    if (this.#given.has('q') && !isSame) {
      await out(`Files ${left.name} and ${right.name} differ\n`);
      return 1;
    }
    const text = this.#shown(comparison);
    if (!isTop && text !== '') await out(`diff${this.#switches()} ${quoted(left.name)} ${quoted(right.name)}\n`);
    await out(text);
    if (isSame && this.#given.has('s')) await out(`Files ${left.name} and ${right.name} are identical\n`);
    return isSame ? 0 : 1;
  }

  /** The options as they were typed, for the head of a file within a folder. */
  #switches(): string {
    const options = this.#process.argv.slice(1).filter(arg => !this.#given.operands.includes(arg));
    return options.map(each => ` ${quoted(each)}`).join('');
  }

  async #comparison(sides: readonly [Operand, Operand], texts: readonly [Text, Text]): Promise<Comparison> {
    const [left, right] = texts;
    await this.#process.cpu((left.lines.length + right.lines.length) * LINE_COST_MS);
    const given = this.#given;
    const count = Number(given.value('U') ?? given.value('7') ?? given.value('C') ?? given.value('8') ?? CONTEXT);
    const hasContext = ['u', 'U', '7', 'c', 'C', '8'].some(given.has);
    const ends = sameEnds(keysOf(left, SEEING), keysOf(right, SEEING), hasContext ? count : 0);
    const changes = compareLines(keysOf(left, this.#blind), keysOf(right, this.#blind), ends);
    const labels = given.values('L');
    const head = (side: Operand, index: number): string => labels[index] ?? `${side.name}\t${this.#time(side)}`;
    return {
      left,
      right,
      changes,
      heads: [head(sides[0], 0), head(sides[1], 1)],
      context: count,
      isIgnored: this.#ignoring(left, right),
      paint: this.#paint,
    };
  }

  /** Changes that consist only of blank lines (`-B`), or of lines that match (`-I`). */
  #ignoring(left: Text, right: Text): (change: Change) => boolean {
    const given = this.#given;
    const patterns = given.values('I').map(source => compileRegex(source, {extended: false}));
    if (!given.has('B') && patterns.length === 0) return () => false;
    const isNothing = (line: string): boolean =>
      (given.has('B') && (this.#blind.blanks ? line.trim() : line) === '') ||
      patterns.some(pattern => pattern.ok && pattern.locate(line, 0) !== undefined);
    return change =>
      left.lines.slice(change.left.from, change.left.to).every(isNothing) &&
      right.lines.slice(change.right.from, change.right.to).every(isNothing);
  }

  #time(side: Operand): string {
    const modified = this.#info(side)?.modified ?? 0;
    const whole = new Date(Math.floor(modified)).toISOString();
    const parts = Math.round((modified - Math.floor(modified)) * 1_000_000);
    return `${whole.slice(0, 10)} ${whole.slice(11, 23)}${String(parts).padStart(6, '0')} +0000`;
  }

  #shown(comparison: Comparison): string {
    const given = this.#given;
    if (given.has('y')) {
      return sideBySide(comparison, {
        width: Number(given.value('W') ?? WIDTH),
        onlyChanges: given.has('2'),
        leftColumn: given.has('1'),
      });
    }
    if (['u', 'U', '7'].some(given.has)) return unified(comparison);
    if (['c', 'C', '8'].some(given.has)) return inContext(comparison);
    return given.has('e') ? edScript(comparison) : normal(comparison);
  }
}

function inside(folder: string, name: string): string {
  return `${folder.replace(/\/+$/, '')}/${name}`;
}

function quoted(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
