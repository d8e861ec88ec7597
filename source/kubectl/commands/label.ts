// `kubectl label` and `kubectl annotate`: set, change and take away labels and annotations.
import type {AnyObject} from '../../api/meta/object.ts';
import {checkLabelValue} from '../../api/meta/names.ts';
import {fail, Failure, gather} from '../failure.ts';
import {type Found, visitEach} from '../resources/found.ts';
import {allOrNamed} from '../resources/all-or-named.ts';
import {select} from '../resources/select.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from './command.ts';
import {dryRunOf, dryRunWords, type DryRun} from './dry-run.ts';
import {CHANGE_CAUSE} from '../resources/revisions.ts';
import {withRecord} from './change-cause.ts';
import {readPairs, splitPairs, type MapChange} from './pairs.ts';
import {printResult, sendChange} from './result.ts';

const FLAGS = [
  ...COMMON_FLAGS,
  ...FILE_FLAGS,
  ...PRINT_FLAGS,
  'all',
  'all-namespaces',
  'dry-run',
  'field-manager',
  'field-selector',
  'list',
  'local',
  'overwrite',
  'resource-version',
  'selector',
];

export const label: Command = {
  path: 'kubectl label',
  short: 'Set or take away labels',
  examples: ['kubectl label pod web tier=front', 'kubectl label node node-1 disk=ssd --overwrite', 'kubectl label pod web tier-'],
  does: FLAGS,
  run: session => run(session, LABELS),
};

export const annotate: Command = {
  path: 'kubectl annotate',
  short: 'Set or take away annotations',
  examples: ["kubectl annotate pod web note='looked at'", 'kubectl annotate pod web note-'],
  does: FLAGS,
  run: session => run(session, ANNOTATIONS),
};

/** May always be written anew. */

interface Sort {
  readonly word: 'label' | 'annotation';
  readonly field: 'labels' | 'annotations';
  readonly taken: (clashes: readonly string[]) => string;
}

const LABELS: Sort = {word: 'label', field: 'labels', taken: ([clash = '']) => `${clash}, and --overwrite is false`};
const ANNOTATIONS: Sort = {
  word: 'annotation',
  field: 'annotations',
  taken: clashes => `--overwrite is false but found the following declared annotation(s): ${clashes.join('; ')}`,
};

async function run(session: Session, sort: Sort): Promise<Outcome> {
  const {flags, args} = session;
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const {resources, pairs} = splitPairs(args);
  const problem = problemOf(session, {resources, pairs}, sort);
  if (problem) return problem;
  const change = readPairs(pairs, sort.word);
  if ('error' in change) return fail(change.error);
  const invalid = sort.word === 'label' ? valueProblem(change) : undefined;
  if (invalid) return invalid;
  const selected = await select(session, allOrNamed(session, resources));
  if (selected instanceof Failure) return selected;
  if (flags.text('resource-version') !== '' && selected.found.length > 1)
    return fail('--resource-version may only be used with a single resource');
  return gather(
    await visitEach(selected, found =>
      flags.on('list') ? listOne(session, found, sort) : changeOne(session, found, {change, sort, dryRun}),
    ),
  );
}

function problemOf(
  session: Session,
  {resources, pairs}: {resources: readonly string[]; pairs: readonly string[]},
  sort: Sort,
): Failure | undefined {
  const {flags} = session;
  if (flags.on('local') && !session.hasFiles)
    return fail('can only use local files by -f pod.yaml or --filename=pod.json when --local=true is set');
  if (resources.length === 0 && !session.hasFiles)
    return fail('one or more resources must be specified as <resource> <name> or <resource>/<name>');
  if (flags.on('all') && flags.text('selector') !== '') return fail('cannot set --all and --selector at the same time');
  if (flags.on('all') && flags.text('field-selector') !== '')
    return fail('cannot set --all and --field-selector at the same time');
  if (pairs.length === 0 && !flags.on('list')) return fail(`at least one ${sort.word} update is required`);
  return undefined;
}

function valueProblem(change: MapChange): Failure | undefined {
  for (const [key, value] of change.set) {
    const [problem] = checkLabelValue(value);
    if (problem !== undefined) return fail(`invalid label value: "${key}=${value}": ${problem}`);
  }
  return undefined;
}

async function listOne(session: Session, {kind, name, object}: Found, sort: Sort): Promise<undefined> {
  const entries = Object.entries(object?.metadata[sort.field] ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const isLong = splitPairs(session.args).resources.length > 2 || session.flags.on('all');
  if (isLong) await session.out(`Listing ${sort.field} for ${kind.kind}.${kind.group}/${name}:\n`);
  await session.out(entries.map(([key, value]) => `${isLong ? ' ' : ''}${key}=${value}\n`).join(''));
  return undefined;
}

interface Work {
  readonly change: MapChange;
  readonly sort: Sort;
  readonly dryRun: DryRun;
}

async function changeOne(session: Session, found: Found, {change, sort, dryRun}: Work): Promise<Failure | undefined> {
  const before = found.object;
  if (!before) return undefined;
  const old = before.metadata[sort.field] ?? {};
  const clashes = [...change.set].filter(
    ([key, value]) => old[key] !== undefined && old[key] !== value && key !== CHANGE_CAUSE && !session.flags.on('overwrite'),
  );
  if (clashes.length > 0) return fail(sort.taken(clashes.map(([key]) => `'${key}' already has a value (${old[key] ?? ''})`)));
  const isSent = dryRun !== 'client' && !session.flags.on('local');
  if (sort.word === 'label' && isSent)
    for (const key of change.removed) if (old[key] === undefined) await session.out(`label "${key}" not found.\n`);
  const after = withRecord(
    session,
    changed(before, change, {field: sort.field, version: session.flags.text('resource-version')}),
  );
  const operation =
    sort.word === 'annotation'
      ? 'annotated'
      : operationOf(before.metadata.labels, after.metadata.labels, session.flags.on('overwrite'));
  if (session.flags.on('local')) return printResult(session, after, operation);
  const result = await sendChange(session, {found, before, after, type: 'merge'}, dryRun);
  return result instanceof Failure ? result : printResult(session, result, dryRunWords(operation, dryRun));
}

function changed(object: AnyObject, change: MapChange, {field, version}: {field: Sort['field']; version: string}): AnyObject {
  const {[field]: old, ...metadata} = object.metadata;
  const kept = Object.entries({...old, ...Object.fromEntries(change.set)}).filter(([key]) => !change.removed.includes(key));
  const isEmpty = kept.length === 0 && old === undefined && field === 'annotations';
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(isEmpty ? {} : {[field]: Object.fromEntries(kept)}),
      ...(version === '' ? {} : {resourceVersion: version}),
    },
  };
}

function operationOf(
  before: Readonly<Record<string, string>> | undefined,
  after: Readonly<Record<string, string>> = {},
  overwrite: boolean,
): string {
  // An empty map is not the same as none.
  if (before === undefined) return 'labeled';
  const isSame =
    Object.keys(before).length === Object.keys(after).length &&
    Object.entries(after).every(([key, value]) => before[key] === value);
  if (isSame) return 'not labeled';
  return !overwrite && JSON.stringify(after).length < JSON.stringify(before).length ? 'unlabeled' : 'labeled';
}
