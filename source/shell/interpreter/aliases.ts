// Aliases, in interactive shells (and elsewhere after `shopt -s expand_aliases`). An alias is put before the rest of the command,
// which is enough for the ones that people have: `alias k=kubectl`.
import {constantOf} from '../expansion/words.ts';
import type {Shell} from '../state/shell.ts';
import {parseScript} from '../syntax/parser.ts';
import type {SimpleCommandNode, Statements} from '../syntax/tree.ts';

/** The statements that the command stands for; undefined when its name is no alias. */
export function expandAlias(shell: Shell, node: SimpleCommandNode): Statements | undefined {
  const name =
    node.name && node.name.parts.length === 1 && node.name.parts[0]?.type === 'Literal' ? constantOf(node.name) : undefined;
  if (name === undefined || !(shell.isInteractive || shell.options.shopt('expand_aliases'))) return undefined;
  let text = shell.aliases.get(name);
  if (text === undefined) return undefined;
  const seen = new Set([name]);
  for (;;) {
    const first: string | undefined = text.trim().split(/\s/)[0];
    const next: string | undefined = first === undefined || seen.has(first) ? undefined : shell.aliases.get(first);
    if (next === undefined || first === undefined) break;
    seen.add(first);
    text = next + text.trim().slice(first.length);
  }
  const parsed = parseScript(text);
  if (!parsed.ok) return undefined;
  return withRest(parsed.script.statements, node);
}

/** Puts the arguments of the command behind the alias's last simple command. */
function withRest(statements: Statements, node: SimpleCommandNode): Statements | undefined {
  const last = statements.at(-1);
  const pipeline = last?.pipelines.at(-1);
  const command = pipeline?.commands.at(-1);
  if (!last || !pipeline || command?.type !== 'SimpleCommand') return undefined;
  const whole: SimpleCommandNode = {
    ...command,
    assignments: [...node.assignments, ...command.assignments],
    args: [...command.args, ...node.args],
    redirections: [...command.redirections, ...node.redirections],
    name: command.name && {type: 'Word', parts: [{type: 'DoubleQuoted', parts: command.name.parts}]},
  };
  const commands = [...pipeline.commands.slice(0, -1), whole];
  return [...statements.slice(0, -1), {...last, pipelines: [...last.pipelines.slice(0, -1), {...pipeline, commands}]}];
}
