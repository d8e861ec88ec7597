// `kubectl events`: what happened, oldest first.
import type {Event} from '../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import {parseTime} from '../../api/meta/time.ts';
import type {WatchEvent} from '../../api/wire/http.ts';
import {INTERRUPTED} from '../../sim/process/process.ts';
import {eventAge} from '../describe/events.ts';
import {fail, Failure, failRaw} from '../failure.ts';
import {goSorted} from '../print/go-sort.ts';
import {printTyped} from '../print/typed.ts';
import {TABLE_TABS, TabWriter} from '../print/tab-writer.ts';
import {resolveType} from '../resources/arguments.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, PRINT_FLAGS, type Command, type Outcome} from './command.ts';

export const events: Command = {
  path: 'kubectl events',
  short: 'List what happened in a namespace, or to one object',
  examples: ['kubectl events', 'kubectl events --for pod/web', 'kubectl events --types=Warning -A', 'kubectl events -w'],
  does: [...COMMON_FLAGS, ...PRINT_FLAGS, 'all-namespaces', 'chunk-size', 'for', 'no-headers', 'types', 'watch'],
  run,
};

interface List {
  readonly items?: readonly Event[];
  readonly metadata?: {readonly resourceVersion?: string; readonly continue?: string};
}

interface Wish {
  readonly namespace: string;
  readonly fieldSelector: string;
}

async function run(session: Session): Promise<Outcome> {
  const {flags} = session;
  const wish = await wishOf(session);
  if (wish instanceof Failure) return wish;
  const listed = await list(session, wish);
  if (listed instanceof Failure) return listed;
  const found = sorted(listed.events.filter(event => fitsTypes(session, event)));
  if (flags.on('watch')) return watch(session, wish, {found, from: listed.from});
  if (flags.text('output') !== '' && found.length > 0) return printList(session, found);
  if (found.length === 0) {
    await session.err(flags.on('all-namespaces') ? 'No events found.\n' : `No events found in ${wish.namespace} namespace.\n`);
    return undefined;
  }
  await session.out(tableText(session, found, {headers: !flags.on('no-headers')}));
  return undefined;
}

async function wishOf(session: Session): Promise<Wish | Failure> {
  const {flags} = session;
  if (flags.list('types').some(type => !/^(normal|warning)$/i.test(type))) return fail('valid --types are Normal or Warning');
  const namespace = session.namespace();
  if (namespace instanceof Failure) return namespace;
  const scope = flags.on('all-namespaces') ? '' : namespace;
  const about = flags.text('for');
  if (about === '') return {namespace: scope, fieldSelector: ''};
  const [word = '', name = ''] = about.split('/');
  if (about.split('/').length > 2) return fail('arguments in resource/name form may not have more than one slash');
  if (!/^[^/]+\/[^/]+$/.test(about)) return fail('--for must be in resource/name form');
  const kinds = await session.kinds([word]);
  if (kinds instanceof Failure) return kinds;
  const kind = resolveType(kinds, word);
  if (kind instanceof Failure) return failRaw(kind.message);
  return {namespace: scope, fieldSelector: `involvedObject.kind=${kind.kind},involvedObject.name=${name}`};
}

async function list(session: Session, wish: Wish): Promise<{readonly events: readonly Event[]; readonly from: string} | Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const found: Event[] = [];
  let token = '';
  let from = '0';
  do {
    const query: Record<string, string> = {limit: session.flags.text('chunk-size')};
    if (wish.fieldSelector !== '') query['fieldSelector'] = wish.fieldSelector;
    if (token !== '') query['continue'] = token;
    const answer = await api.ask<List>({method: 'GET', path: pathOfEvents(wish), query});
    if (answer instanceof Failure) return answer;
    found.push(...(answer.items ?? []));
    token = answer.metadata?.continue ?? '';
    from = answer.metadata?.resourceVersion ?? '0';
  } while (token !== '');
  return {events: found, from};
}

function pathOfEvents({namespace}: Wish): string {
  return namespace === '' ? '/api/v1/events' : `/api/v1/namespaces/${namespace}/events`;
}

function fitsTypes({flags}: Session, event: Event): boolean {
  const types = flags.list('types');
  return types.length === 0 || types.some(type => type.toLowerCase() === (event.type ?? '').toLowerCase());
}

function sorted(found: readonly Event[]): readonly Event[] {
  return goSorted(found, (a, b) => lastSeen(a) < lastSeen(b));
}

function lastSeen(event: Event): number {
  return parseTime(event.series?.lastObservedTime) ?? parseTime(event.lastTimestamp) ?? parseTime(event.eventTime) ?? 0;
}

function tableText(
  session: Session,
  found: readonly Event[],
  options: {headers: boolean},
  writer = new TabWriter(TABLE_TABS),
): string {
  const isWide = session.flags.on('all-namespaces');
  if (options.headers) writer.write(`${isWide ? 'NAMESPACE\t' : ''}LAST SEEN\tTYPE\tREASON\tOBJECT\tMESSAGE\n`);
  for (const event of found) {
    const {kind = '', name = ''} = event.involvedObject;
    const head = isWide ? `${event.metadata.namespace ?? ''}\t` : '';
    writer.write(
      `${head}${eventAge(event, session.now)}\t${event.type ?? ''}\t${event.reason ?? ''}\t${kind}/${name}\t${(event.message ?? '').trim()}\n`,
    );
  }
  return writer.flush();
}

async function printList(session: Session, found: readonly Event[]): Promise<Outcome> {
  // A list of events has no name that could be printed.
  if (session.flags.text('output') === 'name') return undefined;
  const items = found.map(event => ({...event, apiVersion: 'v1', kind: 'Event'}));
  return printTyped(session, [{apiVersion: 'v1', kind: 'EventList', metadata: {}, items} as unknown as AnyObject]);
}

async function watch(session: Session, wish: Wish, {found, from}: {found: readonly Event[]; from: string}): Promise<Outcome> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const writer = new TabWriter(TABLE_TABS);
  let headers = !session.flags.on('no-headers');
  const show = async (some: readonly Event[]) => {
    if (some.length === 0) return;
    await session.out(tableText(session, some, {headers}, writer));
    headers = false;
  };
  await show(found);
  const query: Record<string, string> = {watch: 'true', resourceVersion: from};
  if (wish.fieldSelector !== '') query['fieldSelector'] = wish.fieldSelector;
  const opened = await api.open<WatchEvent<Event>>({method: 'GET', path: pathOfEvents(wish), query});
  if (opened instanceof Failure) return opened;
  for (;;) {
    const frame = await opened.next();
    if (frame === null) return undefined;
    if (frame === INTERRUPTED || frame === 'timeout' || frame.type === 'DELETED' || frame.type === 'BOOKMARK') continue;
    await show([frame.object].filter(event => fitsTypes(session, event)));
  }
}
