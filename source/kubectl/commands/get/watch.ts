// `kubectl get -w`: what is there, and then every change as it comes, until somebody ends it.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {WatchEvent} from '../../../api/wire/http.ts';
import {pathOf} from '../../../api/meta/object.ts';
import {INTERRUPTED} from '../../../sim/process/process.ts';
import {fail, Failure} from '../../failure.ts';
import {printerOf} from '../../print/printer.ts';
import {isTable} from '../../print/table.ts';
import {tableOf} from '../../print/plain-table.ts';
import {TABLE_TABS, TabWriter} from '../../print/tab-writer.ts';
import {checkArguments, planVisits, type Visit} from '../../resources/arguments.ts';
import {listRequest, wordsOf} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import type {Outcome} from '../command.ts';
import {selectionOf} from './asking.ts';
import {tablePrinter} from './human.ts';

/** Prints an object or a table, and what kind of event brought it. */
type Show = (object: AnyObject, event: string) => string | Failure;

/** Shows what is there and then watches it. */
export async function watchObjects(session: Session): Promise<Outcome> {
  const {flags} = session;
  const visit = await theVisit(session);
  if (visit instanceof Failure) return visit;
  const isHuman = flags.text('output') === '' || flags.text('output') === 'wide';
  const show = isHuman ? humanShow(session, visit) : genericShow(session);
  if (show instanceof Failure) return show;
  const options = selectionOf(session, isHuman ? 'table' : 'object');
  const api = session.api();
  if (api instanceof Failure) return api;
  const request =
    visit.type === 'list'
      ? listRequest(visit, {asking: options.asking ?? {}})
      : {method: 'GET' as const, path: pathOf(visit.kind, visit.namespace, visit.name), ...options.asking};
  const first = await api.ask<AnyObject>(request);
  if (first instanceof Failure) return first;
  if (!flags.on('watch-only')) {
    for (const object of partsOf(first)) {
      const failure = await print(session, show(object, 'ADDED'));
      if (failure) return failure;
    }
  }
  return follow(session, {
    visit,
    show,
    from: visit.type === 'list' ? (first.metadata.resourceVersion ?? '0') : '0',
    asking: options.asking ?? {},
  });
}

async function theVisit(session: Session): Promise<Visit | Failure> {
  const {flags, args} = session;
  const problem = checkArguments(args);
  if (problem) return problem;
  const namespace = session.namespace();
  if (namespace instanceof Failure) return namespace;
  if (session.hasFiles) return fail('this kubectl cannot watch what stands in a file yet');
  const kinds = await session.kinds(wordsOf(args));
  if (kinds instanceof Failure) return kinds;
  if (new Set(wordsOf(args)).size > 1) return fail('you may only specify a single resource type');
  const plan = planVisits(kinds, {
    args,
    namespace,
    allNamespaces: flags.on('all-namespaces'),
    labels: flags.text('selector') || undefined,
    fields: flags.text('field-selector') || undefined,
    kindAlone: true,
  });
  if (plan instanceof Failure) return plan;
  const [visit] = plan.visits;
  if (!visit) return fail('you may only specify a single resource type');
  return plan.visits.length === 1 ? visit : severalNames(session, plan.visits);
}

/** Several names cannot be watched; the first one that is not there says so before. */
async function severalNames(session: Session, visits: readonly Visit[]): Promise<Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  for (const visit of visits) {
    if (visit.type !== 'object') continue;
    const answer = await api.ask({method: 'GET', path: pathOf(visit.kind, visit.namespace, visit.name)});
    if (answer instanceof Failure) return answer;
  }
  return fail('watch is only supported on individual resources and resource collections - more than 1 resource was found');
}

function partsOf(first: AnyObject): readonly AnyObject[] {
  if (isTable(first)) return [first as unknown as AnyObject];
  const {items} = first as {items?: unknown};
  return Array.isArray(items) ? (items as AnyObject[]) : [first];
}

function humanShow(session: Session, visit: Visit): Show {
  const printer = tablePrinter(session, visit.kind, session.flags.on('show-kind'));
  const writer = new TabWriter(TABLE_TABS);
  const withEvents = session.flags.on('output-watch-events');
  return (object, event) => {
    writer.write(printer.print(isTable(object) ? object : tableOf([object], session.now), withEvents ? event : undefined));
    return writer.flush();
  };
}

function genericShow(session: Session): Show | Failure {
  const printer = printerOf(session, {tables: true});
  if (printer instanceof Failure) return printer;
  if (!session.flags.on('output-watch-events')) return printer;
  return (object, type) => printer({type, object} as unknown as AnyObject);
}

async function print(session: Session, text: string | Failure): Promise<Failure | undefined> {
  if (text instanceof Failure) return text;
  await session.out(text);
  return undefined;
}

interface Following {
  readonly visit: Visit;
  readonly show: Show;
  readonly from: string;
  readonly asking: {readonly headers?: Readonly<Record<string, string>>; readonly query?: Readonly<Record<string, string>>};
}

async function follow(session: Session, {visit, show, from, asking}: Following): Promise<Outcome> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const asList: Visit =
    visit.type === 'list'
      ? visit
      : {type: 'list', kind: visit.kind, namespace: visit.namespace, labels: '', fields: `metadata.name=${visit.name}`};
  const request = listRequest(asList, {asking});
  const opened = await api.open<WatchEvent<AnyObject>>({
    ...request,
    query: {...request.query, watch: 'true', resourceVersion: from},
  });
  if (opened instanceof Failure) return opened;
  // A watch of one object from "any" version begins with the object as it is, which was printed already.
  let skips = visit.type === 'object' ? 1 : 0;
  for (;;) {
    const event = await opened.next();
    if (event === null) return undefined;
    if (event === INTERRUPTED || event === 'timeout' || event.type === 'BOOKMARK') continue;
    if (skips-- > 0) continue;
    const failure = await print(session, show(event.object, event.type));
    if (failure) return failure;
  }
}
