// Rows of what is used: every cell, the last one too, is a column of its own.
import {align, TABLE_TABS} from '../../print/tab-writer.ts';

/** The rows, aligned. */
export function tableText(rows: readonly (readonly string[])[]): string {
  return align(
    rows.map(row => [...row, '']),
    TABLE_TABS,
  );
}
