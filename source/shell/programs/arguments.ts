// How the programs of this room read their arguments, and what they say when these are wrong: as GNU's getopt does. Options may
// stand behind operands, letters may be joined, long names may be cut short.
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';

/** What a program takes. */
export interface Usage {
  readonly name: string;
  /** The line behind `Usage: name `. */
  readonly synopsis: string;
  /** One sentence on what it does. */
  readonly summary: string;
  /** Letters; a colon behind one that takes a value, two behind one that may. */
  readonly letters: string;
  /** Long names and the letter that each stands for, which need not be a real one. */
  readonly long?: Readonly<Record<string, string>>;
  /** The status for wrong arguments (default 1). */
  readonly failure?: number;
  /** Operands end the options, as for programs that run others. */
  readonly inOrder?: boolean;
  /** The whole text of `--help`, which is also said for wrong arguments, where the program is one that players mistype. */
  readonly help?: string;
  /** What is said for wrong arguments, where it is not the usual hint. */
  readonly hint?: string;
  /** `-5` is an operand. */
  readonly negativeNumbers?: boolean;
  /** `-5` is `-n 5`. */
  readonly countLetter?: string;
}

/** What was given. */
export interface Given {
  has(letter: string): boolean;
  /** The last value of an option. */
  value(letter: string): string | undefined;
  /** All values of an option, in order. */
  values(letter: string): readonly string[];
  /** The letters in the order in which they were given. */
  readonly order: readonly string[];
  readonly operands: readonly string[];
}

/** Arguments that were read, or words for what is wrong with them. */
export type Read = {readonly ok: true; readonly given: Given} | {readonly ok: false; readonly words: string};

/** Reads arguments. */
export function readArguments(args: readonly string[], usage: Usage): Read {
  const reader = new Reader(usage);
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      reader.operands.push(...args.slice(at + 1));
      break;
    }
    if (arg.startsWith('--') && arg.length > 2) at += reader.long(arg.slice(2), args[at + 1]);
    else if (usage.countLetter !== undefined && /^-\d+$/.test(arg)) reader.add(usage.countLetter, arg.slice(1));
    else if (arg.startsWith('-') && arg.length > 1 && !(usage.negativeNumbers && /^-\.?\d/.test(arg)))
      at += reader.short(arg, args[at + 1]);
    else {
      reader.operands.push(arg);
      if (usage.inOrder) {
        reader.operands.push(...args.slice(at + 1));
        break;
      }
    }
    if (reader.problem !== undefined) return {ok: false, words: reader.problem};
  }
  return {ok: true, given: reader.given()};
}

class Reader {
  readonly #usage: Usage;
  readonly #values = new Map<string, string[]>();
  readonly #order: string[] = [];
  readonly operands: string[] = [];
  problem: string | undefined;

  constructor(usage: Usage) {
    this.#usage = usage;
  }

  given(): Given {
    const values = this.#values;
    return {
      has: letter => values.has(letter),
      value: letter => values.get(letter)?.at(-1),
      values: letter => values.get(letter) ?? [],
      order: this.#order,
      operands: this.operands,
    };
  }

  add(letter: string, value?: string): void {
    const known = this.#values.get(letter) ?? [];
    if (value !== undefined) known.push(value);
    this.#values.set(letter, known);
    this.#order.push(letter);
  }

  /** How a letter takes a value: not, always, or only when joined. */
  #takes(letter: string): 'no' | 'yes' | 'maybe' | undefined {
    const {letters} = this.#usage;
    const at = letter === ':' ? -1 : letters.indexOf(letter);
    if (at < 0) return undefined;
    if (letters[at + 1] !== ':') return 'no';
    return letters[at + 2] === ':' ? 'maybe' : 'yes';
  }

  /** Reads `-abc`; how many further arguments it took. */
  short(arg: string, next: string | undefined): number {
    for (let at = 1; at < arg.length; at++) {
      const letter = arg[at] ?? '';
      const takes = this.#takes(letter);
      if (takes === undefined) {
        this.problem = `invalid option -- '${letter}'`;
        return 0;
      }
      if (takes === 'no') {
        this.add(letter);
        continue;
      }
      const joined = arg.slice(at + 1);
      if (joined !== '' || takes === 'maybe') {
        this.add(letter, joined === '' ? undefined : joined);
        return 0;
      }
      if (next === undefined) {
        this.problem = `option requires an argument -- '${letter}'`;
        return 0;
      }
      this.add(letter, next);
      return 1;
    }
    return 0;
  }

  /** Reads `--name=value`; how many further arguments it took. */
  long(text: string, next: string | undefined): number {
    const at = text.indexOf('=');
    const name = at < 0 ? text : text.slice(0, at);
    const long = {help: 'help', version: 'version', ...this.#usage.long};
    const exact = Object.hasOwn(long, name) ? [name] : Object.keys(long).filter(each => each.startsWith(name));
    const [only] = exact;
    if (only === undefined || exact.length > 1) {
      this.problem = only === undefined ? `unrecognized option '--${name}'` : `option '--${name}' is ambiguous`;
      return 0;
    }
    const letter = (long as Readonly<Record<string, string>>)[only] ?? only;
    const takes = this.#takes(letter) ?? 'no';
    if (at >= 0) {
      if (takes === 'no') this.problem = `option '--${only}' doesn't allow an argument`;
      else this.add(letter, text.slice(at + 1));
      return 0;
    }
    if (takes !== 'yes') {
      this.add(letter);
      return 0;
    }
    if (next === undefined) {
      this.problem = `option '--${only}' requires an argument`;
      return 0;
    }
    this.add(letter, next);
    return 1;
  }
}

/** Makes a program from what it takes and what it does. `--help` and wrong arguments are answered here. */
export function makeProgram(usage: Usage, run: (process: Process, given: Given) => Promise<number>): Program {
  return async process => {
    const read = readArguments(process.argv.slice(1), usage);
    if (!read.ok) {
      const help = usage.help ?? usage.hint ?? `Try '${usage.name} --help' for more information.`;
      await process.err(`${usage.name}: ${read.words}\n${help}\n`);
      return usage.failure ?? 1;
    }
    if (read.given.has('help')) {
      await process.out(usage.help === undefined ? helpOf(usage) : `${usage.help}\n`);
      return 0;
    }
    return run(process, read.given);
  };
}

function helpOf(usage: Usage): string {
  const names = new Map(Object.entries(usage.long ?? {}).map(([name, letter]) => [letter, name]));
  const letters = [...new Set(usage.letters.replaceAll(':', '').split(''))];
  const lines = letters.flatMap(letter => {
    const name = names.get(letter);
    if (/[A-Za-z]/.test(letter)) return [`  -${letter}${name === undefined ? '' : `, --${name}`}\n`];
    return name === undefined ? [] : [`      --${name}\n`];
  });
  return `Usage: ${usage.name} ${usage.synopsis}\n${usage.summary}\n${lines.length > 0 ? '\n' : ''}${lines.join('')}`;
}
