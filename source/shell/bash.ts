// bash: `bash -c TEXT`, `bash FILE`, commands from standard input, and a prompt where that is a terminal.
//
// What it models: the language of bash 5.2 as far as just-bash's parser reads it, with processes, pipes, jobs, signals and traps
// that are real in the simulated machine. What it does not: `select`, `coproc`, `!(…)` outside of `[[` and `case`, `^Z`, locales.
import {openToRead} from '../sim/process/open.ts';
import type {Program} from '../sim/process/machine.ts';
import {takeDescriptor} from '../sim/process/open.ts';
import type {Process} from '../sim/process/process.ts';
import {interpreter} from './interpreter/interpreter.ts';
import {runPrompt} from './interpreter/prompt.ts';
import {findScript} from './interpreter/lookup.ts';
import {runText} from './interpreter/script.ts';
import {runStream} from './interpreter/stream.ts';
import {Shell} from './state/shell.ts';
import type {ShellSettings} from './state/shell.ts';
import {drive} from './state/steps.ts';
import type {Steps} from './state/steps.ts';
import {Options} from './state/options.ts';
import {loadParser} from './syntax/parser.ts';

export type {ShellSettings} from './state/shell.ts';

/** Makes the program `bash` (or `sh`, as `flavour: 'ash'` has it in small images). */
export function makeBash(settings: Partial<ShellSettings> = {}): Program {
  return async process => {
    await loadParser();
    const shell = new Shell(process, interpreter, {flavour: 'bash', ...settings});
    return drive(main(shell, process));
  };
}

interface Arguments {
  command: string | undefined;
  rest: readonly string[];
  isInteractive: boolean;
  readsInput: boolean;
}

function* main(shell: Shell, process: Process): Steps<number> {
  const given: Arguments = {command: undefined, rest: [], isInteractive: false, readsInput: false};
  prepare(shell, process);
  yield* takeFunctions(shell, process);
  const refusal = yield* readArguments(shell, process.argv.slice(1), given);
  if (refusal !== undefined) return refusal;
  const {command, rest} = given;
  if (command !== undefined) {
    shell.name = rest[0] ?? shell.name;
    shell.source = shell.name;
    shell.positional = rest.slice(1);
    shell.origin = 'environment';
    yield* runText(shell, command, {origin: '-c', isTop: true});
  } else if (rest.length > 0 && !given.readsInput) {
    const status = yield* runFile(shell, rest);
    if (status !== undefined) return status;
  } else {
    shell.positional = rest;
    if (given.isInteractive || process.streams.get(0)?.isTerminal) yield* runPrompt(shell);
    else {
      shell.origin = 'main';
      yield* runStream(shell, 0);
    }
  }
  return yield* shell.interpreter.finish(shell);
}

/** How a function is called in the environment. */
const FUNCTION = /^BASH_FUNC_(.+)%%$/;

/** Functions that came with the environment. */
function* takeFunctions(shell: Shell, process: Process): Steps {
  for (const [variable, text] of process.environment) {
    const name = FUNCTION.exec(variable)?.[1];
    if (name === undefined || !text.startsWith('() {')) continue;
    yield* runText(shell, `${name} ${text}`, {});
    if (shell.functions.has(name)) shell.exportedFunctions.add(name);
  }
}

