// Simple commands: assignments, words, redirections, and then a function, a builtin or a program.
import type {Stream} from '../../sim/process/streams.ts';
import {closeDescriptor} from '../../sim/process/open.ts';
import {quoteForTrace} from '../expansion/transformations.ts';
import {constantOf, expandWords} from '../expansion/words.ts';
import {assign} from '../state/assign.ts';
import type {Builtin, Shell, ShellFunction} from '../state/shell.ts';
import {driveDeep, wait} from '../state/steps.ts';
import type {Steps} from '../state/steps.ts';
import {functionText} from '../syntax/functions.ts';
import type {Assignment, Redirection, SimpleCommandNode} from '../syntax/tree.ts';
import {expandAlias} from './aliases.ts';
import {runAssignment} from './assignments.ts';
import {DECLARING, expandDeclarations} from './declarations.ts';
import {groupOf, whileForeground} from './foreground.ts';
import {findProgram} from './lookup.ts';
import type {Found} from './lookup.ts';
import {redirect, withRedirections} from './redirections.ts';
import {tellSignal} from './obituary.ts';
import {traceAssignment, traceWords} from './trace.ts';
import {mayTrap, runTrap} from './traps.ts';
import {runCoproc} from './coproc.ts';
import {COPROC_MARK} from '../syntax/grammar.ts';

/** How a simple command is run: `becomes` where the process has nothing else to do afterwards. */
export interface Manner {
  readonly becomes?: boolean;
  readonly skipFunctions?: boolean;
}

/** Functions deeper than this end with an error, where a real bash would crash. */
const DEEPEST_CALL = 2000;
/** A fresh stack of the host every so many calls. */
const CALLS_A_STACK = 20;

/** Runs a simple command; its status. */
export function* runSimple(shell: Shell, node: SimpleCommandNode, manner: Manner = {}): Steps<number> {
  if (node.line !== undefined) shell.line = node.line + shell.lineBase;
  shell.substitutionStatus = undefined;
  if (!shell.inTrap) shell.command = node;
  if (shell.traps.has('DEBUG') && mayTrap(shell, 'DEBUG')) yield* runTrap(shell, 'DEBUG');
  if (node.name && constantOf(node.name) === COPROC_MARK) {
    const [name, ...args] = node.args;
    return yield* runCoproc(shell, 'COPROC', {...node, name: name ?? null, args});
  }
  const aliased = shell.aliases.size > 0 ? expandAlias(shell, node) : undefined;
  if (aliased) return yield* shell.interpreter.list(shell, aliased);
  const words = yield* wordsOf(shell, node);
  if (shell.unwind) return shell.status;
  const [name] = words;
  const status = name === undefined ? yield* assignOnly(shell, node) : yield* runWords(shell, {words, ...parts(node)}, manner);
  if (shell.substitutions.length > 0) {
    for (const fd of shell.substitutions.splice(0)) closeDescriptor(shell.process, fd);
  }
  return status;
}

function parts(node: SimpleCommandNode): {assignments: readonly Assignment[]; redirections: readonly Redirection[]} {
  return {assignments: node.assignments, redirections: node.redirections};
}

function* wordsOf(shell: Shell, node: SimpleCommandNode): Steps<string[]> {
  if (!node.name) return [];
  const name = constantOf(node.name);
  if (name !== undefined && DECLARING.has(name)) return [name, ...(yield* expandDeclarations(shell, node.args))];
  return yield* expandWords(shell, node.args.length === 0 ? [node.name] : [node.name, ...node.args]);
}

function* assignOnly(shell: Shell, node: SimpleCommandNode): Steps<number> {
  for (const assignment of node.assignments) {
    const words = yield* runAssignment(shell, assignment);
    if (words !== undefined) return yield* shell.fail(words);
    if (shell.unwind) return shell.status;
    if (shell.options.xtrace) yield* traceAssignment(shell, assignment);
  }
  if (node.redirections.length > 0) return yield* withRedirections(shell, node.redirections, nothing);
  return shell.substitutionStatus ?? 0;
}

function* nothing(): Steps<number> {
  return 0;
}

