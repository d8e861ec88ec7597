// `kubectl cordon` and `uncordon`: says whether a node takes new pods.
import type {AnyObject} from '../../../api/meta/object.ts';
import {Failure, failUsage} from '../../failure.ts';
import type {Found} from '../../resources/found.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from '../command.ts';
import {dryRunOf, dryRunWords, type DryRun} from '../dry-run.ts';
import {sendChange} from '../result.ts';

export const cordon: Command = {
  path: 'kubectl cordon',
  short: 'Keep new pods away from a node',
  examples: ['kubectl cordon node-1'],
  does: [...COMMON_FLAGS, 'dry-run', 'selector'],
  run: session => run(session, true),
};

export const uncordon: Command = {
  path: 'kubectl uncordon',
  short: 'Let a node take new pods again',
  examples: ['kubectl uncordon node-1'],
  does: [...COMMON_FLAGS, 'dry-run', 'selector'],
  run: session => run(session, false),
};

async function run(session: Session, wanted: boolean): Promise<Outcome> {
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const nodes = await nodesOf(session, wanted ? 'cordon' : 'uncordon');
  if (nodes instanceof Failure) return nodes;
  for (const found of nodes) await cordonOne(session, found, {wanted, dryRun});
  return undefined;
}

/** The nodes that the arguments or the selector choose. */
export async function nodesOf(session: Session, command: string): Promise<readonly Found[] | Failure> {
  const {flags, args} = session;
  const selector = flags.text('selector');
  if (args.length === 0 && !flags.has('selector')) return failUsage(`kubectl ${command}`, `USAGE: ${command} NODE [flags]`);
  if (args.length > 0 && selector !== '')
    return failUsage(`kubectl ${command}`, 'error: cannot specify both a node name and a --selector option');
  const selected = await select(
    session,
    selector === ''
      ? {args: args.some(arg => arg.includes('/')) ? args : ['nodes', ...args]}
      : {args: ['nodes'], labels: selector},
  );
  if (selected instanceof Failure) return selected;
  // The first that is not there ends it.
  return selected.failures[0] ?? selected.found;
}

/** Cordons or uncordons one node and says so. That it could not is said as well, and is no failure of the command. */
export async function cordonOne(
  session: Session,
  found: Found,
  {wanted, dryRun}: {wanted: boolean; dryRun: DryRun},
): Promise<void> {
  const before = found.object;
  if (!before) return;
  const {unschedulable = false, ...spec} = (before.spec ?? {}) as {unschedulable?: boolean};
  const word = wanted ? 'cordoned' : 'uncordoned';
  if (unschedulable !== wanted) {
    const after = {...before, spec: wanted ? {...spec, unschedulable: true} : spec} as AnyObject;
    const sent = await sendChange(session, {found, before, after, type: 'strategic'}, dryRun);
    if (sent instanceof Failure) {
      await session.err(
        `error: unable to ${wanted ? 'cordon' : 'uncordon'} node ${JSON.stringify(found.name)}: ${sent.message}\n`,
      );
      return;
    }
  }
  await session.out(`node/${found.name} ${dryRunWords(unschedulable === wanted ? `already ${word}` : word, dryRun)}\n`);
}
