// Reads scripts of sed, with GNU's words for what is wrong with one.
import {isQuietMark, ScriptProblem, SourceText} from './source-text.ts';
import type {Part} from './source-text.ts';
import {makePattern, readAddress, readDelimited} from './address.ts';
import {readEscape} from './escapes.ts';
import {readPieces} from './replacement.ts';
import type {Address, Command, Script, Substitution} from './script.ts';

/** Reads the parts of a script. */
export function readScript(parts: readonly Part[], extended: boolean): Script {
  try {
    const isQuiet = isQuietMark(parts);
    return {ok: true, commands: new Reader(new SourceText(parts), extended).script(), isQuiet};
  } catch (failure) {
    if (failure instanceof ScriptProblem) return {ok: false, words: failure.message};
    throw failure;
  }
}

interface Addresses {
  readonly first: Address | undefined;
  readonly second: Address | undefined;
  readonly isNegated: boolean;
}

/** What stands behind an `s` command. */
interface Flags {
  isGlobal: boolean;
  prints: boolean;
  ignoreCase: boolean;
  multiline: boolean;
  nth: number | undefined;
  file: string | undefined;
}

class Reader {
  readonly #source: SourceText;
  readonly #extended: boolean;
  readonly #commands: Command[] = [];
  readonly #blocks: Command[] = [];

  constructor(source: SourceText, extended: boolean) {
    this.#source = source;
    this.#extended = extended;
  }