/** A command that is split into words, with what stands around it. */
export interface Invocation {
  readonly words: readonly string[];
  readonly assignments: readonly Assignment[];
  readonly redirections: readonly Redirection[];
}

/** Runs words as a command. */
export function* runWords(shell: Shell, invocation: Invocation, manner: Manner): Steps<number> {
  const {words} = invocation;
  const name = words[0] ?? '';
  if (shell.options.xtrace) yield* traceWords(shell, words);
  shell.lastArgument = words.at(-1) ?? '';
  const shellFunction = manner.skipFunctions ? undefined : shell.functions.get(name);
  if (shellFunction) {
    return yield* inside(shell, invocation, () => callFunction(shell, shellFunction, words));
  }
  const builtin = shell.disabled.has(name) ? undefined : shell.interpreter.builtins.get(name);
  if (name === 'exec') return yield* runExec(shell, invocation);
  if (builtin) return yield* runBuiltin(shell, invocation, builtin);
  return yield* runProgram(shell, invocation, manner);
}

/** Runs something within the shell: with the redirections, and with the assignments for as long as it lasts. */
function* inside(shell: Shell, invocation: Invocation, body: () => Steps<number>): Steps<number> {
  const {assignments, redirections} = invocation;
  if (assignments.length === 0) return yield* withRedirections(shell, redirections, body);
  const restore = shell.variables.putAside(assignments.map(each => each.name));
  for (const assignment of assignments) {
    const words = yield* runAssignment(shell, assignment);
    if (words !== undefined) yield* shell.complain(words);
    if (shell.unwind) return shell.status;
    shell.variables.obtain(assignment.name).exported = true;
  }
  const status = yield* withRedirections(shell, redirections, body);
  restore();
  return status;
}

function* runBuiltin(shell: Shell, invocation: Invocation, builtin: Builtin): Steps<number> {
  const {words, assignments, redirections} = invocation;
  if (assignments.length === 0 && redirections.length === 0) {
    const result = builtin(shell, words.slice(1));
    return typeof result === 'number' ? result : yield* result;
  }
  return yield* inside(shell, invocation, function* () {
    const result = builtin(shell, words.slice(1));
    return typeof result === 'number' ? result : yield* result;
  });
}

/** Calls a function with its arguments. */
function* callFunction(shell: Shell, called: ShellFunction, words: readonly string[]): Steps<number> {
  if (shell.calls.length >= DEEPEST_CALL) {
    return yield* shell.fail(`${called.node.name}: maximum function nesting level exceeded (${DEEPEST_CALL})`);
  }
  const {positional, loops, lineBase, source, keptOptions} = shell;
  shell.keptOptions = undefined;
  const returnTrap = shell.traps.get('RETURN');
  shell.calls.push({name: called.node.name, source: called.source, line: shell.line, isFunction: true});
  shell.positional = words.slice(1);
  shell.loops = 0;
  shell.lineBase = called.lineBase;
  shell.source = called.source;
  shell.variables.enterFunction();
  const body = withRedirections(shell, called.node.redirections, () => shell.interpreter.command(shell, called.node.body));
  let status = shell.calls.length % CALLS_A_STACK === 0 ? yield* wait(driveDeep(body)) : yield* body;
  if (shell.unwind?.kind === 'return') {
    shell.unwind = undefined;
    status = shell.status;
  }
  shell.status = status;
  if (shell.traps.get('RETURN') !== returnTrap || shell.options.has('functrace')) yield* runTrap(shell, 'RETURN');
  shell.variables.leaveFunction();
  if (shell.keptOptions) shell.options = shell.keptOptions;
  shell.keptOptions = keptOptions;
  shell.calls.pop();
  shell.positional = positional;
  shell.loops = loops;
  shell.lineBase = lineBase;
  shell.source = source;
  return status;
}

