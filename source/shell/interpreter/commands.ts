// Commands: simple ones, groups and subshells, functions' definitions; loops and choices are next door.
import {forkShell} from '../state/fork.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {arithmetic, expandRaw} from '../expansion/parameters.ts';
import {COPROC_MARK} from '../syntax/grammar.ts';
import type {CommandNode, FunctionNode, NodeOf} from '../syntax/tree.ts';
import {runCase, runIf} from './choices.ts';
import {runConditional} from './conditionals.ts';
import {runCoproc} from './coproc.ts';
import {groupOf, whileForeground} from './foreground.ts';
import {runCountingFor, runFor, runWhile} from './loops.ts';
import {withRedirections} from './redirections.ts';
import {serializeCommand} from '../syntax/text.ts';
import {tellSignal} from './obituary.ts';
import {runSimple} from './simple.ts';
import {trace} from './trace.ts';

/** Runs one command; its status. */
export function runCommand(shell: Shell, node: CommandNode): Steps<number> {
  switch (node.type) {
    case 'SimpleCommand':
      return runSimple(shell, node);
    case 'FunctionDef':
      return define(shell, node);
    case 'Subshell':
      return runSubshell(shell, node);
    default:
      return node.redirections.length === 0 ? runCompound(shell, node) : redirected(shell, node);
  }
}

type Compound = Exclude<CommandNode, NodeOf<'SimpleCommand'> | FunctionNode | NodeOf<'Subshell'>>;

function redirected(shell: Shell, node: Compound): Steps<number> {
  return withRedirections(shell, node.redirections, () => runCompound(shell, node));
}

function runCompound(shell: Shell, node: Compound): Steps<number> {
  switch (node.type) {
    case 'Group':
      return shell.interpreter.list(shell, node.body);
    case 'If':
      return runIf(shell, node);
    case 'Case':
      return runCase(shell, node);
    case 'For':
      return runFor(shell, node);
    case 'CStyleFor':
      return runCountingFor(shell, node);
    case 'While':
    case 'Until':
      return runWhile(shell, node);
    case 'ArithmeticCommand':
      return runArithmetic(shell, node);
    default:
      return runConditional(shell, node);
  }
}

function* define(shell: Shell, node: FunctionNode): Steps<number> {
  if (node.name.startsWith(COPROC_MARK)) return yield* runCoproc(shell, node.name.slice(COPROC_MARK.length), withOwn(node));
  if (shell.readonlyFunctions.has(node.name)) return yield* shell.complain(`${node.name}: readonly function`);
  shell.functions.set(node.name, {
    node,
    lineBase: shell.lineBase,
    source: shell.source === shell.name ? (shell.origin ?? shell.source) : shell.source,
  });
  return 0;
}

/** The body of a function with the redirections behind it. */
function withOwn({body, redirections}: FunctionNode): CommandNode {
  return redirections.length === 0 ? body : {...body, redirections: [...body.redirections, ...redirections]};
}

/** `( … )`: in a fork. */
function* runSubshell(shell: Shell, node: NodeOf<'Subshell'>): Steps<number> {
  const body = (fork: Shell): Steps<number> =>
    withRedirections(fork, node.redirections, () => fork.interpreter.list(fork, node.body), true);
  const group = groupOf(shell);
  const child = yield* forkShell(shell, body, group ? {group} : {});
  if (!child) return shell.status;
  const status = yield* whileForeground(shell, [child], () => shell.await(child));
  if (child.endedBy) yield* tellSignal(shell, child, () => serializeCommand(node));
  return status;
}

/** `(( … ))`: 0 when the value is not 0. */
function* runArithmetic(shell: Shell, node: NodeOf<'ArithmeticCommand'>): Steps<number> {
  if (node.line !== undefined) shell.line = node.line + shell.lineBase;
  if (shell.options.xtrace) yield* trace(shell, `(( ${node.expression.originalText ?? ''} ))`);
  const value = yield* arithmetic(shell, yield* expandRaw(shell, node.expression.originalText ?? ''), '((: ');
  if (value === undefined) {
    if (shell.unwind?.kind === 'discard') shell.unwind = undefined;
    return 1;
  }
  return value === 0 || value === 0n ? 1 : 0;
}
