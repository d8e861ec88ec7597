// Prints the tables that the server makes. Columns with a priority show only when wide; further columns (the namespace, labels,
// the kind of event of a watch) are put around what the server sent. Headers are printed once, and again when they change.
import {labelsText} from '../../api/meta/selector.ts';
import type {KindInfo} from '../resources/kinds.ts';
import {kindWord} from '../resources/kinds.ts';
import {sprint} from '../../api/jsonpath/go-syntax.ts';

interface Column {
  readonly name: string;
  readonly type?: string;
  readonly format?: string;
  readonly priority?: number;
}

interface Row {
  readonly cells: readonly unknown[];
  readonly object?: {
    readonly metadata?: {readonly namespace?: string; readonly name?: string; readonly labels?: Readonly<Record<string, string>>};
  };
}

/** A `meta.k8s.io/v1 Table`. */
export interface Table {
  readonly kind: string;
  readonly columnDefinitions?: readonly Column[] | null;
  readonly rows?: readonly Row[] | null;
  readonly metadata?: {readonly resourceVersion?: string; readonly continue?: string};
}

export interface TableOptions {
  readonly wide?: boolean;
  readonly noHeaders?: boolean;
  readonly withNamespace?: boolean;
  /** Names are shown as `kind/name`. */
  readonly withKind?: KindInfo | undefined;
  readonly showLabels?: boolean;
  readonly labelColumns?: readonly string[];
}

/** Is it a table? */
export function isTable(object: unknown): object is Table {
  return typeof object === 'object' && object !== null && (object as {kind?: unknown}).kind === 'Table';
}

/** Prints tables one after the other, as lines of cells parted by tabs. */
export class TablePrinter {
  readonly #options: TableOptions;
  #columns: readonly Column[] = [];
  #headed = false;

  constructor(options: TableOptions) {
    this.#options = options;
  }

  /** The lines of a table. `event` stands before each, for a watch that shows its events. */
  print(table: Table, event?: string): string {
    const rows = table.rows ?? [];
    const given = table.columnDefinitions ?? [];
    const columns = given.length > 0 ? given : this.#columns;
    if (!sameColumns(columns, this.#columns)) {
      this.#columns = columns;
      this.#headed = false;
    }
    const showHeader = !this.#options.noHeaders && !this.#headed && rows.length > 0;
    if (rows.length > 0) this.#headed = true;
    const shown = columns.map((column, index) => ({column, index})).filter(({column}) => this.#options.wide || !column.priority);
    const lines = rows.map(row =>
      this.#around(
        shown.map(({column, index}) => this.#cell(column, row.cells[index])),
        row,
        event,
      ),
    );
    if (showHeader)
      lines.unshift(
        this.#header(
          shown.map(({column}) => column.name.toUpperCase()),
          event,
        ),
      );
    return lines.map(cells => `${cells.join('\t')}\n`).join('');
  }

  #cell(column: Column, cell: unknown): string {
    const text = cellText(cell);
    return this.#options.withKind && column.format === 'name' ? `${kindWord(this.#options.withKind)}/${text}` : text;
  }

  #around(cells: readonly string[], row: Row, event: string | undefined): readonly string[] {
    const {withNamespace, labelColumns = [], showLabels} = this.#options;
    const labels = row.object?.metadata?.labels ?? {};
    return [
      ...(event === undefined ? [] : [event.padEnd(8)]),
      ...(withNamespace ? [row.object?.metadata?.namespace ?? ''] : []),
      ...cells,
      ...labelColumns.map(label => labels[label] ?? ''),
      ...(showLabels ? [labelsText(labels)] : []),
    ];
  }

  #header(names: readonly string[], event: string | undefined): readonly string[] {
    const {withNamespace, labelColumns = [], showLabels} = this.#options;
    return [
      ...(event === undefined ? [] : ['EVENT']),
      ...(withNamespace ? ['NAMESPACE'] : []),
      ...names,
      ...labelColumns.map(label => label.slice(label.lastIndexOf('/') + 1).toUpperCase()),
      ...(showLabels ? ['LABELS'] : []),
    ];
  }
}

function sameColumns(a: readonly Column[], b: readonly Column[]): boolean {
  return (
    a === b || (a.length === b.length && a.every((column, i) => column.name === b[i]?.name && column.priority === b[i]?.priority))
  );
}

/** A cell on one line: what follows the first line end is cut, and said so. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return sprint(cell);
  const end = cell.search(/[\n\r\f]/);
  return escapeTerminal(end < 0 ? cell : `${cell.slice(0, end)}...`);
}

/** Text in which no control sequence reaches the terminal. */
export function escapeTerminal(text: string): string {
  return text.replaceAll('\x1b', '^[').replaceAll('\r', '\\r');
}
