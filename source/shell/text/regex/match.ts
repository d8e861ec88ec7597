// Runs the program of an expression over a text with all its threads at once, so that time is the length of the text times that
// of the program, whatever the expression: no text and no pattern can freeze the game.
//
// The first pass finds where the leftmost, longest match lies, as POSIX has it. Each thread knows where it began; of two threads
// at the same instruction the one that began first stays. The second pass, within the match, finds the groups.
import {isWordCode} from './tree.ts';
import type {Place} from './tree.ts';
import type {Instruction} from './program.ts';

/** Where a match lies. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The threads at one place of the text: where they are in the program, and where they began. */
class Threads {
  readonly at: number[] = [];
  readonly began: number[] = [];
  readonly #seen: Int32Array;
  #round = 0;

  constructor(size: number) {
    this.#seen = new Int32Array(size).fill(-1);
  }

  clear(round: number): void {
    this.at.length = 0;
    this.began.length = 0;
    this.#round = round;
  }

  /** Is it new in this round? */
  visit(pc: number): boolean {
    if (this.#seen[pc] === this.#round) return false;
    this.#seen[pc] = this.#round;
    return true;
  }
}

/** Finds matches of one expression. */
export class Matcher {
  readonly #program: readonly Instruction[];
  #now: Threads;
  #next: Threads;
  #round = 0;
  readonly #first: Uint8Array | undefined;

  constructor(program: readonly Instruction[]) {
    this.#program = program;
    this.#first = firstCodes(program);
    this.#now = new Threads(program.length);
    this.#next = new Threads(program.length);
  }

  /** The leftmost, longest match from a place on. */
  find(text: string, from: number): Span | undefined {
    let found: Span | undefined;
    this.#now.clear(++this.#round);
    for (let at = from; ; at++) {
      if (!found && this.#now.at.length === 0 && this.#first) at = nextStart(text, at, this.#first);
      if (!found) this.#enter(this.#now, 0, {text, at, began: at});
      if (this.#now.at.length === 0 && found) return found;
      const code = at < text.length ? text.charCodeAt(at) : -1;
      this.#next.clear(++this.#round);
      for (let index = 0; index < this.#now.at.length; index++) {
        const pc = this.#now.at[index] ?? 0;
        const began = this.#now.began[index] ?? 0;
        if (found && began > found.start) continue;
        const step = this.#program[pc];
        if (step?.kind === 'match') found = {start: began, end: at};
        else if (code >= 0 && (step?.kind === 'char' ? step.code === code : step?.kind === 'set' && step.test(code))) {
          this.#enter(this.#next, pc + 1, {text, at: at + 1, began});
        }
      }
      if (at >= text.length) return found;
      [this.#now, this.#next] = [this.#next, this.#now];
    }
  }

  /** Adds a thread, and those that it forks into before the next character. */
  #enter(threads: Threads, pc: number, thread: {text: string; at: number; began: number}): void {
    const waiting = [pc];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (!threads.visit(next)) continue;
      const step = this.#program[next];
      if (step?.kind === 'jump') waiting.push(step.to);
      else if (step?.kind === 'fork') waiting.push(step.second, step.first);
      else if (step?.kind === 'save') waiting.push(next + 1);
      else if (step?.kind === 'place') {
        if (holds(step.place, thread.text, thread.at)) waiting.push(next + 1);
      } else {
        threads.at.push(next);
        threads.began.push(thread.began);
      }
    }
  }

  /** The groups of a match that was found, the whole first. */
  groups(text: string, span: Span, count: number): readonly (string | undefined)[] {
    const whole = text.slice(span.start, span.end);
    if (count === 0) return [whole];
    const slots = this.#slots(text, span);
    const groups: (string | undefined)[] = [whole];
    for (let index = 1; index <= count; index++) {
      const start = slots?.[index * 2];
      const end = slots?.[index * 2 + 1];
      groups.push(start === undefined || end === undefined ? undefined : text.slice(start, end));
    }
    return groups;
  }

  /** Where groups begin and end: of the first way, as the program prefers, that matches all of the span. */
  #slots(text: string, {start, end}: Span): readonly (number | undefined)[] | undefined {
    type Thread = {readonly pc: number; readonly slots: readonly (number | undefined)[]};
    let now: Thread[] = [];
    const enter = (list: Thread[], seen: Set<number>, first: Thread, at: number): void => {
      const waiting = [first];
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        if (seen.has(next.pc)) continue;
        seen.add(next.pc);
        const step = this.#program[next.pc];
        const {slots, pc} = next;
        if (step?.kind === 'jump') waiting.push({pc: step.to, slots});
        else if (step?.kind === 'fork') waiting.push({pc: step.second, slots}, {pc: step.first, slots});
        else if (step?.kind === 'save') {
          const saved = [...slots];
          saved[step.slot] = at;
          waiting.push({pc: pc + 1, slots: saved});
        } else if (step?.kind === 'place') {
          if (holds(step.place, text, at)) waiting.push({pc: pc + 1, slots});
        } else list.push(next);
      }
    };
    enter(now, new Set(), {pc: 0, slots: []}, start);
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      const next: Thread[] = [];
      const seen = new Set<number>();
      for (const thread of now) {
        const step = this.#program[thread.pc];
        const fits = step?.kind === 'char' ? step.code === code : step?.kind === 'set' && step.test(code);
        if (fits) enter(next, seen, {pc: thread.pc + 1, slots: thread.slots}, at + 1);
      }
      now = next;
    }
    return now.find(thread => this.#program[thread.pc]?.kind === 'match')?.slots;
  }
}

/** Character codes from here on are looked at one by one. */
const CODES = 256;

/** Which characters a match can begin with; undefined when it can be empty. */
function firstCodes(program: readonly Instruction[]): Uint8Array | undefined {
  const codes = new Uint8Array(CODES);
  const seen = new Set<number>();
  const waiting = [0];
  for (let pc = waiting.pop(); pc !== undefined; pc = waiting.pop()) {
    if (seen.has(pc)) continue;
    seen.add(pc);
    const step = program[pc];
    if (!step || step.kind === 'match') return undefined;
    if (step.kind === 'jump') waiting.push(step.to);
    else if (step.kind === 'fork') waiting.push(step.first, step.second);
    else if (step.kind === 'save' || step.kind === 'place') waiting.push(pc + 1);
    else
      for (let code = 0; code < CODES; code++) if (step.kind === 'char' ? step.code === code : step.test(code)) codes[code] = 1;
  }
  return codes;
}

/** The next place where a match may begin. */
function nextStart(text: string, from: number, first: Uint8Array): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code >= CODES || first[code] === 1) break;
    at++;
  }
  return at;
}

function holds(place: Place, text: string, at: number): boolean {
  if (place === 'start') return at === 0;
  if (place === 'end') return at === text.length;
  if (place === 'line-start') return at === 0 || text[at - 1] === '\n';
  if (place === 'line-end') return at === text.length || text[at] === '\n';
  const before = at > 0 && isWordCode(text.charCodeAt(at - 1));
  const after = at < text.length && isWordCode(text.charCodeAt(at));
  switch (place) {
    case 'edge':
      return before !== after;
    case 'no-edge':
      return before === after;
    case 'word-start':
      return !before && after;
    default:
      return before && !after;
  }
}
