// The tree as text again, for `jobs`, `declare -f`, `set -x` and messages.
import type {CommandNode, PipelineNode, ScriptNode, StatementNode, WordNode} from './tree.ts';
import {writer} from './parser.ts';

/** The text of a statement, without the `&`. */
export function serializeStatement(statement: StatementNode): string {
  return serializeScript({type: 'Script', statements: [{...statement, background: false}]});
}

/** The text of a command. */
export function serializeCommand(command: CommandNode): string {
  const pipeline: PipelineNode = {type: 'Pipeline', commands: [command], negated: false};
  return serializeScript({
    type: 'Script',
    statements: [{type: 'Statement', pipelines: [pipeline], operators: [], background: false}],
  });
}

/** The text of a word as it could stand in a script. */
export function serializeWord(word: WordNode): string {
  return serializeCommand({type: 'SimpleCommand', name: word, args: [], assignments: [], redirections: []});
}

/** The text of a script. */
export function serializeScript(script: ScriptNode): string {
  return writer()(script)
    .trim()
    .replace(/\bfor __select__/g, 'select ')
    .replace(/__coproc__(\w+) ?\(\)/g, 'coproc $1')
    .replaceAll('__coproc__', 'coproc');
}