  script(): readonly Command[] {
    const source = this.#source;
    for (;;) {
      source.match(/[\s;]*/y);
      if (source.isEnd) break;
      this.#command();
    }
    if (this.#blocks.length > 0) throw new ScriptProblem("-e expression #1, char 0: unmatched `{'");
    this.#link();
    return this.#commands;
  }

  #addresses(): Addresses {
    const source = this.#source;
    if (source.peek === '+' || source.peek === '~') {
      source.next();
      throw this.#after('invalid usage of +N or ~N as first address');
    }
    const first = readAddress(source, this.#extended, false);
    let second: Address | undefined;
    source.match(/[ \t]*/y);
    if (source.peek === ',') {
      source.next();
      if (!first) throw source.problem("unknown command: `,'");
      source.match(/[ \t]*/y);
      second = readAddress(source, this.#extended, true);
      if (!second) throw this.#after("unexpected `,'");
    }
    const isZero = first?.kind === 'line' && first.line === 0 && second?.kind !== 'match';
    if (isZero) throw this.#after('invalid usage of line address 0');
    source.match(/\s*/y);
    let isNegated = false;
    while (source.peek === '!') {
      source.next();
      source.match(/\s*/y);
      if (isNegated) throw source.problem("multiple `!'s");
      isNegated = true;
    }
    return {first, second, isNegated};
  }

  #command(): void {
    const source = this.#source;
    const addresses = this.#addresses();
    const name = source.next();
    if (name === undefined) throw source.problem('missing command');
    const reader = COMMANDS[name];
    if (!reader) throw source.problem(`unknown command: \`${name}'`);
    if (name === '}' && this.#blocks.length === 0) throw source.problem("unexpected `}'");
    if (reader.addresses === 0 && addresses.first) {
      throw source.problem(name === '#' ? "comments don't accept any addresses" : `${name} doesn't want any addresses`);
    }
    if (reader.addresses === 1 && addresses.second) throw source.problem('command only uses one address');
    const add = (more: Partial<Command>): Command => {
      const isZero = addresses.first?.kind === 'line' && addresses.first.line === 0;
      const command: Command = {
        name,
        ...addresses,
        text: '',
        number: undefined,
        substitution: undefined,
        letters: undefined,
        target: 0,
        range: isZero ? 'active' : 'inactive',
        rangeEnd: -1,
        ...more,
      };
      this.#commands.push(command);
      return command;
    };
    reader.read(this, add);
  }

  /** Behind a command only its end may stand. */
  end(): void {
    const source = this.#source;
    source.match(/[ \t\r]*/y);
    const char = source.peek;
    if (char === undefined || char === '}' || char === '#') return;
    source.next();
    if (char !== '\n' && char !== ';') throw source.problem('extra characters after command');
  }

  comment(): void {
    this.#source.match(/[^\n]*/y);
  }

  open(command: Command): void {
    this.#blocks.push(command);
  }

  close(): void {
    const open = this.#blocks.pop();
    if (!open) throw this.#source.problem("unexpected `}'");
    open.target = this.#commands.length;
    this.end();
  }

  /** Of a, i, c: GNU's one line, or the lines behind a backslash. */
  lines(): string {
    const source = this.#source;
    source.match(/[ \t]*/y);
    if (source.isEnd) throw source.problem("expected \\ after `a', `c' or `i'");
    if (source.peek === '\\') {
      source.next();
      const blanks = source.match(/[ \t]*/y);
      if (!source.take('\n')) source.at -= blanks.length;
      if (source.isEnd) return '';
    }
    let text = '';
    for (;;) {
      const char = source.next();
      if (char === undefined || char === '\n') break;
      if (char !== '\\') {
        text += char;
        continue;
      }
      if (source.isEnd) break;
      text += this.#textEscape(text === '');
    }
    return `${text}\n`;
  }

  /** What a backslash in such a text stands for; at its start it only keeps blanks. */
  #textEscape(isFirst: boolean): string {
    const source = this.#source;
    const rest = source.match(/[^]{1,4}/y);
    const escape = isFirst || rest.startsWith('n') ? undefined : readEscape(rest, 0);
    source.at -= rest.length - (escape?.length ?? 1);
    return escape?.char ?? rest[0] ?? '';
  }

  label(): string {
    const source = this.#source;
    source.match(/[ \t]*/y);
    return source.match(/[^\s;]*/y);
  }

  jumpLabel(): string {
    this.#source.match(/[ \t]*/y);
    const label = this.#source.match(/[^\s;}]*/y);
    this.end();
    return label;
  }

  file(): string {
    const source = this.#source;
    source.match(/[ \t]*/y);
    const file = source.match(/[^\n]*/y);
    if (file === '') throw source.problem('missing filename in r/R/w/W commands');
    return file;
  }

  number(): number | undefined {
    const source = this.#source;
    source.match(/[ \t]*/y);
    const digits = source.match(/\d*/y);
    this.end();
    return digits === '' ? undefined : Number(digits);
  }

  problem(words: string): ScriptProblem {
    return this.#source.problem(words);
  }

  letters(): ReadonlyMap<string, string> {
    const source = this.#source;
    const delimiter = source.next() ?? '';
    const from = readDelimited(source, delimiter, false);
    const to = from === undefined ? undefined : readDelimited(source, delimiter, false);
    if (from === undefined || to === undefined) throw source.problem("unterminated `y' command");
    const plain = (text: string): string[] => [
      ...text.replace(/\\([^])/g, (all, char: string) =>
        char === delimiter || char === '\\' ? char : (readEscape(char, 0)?.char ?? all),
      ),
    ];
    const left = plain(from);
    const right = plain(to);
    if (left.length !== right.length) throw source.problem("strings for `y' command are different lengths");
    this.end();
    return new Map(left.map((char, index) => [char, right[index] ?? '']));
  }

  substitution(): Substitution {
    const source = this.#source;
    const delimiter = source.next() ?? '';
    if (delimiter === '\n' || delimiter === '\\') throw source.problem("unterminated `s' command");
    const text = readDelimited(source, delimiter, true);
    const right = text === undefined ? undefined : readDelimited(source, delimiter, false);
    if (text === undefined || right === undefined) throw source.problem("unterminated `s' command");
    const {pieces, mostGroup} = readPieces(unescaped(right, delimiter));
    const flags = this.#flags();
    const how = {extended: this.#extended, ignoreCase: flags.ignoreCase, multiline: flags.multiline};
    const pattern = makePattern(source, text, how);
    if (pattern && mostGroup > pattern.groups) throw source.problem(`invalid reference \\${mostGroup} on \`s' command's RHS`);
    return {pattern, pieces, isGlobal: flags.isGlobal, nth: flags.nth ?? 1, prints: flags.prints, file: flags.file};
  }

  #flags(): Flags {
    const source = this.#source;
    const all: Flags = {isGlobal: false, prints: false, ignoreCase: false, multiline: false, nth: undefined, file: undefined};
    for (;;) {
      const char = source.peek;
      if (char !== undefined && /[0-9]/.test(char)) {
        if (all.nth !== undefined) throw this.#after("multiple number options to `s' command");
        all.nth = Number(source.match(/\d+/y));
        if (all.nth === 0) throw source.problem("number option to `s' command may not be zero");
        continue;
      }
      if (char === 'g' || char === 'p') {
        if (char === 'g' ? all.isGlobal : all.prints) throw this.#after(`multiple \`${char}' options to \`s' command`);
        if (char === 'g') all.isGlobal = true;
        else all.prints = true;
      } else if (char === ' ' || char === '\t') {
        source.next();
        continue;
      } else if (char === 'i' || char === 'I') all.ignoreCase = true;
      else if (char === 'm' || char === 'M') all.multiline = true;
      else if (char === 'w') {
        source.next();
        all.file = this.file();
        return all;
      } else if (char === 'e') throw this.#after('e/r/w commands disabled in sandbox mode');
      else break;
      source.next();
    }
    const char = source.peek;
    if (char === undefined || char === '}' || char === '#') return all;
    source.next();
    if (char === ';' || char === '\n') return all;
    throw source.problem("unknown option to `s'");
  }

  #after(words: string): ScriptProblem {
    this.#source.next();
    return this.#source.problem(words);
  }

