// The tables of `kubectl get`: one for each kind, parted by an empty line, aligned each by itself.
import {Failure, gather, listed} from '../../failure.ts';
import {sortBy} from '../../print/sort.ts';
import {isTable, TablePrinter, type Table} from '../../print/table.ts';
import {tableOf} from '../../print/plain-table.ts';
import {TABLE_TABS, TabWriter} from '../../print/tab-writer.ts';
import type {Found} from '../../resources/found.ts';
import {apiVersionOf, type KindInfo} from '../../resources/kinds.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import type {Outcome} from '../command.ts';
import {selectionOf} from './asking.ts';

/** Prints what was chosen as tables. */
export async function getHuman(session: Session): Promise<Outcome> {
  const {flags} = session;
  const selected = await select(session, selectionOf(session, flags.on('server-print') ? 'table' : 'object'));
  if (selected instanceof Failure) return flags.on('ignore-not-found') && selected.is('NotFound') ? undefined : selected;
  const failures = flags.on('ignore-not-found')
    ? selected.failures.filter(failure => !failure.is('NotFound'))
    : selected.failures;
  const ordered = sorted(session, selected.found);
  if (ordered instanceof Failure) return ordered;
  const text = tablesText(session, ordered);
  await session.out(text);
  if (text === '' && failures.length === 0 && !flags.on('ignore-not-found')) await session.err(nothingText(session, ordered));
  return session.hasFiles ? listed(failures) : gather(failures);
}

/**
 * A table alone has its rows sorted, and shows none where they have nothing to be sorted by; several tables, and objects of which the
 * tables are made here, are sorted whole.
 */
function sorted(session: Session, found: readonly Found[]): readonly Found[] | Failure {
  const {process, flags} = session;
  const path = flags.text('sort-by');
  if (path === '') return found;
  const [only] = found;
  if (found.length !== 1 || !only || !isTable(only.object))
    return sortBy(found, {process, path, of: 'objects', objectOf: ({object}) => object});
  const rows = only.object.rows ?? [];
  if (rows.length < 2) return found;
  const ordered = sortBy(rows, {process, path, of: 'rows', objectOf: ({object}) => object});
  if (ordered instanceof Failure && ordered.cause.type === 'raw') return ordered;
  const object = {...only.object, rows: ordered instanceof Failure ? [] : ordered};
  return [{...only, object: object as unknown as Found['object']}];
}

function asTable(session: Session, item: Found): Table {
  return isTable(item.object) ? item.object : tableOf(item.object ? [item.object] : [], session.now);
}

function tablesText(session: Session, found: readonly Found[]): string {
  const withKind = session.flags.on('show-kind') || new Set(found.map(item => gvk(item.kind))).size > 1;
  const writer = new TabWriter(TABLE_TABS);
  let text = '';
  let printer: TablePrinter | undefined;
  let last: KindInfo | undefined;
  let separates = false;
  const flush = () => {
    const lines = writer.flush();
    if (lines === '') return;
    text += separates ? `\n${lines}` : lines;
    separates = false;
  };
  for (const item of found) {
    if (!printer || !last || gvk(last) !== gvk(item.kind)) {
      flush();
      writer.forget();
      if (last && !session.flags.on('no-headers') && text !== '') separates = true;
      printer = tablePrinter(session, item.kind, withKind);
      last = item.kind;
    }
    writer.write(printer.print(asTable(session, item)));
  }
  flush();
  return text;
}

/** The printer that the flags ask for, for the tables of a kind. */
export function tablePrinter(session: Session, kind: KindInfo, withKind: boolean): TablePrinter {
  const {flags} = session;
  return new TablePrinter({
    wide: flags.text('output') === 'wide',
    noHeaders: flags.on('no-headers'),
    withNamespace: flags.on('all-namespaces') && (kind.namespaced || !flags.on('server-print')),
    withKind: withKind ? kind : undefined,
    showLabels: flags.on('show-labels'),
    labelColumns: flags.list('label-columns'),
  });
}

function gvk(kind: KindInfo): string {
  return `${apiVersionOf(kind)}/${kind.kind}`;
}

function nothingText(session: Session, found: readonly Found[]): string {
  const inNamespace = !session.flags.on('all-namespaces') && found.every(item => item.kind.namespaced);
  const namespace = session.namespace();
  return inNamespace && !(namespace instanceof Failure)
    ? `No resources found in ${namespace} namespace.\n`
    : 'No resources found\n';
}
