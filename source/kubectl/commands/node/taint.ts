// `kubectl taint`: sets and takes away taints of nodes.
import type {Node, Taint} from '../../../api/kinds/core-v1.ts';
import {checkLabelValue, checkQualifiedName} from '../../../api/meta/names.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {fail, Failure, failRaw, failUsage, gather} from '../../failure.ts';
import {type Found, visitEach} from '../../resources/found.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {dryRunOf, type DryRun} from '../dry-run.ts';
import {sendAndPrint} from '../result.ts';

export const taint: Command = {
  path: 'kubectl taint',
  short: 'Set or take away taints of nodes',
  examples: [
    'kubectl taint nodes node-1 dedicated=gpu:NoSchedule',
    'kubectl taint nodes node-1 dedicated:NoSchedule-',
    'kubectl taint nodes node-1 dedicated-',
  ],
  does: [...COMMON_FLAGS, ...PRINT_FLAGS, 'all', 'dry-run', 'field-manager', 'overwrite', 'selector', 'validate'],
  run,
};

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

interface Wish {
  readonly add: readonly Taint[];
  /** Without an effect every taint of the key goes. */
  readonly remove: readonly {readonly key: string; readonly effect: string}[];
}

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const isTaint = (arg: string) => arg.includes('=') || arg.includes(':') || arg.endsWith('-');
  const at = args.findIndex(isTaint);
  const resources = at < 0 ? args : args.slice(0, at);
  const specs = at < 0 ? [] : args.slice(at);
  const late = specs.find(spec => !isTaint(spec));
  if (late !== undefined) return fail(`all resources must be specified before taint changes: ${late}`);
  if (resources.length === 0) return fail('one or more resources must be specified as <resource> <name>');
  if (specs.length === 0) return fail('at least one taint update is required');
  const wish = readTaints(specs);
  if (wish instanceof Failure) return failUsage('kubectl taint', wish.message);
  const both = wish.remove.filter(one => wish.add.some(other => covers(one, other)));
  if (both.length > 0)
    return fail(
      `can not both modify and remove the following taint(s) in the same command: ${both.map(({key, effect}) => `${key}=${effect}`).join(', ')}`,
    );
  if ((resources[0] ?? '').includes('/'))
    return failRaw(`the server doesn't have a resource type ${JSON.stringify(resources[0])}\n`);
  const kind = (resources[0] ?? '').toLowerCase();
  if (!['node', 'nodes', 'no'].includes(kind)) return fail(`invalid resource type ${kind}, only node types are supported`);
  if (resources.length < 2 && flags.text('selector') === '' && !flags.on('all'))
    return fail("at least one resource name must be specified since 'all' parameter is not set");
  const selected = await select(session, {
    args: flags.on('all') ? resources.slice(0, 1) : resources,
    all: flags.on('all'),
    labels: flags.text('selector') || undefined,
  });
  if (selected instanceof Failure) return selected;
  return gather(await visitEach(selected, found => changeOne(session, found, {wish, dryRun})));
}

function readTaints(specs: readonly string[]): Wish | Failure {
  const add: Taint[] = [];
  const remove: {key: string; effect: string}[] = [];
  for (const spec of specs) {
    const removes = spec.endsWith('-');
    if (!removes && !/[:=]/.test(spec)) return fail(`unknown taint spec: ${spec}`);
    const read = readTaint(removes ? spec.slice(0, -1) : spec);
    if (read instanceof Failure) return read;
    if (removes) remove.push({key: read.key, effect: read.effect});
    else {
      if (add.some(one => one.key === read.key && one.effect === read.effect))
        return fail(`duplicated taints with the same key and effect: {${read.key} ${read.value ?? ''} ${read.effect} <nil>}`);
      add.push(read as Taint);
    }
  }
  return {add, remove};
}

function readTaint(text: string): (Omit<Taint, 'effect'> & {readonly effect: Taint['effect'] | ''}) | Failure {
  const parts = text.split(':');
  if (parts.length > 2) return fail(`invalid taint spec: ${text}`);
  const [left = '', effect = ''] = parts;
  if (parts.length === 2 && !EFFECTS.includes(effect)) return fail(`invalid taint effect: ${effect}, unsupported taint effect`);
  const pair = parts.length === 2 ? left.split('=') : [left];
  if (pair.length > 2) return fail(`invalid taint spec: ${text}`);
  const [key = '', value = ''] = pair;
  const problems = [...(pair.length === 2 ? checkLabelValue(value) : [])];
  if (problems.length === 0) problems.push(...checkQualifiedName(key));
  if (problems.length > 0) return fail(`invalid taint spec: ${text}, ${problems.join('; ')}`);
  return {key, ...(value === '' ? {} : {value}), effect: effect as Taint['effect'] | ''};
}

async function changeOne(
  session: Session,
  found: Found,
  {wish, dryRun}: {wish: Wish; dryRun: DryRun},
): Promise<Failure | undefined> {
  const before = found.object;
  if (!before) return undefined;
  const node = before as unknown as Node;
  const old = node.spec?.taints ?? [];
  const clashes = wish.add.filter(one => old.some(other => other.key === one.key && other.effect === one.effect));
  if (clashes.length > 0 && !session.flags.on('overwrite')) {
    return fail(
      `node ${found.name} already has ${clashes.map(({key}) => key).join(',')} taint(s) with same effect(s) and --overwrite is false`,
    );
  }
  const changed = apply(old, wish);
  if (changed instanceof Failure) return changed;
  const {taints: _taints, ...spec} = node.spec ?? {};
  const after = {...before, spec: {...spec, ...(changed.taints.length > 0 ? {taints: changed.taints} : {})}} as AnyObject;
  return sendAndPrint(
    session,
    {found, before, after, type: 'strategic', query: {fieldValidation: 'Strict'}},
    {operation: changed.operation, dryRun, quietly: true},
  );
}

/** Is the other of the key, and of the effect where one is named? */
function covers(one: {key: string; effect: string}, other: {key: string; effect: string}): boolean {
  return one.key === other.key && (one.effect === other.effect || one.effect === '');
}

/** New taints stand first; the others stay unless they are replaced or taken away. */
function apply(old: readonly Taint[], wish: Wish): {readonly taints: readonly Taint[]; readonly operation: string} | Failure {
  const together = [...wish.add, ...old.filter(one => !wish.add.some(other => covers(other, one)))];
  const missing = wish.remove.filter(one => !together.some(other => covers(one, other)));
  if (missing.length > 0)
    return (
      gather(
        missing.map(({key, effect}) => fail(`taint ${JSON.stringify(effect === '' ? key : `${key}:${effect}`)} not found`)),
      ) ?? fail('taint not found')
    );
  const taints = together.filter(one => !wish.remove.some(other => covers(other, one)));
  const added = together.length !== old.length;
  const deleted = taints.length !== together.length;
  return {taints, operation: added === deleted ? 'modified' : added ? 'tainted' : 'untainted'};
}