  /** Finds what the jumps go to. */
  #link(): void {
    const labels = new Map<string, number>();
    for (const [index, {name, text}] of this.#commands.entries()) if (name === ':') labels.set(text, index);
    for (const command of this.#commands) {
      if (!'btT'.includes(command.name)) continue;
      const target = command.text === '' ? this.#commands.length : labels.get(command.text);
      if (target === undefined) throw new ScriptProblem(`can't find label for jump to \`${command.text}'`);
      command.target = target;
    }
  }
}

/** The delimiter behind a backslash is only itself. */
function unescaped(text: string, delimiter: string): string {
  if (delimiter === '&') return text;
  return text.replace(/\\([^])/g, (all, char: string) => (char === delimiter && !/[0-9]/.test(char) ? char : all));
}

type Add = (more: Partial<Command>) => Command;

interface CommandReader {
  /** How many addresses it takes. */
  readonly addresses: 0 | 1 | 2;
  readonly read: (reader: Reader, add: Add) => void;
}

const plain: CommandReader = {
  addresses: 2,
  read(reader, add) {
    add({});
    reader.end();
  },
};
const withText: CommandReader = {addresses: 2, read: (reader, add) => void add({text: reader.lines()})};
const withFile: CommandReader = {addresses: 2, read: (reader, add) => void add({text: reader.file()})};
const withNumber: CommandReader = {addresses: 2, read: (reader, add) => void add({number: reader.number()})};
const quitting: CommandReader = {...withNumber, addresses: 1};
const jump: CommandReader = {addresses: 2, read: (reader, add) => void add({text: reader.jumpLabel()})};

const COMMANDS: Readonly<Record<string, CommandReader | undefined>> = {
  __proto__: null as never,
  '#': {addresses: 0, read: reader => reader.comment()},
  '{': {addresses: 2, read: (reader, add) => reader.open(add({}))},
  '}': {addresses: 0, read: reader => reader.close()},
  ':': {
    addresses: 0,
    read(reader, add) {
      const text = reader.label();
      if (text === '') throw reader.problem('":" lacks a label');
      add({text});
    },
  },
  s: {addresses: 2, read: (reader, add) => void add({substitution: reader.substitution()})},
  y: {addresses: 2, read: (reader, add) => void add({letters: reader.letters()})},
  a: withText,
  i: withText,
  c: withText,
  r: withFile,
  R: withFile,
  w: withFile,
  W: withFile,
  l: withNumber,
  L: withNumber,
  q: quitting,
  Q: quitting,
  b: jump,
  t: jump,
  T: jump,
  v: {addresses: 2, read: (reader, add) => void add({text: reader.jumpLabel()})},
  e: {
    addresses: 2,
    read(reader) {
      throw reader.problem('e/r/w commands disabled in sandbox mode');
    },
  },
  ...Object.fromEntries([...'pdDPnNgGhHxz=F'].map(name => [name, plain])),
};
