import {byteLength} from '../text/bytes.ts';
import type {Given} from './arguments.ts';
import type {Matcher} from './grep-matcher.ts';

/** How grep prints lines: with names, numbers, and lines around them. */
export class Printer {
  readonly #given: Given;
  readonly #name: string | undefined;
  readonly #before: number;
  readonly #after: number;
  #number = 0;
  #kept: {line: string; offset: number}[] = [];
  #left = 0;
  #printed = 0;
  #offset = 0;
  readonly #isPainted: boolean;

  /** `name`: what stands before each line. */
  constructor(given: Given, name: string | undefined, isPainted: boolean) {
    this.#given = given;
    this.#name = name;
    this.#isPainted = isPainted;
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
    const offset = this.#offset;
    if (this.#given.has('b')) this.#offset += byteLength(line) + 1;
    if (isHit) return this.#hit(line, offset, matcher);
    if (this.#left > 0) {
      this.#left--;
      this.#printed = this.#number;
      return this.#given.has('o') ? '' : this.#row(line, {number: this.#number, offset, sign: '-'});
    }
    if (this.#before > 0) {
      this.#kept.push({line, offset});
      if (this.#kept.length > this.#before) this.#kept.shift();
    }
    return '';
  }

  #hit(line: string, offset: number, matcher: Matcher | undefined): string {
    const first = this.#number - this.#kept.length;
    const hasContext = this.#before > 0 || this.#after > 0;
    const isApart = hasContext && this.#printed > 0 && first > this.#printed + 1;
    let text = isApart ? `${this.#paint('36', '--')}\n` : '';
    if (!this.#given.has('o')) {
      text += this.#kept.map((each, at) => this.#row(each.line, {number: first + at, offset: each.offset, sign: '-'})).join('');
    }
    this.#kept = [];
    this.#left = this.#after;
    this.#printed = this.#number;
    const place = {number: this.#number, offset, sign: ':'};
    if (!this.#given.has('o')) return text + this.#row(this.#painted(line, matcher), place);
    for (const {start, end} of matcher?.spans(line) ?? []) {
      const before = this.#given.has('b') ? byteLength(line.slice(0, start)) : 0;
      text += this.#row(this.#paint('01;31', line.slice(start, end)), {...place, offset: offset + before});
    }
    return text;
  }

  /** The line with its matches in colour. */
  #painted(line: string, matcher: Matcher | undefined): string {
    if (!this.#isPainted || !matcher) return line;
    let text = '';
    let copied = 0;
    for (const {start, end} of matcher.spans(line)) {
      text += line.slice(copied, start) + this.#paint('01;31', line.slice(start, end));
      copied = end;
    }
    return text + line.slice(copied);
  }

  #paint(colour: string, text: string): string {
    return this.#isPainted ? `\u001b[${colour}m\u001b[K${text}\u001b[m\u001b[K` : text;
  }

  #row(line: string, {number, offset, sign}: {number: number; offset: number; sign: string}): string {
    const separator = this.#paint('36', sign);
    let head = '';
    if (this.#name !== undefined) head = this.#paint('35', this.#name) + (this.#given.has('Z') ? '\0' : separator);
    if (this.#given.has('n')) head += this.#paint('32', String(number)) + separator;
    if (this.#given.has('b')) head += this.#paint('32', String(offset)) + separator;
    return `${head}${line}\n`;
  }
}
