// `kubectl delete`: asks for the end of objects and waits until they are gone.
import type {Status} from '../../api/kinds/meta.ts';
import {isStatus, pathOf, type AnyObject} from '../../api/meta/object.ts';
import {fail, Failure, gather, prefixed, listed} from '../failure.ts';
import {readWord} from '../request/login.ts';
import {missingResource} from '../resources/arguments.ts';
import {type Found, visitEach, type Selected} from '../resources/found.ts';
import {nameProblem} from '../resources/names.ts';
import {kindWord} from '../resources/kinds.ts';
import {select} from '../resources/select.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, FILE_FLAGS, type Command, type Outcome} from './command.ts';
import {dryRunOf, dryRunWords, type DryRun} from './dry-run.ts';
import {rawProblem, sendRaw} from './raw.ts';
import {waitForEnd, type Ending} from './wait/ending.ts';

export const deleteObjects: Command = {
  path: 'kubectl delete',
  short: 'Delete objects by file, name, or label',
  examples: [
    'kubectl delete pod web',
    'kubectl delete -f web.yaml',
    'kubectl delete pods -l app=web',
    'kubectl delete pod web --grace-period=0 --force',
  ],
  does: [
    ...COMMON_FLAGS,
    ...FILE_FLAGS,
    'all',
    'all-namespaces',
    'cascade',
    'dry-run',
    'field-selector',
    'force',
    'grace-period',
    'ignore-not-found',
    'interactive',
    'now',
    'output',
    'raw',
    'selector',
    'timeout',
    'wait',
  ],
  run,
};

/** How it is deleted. */
export interface Deletion {
  readonly graceSeconds: number;
  readonly cascade: 'Background' | 'Foreground' | 'Orphan';
  readonly force: boolean;
  readonly dryRun: DryRun;
}

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  if (flags.text('raw') !== '') return rawProblem(session) ?? sendRaw(session, 'DELETE');
  const deletion = await deletionOf(session);
  if (deletion instanceof Failure) return deletion;
  const problem = problemOf(session, deletion);
  if (problem) return problem;
  if (deletion.force && deletion.graceSeconds === 0) {
    await session.err(
      'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n',
    );
  }
  if (args.length === 0 && !session.hasFiles) return missingResource();
  const selected = await select(session, {
    args,
    allNamespaces: flags.on('all-namespaces'),
    labels: flags.text('selector') || undefined,
    fields: flags.text('field-selector') || undefined,
    all: flags.on('all'),
    files: session.files,
    recursive: flags.on('recursive'),
    namesOnly: true,
  });
  if (selected instanceof Failure) return selected;
  if (flags.on('interactive') && !(await isConfirmed(session, selected.found))) return undefined;
  return deleteAll(session, selected, deletion);
}

/** `-i`: what would go is told, and nothing goes without a yes. */
async function isConfirmed(session: Session, found: readonly Found[]): Promise<boolean> {
  if (found.length === 0) return true;
  const names = found.map(({kind, name}) => `${kindWord(kind)}/${name}\n`);
  await session.out(
    `You are about to delete the following ${found.length} resource(s):\n${names.join('')}Do you want to continue? (y/N): `,
  );
  const answer = await readWord(session.process);
  if (answer?.toLowerCase() === 'y') return true;
  await session.out('deletion is cancelled\n');
  return false;
}

/** What the flags say of the way to delete. */
export async function deletionOf(session: Session): Promise<Deletion | Failure> {
  const {flags} = session;
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const cascade = cascadeOf(flags.text('cascade'));
  if (cascade instanceof Failure) return cascade;
  if (flags.on('now') && flags.number('grace-period') !== -1)
    return fail('--now and --grace-period cannot be specified together');
  const force = flags.on('force');
  let graceSeconds = flags.on('now') ? 1 : flags.number('grace-period');
  if (graceSeconds === 0 && !force) graceSeconds = 1;
  if (force && graceSeconds < 0) graceSeconds = 0;
  return {graceSeconds, cascade, force, dryRun};
}

