// The text of a script, character by character, and where in which of its parts a mistake is.

/** A part of a script: what one `-e` or one `-f` gave. */
export interface Part {
  readonly text: string;
  /** The file that it came from. */
  readonly file: string | undefined;
}

/** Leaves the reading; its message is what sed says. */
export class ScriptProblem extends Error {}

/** Reads the parts as one text, a line end between two of them. */
export class SourceText {
  readonly #parts: readonly Part[];
  readonly #text: string;
  at = 0;

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
    this.#text = parts.map(part => part.text).join('\n');
  }

  /** The next character, which stays. */
  get peek(): string | undefined {
    return this.#text[this.at];
  }

  get isEnd(): boolean {
    return this.at >= this.#text.length;
  }

  /** Takes the next character. */
  next(): string | undefined {
    return this.#text[this.at++];
  }

  /** Takes a text if it stands here. */
  take(text: string): boolean {
    if (!this.#text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** Takes what fits an expression, which must be sticky. */
  match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const text = pattern.exec(this.#text)?.[0] ?? '';
    this.at += text.length;
    return text;
  }

  /** A mistake that was seen when the character before the place had been read. */
  problem(words: string): ScriptProblem {
    let from = 0;
    let expression = 0;
    for (const [index, part] of this.#parts.entries()) {
      if (part.file === undefined) expression++;
      const isLast = index === this.#parts.length - 1;
      if (this.at <= from + part.text.length || isLast) {
        const inside = this.#text.slice(from, this.at);
        if (part.file !== undefined) return new ScriptProblem(`file ${part.file} line ${inside.split('\n').length}: ${words}`);
        return new ScriptProblem(`-e expression #${expression}, char ${Math.min(inside.length, part.text.length)}: ${words}`);
      }
      from += part.text.length + 1;
    }
    return new ScriptProblem(words);
  }
}

/** Is the first line `#n` alone, which is `-n`? */
export function isQuietMark(parts: readonly Part[]): boolean {
  return /^#n(\n|$)/.test(parts[0]?.text ?? '');
}