/** `exec`: with words the shell becomes that program; without, the redirections stay. */
function* runExec(shell: Shell, invocation: Invocation): Steps<number> {
  const redirected = yield* redirect(shell, invocation.redirections);
  if (!redirected) {
    if (!shell.isInteractive) shell.unwind = {kind: 'exit'};
    return 1;
  }
  settle(shell, redirected.streams);
  let words = invocation.words.slice(1);
  while (words[0]?.startsWith('-') && words[0] !== '-') words = words.slice(words[0] === '-a' ? 2 : 1);
  if (words.length === 0) return 0;
  const found = findProgram(shell, words[0] ?? '');
  if (found.kind === 'missing') {
    const status = yield* shell.complain(`exec: ${found.words.replace('command not found', 'not found')}`, found.status);
    if (!shell.isInteractive) {
      shell.status = status;
      shell.unwind = {kind: 'exit'};
    }
    return status;
  }
  return yield* become(shell, found, {words, environment: yield* environmentOf(shell, invocation.assignments)});
}

/** Makes streams the process's own, and closes those that nobody holds any more. */
function settle(shell: Shell, streams: Map<number, Stream>): void {
  const kept = new Set(streams.values());
  for (const stream of shell.process.streams.values()) if (!kept.has(stream)) stream.close();
  shell.process.streams = streams;
}

interface Start {
  readonly words: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
}

/** The shell's process becomes a program, and ends with it. */
function* become(shell: Shell, found: Found, {words, environment}: Start): Steps<number> {
  shell.traps.delete('EXIT');
  const argv = argvOf(found, words);
  shell.status = yield* wait(shell.process.exec(found.program, argv, environment));
  shell.unwind = {kind: 'exit'};
  return shell.status;
}

function argvOf(found: Found, words: readonly string[]): readonly string[] {
  return found.before.length > 0 ? [...found.before, ...words.slice(1)] : words;
}

/** What a child gets: variables, and functions as bash writes them there. */
function exportedOf(shell: Shell): Map<string, string> {
  const environment = shell.variables.environment();
  for (const name of shell.exportedFunctions) {
    const defined = shell.functions.get(name);
    if (defined)
      environment.set(
        `BASH_FUNC_${name}%%`,
        functionText(name, defined.node)
          .slice(name.length + 1)
          .replace(' \n', ' '),
      );
  }
  return environment;
}

function* environmentOf(shell: Shell, assignments: readonly Assignment[]): Steps<Map<string, string>> {
  if (assignments.length === 0) return exportedOf(shell);
  const restore = shell.variables.putAside(assignments.map(each => each.name));
  for (const assignment of assignments) {
    const words = yield* runAssignment(shell, assignment);
    if (words !== undefined) yield* shell.complain(words);
    const variable = shell.variables.get(assignment.name);
    if (variable) variable.exported = true;
  }
  const environment = exportedOf(shell);
  restore();
  return environment;
}

/** Runs a program as a child, or as this very process where that has nothing else to do. */
function* runProgram(shell: Shell, invocation: Invocation, manner: Manner): Steps<number> {
  const {words, assignments, redirections} = invocation;
  const environment = yield* environmentOf(shell, assignments);
  if (shell.unwind) return shell.status;
  const redirected = redirections.length > 0 ? yield* redirect(shell, redirections) : undefined;
  if (redirections.length > 0 && !redirected) return 1;
  const streams = redirected?.streams ?? shell.process.streams;
  const found = findProgram(shell, words[0] ?? '', environment.get('PATH'));
  if (found.kind === 'missing') {
    const own = shell.process.streams;
    shell.process.streams = streams;
    yield* shell.complain(found.words);
    shell.process.streams = own;
    for (const stream of redirected?.opened ?? []) stream.close();
    return found.status;
  }
  if (manner.becomes && !shell.traps.has('EXIT')) {
    settle(shell, streams);
    return yield* become(shell, found, {words, environment});
  }
  const group = groupOf(shell);
  const options = {argv: argvOf(found, words), environment, streams, ...(group ? {group} : {})};
  const child = yield* shell.spawn(found.program, options);
  for (const stream of redirected?.opened ?? []) stream.close();
  if (!child) return shell.status;
  const status = yield* whileForeground(shell, [child], () => shell.await(child));
  if (child.endedBy) yield* tellSignal(shell, child, () => words.map(quoteForTrace).join(' '));
  return status;
}

/** Gives a variable its text, for builtins that fill one in; the status. */
export function* fill(shell: Shell, name: string, text: string): Steps<number> {
  const words = assign(shell, {name}, text);
  return words === undefined ? 0 : yield* shell.complain(words);
}
