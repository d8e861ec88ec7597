// The record at hand with its fields. Fields are cut off when somebody asks for one, and the record is joined anew when one changed.
import {compileRegex} from '../../text/regex/regex.ts';
import {fromOutside, textOf} from './values.ts';
import type {Value} from './values.ts';

const MOST_FIELDS = 1_000_000;

/** Cuts a text as `FS` says: blanks, one character, each character, or an expression. */
export function splitText(text: string, separator: string): string[] {
  if (text === '') return [];
  if (separator === ' ') {
    const bare = text.replace(/^[ \t\n]+|[ \t\n]+$/g, '');
    return bare === '' ? [] : bare.split(/[ \t\n]+/);
  }
  if (separator === '') return [...text];
  if (separator.length === 1 && separator !== '\\') return text.split(separator);
  const regex = compileRegex(separator === '\\' ? '\\\\' : separator, {extended: true});
  if (!regex.ok) return [text];
  const parts: string[] = [];
  let copied = 0;
  for (let from = 0; from <= text.length;) {
    const span = regex.locate(text, from);
    if (!span) break;
    if (span.end === span.start) {
      from = span.end + 1;
      continue;
    }
    parts.push(text.slice(copied, span.start));
    copied = span.end;
    from = span.end;
  }
  return [...parts, text.slice(copied)];
}

/** The separators and the format that hold when fields are cut or joined. */
export interface Manner {
  readonly fieldSeparator: () => string;
  readonly outputSeparator: () => string;
  readonly numberFormat: () => string;
  readonly isParagraph: () => boolean;
}

export class Record {
  readonly #manner: Manner;
  #text = '';
  #whole: Value = undefined;
  #fields: Value[] | undefined = [];
  #isJoined = true;

  constructor(manner: Manner) {
    this.#manner = manner;
  }

  set(text: string): void {
    this.#text = text;
    this.#whole = fromOutside(text);
    this.#fields = undefined;
    this.#isJoined = true;
  }

  #cut(): Value[] {
    if (!this.#fields) {
      const separator = this.#manner.fieldSeparator();
      const parts =
        this.#manner.isParagraph() && separator !== ' '
          ? this.#text.split('\n').flatMap(line => splitText(line, separator))
          : splitText(this.#text, separator);
      this.#fields = parts.map(fromOutside);
    }
    return this.#fields;
  }

  get count(): number {
    return this.#cut().length;
  }

  set count(count: number) {
    const fields = this.#cut();
    const wanted = Math.max(0, Math.min(MOST_FIELDS, Math.trunc(count)));
    while (fields.length < wanted) fields.push('');
    fields.length = wanted;
    this.#isJoined = false;
  }

  get text(): string {
    if (!this.#isJoined) {
      const how = this.#manner.numberFormat();
      this.#text = this.#cut()
        .map(field => textOf(field, how))
        .join(this.#manner.outputSeparator());
      this.#whole = fromOutside(this.#text);
      this.#isJoined = true;
    }
    return this.#text;
  }

  get(index: number): Value {
    if (index !== 0) return this.#cut()[index - 1];
    return this.text === '' ? '' : this.#whole;
  }

  put(index: number, value: Value): void {
    if (index === 0) {
      this.set(textOf(value, this.#manner.numberFormat()));
      return;
    }
    if (index > this.count) this.count = index;
    const fields = this.#cut();
    if (index > fields.length) return;
    fields[index - 1] = typeof value === 'number' ? fromOutside(textOf(value, this.#manner.numberFormat())) : value;
    this.#isJoined = false;
  }
}
