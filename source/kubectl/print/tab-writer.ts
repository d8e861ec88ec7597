// Aligns columns, as Go's text/tabwriter does. A cell is text that ends in a tab; what follows the last tab of a line belongs
// to no column. A column is a block of consecutive lines that have a cell there, so a line without tabs (a message of two
// lines) ends all columns, and the lines after it are aligned among themselves.
//
// With `remember` a column never gets narrower than it was: so the lines of a watch stay under their header.

export interface TabOptions {
  readonly minWidth: number;
  readonly padding: number;
  readonly remember?: boolean;
}

/** How `kubectl get` aligns. */
export const TABLE_TABS: TabOptions = {minWidth: 6, padding: 3, remember: true};
/** How `kubectl describe` aligns. */
export const DESCRIBE_TABS: TabOptions = {minWidth: 0, padding: 2};

/** Collects text and gives it back aligned. */
export class TabWriter {
  readonly #options: TabOptions;
  readonly #remembered: number[] = [];
  #text = '';

  constructor(options: TabOptions) {
    this.#options = options;
  }

  write(text: string): void {
    this.#text += text;
  }

  /** What was written since the last flush, aligned. */
  flush(): string {
    if (this.#text === '') return '';
    const lines = this.#text.split('\n').map(line => line.split('\t'));
    this.#text = '';
    const widths = lines.map((): number[] => []);
    this.#measure({lines, widths}, {column: 0, from: 0, to: lines.length});
    return lines.map((cells, i) => cells.map((cell, j) => padded(cell, widths[i]?.[j])).join('')).join('\n');
  }

  /** Forgets how wide the columns were. */
  forget(): void {
    this.#remembered.length = 0;
  }

  #measure(text: {lines: string[][]; widths: number[][]}, block: {column: number; from: number; to: number}): void {
    const {lines, widths} = text;
    const {column} = block;
    const hasCell = (line: number) => column < (lines[line]?.length ?? 0) - 1;
    for (let line = block.from; line < block.to; line++) {
      if (!hasCell(line)) continue;
      const from = line;
      let width = this.#options.minWidth;
      for (; line < block.to && hasCell(line); line++)
        width = Math.max(width, lengthOf(lines[line]?.[column] ?? '') + this.#options.padding);
      width = this.#recall(column, width);
      for (let i = from; i < line; i++) widths[i]?.push(width);
      this.#measure(text, {column: column + 1, from, to: line});
    }
  }

  #recall(column: number, width: number): number {
    if (!this.#options.remember) return width;
    const wide = Math.max(width, this.#remembered[column] ?? 0);
    this.#remembered[column] = wide;
    return wide;
  }
}

function padded(cell: string, width: number | undefined): string {
  return width === undefined ? cell : cell + ' '.repeat(Math.max(0, width - lengthOf(cell)));
}

function lengthOf(text: string): number {
  return /^[\x00-\x7f]*$/.test(text) ? text.length : Array.from(text).length;
}

/** Rows as one aligned text. */
export function align(rows: readonly (readonly string[])[], options: TabOptions = TABLE_TABS): string {
  const writer = new TabWriter(options);
  writer.write(rows.map(row => `${row.join('\t')}\n`).join(''));
  return writer.flush();
}
