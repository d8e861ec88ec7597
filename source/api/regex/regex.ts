// Regular expressions as Go's regexp package matches them: all threads step together over the text, so that a match takes time in
// proportion to the text and no pattern can freeze the game. The first thread in order wins, as in Perl.
import {isWord, parseRegex, type RegexNode} from './syntax.ts';

type Step =
  | {readonly op: 'set'; readonly has: (code: number) => boolean}
  | {readonly op: 'split'; readonly first: number; readonly second: number}
  | {readonly op: 'jump'; readonly to: number}
  | {readonly op: 'save'; readonly slot: number}
  | {readonly op: 'assert'; readonly what: string}
  | {readonly op: 'match'};

/** Where a match and its groups begin and end, in letters; -1 for a group that took no part. */
export type Match = readonly number[];

/** A compiled expression. */
export interface GoRegex {
  /** Does it match somewhere in a text? */
  test(text: string): boolean;
  /** The leftmost match from a place on. */
  find(letters: readonly string[], from?: number): Match | undefined;
}

const MOST_STEPS = 50_000;
const compiled = new Map<string, GoRegex | {readonly error: string}>();
const REMEMBERED = 500;

/** Compiles an expression; the same text gives the same one. */
export function compileRegex(source: string): GoRegex | {readonly error: string} {
  const known = compiled.get(source);
  if (known) return known;
  if (compiled.size >= REMEMBERED) compiled.clear();
  const made = compile(source);
  compiled.set(source, made);
  return made;
}

function compile(source: string): GoRegex | {readonly error: string} {
  const parsed = parseRegex(source);
  if ('error' in parsed) return parsed;
  const steps: Step[] = [];
  emit(parsed.root, steps);
  steps.push({op: 'match'});
  if (steps.length > MOST_STEPS) return {error: `error parsing regexp: expression too large: \`${source}\``};
  const slots = 2 * (parsed.groups + 1);
  return {
    test: text => run(steps, [...text], {from: 0, slots: 0}) !== undefined,
    find: (letters, from = 0) => run(steps, letters, {from, slots}),
  };
}

function emit(node: RegexNode, steps: Step[]): void {
  if (steps.length > MOST_STEPS) return;
  switch (node.type) {
    case 'empty':
      return;
    case 'set':
      steps.push({op: 'set', has: node.has});
      return;
    case 'assert':
      steps.push({op: 'assert', what: node.what});
      return;
    case 'group':
      steps.push({op: 'save', slot: 2 * node.index});
      emit(node.inner, steps);
      steps.push({op: 'save', slot: 2 * node.index + 1});
      return;
    case 'sequence':
      for (const part of node.parts) emit(part, steps);
      return;
    case 'choice':
      emitChoice(node.parts, steps);
      return;
    case 'repeat':
      emitRepeat(node, steps);
      return;
  }
}

function emitChoice(parts: readonly RegexNode[], steps: Step[]): void {
  const ends: number[] = [];
  parts.forEach((part, index) => {
    const split = index < parts.length - 1 ? steps.push({op: 'jump', to: 0}) - 1 : -1;
    emit(part, steps);
    if (split < 0) return;
    ends.push(steps.push({op: 'jump', to: 0}) - 1);
    steps[split] = {op: 'split', first: split + 1, second: steps.length};
  });
  for (const end of ends) steps[end] = {op: 'jump', to: steps.length};
}

function emitRepeat(node: Extract<RegexNode, {type: 'repeat'}>, steps: Step[]): void {
  const {inner, least, most, greedy} = node;
  const fork = (into: number, past: number): Step =>
    greedy ? {op: 'split', first: into, second: past} : {op: 'split', first: past, second: into};
  for (let i = 0; i < least; i++) emit(inner, steps);
  if (most === undefined) {
    const split = steps.push({op: 'jump', to: 0}) - 1;
    emit(inner, steps);
    steps.push({op: 'jump', to: split});
    steps[split] = fork(split + 1, steps.length);
    return;
  }
  const splits: number[] = [];
  for (let i = least; i < most && steps.length <= MOST_STEPS; i++) {
    splits.push(steps.push({op: 'jump', to: 0}) - 1);
    emit(inner, steps);
  }
  for (const split of splits) steps[split] = fork(split + 1, steps.length);
}

interface Thread {
  readonly at: number;
  readonly saved: Match;
}

/** The threads that wait for a letter, in order, each step once. */
class Threads {
  readonly list: Thread[] = [];
  matched: Match | undefined;
  readonly #steps: readonly Step[];
  readonly #seen = new Set<number>();
  readonly #slots: number;

  constructor(steps: readonly Step[], slots: number) {
    this.#steps = steps;
    this.#slots = slots;
  }

  add(start: number, place: {at: number; letters: readonly string[]}, first: Match): void {
    const stack: Thread[] = [{at: start, saved: first}];
    for (let thread = stack.pop(); thread; thread = stack.pop()) {
      const {at, saved} = thread;
      if (this.#seen.has(at) || this.matched) continue;
      this.#seen.add(at);
      const step = this.#steps[at] as Step;
      if (step.op === 'match') {
        this.matched = saved;
        return;
      }
      if (step.op === 'set') this.list.push(thread);
      else if (step.op === 'jump') stack.push({at: step.to, saved});
      else if (step.op === 'split') stack.push({at: step.second, saved}, {at: step.first, saved});
      else if (step.op === 'save') stack.push({at: at + 1, saved: this.#slots > 0 ? saved.with(step.slot, place.at) : saved});
      else if (holds(step.what, place)) stack.push({at: at + 1, saved});
    }
  }
}

function holds(what: string, {at, letters}: {at: number; letters: readonly string[]}): boolean {
  const word = (index: number): boolean => isWord(letters[index]?.codePointAt(0) ?? 0);
  switch (what) {
    case 'textStart':
      return at === 0;
    case 'textEnd':
      return at === letters.length;
    case 'lineStart':
      return at === 0 || letters[at - 1] === '\n';
    case 'lineEnd':
      return at === letters.length || letters[at] === '\n';
    default:
      return (word(at - 1) !== word(at)) === (what === 'boundary');
  }
}

function run(
  steps: readonly Step[],
  letters: readonly string[],
  {from, slots}: {from: number; slots: number},
): Match | undefined {
  const empty: Match = Array.from({length: slots}, () => -1);
  let current = new Threads(steps, slots);
  let found: Match | undefined;
  for (let at = from; ; at++) {
    if (!found) current.add(0, {at, letters}, slots > 0 ? empty.with(0, at) : empty);
    if (current.matched) {
      found = slots > 0 ? current.matched.with(1, at) : current.matched;
      if (slots === 0) return found;
    }
    if (at >= letters.length || (found && current.list.length === 0)) return found;
    const code = (letters[at] as string).codePointAt(0) ?? 0;
    const next = new Threads(steps, slots);
    for (const thread of current.list) {
      const step = steps[thread.at] as Step;
      if (step.op === 'set' && step.has(code)) next.add(thread.at + 1, {at: at + 1, letters}, thread.saved);
      if (next.matched) break;
    }
    current = next;
  }
}
