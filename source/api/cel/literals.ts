// What the text of an expression already tells of its values, after its types are known: durations, moments and patterns that are
// written out must be readable, and what is written out as one list or map must be of one type. `format` takes anything.
import {run} from './evaluate.ts';
import type {Node, Problem} from './syntax.ts';
import {type CelType, typeText} from './types.ts';
import {CelError} from './values.ts';

/** What is wrong with the values that an expression writes out. */
export function literalProblems(node: Node, types: ReadonlyMap<Node, CelType>): readonly Problem[] {
  const problems: Problem[] = [];
  walk(node, {types, exempt: false, problems});
  return problems.toSorted((a, b) => a.at - b.at);
}

interface Walk {
  readonly types: ReadonlyMap<Node, CelType>;
  readonly exempt: boolean;
  readonly problems: Problem[];
}

function walk(node: Node, at: Walk): void {
  const inside = node.type === 'call' && node.name === 'format' ? {...at, exempt: true} : at;
  for (const part of partsOf(node)) walk(part, inside);
  if (node.type === 'call') unreadable(node, at.problems);
  if (at.exempt) return;
  if (node.type === 'list') oneType(node.items, item => item.value, at);
  if (node.type === 'map') {
    oneType(node.entries, entry => entry.key, at);
    oneType(node.entries, entry => entry.value, at);
  }
}

function partsOf(node: Node): readonly Node[] {
  switch (node.type) {
    case 'select':
    case 'has':
      return [node.of];
    case 'call':
      return node.target ? [node.target, ...node.args] : node.args;
    case 'list':
      return node.items.map(({value}) => value);
    case 'map':
      return node.entries.flatMap(({key, value}) => [key, value]);
    case 'struct':
      return node.entries.map(({value}) => value);
    case 'comprehension':
      return [node.range, ...(node.condition ? [node.condition] : []), node.body];
    case 'bind':
      return [node.of, node.body];
    default:
      return [];
  }
}

const READ: ReadonlySet<string> = new Set(['duration', 'timestamp', 'matches']);

function unreadable(node: Extract<Node, {type: 'call'}>, problems: Problem[]): void {
  const [first] = node.args;
  if (!READ.has(node.name) || first?.type !== 'constant') return;
  // A pattern is tried on nothing.
  const nothing: Node = {type: 'constant', at: node.at, value: ''};
  const call: Node = node.name === 'matches' ? {...node, target: nothing, args: [first]} : node;
  if (fails(call)) problems.push({at: first.at, words: `invalid ${node.name} argument`});
}

function fails(call: Node): boolean {
  try {
    run(call, {});
    return false;
  } catch (error) {
    if (error instanceof CelError) return true;
    throw error;
  }
}

function oneType<T extends {readonly optional: boolean}>(parts: readonly T[], of: (part: T) => Node, at: Walk): void {
  let wanted: CelType | undefined;
  for (const part of parts) {
    const node = of(part);
    const own = at.types.get(node);
    const type = part.optional && own?.kind === 'optional' ? own.of : own;
    if (!type) continue;
    wanted ??= type;
    if (typeText(wanted) === typeText(type)) continue;
    at.problems.push({at: node.at, words: `expected type '${typeText(wanted)}' but found '${typeText(type)}'`});
    return;
  }
}
