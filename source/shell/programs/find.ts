// `find`: an expression of tests and actions for every file below some folders.
import {FILE_ERROR_TEXT, nameOf} from '../../sim/files.ts';
import type {FileInfo} from '../../sim/files.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {patternOf} from '../expansion/patterns.ts';
import {compileRegex} from '../text/regex/regex.ts';
import {findByName} from './find-program.ts';
import {printed, typeLetter} from './find-print.ts';
import {complain} from './output.ts';

interface Place {
  /** As it is printed. */
  readonly name: string;
  readonly path: string;
  readonly info: FileInfo;
  readonly depth: number;
  /** Set by -prune: do not go below. */
  pruned: boolean;
}

type Test = (place: Place, walk: Walk) => boolean | Promise<boolean>;

interface Walk {
  readonly process: Process;
  /** `-L`: what a link leads to counts. */
  readonly follows: boolean;
  status: number;
  /** `-quit` was met. */
  isOver: boolean;
  readonly batches: Map<readonly string[], string[]>;
}

interface Plan {
  test: Test;
  hasAction: boolean;
  minDepth: number;
  maxDepth: number;
  deepFirst: boolean;
}

/** `find [path …] [expression]` */
export const find: Program = async process => {
  const args = process.argv.slice(1);
  const follows = args[0] === '-L';
  if (/^-[LPH]$/.test(args[0] ?? '')) args.shift();
  const first = args.findIndex(arg => /^[-(!]/.test(arg) && arg.length > 0);
  const roots = first < 0 ? args : args.slice(0, first);
  const reader = new Reader(first < 0 ? [] : args.slice(first));
  const plan = reader.plan();
  if (typeof plan === 'string') return complain(process, `find: ${plan}`);
  const walk: Walk = {process, follows, status: 0, isOver: false, batches: new Map()};
  for (const root of roots.length === 0 ? ['.'] : roots) {
    const path = follows ? process.path(root) : process.linkPath(root);
    const info = process.machine.files.info(path);
    if (!info) walk.status = await complain(process, `find: '${root}': ${FILE_ERROR_TEXT.ENOENT}`);
    else await visit(walk, plan, {name: root, path, info, depth: 0, pruned: false});
  }
  for (const [command, names] of walk.batches) if (names.length > 0) await runCommand(walk, [...command, ...names]);
  return walk.status;
};

async function visit(walk: Walk, plan: Plan, place: Place): Promise<void> {
  const {process} = walk;
  if (walk.isOver) return;
  await process.cpu(0.004);
  const look = async (): Promise<void> => {
    if (place.depth < plan.minDepth) return;
    const truth = await plan.test(place, walk);
    if (truth && !plan.hasAction) await process.out(`${place.name}\n`);
  };
  if (!plan.deepFirst) await look();
  if (place.info.kind === 'folder' && !place.pruned && place.depth < plan.maxDepth) {
    for (const name of process.machine.files.list(place.path) ?? []) {
      const own = place.path === '/' ? `/${name}` : `${place.path}/${name}`;
      const real = walk.follows ? process.path(own) : own;
      const isCircle = real !== own && `${place.path}/`.startsWith(`${real}/`);
      const path = isCircle || !process.machine.files.info(real) ? own : real;
      const info = process.machine.files.info(path);
      const shown = place.name.endsWith('/') ? place.name + name : `${place.name}/${name}`;
      if (info) await visit(walk, plan, {name: shown, path, info, depth: place.depth + 1, pruned: false});
    }
  }
  if (plan.deepFirst) await look();
}

async function runCommand(walk: Walk, words: readonly string[]): Promise<boolean> {
  const {process} = walk;
  const found = findByName(process, words);
  if (!found.ok) {
    await complain(process, `find: '${words[0]}': ${found.words}`);
    return false;
  }
  const child = process.spawn(found.program, {argv: found.argv});
  if (!child) {
    await complain(process, 'find: cannot fork: Resource temporarily unavailable');
    return false;
  }
  for (;;) {
    const code = await process.wait(child);
    if (typeof code === 'number') return code === 0;
  }
}

/** Reads the expression. */
class Reader {
  readonly #args: readonly string[];
  #at = 0;
  #problem: string | undefined;
  readonly #plan: Plan = {test: () => true, hasAction: false, minDepth: 0, maxDepth: Infinity, deepFirst: false};

  constructor(args: readonly string[]) {
    this.#args = args;
  }

  plan(): Plan | string {
    if (this.#args.length > 0) this.#plan.test = this.#or();
    if (this.#problem === undefined && this.#at < this.#args.length)
      this.#problem = `paths must precede expression: \`${this.#args[this.#at]}'`;
    return this.#problem ?? this.#plan;
  }

  #or(): Test {
    let left = this.#and();
    while (this.#args[this.#at] === '-o' || this.#args[this.#at] === '-or') {
      this.#at++;
      const first = left;
      const second = this.#and();
      left = async (place, walk) => (await first(place, walk)) || second(place, walk);
    }
    return left;
  }

  #and(): Test {
    let left = this.#not();
    for (;;) {
      const next = this.#args[this.#at];
      if (this.#problem !== undefined || next === undefined || next === ')' || next === '-o' || next === '-or') return left;
      if (next === '-a' || next === '-and') this.#at++;
      const first = left;
      const second = this.#not();
      left = async (place, walk) => (await first(place, walk)) && second(place, walk);
    }
  }

  #not(): Test {
    const next = this.#args[this.#at];
    if (next === '!' || next === '-not') {
      this.#at++;
      const inner = this.#not();
      return async (place, walk) => !(await inner(place, walk));
    }
    if (next === '(') {
      this.#at++;
      const inner = this.#or();
      if (this.#args[this.#at] !== ')') this.#problem = "invalid expression; expected to find a ')' but didn't see one.";
      this.#at++;
      return inner;
    }
    return this.#primary();
  }

  #value(): string {
    const name = this.#args[this.#at - 1] ?? '';
    const value = this.#args[this.#at++];
    if (value === undefined) this.#problem ??= `missing argument to \`${name}'`;
    return value ?? '';
  }

  #primary(): Test {
    const name = this.#args[this.#at++] ?? '';
    return this.#ofFile(name) ?? this.#option(name) ?? this.#action(name) ?? this.#unknown(name);
  }

  #unknown(name: string): Test {
    this.#problem ??= name.startsWith('-') ? `unknown predicate \`${name}'` : `paths must precede expression: \`${name}'`;
    return () => false;
  }

  #ofFile(name: string): Test | undefined {
    switch (name) {
      case '-name':
      case '-iname': {
        const pattern = patternOf(this.#value(), name === '-iname');
        return place => pattern.matches(place.depth === 0 ? nameOf(place.path) || '/' : nameOf(place.name));
      }
      case '-path':
      case '-wholename':
      case '-ipath': {
        const pattern = patternOf(this.#value(), name === '-ipath');
        return place => pattern.matches(place.name);
      }
      case '-regex':
      case '-iregex': {
        const regex = compileRegex(`^\\(${this.#value()}\\)$`, {extended: false, ignoreCase: name === '-iregex'});
        return place => regex.ok && regex.find(place.name, 0) !== undefined;
      }
      case '-type': {
        const kinds = this.#value();
        const wrong = kinds.split(',').find(kind => !/^[bcdflps]$/.test(kind));
        if (wrong !== undefined) this.#problem ??= `Unknown argument to ${name}: ${wrong}`;
        return place => kinds.split(',').includes(typeLetter(place.info));
      }
      case '-empty':
        return (place, walk) =>
          place.info.kind === 'folder' ? walk.process.machine.files.list(place.path)?.length === 0 : place.info.size === 0;
      case '-size':
        return this.#size(this.#value());
      case '-perm': {
        const mode = this.#value();
        return place =>
          mode.startsWith('-')
            ? (place.info.mode & Number.parseInt(mode.slice(1), 8)) === Number.parseInt(mode.slice(1), 8)
            : place.info.mode === Number.parseInt(mode, 8);
      }
      case '-mmin':
      case '-mtime':
        return this.#age(this.#value(), name === '-mmin' ? 60_000 : 86_400_000);
      case '-newer': {
        const other = this.#value();
        return (place, walk) =>
          place.info.modified > (walk.process.machine.files.info(walk.process.path(other))?.modified ?? Infinity);
      }
      case '-lname':
      case '-ilname': {
        const pattern = patternOf(this.#value(), name === '-ilname');
        return (place, walk) =>
          pattern.matches(walk.process.machine.files.linkAt(place.path) ?? '') && place.info.kind === 'link';
      }
      case '-links':
        return this.#compared(this.#value(), place => place.info.links ?? 1);
      case '-inum':
        return this.#compared(this.#value(), place => place.info.node ?? 0);
      case '-samefile': {
        const other = this.#value();
        return (place, walk) => walk.process.machine.files.info(walk.process.path(other))?.node === place.info.node;
      }
      case '-readable':
      case '-writable':
      case '-executable':
        return place => name !== '-executable' || (place.info.mode & 0o111) !== 0;
      case '-user':
      case '-group':
        this.#value();
        return () => true;
      default:
        return undefined;
    }
  }

  #compared(text: string, value: (place: Place, walk: Walk) => number): Test {
    const number = Number(text.replace(/^[-+]/, ''));
    if (Number.isNaN(number)) this.#problem ??= `invalid argument \`${text}'`;
    if (text.startsWith('+')) return (place, walk) => value(place, walk) > number;
    if (text.startsWith('-')) return (place, walk) => value(place, walk) < number;
    return (place, walk) => value(place, walk) === number;
  }

  #size(text: string): Test {
    const unit = {c: 1, w: 2, b: 512, k: 1024, M: 1_048_576, G: 1_073_741_824}[/[cwbkMG]$/.exec(text)?.[0] ?? 'b'] ?? 512;
    return this.#compared(text.replace(/[cwbkMG]$/, ''), place => Math.ceil(place.info.size / unit));
  }

  #age(text: string, unitMs: number): Test {
    return this.#compared(text, (place, walk) => Math.floor((walk.process.machine.wall() - place.info.modified) / unitMs));
  }

  #option(name: string): Test | undefined {
    switch (name) {
      case '-maxdepth':
        this.#plan.maxDepth = Number(this.#value());
        return () => true;
      case '-mindepth':
        this.#plan.minDepth = Number(this.#value());
        return () => true;
      case '-depth':
        this.#plan.deepFirst = true;
        return () => true;
      case '-xdev':
      case '-mount':
      case '-true':
        return () => true;
      case '-false':
        return () => false;
      default:
        return undefined;
    }
  }

  #action(name: string): Test | undefined {
    if (name === '-prune') {
      return place => {
        place.pruned = true;
        return true;
      };
    }
    if (!['-print', '-print0', '-printf', '-exec', '-execdir', '-delete', '-quit', '-ls'].includes(name)) return undefined;
    this.#plan.hasAction = true;
    if (name === '-exec' || name === '-execdir') return this.#exec(name);
    if (name === '-quit') {
      return (_, walk) => {
        walk.isOver = true;
        return true;
      };
    }
    if (name === '-delete') {
      this.#plan.deepFirst = true;
      return async (place, walk) => {
        const failed = walk.process.machine.files.remove(place.path);
        if (failed) walk.status = await complain(walk.process, `find: cannot delete '${place.name}': ${FILE_ERROR_TEXT[failed]}`);
        return !failed;
      };
    }
    const format =
      name === '-printf'
        ? this.#value()
        : name === '-print0'
          ? '%p\\0'
          : name === '-ls'
            ? '%9i %6k %M %3n %-8u %-8g %8s %Tb %Te %TH:%TM %p\\n'
            : '%p\\n';
    return async (place, walk) => {
      await walk.process.out(
        printed(format, {...place, target: walk.process.machine.files.linkAt(place.path) ?? ''}, walk.process),
      );
      return true;
    };
  }

  #exec(name: string): Test {
    const from = this.#at;
    while (
      this.#at < this.#args.length &&
      this.#args[this.#at] !== ';' &&
      !(this.#args[this.#at] === '+' && this.#args[this.#at - 1] === '{}')
    )
      this.#at++;
    const end = this.#args[this.#at++];
    if (end === undefined) this.#problem ??= `missing argument to \`${name}'`;
    const command = this.#args.slice(from, this.#at - 1);
    if (end === '+') {
      const head = command.slice(0, -1);
      return (place, walk) => {
        const names = walk.batches.get(head) ?? [];
        names.push(place.name);
        walk.batches.set(head, names);
        return true;
      };
    }
    return (place, walk) =>
      runCommand(
        walk,
        command.map(word => word.replaceAll('{}', name === '-execdir' ? `./${nameOf(place.name)}` : place.name)),
      );
  }
}
