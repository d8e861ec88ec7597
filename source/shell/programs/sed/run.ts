// Runs a script of sed: a cycle for each line of the input.
import type {Process} from '../../../sim/process/process.ts';
import {FILE_ERROR_TEXT} from '../../../sim/files.ts';
import {isFor} from './address.ts';
import type {Place} from './address.ts';
import {Lines} from './lines.ts';
import type {Line} from './lines.ts';
import {Output, OutputFiles} from './output.ts';
import {substitute} from './replacement.ts';
import type {Command, Pattern} from './script.ts';
import {visible} from './visible.ts';

/** How it runs. */
export interface Settings {
  readonly isQuiet: boolean;
  readonly separator: string;
  readonly isSeparate: boolean;
  /** Files are edited in place: what a kept copy's name ends with, empty for none. */
  readonly suffix: string | undefined;
  readonly isUnbuffered: boolean;
  readonly width: number;
}

/** What a command says of what comes next: another command, the end of the cycle with or without printing, or the end of all. */
type Next = number | 'cycle' | 'delete' | 'again' | 'quit' | 'quit-silently';

const STEP_COST_MS = 0.0005;
/** Commands between two payments. */
const STEPS_A_PAYMENT = 64;
const MOST_SPACE = 8 * 1024 * 1024;

/** A script that runs. */
export class Run {
  readonly #process: Process;
  readonly #commands: readonly Command[];
  readonly #settings: Settings;
  readonly #lines: Lines;
  readonly #main: Output;
  #out: Output;
  readonly #files: OutputFiles;
  readonly #place: Place;
  #space: Line = {text: '', hasEnd: true};
  #hold: Line = {text: '', hasEnd: true};
  #hasReplaced = false;
  #last: Pattern;
  #appended: (() => void)[] = [];
  readonly #readLines = new Map<string, string[]>();
  #steps = 0;
  #status = 0;
  #problem: string | undefined;

