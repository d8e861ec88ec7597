// The matcher that goes back when it was wrong: for expressions with references to earlier groups, and for Perl's. It is made of
// functions, each of which matches its part at a place and then asks the next. Such a search can take for ever, so its steps are
// counted: past a bound it gives up, as PCRE does, and says so.
import {isWordCode} from './tree.ts';
import type {Node, Place, Test} from './tree.ts';
import type {Span} from './match.ts';

const MOST_STEPS = 400_000;
/** Turns of a repetition within each other: each takes some of the host's stack. */
const DEEPEST = 1200;

/** Leaves a search that takes too long. */
class Exhausted extends Error {}

type Match = (at: number) => boolean;

/** How texts are compared. */
export interface BacktrackOptions {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
}

/** Finds matches of one expression. */
export class Backtracker {
  readonly #match: Match;
  readonly #options: BacktrackOptions;
  readonly #groupCount: number;
  #text = '';
  #captures: (number | undefined)[] = [];
  readonly #starts: number[] = [];
  #end = 0;
  #kept = 0;
  #steps = 0;
  #depth = 0;
  /** A search was given up. */
  isExhausted = false;

  constructor(node: Node, groupCount: number, options: BacktrackOptions) {
    this.#options = options;
    this.#groupCount = groupCount;
    this.#match = this.#compile(node, at => {
      this.#end = at;
      return true;
    });
  }

  /** The first match from a place on. */
  find(text: string, from: number): (Span & {groups: readonly (string | undefined)[]}) | undefined {
    this.#text = text;
    this.#steps = 0;
    this.#depth = 0;
    try {
      for (let at = from; at <= text.length; at++) {
        this.#captures = [];
        this.#kept = at;
        if (!this.#match(at)) continue;
        const groups: (string | undefined)[] = [text.slice(this.#kept, this.#end)];
        for (let index = 1; index <= this.#groupCount; index++) groups.push(this.#group(index));
        return {start: this.#kept, end: this.#end, groups};
      }
    } catch (failure) {
      if (!(failure instanceof Exhausted)) throw failure;
      this.isExhausted = true;
    }
    return undefined;
  }

  #group(index: number): string | undefined {
    const [start, end] = [this.#captures[index * 2], this.#captures[index * 2 + 1]];
    return start === undefined || end === undefined ? undefined : this.#text.slice(start, end);
  }

  #step(): void {
    if (++this.#steps > MOST_STEPS) throw new Exhausted();
  }

  #compile(node: Node, next: Match): Match {
    switch (node.kind) {
      case 'char':
      case 'set':
        return this.#single(this.#testOf(node), next);
      case 'row':
        return node.nodes.reduceRight((rest, each) => this.#compile(each, rest), next);
      case 'choice': {
        const ways = node.nodes.map(each => this.#compile(each, next));
        return at => ways.some(way => way(at));
      }
      case 'group':
        return this.#capture(node.index, node.node, next);
      case 'repeat':
        return this.#repeat(node, next);
      case 'place':
        return at => this.#holds(node.place, at) && next(at);
      case 'reference':
        return this.#reference(node.index, next);
      case 'look':
        return this.#look(node, next);
      case 'atomic':
        return this.#atomic(node.node, next);
      default:
        return at => {
          const before = this.#kept;
          this.#kept = at;
          if (next(at)) return true;
          this.#kept = before;
          return false;
        };
    }
  }

  #testOf(node: Node & {kind: 'char' | 'set'}): Test {
    const test: Test = node.kind === 'char' ? code => code === node.code : node.test;
    if (!this.#options.ignoreCase) return test;
    return code => {
      const char = String.fromCharCode(code);
      return test(code) || test(char.toLowerCase().charCodeAt(0)) || test(char.toUpperCase().charCodeAt(0));
    };
  }

  #single(test: Test, next: Match): Match {
    return at => {
      this.#step();
      return at < this.#text.length && test(this.#text.charCodeAt(at)) && next(at + 1);
    };
  }

  #capture(index: number, inner: Node, next: Match): Match {
    const body = this.#compile(inner, at => {
      const [start, end] = [this.#captures[index * 2], this.#captures[index * 2 + 1]];
      this.#captures[index * 2] = this.#starts[index];
      this.#captures[index * 2 + 1] = at;
      if (next(at)) return true;
      this.#captures[index * 2] = start;
      this.#captures[index * 2 + 1] = end;
      return false;
    });
    return at => {
      const before = this.#starts[index] ?? 0;
      this.#starts[index] = at;
      if (body(at)) return true;
      this.#starts[index] = before;
      return false;
    };
  }

  #repeat(node: Node & {kind: 'repeat'}, next: Match): Match {
    const {node: inner, least, most, manner} = node;
    if (manner === 'possessive') {
      return this.#atomic({kind: 'repeat', node: inner, least, most}, next);
    }
    if (inner.kind === 'char' || inner.kind === 'set') return this.#repeatSingle(this.#testOf(inner), node, next);
    let count = 0;
    let began = -1;
    const turn = this.#compile(inner, at => !(at === began && count > least) && loop(at));
    const again: Match = at => {
      const [counted, before] = [count, began];
      count++;
      began = at;
      if (turn(at)) return true;
      count = counted;
      began = before;
      return false;
    };
    const loop: Match = at => {
      this.#step();
      if (++this.#depth > DEEPEST) throw new Exhausted();
      const isDone =
        count < least
          ? again(at)
          : manner === 'lazy'
            ? next(at) || (count < most && again(at))
            : (count < most && again(at)) || next(at);
      this.#depth--;
      return isDone;
    };
    return at => {
      const [counted, before] = [count, began];
      count = 0;
      began = -1;
      const isDone = loop(at);
      count = counted;
      began = before;
      return isDone;
    };
  }

  #repeatSingle(test: Test, {least, most, manner}: Node & {kind: 'repeat'}, next: Match): Match {
    const fits = (at: number): boolean => at < this.#text.length && test(this.#text.charCodeAt(at));
    if (manner === 'lazy') {
      return at => {
        let end = at;
        for (let count = 0; ; count++, end++) {
          this.#step();
          if (count >= least && next(end)) return true;
          if (count >= most || !fits(end)) return false;
        }
      };
    }
    return at => {
      let end = at;
      while (end - at < most && fits(end)) end++;
      for (; end - at >= least; end--) {
        this.#step();
        if (next(end)) return true;
      }
      return false;
    };
  }

  #reference(index: number, next: Match): Match {
    return at => {
      this.#step();
      const group = this.#group(index);
      if (group === undefined) return false;
      const there = this.#text.slice(at, at + group.length);
      const isSame = this.#options.ignoreCase ? there.toLowerCase() === group.toLowerCase() : there === group;
      return isSame && next(at + group.length);
    };
  }

  #look({node, behind, negated}: Node & {kind: 'look'}, next: Match): Match {
    let target = 0;
    const inner = this.#compile(node, at => !behind || at === target);
    const isThere = (at: number): boolean => {
      if (!behind) return inner(at);
      const before = target;
      target = at;
      let isFound = false;
      for (let start = at; start >= 0 && !isFound; start--) {
        this.#step();
        isFound = inner(start);
      }
      target = before;
      return isFound;
    };
    return at => {
      const captures = [...this.#captures];
      const holds = isThere(at) !== negated;
      if (!holds || negated) this.#captures = captures;
      return holds && next(at);
    };
  }

  /** What it took it does not give back. */
  #atomic(inner: Node, next: Match): Match {
    let end = 0;
    const body = this.#compile(inner, at => {
      end = at;
      return true;
    });
    return at => body(at) && next(end);
  }

  #holds(place: Place, at: number): boolean {
    const text = this.#text;
    const isLines = this.#options.multiline;
    if (place === 'start') return at === 0;
    if (place === 'end') return at === text.length;
    if (place === 'line-start') return at === 0 || (isLines && text[at - 1] === '\n');
    if (place === 'line-end') return at === text.length || (text[at] === '\n' && (isLines || at === text.length - 1));
    const before = at > 0 && isWordCode(text.charCodeAt(at - 1));
    const after = at < text.length && isWordCode(text.charCodeAt(at));
    if (place === 'edge' || place === 'no-edge') return (before !== after) === (place === 'edge');
    return place === 'word-start' ? !before && after : before && !after;
  }
}
