// What the `set` commands share: objects are chosen, their pod spec is changed, the difference is sent.
import type {PodSpec} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {decodeKind} from '../../../api/schema/index.ts';
import {fail, Failure, gather, restated} from '../../failure.ts';
import {missingResource} from '../../resources/arguments.ts';
import {visitEach, type Found, type Selected} from '../../resources/found.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS} from '../command.ts';
import {dryRunOf, type DryRun} from '../dry-run.ts';
import {patchBetween, printResult, sendAndPrint, sendChange} from '../result.ts';
import {withRecord} from '../change-cause.ts';
import {podSpecOf, withPodSpec} from './templates.ts';

/** Flags of all `set` commands. */
export const SET_FLAGS: readonly string[] = [
  ...COMMON_FLAGS,
  ...FILE_FLAGS,
  ...PRINT_FLAGS,
  'all',
  'dry-run',
  'field-manager',
  'local',
  'selector',
];

export interface Change {
  readonly operation: string;
  /** What is said before the server's words when it refuses. */
  readonly refusal?: string;
  /** The pod spec as it is to be. */
  readonly change: (spec: PodSpec, object: AnyObject) => PodSpec | Failure;
  /** It is sent even where nothing changes. */
  readonly always?: boolean;
  /** What is said once it was sent, in the place of success. */
  readonly sent?: Failure | undefined;
  /** What is said in the end of objects that were changed all the same. */
  readonly complaints?: readonly Failure[];
}

/** What is said when `--local` has no files to look at. */
export const LOCAL_FILES = `you must specify resources by --filename when --local is set.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'`;

/** The objects that are named, or the Failure. */
export async function targetsOf(session: Session, resources: readonly string[]): Promise<Selected | Failure> {
  const {flags} = session;
  if (flags.on('local') && !session.hasFiles) return fail(LOCAL_FILES);
  if (resources.length === 0 && !session.hasFiles) return missingResource();
  return select(session, {
    args: resources,
    kindAlone: flags.on('all'),
    asWritten: flags.on('local'),
    labels: flags.text('selector') || undefined,
    files: session.files,
    recursive: flags.on('recursive'),
    latest: !flags.on('local'),
    typed: true,
  });
}

/** Changes the pod specs of all objects that are named. */
export async function changeAll(session: Session, resources: readonly string[], change: Change): Promise<Failure | undefined> {
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const selected = await targetsOf(session, resources);
  if (selected instanceof Failure) return selected;
  // Nothing is changed unless all are there.
  if (selected.failures.length > 0) return gather(selected.failures);
  return gather([
    ...(await visitEach(selected, found => changeOne(session, found, {change, dryRun}))),
    ...(change.complaints ?? []),
  ]);
}

async function changeOne(
  session: Session,
  found: Found,
  {change, dryRun}: {change: Change; dryRun: DryRun},
): Promise<Failure | undefined> {
  const before = found.object;
  if (!before) return undefined;
  const spec = podSpecOf(before);
  if (!spec)
    return fail(
      `${found.kind.resource}/${found.name} the object is not a pod or does not have a pod template: *${before.apiVersion.split('/').at(-1) ?? ''}.${before.kind}`,
    );
  const changed = change.change(spec, before);
  if (changed instanceof Failure) return changed;
  const after = withRecord(session, withPodSpec(before, changed));
  const whole = {found, before, after, type: 'strategic' as const};
  if (!change.always && Object.keys(patchBetween(whole).body).length === 0) return undefined;
  if (session.flags.on('local')) return printResult(session, asTyped(after), change.operation, {typed: true});
  if (change.sent && dryRun !== 'client') {
    const refused = await sendChange(session, whole, dryRun);
    return refused instanceof Failure ? restated(refused, change.refusal ?? '') : change.sent;
  }
  const failure = await sendAndPrint(session, whole, {operation: change.operation, dryRun});
  return failure && restated(failure, change.refusal ?? '');
}

/** What never was at a server has Go's empty structs when it is printed. */
function asTyped(object: AnyObject): AnyObject {
  const decoded = decodeKind(object, object);
  return decoded?.ok ? (decoded.value as AnyObject) : object;
}
