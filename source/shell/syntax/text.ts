// The tree as text again, for `jobs`, `declare -f`, `type` and messages. Set by whoever loads the parser, as the writer comes
// with it.
import type {ScriptNode, StatementNode, WordNode} from './tree.ts';
import {writer} from './parser.ts';

/** The text of a statement, without the `&`. */
export function serializeStatement(statement: StatementNode): string {
  return serializeScript({type: 'Script', statements: [{...statement, background: false}]});
}

/** The text of a word as it could stand in a script. */
export function serializeWord(word: WordNode): string {
  const command = {type: 'SimpleCommand', name: word, args: [], assignments: [], redirections: []} as const;
  return serializeScript({
    type: 'Script',
    statements: [
      {
        type: 'Statement',
        pipelines: [{type: 'Pipeline', commands: [{...command, args: [], assignments: [], redirections: []}], negated: false}],
        operators: [],
        background: false,
      },
    ],
  });
}

/** The text of a script. */
export function serializeScript(script: ScriptNode): string {
  return writer()(script).trim();
}