  constructor(process: Process, commands: readonly Command[], files: readonly string[], settings: Settings) {
    this.#process = process;
    this.#commands = commands;
    this.#settings = settings;
    this.#main = new Output(process, 1);
    this.#out = this.#main;
    this.#files = new OutputFiles(process, this.#main);
    this.#lines = new Lines(process, files, settings);
    this.#lines.isInPlace = settings.suffix !== undefined;
    const lines = this.#lines;
    this.#place = {
      get line() {
        return lines.line;
      },
      isLast: () => this.#isLast(),
      matches: pattern => this.#use(pattern)?.locate(this.#space.text, 0) !== undefined,
    };
  }

  async run(): Promise<number> {
    for (const command of this.#commands) {
      const name = command.name === 'w' || command.name === 'W' ? command.text : command.substitution?.file;
      const words = name === undefined ? undefined : this.#files.open(name);
      if (words !== undefined) return this.#fail(words, 4);
    }
    this.#lines.onBegin = async () => this.#begin();
    this.#lines.onEnd = () => this.#end();
    let isAgain = false;
    for (;;) {
      if (!isAgain && !(await this.#read())) break;
      const next = await this.#cycle();
      if (this.#problem !== undefined) return this.#fail(this.#problem, 1);
      isAgain = next === 'again';
      if (next === 'cycle' || next === 'quit') this.#print();
      this.#append();
      if (next === 'quit' || next === 'quit-silently') {
        await this.#lines.close();
        break;
      }
    }
    await this.#flush();
    this.#files.close();
    return this.#status === 0 ? this.#lines.status : this.#status;
  }

  async #fail(words: string, status: number): Promise<number> {
    await this.#flush();
    await this.#process.err(`sed: ${words}\n`);
    return status;
  }

  #begin(): void {
    if (this.#settings.suffix !== undefined) this.#out = new Output(this.#process, 1);
    for (const command of this.#commands) {
      const isZero = command.first?.kind === 'line' && command.first.line === 0;
      command.range = isZero ? 'active' : 'inactive';
    }
  }

  /** A file was read: what was made of it takes its place. */
  async #end(): Promise<void> {
    const {suffix} = this.#settings;
    if (suffix === undefined || this.#out === this.#main) return;
    const text = this.#out.take();
    this.#out = this.#main;
    const {files} = this.#process.machine;
    const {name} = this.#lines;
    const path = this.#process.path(name);
    const mode = files.info(path)?.mode;
    const copy = copyOf(path, suffix);
    const failed = (copy !== undefined && files.write(copy, files.read(path) ?? '', mode)) || files.write(path, text);
    if (failed) this.#problem = `couldn't open file ${name}: ${FILE_ERROR_TEXT[failed]}`;
  }

  async #flush(): Promise<void> {
    await this.#main.flush();
    await this.#files.flush();
  }

  /** Takes the next line into the pattern space. */
  async #read(): Promise<boolean> {
    const line = await this.#take();
    if (line) this.#space = line;
    return line !== undefined;
  }

  async #take(): Promise<Line | undefined> {
    if (this.#lines.mayWait || this.#main.isLong || this.#settings.isUnbuffered) await this.#flush();
    return this.#lines.read();
  }

  async #isLast(): Promise<boolean> {
    if (this.#lines.mayWait) await this.#flush();
    return this.#lines.isLast();
  }

  #write(line: Line): void {
    this.#out.line(line.text, line.hasEnd, this.#settings.separator);
  }

  #print(): void {
    if (!this.#settings.isQuiet) this.#write(this.#space);
  }

  #append(): void {
    const appended = this.#appended;
    if (appended.length === 0) return;
    this.#appended = [];
    for (const write of appended) write();
  }

  #use(pattern: Pattern): Pattern {
    if (pattern) this.#last = pattern;
    else if (!this.#last) this.#problem ??= 'no previous regular expression';
    return this.#last;
  }

  async #cycle(): Promise<Next> {
    this.#hasReplaced = false;
    const commands = this.#commands;
    for (let at = 0; at < commands.length;) {
      const command = commands[at];
      if (!command || this.#problem !== undefined) break;
      if (++this.#steps % STEPS_A_PAYMENT === 0) {
        const due = this.#process.cpu(STEP_COST_MS * STEPS_A_PAYMENT);
        if (due) await due;
      }
      if (command.first || command.isNegated) {
        if (!(await isFor(command, this.#place))) {
          at = command.name === '{' ? command.target : at + 1;
          continue;
        }
      }
      const next = await this.#execute(command, at);
      if (typeof next !== 'number') return next;
      at = next;
    }
    return 'cycle';
  }

  async #execute(command: Command, at: number): Promise<Next> {
    switch (command.name) {
      case 'n':
        return this.#nextLine(at);
      case 'N':
        return this.#joinLine(at);
      case 'd':
        return 'delete';
      case 'D':
        return this.#deleteFirst();
      case 'c':
        return this.#change(command);
      case 'q':
      case 'Q':
        this.#status = command.number ?? 0;
        return command.name === 'q' ? 'quit' : 'quit-silently';
      case 'b':
        return command.target;
      case 't':
      case 'T': {
        const jumps = this.#hasReplaced === (command.name === 't');
        this.#hasReplaced = false;
        return jumps ? command.target : at + 1;
      }
      case 's':
        this.#substitute(command);
        return at + 1;
      case 'R':
        this.#readLine(command.text);
        return at + 1;
      default:
        this.#simple(command);
        if (this.#space.text.length + this.#hold.text.length > MOST_SPACE) await this.#process.runOut();
        return at + 1;
    }
  }

  /** Commands that only change the spaces, or write. */
  #simple({name, text, letters, number}: Command): void {
    const {text: space} = this.#space;
    if (name === 'p') this.#write(this.#space);
    else if (name === 'P') this.#out.line(firstLine(space), true, this.#settings.separator);
    else if (name === 'g') this.#space = this.#hold;
    else if (name === 'G') this.#space = joined(this.#space, this.#hold);
    else if (name === 'h') this.#hold = this.#space;
    else if (name === 'H') this.#hold = joined(this.#hold, this.#space);
    else if (name === 'x') [this.#space, this.#hold] = [this.#hold, this.#space];
    else if (name === 'z') this.#set('');
    else if (name === '=') this.#out.text(`${this.#lines.line}\n`);
    else if (name === 'F') this.#out.text(`${this.#lines.name}\n`);
    else if (name === 'l') this.#out.text(visible(space, number ?? this.#settings.width));
    else if (name === 'i') this.#out.text(text);
    else if (name === 'a') this.#appended.push(() => this.#out.text(text));
    else if (name === 'r') this.#appended.push(() => this.#copy(text));
    else if (name === 'w') this.#files.get(text).line(space, true, this.#settings.separator);
    else if (name === 'W') this.#files.get(text).line(firstLine(space), true, this.#settings.separator);
    else if (letters) this.#set(Array.from(space, char => letters.get(char) ?? char).join(''));
  }

  #set(text: string): void {
    this.#space = {...this.#space, text};
  }

  #copy(name: string): void {
    const {machine} = this.#process;
    this.#out.text(machine.files.read(this.#process.path(name)) ?? '');
  }

  #readLine(name: string): void {
    let lines = this.#readLines.get(name);
    if (!lines) {
      const text = this.#process.machine.files.read(this.#process.path(name)) ?? '';
      lines = text.replace(/\n$/, '').split('\n');
      if (text === '') lines = [];
      this.#readLines.set(name, lines);
    }
    const line = lines.shift();
    if (line !== undefined) this.#appended.push(() => this.#out.text(`${line}\n`));
  }

  async #nextLine(at: number): Promise<Next> {
    if (await this.#hasEnded()) return 'quit';
    this.#print();
    this.#append();
    return (await this.#read()) ? at + 1 : 'quit-silently';
  }

  async #joinLine(at: number): Promise<Next> {
    if (await this.#hasEnded()) return 'quit';
    this.#append();
    const line = await this.#take();
    if (!line) return 'quit';
    this.#space = joined(this.#space, line);
    if (this.#space.text.length > MOST_SPACE) await this.#process.runOut();
    return at + 1;
  }

  /** No line follows, of this file or of any. */
  async #hasEnded(): Promise<boolean> {
    if (!this.#settings.isSeparate) return this.#isLast();
    return (await this.#isLast()) && !this.#lines.hasMore;
  }

  #deleteFirst(): Next {
    const end = this.#space.text.indexOf('\n');
    if (end < 0) return 'delete';
    this.#set(this.#space.text.slice(end + 1));
    return 'again';
  }

  #change(command: Command): Next {
    if (!command.second || command.range !== 'active' || command.isNegated) this.#out.text(command.text);
    return 'delete';
  }

  #substitute({substitution}: Command): void {
    const pattern = substitution && this.#use(substitution.pattern);
    if (!pattern) return;
    const text = substitute(this.#space.text, substitution, pattern);
    if (text === undefined) return;
    this.#hasReplaced = true;
    this.#set(text);
    if (substitution.prints) this.#write(this.#space);
    if (substitution.file !== undefined) this.#files.get(substitution.file).line(text, true, this.#settings.separator);
  }
}

function joined(first: Line, second: Line): Line {
  return {text: `${first.text}\n${second.text}`, hasEnd: second.hasEnd};
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

/** Where the copy of a file that is edited goes: a `*` in the suffix stands for its name. */
function copyOf(path: string, suffix: string): string | undefined {
  if (suffix === '') return undefined;
  const at = path.lastIndexOf('/') + 1;
  const name = path.slice(at);
  const copy = suffix.includes('*') ? suffix.replaceAll('*', name) : name + suffix;
  return copy.startsWith('/') ? copy : path.slice(0, at) + copy;
}