function cascadeOf(text: string): Deletion['cascade'] | Failure {
  if (text === 'background' || text === 'true' || text === '') return 'Background';
  if (text === 'foreground') return 'Foreground';
  if (text === 'orphan' || text === 'false') return 'Orphan';
  return fail(`invalid cascade value (${text}). Must be "background", "foreground", or "orphan"`);
}

function problemOf({flags}: Session, {force, graceSeconds}: Deletion): Failure | undefined {
  if (!['', 'name'].includes(flags.text('output')))
    return fail(`unexpected -o output mode: ${flags.text('output')}. We only support '-o name'`);
  if (flags.on('all') && flags.text('selector') !== '') return fail("setting 'all' parameter but found a non empty selector. ");
  if (flags.on('all') && flags.text('field-selector') !== '')
    return fail('cannot set --all and --field-selector at the same time');
  if (force && graceSeconds > 0) return fail('--force and --grace-period greater than 0 cannot be specified together');
  return undefined;
}

async function deleteAll(session: Session, selected: Selected, deletion: Deletion): Promise<Outcome> {
  const {flags} = session;
  const ignores = flags.has('ignore-not-found')
    ? flags.on('ignore-not-found')
    : flags.on('all') || flags.text('selector') !== '' || flags.text('field-selector') !== '';
  const endings: Ending[] = [];
  const failures = await visitEach(selected, async found => {
    const ending = await deleteOne(session, found, deletion);
    if (ending instanceof Failure) return ignores && ending.is('NotFound') ? undefined : ending;
    endings.push(ending);
    return undefined;
  });
  const failure = ignores ? listed(failures) : gather(failures);
  if (failure) return failure;
  if (selected.found.length === 0) await session.out('No resources found\n');
  if (!flags.on('wait') || deletion.dryRun !== 'none') return undefined;
  return waitForEnd(session, endings, flags.duration('timeout'));
}

function refusal({source}: Found, failure: Failure): Failure {
  return source === '' ? failure : prefixed(failure, `error when deleting ${JSON.stringify(source)}`);
}

/** Deletes one object and says so. */
export async function deleteOne(session: Session, found: Found, deletion: Deletion): Promise<Ending | Failure> {
  const {kind, namespace, name} = found;
  const place = {kind, namespace, name};
  let uid: string | undefined;
  if (deletion.dryRun !== 'client') {
    const api = session.api();
    if (api instanceof Failure) return api;
    const wrong = nameProblem(name);
    if (wrong) return refusal(found, wrong);
    const answer = await api.ask<AnyObject | Status>({
      method: 'DELETE',
      path: pathOf(kind, namespace, name),
      body: optionsOf(deletion),
    });
    if (answer instanceof Failure) return refusal(found, answer);
    uid = isStatus(answer) ? answer.details?.uid : (answer as AnyObject).metadata.uid;
  }
  if (!session.flags.on('quiet')) await session.out(deletedText(session, found, deletion));
  return {...place, uid};
}

function optionsOf(deletion: Deletion) {
  return {
    propagationPolicy: deletion.cascade,
    ...(deletion.graceSeconds >= 0 ? {gracePeriodSeconds: deletion.graceSeconds} : {}),
    ...(deletion.dryRun === 'server' ? {dryRun: ['All']} : {}),
  };
}

function deletedText(session: Session, {kind, namespace, name}: Found, deletion: Deletion): string {
  if (session.flags.text('output') === 'name') return `${kindWord(kind)}/${name}\n`;
  const done = deletion.force && deletion.graceSeconds === 0 ? 'force deleted' : 'deleted';
  return `${kindWord(kind)} "${name}" ${dryRunWords(kind.namespaced ? `${done} from ${namespace} namespace` : done, deletion.dryRun)}\n`;
}
