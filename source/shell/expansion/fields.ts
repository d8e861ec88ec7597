// The fields that a word becomes. While a word is expanded, each piece is added with how it was written: quoted text stays as it
// is, an unquoted expansion is split at IFS, and its special characters may name files.
import {escapePattern, hasSpecials} from './patterns.ts';

/** One field: its text, and its pattern when it may name files. */
export interface Field {
  readonly text: string;
  readonly pattern: string | undefined;
}

/** IFS where nobody set it. */
const USUAL = ' \t\n';

/** Collects the fields of one word. */
export class Fields {
  readonly done: Field[] = [];
  readonly #separators: string;
  readonly #blanks: string;
  #isOpen = false;
  #text = '';
  #pattern = '';
  #isPattern = false;

  /** `separators` is IFS. */
  constructor(separators: string) {
    this.#separators = separators;
    this.#blanks = separators === USUAL ? USUAL : [' ', '\t', '\n'].filter(char => separators.includes(char)).join('');
  }

  /** Text that means itself; makes a field even when empty. */
  quoted(text: string): void {
    this.#isOpen = true;
    this.#text += text;
    this.#pattern += escapePattern(text);
  }

  /** A pattern that stands in the script. */
  glob(pattern: string): void {
    this.#isOpen = true;
    this.#text += pattern;
    this.#pattern += pattern;
    this.#isPattern = true;
  }

  /** Ends the field, as between the elements of "$@". */
  close(): void {
    if (!this.#isOpen) return;
    this.done.push({text: this.#text, pattern: this.#isPattern ? this.#pattern : undefined});
    this.#isOpen = false;
    this.#text = '';
    this.#pattern = '';
    this.#isPattern = false;
  }

  /** What an unquoted expansion gave. */
  unquoted(text: string): void {
    if (text === '') return;
    if (this.#separators === '' || !this.#isSplit(text)) return this.#piece(text);
    let at = this.#skip(text, 0);
    if (at > 0) this.close();
    while (at < text.length) {
      if (this.#isSeparator(text, at)) {
        this.#isOpen = true;
        this.close();
        at = this.#skip(text, at + 1);
        continue;
      }
      const end = this.#end(text, at);
      this.#piece(text.slice(at, end));
      if (end >= text.length) return;
      this.close();
      at = this.#skip(text, end);
      if (at < text.length && this.#isSeparator(text, at)) at = this.#skip(text, at + 1);
    }
  }

  /** Is there a separator that is no blank, and so parts even empty fields? */
  #isSeparator(text: string, at: number): boolean {
    const char = text[at] ?? '';
    return this.#separators.includes(char) && !this.#blanks.includes(char);
  }

  #isSplit(text: string): boolean {
    for (const char of this.#separators) if (text.includes(char)) return true;
    return false;
  }

  #skip(text: string, from: number): number {
    let at = from;
    while (at < text.length && this.#blanks.includes(text[at] ?? '')) at++;
    return at;
  }

  #end(text: string, from: number): number {
    let at = from;
    while (at < text.length && !this.#separators.includes(text[at] ?? '')) at++;
    return at;
  }

  #piece(text: string): void {
    if (text === '') return;
    this.#isOpen = true;
    this.#text += text;
    this.#pattern += text.replaceAll('\\', '\\\\');
    if (hasSpecials(text)) this.#isPattern = true;
  }
}
