// Macros: calls that are taken apart before they are evaluated.
import type {ComprehensionKind, Node, Problem} from './syntax.ts';

type Call = Extract<Node, {type: 'call'}>;

const ONE: Readonly<Record<string, ComprehensionKind>> = {
  all: 'all',
  exists: 'exists',
  exists_one: 'existsOne',
  existsOne: 'existsOne',
  filter: 'filter',
  map: 'map',
};
const TWO: Readonly<Record<string, ComprehensionKind>> = {
  all: 'all',
  exists: 'exists',
  existsOne: 'existsOne',
  exists_one: 'existsOne',
  transformList: 'transformList',
  transformMap: 'transformMap',
  transformMapEntry: 'transformMapEntry',
};

/** What a macro stands for; undefined for a plain call. */
export function macroOf(call: Call): Node | Problem | undefined {
  const {name, target, args, at} = call;
  if (!target) return name === 'has' && args.length === 1 ? hasMacro(args[0] as Node, at) : undefined;
  if ((name === 'optMap' || name === 'optFlatMap') && args.length === 2) {
    const bound = nameOf(args[0]);
    if (bound === undefined) return {at: args[0]?.at ?? at, words: `${name}() variable name must be a simple identifier`};
    return {type: 'bind', at, kind: name, of: target, name: bound, body: args[1] as Node};
  }
  if (name === 'map' && args.length === 3) return comprehension(call, 'map', 1, args[1]);
  if (args.length === 2 && name in ONE) return comprehension(call, ONE[name] as ComprehensionKind, 1);
  if (args.length === 3 && name in TWO) return comprehension(call, TWO[name] as ComprehensionKind, 2);
  if (args.length === 4 && name.startsWith('transform') && name in TWO)
    return comprehension(call, TWO[name] as ComprehensionKind, 2, args[2]);
  return undefined;
}

function nameOf(node: Node | undefined): string | undefined {
  return node?.type === 'name' ? node.name : undefined;
}

function hasMacro(node: Node, at: number): Node | Problem {
  if (node.type !== 'select' || node.optional) return {at, words: 'invalid argument to has() macro'};
  return {type: 'has', at, of: node.of, field: node.field};
}

function comprehension({args, at, target}: Call, kind: ComprehensionKind, count: number, condition?: Node): Node | Problem {
  const names = args.slice(0, count).map(nameOf);
  const wrong = names.indexOf(undefined);
  if (wrong >= 0) return {at: args[wrong]?.at ?? at, words: 'argument must be a simple name'};
  return {type: 'comprehension', at, kind, range: target as Node, names: names as string[], condition, body: args.at(-1) as Node};
}
