import type {Given} from './arguments.ts';
import type {Matcher} from './grep-matcher.ts';

/** How grep prints lines: with names, numbers, and lines around them. */
export class Printer {
  readonly #given: Given;
  readonly #name: string | undefined;
  readonly #before: number;
  readonly #after: number;
  #number = 0;
  #kept: string[] = [];
  #left = 0;
  #printed = 0;

  /** `name`: what stands before each line. */
  constructor(given: Given, name: string | undefined) {
    this.#given = given;
    this.#name = name;
    this.#before = Number(given.value('B') ?? given.value('C') ?? 0);
    this.#after = Number(given.value('A') ?? given.value('C') ?? 0);
  }

  /** Is nothing more to be printed after the last match? */
  get isDone(): boolean {
    return this.#left === 0;
  }

  /** What is to be printed for the next line. */
  line(line: string, isHit: boolean, matcher: Matcher | undefined): string {
    this.#number++;
    if (isHit) return this.#hit(line, matcher);
    if (this.#left > 0) {
      this.#left--;
      this.#printed = this.#number;
      return this.#given.has('o') ? '' : this.#row(line, this.#number, '-');
    }
    if (this.#before > 0) {
      this.#kept.push(line);
      if (this.#kept.length > this.#before) this.#kept.shift();
    }
    return '';
  }

  #hit(line: string, matcher: Matcher | undefined): string {
    const first = this.#number - this.#kept.length;
    const hasContext = this.#before > 0 || this.#after > 0;
    let text = hasContext && this.#printed > 0 && first > this.#printed + 1 ? '--\n' : '';
    if (!this.#given.has('o')) text += this.#kept.map((each, index) => this.#row(each, first + index, '-')).join('');
    this.#kept = [];
    this.#left = this.#after;
    this.#printed = this.#number;
    if (!this.#given.has('o')) return text + this.#row(line, this.#number, ':');
    return text + (matcher?.pieces(line) ?? []).map(piece => this.#row(piece, this.#number, ':')).join('');
  }

  #row(line: string, number: number, sign: string): string {
    const name = this.#name === undefined ? '' : `${this.#name}${sign}`;
    return `${name}${this.#given.has('n') ? `${number}${sign}` : ''}${line}\n`;
  }
}
