// The page that `kubectl describe` prints: lines with levels of indentation, cells parted by tabs, aligned at the end.
import {DESCRIBE_TABS, TabWriter} from '../print/tab-writer.ts';

/** Collects the lines of one object. */
export class Lines {
  #text = '';

  /** One line at a level; cells are parted by tabs. */
  add(level: number, text: string): void {
    this.#text += `${'  '.repeat(level)}${text}\n`;
  }

  /** Text as it is. */
  raw(text: string): void {
    this.#text += text;
  }

  /** `Name:<tab>value`. */
  field(level: number, name: string, value: string): void {
    this.add(level, `${name}:\t${value}`);
  }

  /** Everything, aligned. */
  text(): string {
    const writer = new TabWriter(DESCRIBE_TABS);
    writer.write(this.#text);
    return writer.flush();
  }

  /** Everything as it was added, with tabs. */
  plainText(): string {
    return this.#text;
  }
}
