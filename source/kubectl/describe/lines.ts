// The page that `kubectl describe` prints: lines with levels of indentation, cells parted by tabs, aligned at the end.
import {DESCRIBE_TABS, TabWriter} from '../print/tab-writer.ts';

/** Collects the lines of one object. */
export class Lines {
  readonly #writer = new TabWriter(DESCRIBE_TABS);

  /** One line at a level; cells are parted by tabs. */
  add(level: number, text: string): void {
    this.#writer.write(`${'  '.repeat(level)}${text}\n`);
  }

  /** Text as it is. */
  raw(text: string): void {
    this.#writer.write(text);
  }

  /** `Name:<tab>value`. */
  field(level: number, name: string, value: string): void {
    this.add(level, `${name}:\t${value}`);
  }

  /** Everything, aligned. */
  text(): string {
    return this.#writer.flush();
  }
}
