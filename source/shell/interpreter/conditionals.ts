// `[[ … ]]`. Nothing is split in it; the right side of `==` is a pattern and that of `=~` an expression.
import {evaluateUnary} from '../builtins/test.ts';
import {patternOf} from '../expansion/patterns.ts';
import {arithmetic} from '../expansion/parameters.ts';
import {expandPattern, expandText} from '../expansion/words.ts';
import {matchRegex} from '../expansion/regex-words.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {serializeCommand} from '../syntax/text.ts';
import type {Condition, NodeOf} from '../syntax/tree.ts';
import {trace} from './trace.ts';
import {compareFiles} from '../builtins/test.ts';
import {compareNumbers} from '../expansion/integers.ts';

/** Runs `[[ … ]]`; 0 when it holds. */
export function* runConditional(shell: Shell, node: NodeOf<'ConditionalCommand'>): Steps<number> {
  if (node.line !== undefined) shell.line = node.line + shell.lineBase;
  if (shell.options.xtrace) yield* trace(shell, serializeCommand(node));
  const result = yield* holds(shell, node.expression);
  if (shell.unwind?.kind === 'discard') shell.unwind = undefined;
  if (typeof result === 'number') return result;
  return shell.unwind ? 1 : result ? 0 : 1;
}

/** Does it hold? A number is a status after an error. */
function* holds(shell: Shell, node: Condition): Steps<boolean | number> {
  switch (node.type) {
    case 'CondWord':
      return (yield* expandText(shell, node.word)) !== '';
    case 'CondGroup':
      return yield* holds(shell, node.expression);
    case 'CondNot': {
      const inner = yield* holds(shell, node.operand);
      return typeof inner === 'number' ? inner : !inner;
    }
    case 'CondAnd': {
      const left = yield* holds(shell, node.left);
      return left === true ? yield* holds(shell, node.right) : left;
    }
    case 'CondOr': {
      const left = yield* holds(shell, node.left);
      return left === false ? yield* holds(shell, node.right) : left;
    }
    case 'CondUnary':
      return evaluateUnary(shell, node.operator, yield* expandText(shell, node.operand));
    default:
      return yield* compare(shell, node);
  }
}

function* compare(shell: Shell, node: Condition & {type: 'CondBinary'}): Steps<boolean | number> {
  const left = yield* expandText(shell, node.left);
  if (shell.unwind) return 1;
  switch (node.operator) {
    case '=':
    case '==':
    case '!=': {
      const pattern = patternOf(yield* expandPattern(shell, node.right), shell.options.shopt('nocasematch'));
      return pattern.matches(left) === (node.operator !== '!=');
    }
    case '=~':
      return yield* matchRegex(shell, left, node.right);
    case '<':
      return left < (yield* expandText(shell, node.right));
    case '>':
      return left > (yield* expandText(shell, node.right));
    case '-nt':
    case '-ot':
    case '-ef':
      return compareFiles(shell, node.operator, {left, right: yield* expandText(shell, node.right)});
    default:
      return yield* compareAsNumbers(shell, node, left);
  }
}

function* compareAsNumbers(shell: Shell, node: Condition & {type: 'CondBinary'}, left: string): Steps<boolean | number> {
  const right = yield* expandText(shell, node.right);
  const a = yield* arithmetic(shell, left, '[[: ');
  const b = a === undefined ? undefined : yield* arithmetic(shell, right, '[[: ');
  if (a === undefined || b === undefined) return 1;
  return compareNumbers(a, node.operator, b);
}
