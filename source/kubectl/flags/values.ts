// What a command line came to: values of flags, and the arguments.
import {parseGoDuration} from '../../api/meta/time.ts';
import type {CommandSpec, FlagSpec} from './catalogue.ts';

/** The flags and arguments of one command line. Asking for a flag that the command does not have gives its type's nothing. */
export class Values {
  readonly command: CommandSpec;
  readonly #given: ReadonlyMap<string, readonly string[]>;
  readonly #specs: ReadonlyMap<string, FlagSpec>;
  readonly args: readonly string[];
  /** How many arguments stand before `--`; undefined without one. */
  readonly argsBeforeDash: number | undefined;
  /** The flags as they were given, each with its value: `--replicas=3`. */
  readonly written: readonly string[];
  /** What is said of flags that should not be used any more. */
  readonly notices: readonly string[];

  constructor(
    command: CommandSpec,
    line: {
      given: ReadonlyMap<string, readonly string[]>;
      specs: readonly FlagSpec[];
      args: readonly string[];
      argsBeforeDash: number | undefined;
      written?: readonly string[];
      notices?: readonly string[];
    },
  ) {
    this.command = command;
    this.#given = line.given;
    this.#specs = new Map(line.specs.map(spec => [spec.name, spec]));
    this.args = line.args;
    this.argsBeforeDash = line.argsBeforeDash;
    this.written = line.written ?? [];
    this.notices = line.notices ?? [];
  }

  /** Was the flag given? */
  has(name: string): boolean {
    return this.#given.has(name);
  }

  /** The names of all flags that were given. */
  get given(): readonly string[] {
    return [...this.#given.keys()];
  }

  text(name: string): string {
    return this.#given.get(name)?.at(-1) ?? this.#fallback(name);
  }

  /** The value of a flag of every command; empty when the command has one of its own by that name. */
  global(name: string): string {
    return this.command.flags.some(flag => flag.name === name) ? '' : this.text(name);
  }

  on(name: string): boolean {
    return /^(1|t|true)$/i.test(this.text(name));
  }

  number(name: string): number {
    return Number(this.text(name).replaceAll('_', '')) || 0;
  }

  /** Milliseconds of a duration. */
  duration(name: string): number {
    const parsed = parseGoDuration(this.text(name));
    return 'ms' in parsed ? parsed.ms : 0;
  }

  list(name: string): readonly string[] {
    return this.#given.get(name) ?? [];
  }

  #fallback(name: string): string {
    return (this.#specs.get(name)?.fallback ?? '').replaceAll(/^'|'$|^\[\]$/g, '');
  }
}
