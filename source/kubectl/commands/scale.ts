// `kubectl scale`: sets how many replicas a workload has.
import {pathOf, type AnyObject} from '../../api/meta/object.ts';
import {PATCH_TYPES} from '../../api/wire/http.ts';
import {fail, Failure, gather} from '../failure.ts';
import {printerOf} from '../print/printer.ts';
import {missingResource} from '../resources/arguments.ts';
import {type Found, visitUntil} from '../resources/found.ts';
import {select} from '../resources/select.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from './command.ts';
import {noteCause} from './change-cause.ts';
import {dryRunOf, dryRunWords, type DryRun} from './dry-run.ts';

export const scale: Command = {
  path: 'kubectl scale',
  short: 'Set how many replicas a deployment, replica set or stateful set has',
  examples: ['kubectl scale deploy web --replicas=3', 'kubectl scale --current-replicas=2 --replicas=3 deploy/web'],
  does: [
    ...COMMON_FLAGS,
    ...FILE_FLAGS,
    ...PRINT_FLAGS,
    'all',
    'current-replicas',
    'dry-run',
    'replicas',
    'resource-version',
    'selector',
    'timeout',
  ],
  required: ['replicas'],
  run,
};

interface Scale {
  readonly metadata: {readonly resourceVersion?: string; readonly name: string; readonly namespace?: string};
  readonly spec: {readonly replicas?: number};
}

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  if (flags.number('replicas') < 0)
    return fail('The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
  if (flags.number('current-replicas') < -1) return fail('The --current-replicas must specify an integer of -1 or greater');
  if (args.length === 0 && !session.hasFiles) return missingResource();
  const selected = await select(session, {
    args,
    all: flags.on('all'),
    labels: flags.text('selector') || undefined,
    files: session.files,
    recursive: flags.on('recursive'),
  });
  if (selected instanceof Failure) return selected;
  if (selected.found.length > 1 && flags.text('resource-version') !== '')
    return fail('cannot use --resource-version with multiple resources');
  if (selected.found.length === 0 && selected.failures.length === 0) return fail('no objects passed to scale');
  return (await visitUntil(selected.found, found => scaleOne(session, found, dryRun))) ?? gather(selected.failures);
}

async function scaleOne(session: Session, found: Found, dryRun: DryRun): Promise<Failure | undefined> {
  const {kind, namespace, name, object} = found;
  if (!object) return undefined;
  if (dryRun !== 'client') {
    const failure = await sendScale(session, {path: pathOf(kind, namespace, name, 'scale'), dryRun});
    if (failure) return failure;
  }
  if (dryRun !== 'client') await noteCause(session, found);
  return printScaled(session, object, dryRun);
}

async function printScaled(session: Session, object: AnyObject, dryRun: DryRun): Promise<Failure | undefined> {
  const printer = printerOf(session, {operation: dryRunWords('scaled', dryRun)});
  if (printer instanceof Failure) return printer;
  const text = printer(object);
  if (text instanceof Failure) return text;
  await session.out(text);
  return undefined;
}

/** With a condition on what is there the scale is read and written whole; else it is patched. */
async function sendScale(session: Session, {path, dryRun}: {path: string; dryRun: DryRun}): Promise<Failure | undefined> {
  const {flags} = session;
  const api = session.api();
  if (api instanceof Failure) return api;
  const query: Record<string, string> = dryRun === 'server' ? {dryRun: 'All'} : {};
  const replicas = flags.number('replicas');
  const wanted = flags.number('current-replicas');
  if (wanted < 0 && flags.text('resource-version') === '') {
    const answer = await api.ask({
      method: 'PATCH',
      path,
      query,
      headers: {'content-type': PATCH_TYPES.merge},
      body: {spec: {replicas}},
    });
    return answer instanceof Failure ? answer : undefined;
  }
  const current = await api.ask<Scale>({method: 'GET', path});
  if (current instanceof Failure) return current;
  const there = current.spec.replicas ?? 0;
  if (wanted >= 0 && there !== wanted) return fail(`Expected replicas to be ${wanted}, was ${there}`);
  if (flags.text('resource-version') !== '' && current.metadata.resourceVersion !== flags.text('resource-version')) {
    return fail(
      `Expected resource version to be ${flags.text('resource-version')}, was ${current.metadata.resourceVersion ?? ''}`,
    );
  }
  const answer = await api.ask({method: 'PUT', path, query, body: {...current, spec: {...current.spec, replicas}}});
  return answer instanceof Failure ? answer : undefined;
}
