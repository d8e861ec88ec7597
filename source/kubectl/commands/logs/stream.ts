// Prints logs as they come. Several that are followed at once are followed by a process each, since a process waits for one
// thing at a time.
import {pathOf} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {INTERRUPTED, type Process} from '../../../sim/process/process.ts';
import {fail, Failure, failureText} from '../../failure.ts';
import {Session} from '../../session.ts';
import type {LogSource} from './sources.ts';

/** Prints one container's log to its end. */
export async function printLog(
  session: Session,
  source: LogSource,
  query: Readonly<Record<string, string>>,
): Promise<Failure | undefined> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const path = pathOf(builtin('pods'), source.namespace, source.pod, 'log');
  const opened = await api.open<string>({method: 'GET', path, query: {container: source.container, ...query}});
  if (opened instanceof Failure) return opened;
  const print = printerFor(session, source);
  if (typeof opened.answer.body === 'string') await print(opened.answer.body);
  for (;;) {
    const frame = await opened.next();
    if (frame === null) break;
    if (frame !== INTERRUPTED && frame !== 'timeout') await print(frame);
  }
  await print('', true);
  return opened.isLate()
    ? fail('context deadline exceeded (Client.Timeout or context cancellation while reading body)')
    : undefined;
}

/** With `--prefix` every line says whose it is. */
function printerFor(session: Session, source: LogSource): (text: string, isEnd?: boolean) => Promise<void> {
  // All pods of a workload are told apart unless that is refused.
  const isPrefixed = session.flags.on('prefix') || (session.flags.on('all-pods') && !session.flags.has('prefix'));
  if (!isPrefixed) return async text => session.out(text);
  const prefix = `[pod/${source.pod}/${source.container}] `;
  let rest = '';
  return async (text, isEnd = false) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const all = isEnd && rest !== '' ? [...lines, rest] : lines;
    await session.out(all.map(line => `${prefix}${line}\n`).join(''));
  };
}

/** Follows all of them at once. */
export async function followAll(
  session: Session,
  sources: readonly LogSource[],
  query: Readonly<Record<string, string>>,
): Promise<Failure | undefined | number> {
  const followers: Process[] = [];
  for (const source of sources) {
    const follow = async (process: Process): Promise<number> => {
      const failure = await printLog(new Session(process, session.flags), source, query);
      if (!failure) return 0;
      await process.err(failureText(failure).text);
      return 1;
    };
    const follower = session.process.spawn(follow, {argv: session.process.argv});
    if (follower) followers.push(follower);
  }
  let code = 0;
  for (const follower of followers) {
    const ended = await session.process.wait(follower);
    if (typeof ended === 'number' && ended !== 0) code = ended;
  }
  return code;
}
