// `[[ text =~ expression ]]`: the quoted parts of the expression mean themselves, and what matched is left in BASH_REMATCH.
import {compileRegex} from '../text/regex/regex.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import type {WordNode, WordPart} from '../syntax/tree.ts';

/** Does the text match? 2 when the expression is wrong. */
export function* matchRegex(shell: Shell, text: string, word: WordNode): Steps<boolean | number> {
  let source = '';
  for (const part of word.parts) {
    const piece = yield* shell.interpreter.expandText(shell, {type: 'Word', parts: [part]});
    if (shell.unwind) return 1;
    source += isQuoted(part) ? piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : piece;
  }
  const regex = compileRegex(source, {extended: true, ignoreCase: shell.options.shopt('nocasematch')});
  if (!regex.ok) return 2;
  const match = regex.find(text, 0);
  const variable = shell.variables.obtain('BASH_REMATCH');
  variable.text = undefined;
  variable.list = new Map();
  if (!match) return false;
  for (const [index, group] of match.groups.entries()) variable.list.set(index, group ?? '');
  return true;
}

function isQuoted(part: WordPart): boolean {
  return part.type === 'SingleQuoted' || part.type === 'DoubleQuoted' || part.type === 'Escaped';
}
