// What one shell knows: its variables, functions, options, jobs, traps, and where it is in its script. A subshell is a fork of
// all that on a process of its own.
//
// `break`, `return`, `exit` and failures that end a command travel as a value, `unwind`: whoever runs statements looks at it
// after each one and goes no further while it is set.
import {SIGNALS} from '../../sim/process/kernel.ts';
import type {SignalName} from '../../sim/process/kernel.ts';
import type {Program} from '../../sim/process/machine.ts';
import {INTERRUPTED} from '../../sim/process/process.ts';
import type {Process} from '../../sim/process/process.ts';
import type {CommandNode, FunctionNode, SimpleCommandNode, Statements, WordNode} from '../syntax/tree.ts';
import {Jobs} from './jobs.ts';
import {Options} from './options.ts';
import {never} from './steps.ts';
import type {Steps} from './steps.ts';
import {Variables} from './variables.ts';

/** Why statements are left: a loop's end or next turn, a function's end, the shell's end, or back to the top after a failure. */
export type Unwind =
  | {readonly kind: 'break' | 'continue'; readonly levels: number}
  | {readonly kind: 'return'}
  | {readonly kind: 'exit'}
  | {readonly kind: 'discard'};

/** A function with the place where it was defined. */
export interface ShellFunction {
  readonly node: FunctionNode;
  readonly lineBase: number;
  readonly source: string;
}

/** A command that runs inside the shell; its status. */
export type Builtin = (shell: Shell, args: readonly string[]) => Steps<number> | number;

/** The parts of the interpreter that call each other in a ring find each other here. */
export interface Interpreter {
  list(shell: Shell, statements: Statements): Steps<number>;
  command(shell: Shell, node: CommandNode): Steps<number>;
  /** Parses and runs a text, as `eval` does; `origin` names it in syntax errors. */
  text(shell: Shell, text: string, origin?: string): Steps<number>;
  /** Runs a command that is already split into words, without a look at functions when told so. */
  words(shell: Shell, words: readonly string[], skipFunctions?: boolean): Steps<number>;
  /** The end of a shell: its EXIT trap; the status that it ends with. */
  finish(shell: Shell): Steps<number>;
  /** Tells the process what to do with a signal, after its trap changed. */
  arm(shell: Shell, name: string): void;
  expandText(shell: Shell, word: WordNode): Steps<string>;
  expandPattern(shell: Shell, word: WordNode): Steps<string>;
  readonly builtins: ReadonlyMap<string, Builtin>;
}

/** What the game gives to its shells. */
export interface ShellSettings {
  /** `ash` says some errors in fewer words, as the sh of small images does. */
  readonly flavour: 'bash' | 'ash';
}

/** One running function or sourced file. */
export interface Call {
  readonly name: string;
  readonly source: string;
  readonly line: number;
  readonly isFunction: boolean;
}

/** The last pause before a fork is given up. */
const LONGEST_PAUSE_MS = 8000;

/** A shell. */
export class Shell {
  readonly process: Process;
  readonly interpreter: Interpreter;
  readonly settings: ShellSettings;
  /** The lines that were typed at its prompt, oldest first; its subshells see the same. */
  history: string[] = [];
  variables = new Variables();
  functions = new Map<string, ShellFunction>();
  /** Functions that children get. */
  exportedFunctions = new Set<string>();
  /** Functions that may not be defined anew. */
  readonlyFunctions = new Set<string>();
  /** Builtins that were switched off by `enable -n`. */
  disabled = new Set<string>();
  /** The options as `local -` found them in the running function. */
  keptOptions: Options | undefined;
  /** What `complete` was told, by the name of the program. */
  readonly completions = new Map<string, string>();
  /** Descriptors of coprocesses: children do not get them. */
  readonly coprocDescriptors = new Set<number>();
  /** The simple command that runs: $BASH_COMMAND. */
  command: SimpleCommandNode | undefined;
  aliases = new Map<string, string>();
  options = new Options();
  jobs = new Jobs();
  /** What to run on a signal, by its name, and on EXIT, ERR, DEBUG and RETURN. */
  traps = new Map<string, string>();
  positional: readonly string[] = [];
  /** $0. */
  name = 'bash';
  /** What messages begin with: the name of the script, or of the file that is sourced. */
  source = 'bash';
  /** What functions are said to come from that are defined in no file. */
  origin: string | undefined;
  line = 1;
  lineBase = 0;
  status = 0;
  pipeStatus: readonly number[] = [0];
  lastBackground: number | undefined;
  unwind: Unwind | undefined;
  /** Loops around the running statement, within the running function. */
  loops = 0;
  calls: Call[] = [];
  /** Greater than 0 where a failure is looked at, so that -e does not end the shell. */
  unchecked = 0;
  isInteractive = false;
  /** How many forks this shell is away from the one that was started. */
  level = 0;
  /** What $$ says: the pid of the first shell. */
  mainPid: number;
  folders: string[] = [];
  /** While the EXIT trap runs: the status that the shell ends with. */
  exitStatus: number | undefined;
  /** A trap's command runs. */
  inTrap = false;
  /** The last argument of the last command: $_. */
  lastArgument = '';
  startedMs: number;
  /** The status that the last command substitution left, for assignments. */
  substitutionStatus: number | undefined;
  /** Descriptors of process substitutions that the running command holds. */
  substitutions: number[] = [];
  /** What stood between parentheses in the running declaration, by the argument that it belongs to. */
  readonly compounds = new Map<number, readonly {key: string | undefined; append: boolean; text: string}[]>();
  /** How often the sign of `set -x` is doubled. */
  traceDepth = 0;
  /** Where `getopts` is: the word, and the letter in it. */
  optionIndex = 1;
  optionAt = 1;
  /** The command after which the process has nothing else to do: the last of `-c`. */
  ending: CommandNode | undefined;
  /** Texts that are being run by `eval`, `source`, traps and the like. */
  depth = 0;
  /** What $RANDOM goes on from. */
  randomState: number;

