// `kubectl describe`: all that is to know of objects, for people to read.
import {splitApiVersion} from '../../api/meta/object.ts';
import {describerOf} from '../describe/index.ts';
import {fail, Failure, gather, listed} from '../failure.ts';
import {selection, type Found, type Selected} from '../resources/found.ts';
import {select} from '../resources/select.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, FILE_FLAGS, type Command, type Outcome} from './command.ts';

export const describe: Command = {
  path: 'kubectl describe',
  short: 'Show an object in detail, with its events',
  examples: [
    'kubectl describe pod web',
    'kubectl describe nodes node-1',
    'kubectl describe pods -l app=web',
    'kubectl describe deploy',
  ],
  does: [...COMMON_FLAGS, ...FILE_FLAGS, 'all-namespaces', 'chunk-size', 'selector', 'show-events'],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  if (args.length === 0 && !session.hasFiles) {
    return fail(
      'You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of supported resources.',
    );
  }
  const selected = await select(session, {
    args,
    allNamespaces: flags.on('all-namespaces'),
    labels: flags.text('selector') || undefined,
    kindAlone: true,
    files: session.files,
    recursive: flags.on('recursive'),
    latest: true,
    chunk: flags.number('chunk-size'),
  });
  if (selected instanceof Failure) return selected;
  const byPrefix = await matchingPrefix(session, selected);
  if (byPrefix instanceof Failure) return byPrefix;
  const failure = await describeAll(session, byPrefix.found);
  if (byPrefix !== selected) await session.out('\n');
  if (failure) return failure;
  if (byPrefix.found.length === 0 && byPrefix.failures.length === 0) await session.err(nothingText(session));
  // Of files all is read before anything is looked up.
  const isMissing = (one: Failure) => one.is('NotFound');
  const {failures} = byPrefix;
  return session.hasFiles
    ? listed([...failures.filter(one => !isMissing(one)), ...failures.filter(isMissing)])
    : gather(failures);
}

async function describeAll(session: Session, found: readonly Found[]): Promise<Failure | undefined> {
  let first = true;
  for (const {object} of found) {
    if (!object) continue;
    const describer = describerOf(splitApiVersion(object.apiVersion).group, object.kind);
    const text = await describer(object, {session, showEvents: session.flags.on('show-events')});
    if (text instanceof Failure) return text;
    await session.out(first ? text : `\n\n${text}`);
    first = false;
  }
  return undefined;
}

/** `describe pods web` means every pod whose name begins with `web` when there is none of that very name. */
async function matchingPrefix(session: Session, selected: Selected): Promise<Selected | Failure> {
  const {args} = session;
  const [types, name] = args;
  const isMissing = selected.found.length === 0 && selected.failures.length === 1 && selected.failures[0]?.is('NotFound');
  if (!isMissing || args.length !== 2 || types === undefined || name === undefined) return selected;
  const all = await select(session, {args: [types], kindAlone: true});
  if (all instanceof Failure) return selected;
  const found = all.found.filter(one => one.name.startsWith(name));
  return found.length > 0 ? selection(found, {isSingle: false}) : selected;
}

function nothingText(session: Session): string {
  const namespace = session.namespace();
  return session.flags.on('all-namespaces') || namespace instanceof Failure
    ? 'No resources found\n'
    : `No resources found in ${namespace} namespace.\n`;
}