/** Variables that every shell has. */
function prepare(shell: Shell, process: Process): void {
  const {variables} = shell;
  for (const [name, value] of process.environment) if (!FUNCTION.test(name)) variables.setText(name, value).exported = true;
  const own = process.argv[0] ?? 'bash';
  shell.options.setShopt('login_shell', own.startsWith('-'));
  shell.name = own.startsWith('-') ? own.slice(1) : own;
  shell.name = shell.name.slice(shell.name.lastIndexOf('/') + 1);
  shell.source = shell.name;
  variables.setText('IFS', ' \t\n');
  variables.setText('PS4', '+ ');
  variables.setText('OPTIND', '1');
  variables.setText('PWD', process.folder).exported = true;
  variables.setText('SHLVL', String((Number.parseInt(variables.text('SHLVL') ?? '0', 10) || 0) + 1)).exported = true;
  if (shell.settings.flavour === 'bash') {
    variables.setText('BASH', '/bin/bash');
    variables.setText('BASH_VERSION', '5.2.37(1)-release');
    const version = variables.obtain('BASH_VERSINFO');
    version.list = new Map(['5', '2', '37', '1', 'release', 'x86_64-pc-linux-gnu'].map((text, index) => [index, text]));
  }
  if (variables.text('PATH') === undefined)
    variables.setText('PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin');
  if (variables.text('HOSTNAME') === undefined) variables.setText('HOSTNAME', process.machine.name);
  if (variables.text('OSTYPE') === undefined) variables.setText('OSTYPE', 'linux-gnu');
  variables.setText('PPID', String(process.parent?.pid ?? 0)).readonly = true;
  const uid = String(process.machine.identity?.uid ?? 0);
  for (const name of ['UID', 'EUID']) {
    const variable = variables.setText(name, uid);
    variable.readonly = true;
    variable.integer = true;
  }
}

/** Reads the options; a status where they are wrong. */
function* readArguments(shell: Shell, argv: readonly string[], given: Arguments): Steps<number | undefined> {
  let at = 0;
  let wantsCommand = false;
  for (; at < argv.length; at++) {
    const option = argv[at] ?? '';
    if (option === '--' || option === '-') {
      at++;
      break;
    }
    if (option.startsWith('--')) {
      if (option === '--version') {
        yield* shell.print('GNU bash, version 5.2.37(1)-release (x86_64-pc-linux-gnu)\n');
        return 0;
      }
      if (!/^--(login|norc|noprofile|posix|noediting|rcfile|init-file|verbose)$/.test(option)) {
        yield* shell.printError(`${shell.name}: ${option}: invalid option\n`);
        return 2;
      }
      if (option === '--rcfile' || option === '--init-file') at++;
      continue;
    }
    if (!/^[-+]./.test(option)) break;
    for (const letter of option.slice(1)) {
      if (letter === 'c') wantsCommand = true;
      else if (letter === 'i') given.isInteractive = true;
      else if (letter === 's') given.readsInput = true;
      else if (letter === 'l') continue;
      else if (letter === 'o' || letter === 'O') {
        const name = argv[++at] ?? '';
        if (letter === 'o' && !shell.options.set(name, option.startsWith('-'))) {
          yield* shell.printError(`${shell.name}: ${name}: invalid option name\n`);
          return 2;
        }
        if (letter === 'O') shell.options.setShopt(name, option.startsWith('-'));
      } else {
        const name = Options.nameOf(letter);
        if (name === undefined) {
          yield* shell.printError(`${shell.name}: ${option}: invalid option\n`);
          return 2;
        }
        shell.options.set(name, option.startsWith('-'));
      }
    }
  }
  given.rest = argv.slice(at);
  if (!wantsCommand) return undefined;
  const [command] = given.rest;
  if (command === undefined) {
    yield* shell.printError(`${shell.name}: -c: option requires an argument\n`);
    return 2;
  }
  given.command = command;
  given.rest = given.rest.slice(1);
  return undefined;
}

/** Runs a script; a status where it cannot be read. */
function* runFile(shell: Shell, rest: readonly string[]): Steps<number | undefined> {
  const name = rest[0] ?? '';
  const opened = openToRead(shell.process, findScript(shell, name));
  if (!opened.ok) {
    const isFolder = opened.text === 'Is a directory';
    yield* shell.printError(`${shell.name}: ${name}: ${opened.text}\n`);
    return isFolder ? 126 : 127;
  }
  shell.name = name;
  shell.source = name;
  shell.positional = rest.slice(1);
  const fd = takeDescriptor(shell.process, opened.stream);
  yield* runStream(shell, fd);
  return undefined;
}
