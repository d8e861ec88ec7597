// `kubectl apply`: makes objects as files say. The file is compared with what is there and with what was applied last, so that
// what others set stays and what the file dropped goes.
import type {AnyObject} from '../../../api/meta/object.ts';
import {fail, Failure, failUsage, gather} from '../../failure.ts';
import {printerOf, type Printer} from '../../print/printer.ts';
import type {Found} from '../../resources/found.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {deletionOf} from '../delete.ts';
import {dryRunOf, dryRunWords, validationOf, type DryRun} from '../dry-run.ts';
import {applyOne} from './one-object.ts';
import {prune, prunedKinds, pruneProblem} from './prune.ts';

export const apply: Command = {
  path: 'kubectl apply',
  short: 'Make objects as files or standard input say',
  examples: [
    'kubectl apply -f web.yaml',
    'kubectl apply -f manifests/ -R',
    'cat web.yaml | kubectl apply -f -',
    'kubectl apply -f web.yaml --dry-run=server',
  ],
  does: [
    ...COMMON_FLAGS,
    ...FILE_FLAGS,
    ...PRINT_FLAGS,
    'dry-run',
    'field-manager',
    'overwrite',
    'validate',
    'all',
    'prune',
    'prune-allowlist',
    'selector',
    'openapi-patch',
    'force',
    'grace-period',
    'cascade',
    'wait',
    'timeout',
    'server-side',
    'force-conflicts',
    'subresource',
  ],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  if (args.length > 0) return failUsage('kubectl apply', `Unexpected args: [${args.join(' ')}]`);
  if (!session.hasFiles) return fail('must specify one of -f and -k');
  const wrong = wrongMix(session) ?? pruneProblem(session);
  if (wrong) return wrong;
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const deletion = await deletionOf(session);
  if (deletion instanceof Failure) return deletion;
  const wrongly = wrongWay(session, dryRun);
  if (wrongly) return wrongly;
  const validation = validationOf(session);
  if (validation instanceof Failure) return validation;
  const kinds = flags.on('prune') ? await prunedKinds(session) : [];
  if (kinds instanceof Failure) return kinds;
  const selected = await select(session, {
    files: session.files,
    recursive: flags.on('recursive'),
    labels: flags.text('selector') || undefined,
    validate: validation !== 'Ignore',
  });
  if (selected instanceof Failure) return selected;
  const wanted = selected.found;
  if (wanted.length === 0 && selected.failures.length === 0) return fail('no objects passed to apply');
  return applyAll(session, {wanted, failures: selected.failures, dryRun, validation});
}

/** Flags that do not go together. */
function wrongMix({flags}: Session): Failure | undefined {
  const isServerSide = flags.on('server-side');
  if (flags.on('force-conflicts') && !isServerSide) return fail('--force-conflicts only works with --server-side');
  if (flags.text('subresource') !== '' && !isServerSide) return fail('--subresource can only be specified for --server-side');
  return undefined;
}

/** Flags that do not go with a dry run, or with the server's way. */
function wrongWay({flags}: Session, dryRun: DryRun): Failure | undefined {
  if (flags.on('server-side') && dryRun === 'client')
    return fail("--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)");
  if (dryRun === 'server' && flags.on('force')) return fail('--dry-run=server cannot be used with --force');
  return flags.on('server-side') && flags.on('force') ? fail('--force cannot be used with --server-side') : undefined;
}

function appliedList(items: readonly AnyObject[]): AnyObject {
  return {apiVersion: 'v1', kind: 'List', metadata: {}, items} as unknown as AnyObject;
}

interface Work {
  readonly wanted: readonly Found[];
  readonly failures: readonly Failure[];
  readonly dryRun: DryRun;
  readonly validation: 'Strict' | 'Warn' | 'Ignore';
}

async function applyAll(session: Session, work: Work): Promise<Outcome> {
  const failures = [...work.failures];
  const printsObjects = session.flags.text('output') !== '' && session.flags.text('output') !== 'name';
  const done: AnyObject[] = [];
  const applied: AnyObject[] = [];
  for (const found of work.wanted) {
    const one = await applyOne(session, found, {dryRun: work.dryRun, validation: work.validation, printsObjects});
    if (one instanceof Failure) {
      failures.push(one);
      continue;
    }
    applied.push(one.object);
    if (printsObjects) done.push(one.object);
    else {
      const printer = printerOf(session, {operation: dryRunWords(one.operation, work.dryRun)});
      const failure = await print(session, printer, one.object);
      if (failure) return failure;
    }
  }
  const failure =
    done.length > 0
      ? await print(session, printerOf(session), done.length === 1 && done[0] ? done[0] : appliedList(done))
      : undefined;
  if (failure ?? gather(failures)) return failure ?? gather(failures);
  if (!session.flags.on('prune')) return undefined;
  const namespaces = work.wanted.map(({namespace}) => namespace).filter(namespace => namespace !== '');
  return prune(session, {applied, namespaces, dryRun: work.dryRun});
}

async function print(session: Session, printer: Printer | Failure, object: AnyObject): Promise<Failure | undefined> {
  if (printer instanceof Failure) return printer;
  const text = printer(object);
  if (text instanceof Failure) return text;
  await session.out(text);
  return undefined;
}
