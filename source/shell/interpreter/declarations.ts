// The arguments of `declare`, `export`, `local`, `readonly` and `typeset`: where they look like assignments they are expanded like
// ones. The parser gives `a=(x y)` there as one flat word, which is taken apart again here.
import {expandText, expandWords} from '../expansion/words.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import type {WordNode, WordPart} from '../syntax/tree.ts';
import {expandElements} from './assignments.ts';

/** Builtins whose arguments may be assignments. */
export const DECLARING: ReadonlySet<string> = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);

const HEAD = /^([A-Za-z_][A-Za-z0-9_]*)(\[[^\]]*\])?(\+?=)/;

/** The arguments. What stood between parentheses waits in `shell.compounds`, by the argument that it belongs to. */
export function* expandDeclarations(shell: Shell, words: readonly WordNode[]): Steps<string[]> {
  const texts: string[] = [];
  shell.compounds.clear();
  for (const word of words) {
    const [first] = word.parts;
    const head = first?.type === 'Literal' ? HEAD.exec(first.value) : null;
    if (!head || first?.type !== 'Literal') {
      texts.push(...(yield* expandWords(shell, [word])));
    } else if (head[2] === undefined && first.value.startsWith('(', head[0].length)) {
      const elements = yield* expandElements(shell, innerWords(word, head[0].length + 1));
      shell.compounds.set(texts.length, elements);
      texts.push(head[0]);
    } else texts.push(yield* expandText(shell, word));
    if (shell.unwind) return texts;
  }
  return texts;
}

/** Splits the flat word behind `name=(` at the blanks that stand in no quotes. */
function innerWords(word: WordNode, from: number): WordNode[] {
  const words: WordNode[] = [];
  let parts: WordPart[] = [];
  const flush = (): void => {
    if (parts.length > 0) words.push({type: 'Word', parts});
    parts = [];
  };
  for (const [index, part] of word.parts.entries()) {
    if (part.type !== 'Literal') {
      parts.push(part);
      continue;
    }
    const isLast = index === word.parts.length - 1;
    const text = part.value.slice(index === 0 ? from : 0, isLast && part.value.endsWith(')') ? -1 : undefined);
    for (const [at, piece] of text.split(/[ \t\n]+/).entries()) {
      if (at > 0) flush();
      if (piece !== '') parts.push({type: 'Literal', value: piece});
    }
  }
  flush();
  return words;
}