  constructor(process: Process, interpreter: Interpreter, settings: ShellSettings) {
    this.process = process;
    this.interpreter = interpreter;
    this.settings = settings;
    this.mainPid = process.pid;
    this.startedMs = process.kernel.clock.now;
    this.randomState = (process.pid * 7919 + Math.floor(this.startedMs)) % 32_768;
  }

  /** A copy on a child process. */
  fork(process: Process): Shell {
    const copy = new Shell(process, this.interpreter, this.settings);
    copy.history = this.history;
    copy.variables = this.variables.fork();
    copy.functions = new Map(this.functions);
    copy.aliases = new Map(this.aliases);
    copy.options = this.options.fork();
    copy.jobs = this.jobs.fork();
    for (const [name, text] of this.traps) if (text === '') copy.traps.set(name, text);
    copy.positional = this.positional;
    copy.name = this.name;
    copy.source = this.source;
    copy.origin = this.origin;
    copy.line = this.line;
    copy.lineBase = this.lineBase;
    copy.status = this.status;
    copy.lastBackground = this.lastBackground;
    copy.loops = this.loops;
    copy.calls = [...this.calls];
    copy.unchecked = this.unchecked;
    copy.level = this.level + 1;
    copy.isInteractive = this.isInteractive;
    copy.mainPid = this.mainPid;
    copy.folders = [...this.folders];
    copy.lastArgument = this.lastArgument;
    copy.traceDepth = this.traceDepth;
    copy.depth = this.depth;
    copy.exportedFunctions = new Set(this.exportedFunctions);
    copy.readonlyFunctions = new Set(this.readonlyFunctions);
    copy.disabled = new Set(this.disabled);
    copy.randomState = (this.randomState + process.pid) % 32_768;
    return copy;
  }

  /** Prints on standard output. */
  *print(text: string): Steps {
    const due = this.process.write(1, text);
    if (due) yield due;
  }

  /** Prints on standard error. */
  *printError(text: string): Steps {
    const due = this.process.write(2, text);
    if (due) yield due;
  }

  /** Says what is wrong, in front of it where; the status, to be returned. */
  *complain(words: string, status = 1): Steps<number> {
    yield* this.printError(`${this.place}${words}\n`);
    return status;
  }

  /** What stands before a message. */
  get place(): string {
    if (this.settings.flavour === 'ash' && this.source === this.name) return `${this.source}: `;
    return this.isInteractive && this.source === this.name ? 'bash: ' : `${this.source}: line ${this.line}: `;
  }

  /** Says what is wrong and leaves the running command line: an interactive shell prompts again, others go on or end. */
  *fail(words: string, status = 1, kind: 'discard' | 'exit' = 'discard'): Steps<number> {
    yield* this.complain(words);
    this.status = status;
    this.unwind = kind === 'exit' && this.isInteractive ? {kind: 'discard'} : {kind};
    return status;
  }

  /** Costs the process virtual CPU time. */
  *pay(ms: number): Steps {
    const due = this.process.cpu(ms);
    if (due) yield due;
  }

  /** Waits until a child has ended, whatever signals come meanwhile; traps run afterwards. */
  *await(child: Process): Steps<number> {
    for (;;) {
      if (child.exitCode !== undefined) return child.exitCode;
      const code = yield this.process.wait(child);
      if (code !== INTERRUPTED) return code as number;
    }
  }

  /** Starts a child. With too many processes it tries again a few times, as bash does; then it is undefined, and said so. */
  *spawn(program: Program, options: Parameters<Process['spawn']>[1]): Steps<Process | undefined> {
    const own = this.coprocDescriptors.size > 0 ? this.#withoutCoprocs(options) : options;
    for (let pauseMs = 1000; ; pauseMs *= 2) {
      const child = this.process.spawn(program, own);
      if (child) return child;
      if (pauseMs > LONGEST_PAUSE_MS) break;
      yield* this.complain('fork: retry: Resource temporarily unavailable');
      if (!(yield this.process.sleep(pauseMs))) break;
    }
    yield* this.complain('fork: Resource temporarily unavailable');
    this.status = 254;
    this.unwind = this.isInteractive ? {kind: 'discard'} : {kind: 'exit'};
    return undefined;
  }

  #withoutCoprocs(options: Parameters<Process['spawn']>[1]): Parameters<Process['spawn']>[1] {
    const streams = new Map(options.streams ?? this.process.streams);
    for (const fd of this.coprocDescriptors) streams.delete(fd);
    return {...options, streams};
  }

  /** Sends a signal; when it ends this very shell, nothing follows. */
  *signal(target: Process, name: SignalName): Steps {
    this.process.kernel.signal(target, name);
    if (this.process.exitCode !== undefined) yield* never();
  }
}

/** The status of a process that a signal ended. */
export function statusOfSignal(name: SignalName): number {
  return 128 + SIGNALS[name];
}
