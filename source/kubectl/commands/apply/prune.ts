// `kubectl apply --prune`: what was applied once and is not among the files any more is deleted, of some kinds, in the namespaces that
// were visited, where labels fit.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {fail, Failure} from '../../failure.ts';
import {printerOf} from '../../print/printer.ts';
import {klogTime} from '../../request/klog.ts';
import {kindOfObject, type KindInfo} from '../../resources/kinds.ts';
import type {Session} from '../../session.ts';
import {dryRunWords, type DryRun} from '../dry-run.ts';
import {lastApplied} from './last-applied.ts';

const DEFAULT_KINDS: readonly (readonly [apiVersion: string, kind: string])[] = [
  ['v1', 'ConfigMap'],
  ['v1', 'Endpoints'],
  ['v1', 'PersistentVolumeClaim'],
  ['v1', 'Pod'],
  ['v1', 'ReplicationController'],
  ['v1', 'Secret'],
  ['v1', 'Service'],
  ['batch/v1', 'Job'],
  ['batch/v1', 'CronJob'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['apps/v1', 'DaemonSet'],
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'ReplicaSet'],
  ['apps/v1', 'StatefulSet'],
  ['v1', 'Namespace'],
  ['v1', 'PersistentVolume'],
];

const OTHERS_TOO =
  'Deprecated: kubectl apply will no longer prune non-namespaced resources by default when used with the --namespace flag in a future release. To preserve the current behaviour, list the resources you want to target explicitly in the --prune-allowlist flag.';

/** Flags that do not go together with `--prune`. */
export function pruneProblem({flags}: Session): Failure | undefined {
  if (!flags.on('prune')) return undefined;
  if (flags.on('all') && flags.text('selector') !== '') return fail('cannot set --all and --selector at the same time');
  const wrong = flags.list('prune-allowlist').find(word => word.split('/').length !== 3);
  if (wrong !== undefined) return fail(`invalid GroupVersionKind format: ${wrong}, please follow <group/version/kind>`);
  return flags.on('all') || flags.text('selector') !== ''
    ? undefined
    : fail(
        'all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector',
      );
}

/** Deletes what is not among `applied`. */
export async function prune(
  session: Session,
  {applied, namespaces, dryRun}: {applied: readonly AnyObject[]; namespaces: readonly string[]; dryRun: DryRun},
): Promise<Failure | undefined> {
  const kinds = await kindsOf(session);
  if (kinds instanceof Failure) return kinds;
  if (session.flags.list('prune-allowlist').length === 0)
    await session.err(`W${klogTime(session.process)} prune.go:71] ${OTHERS_TOO}\n`);
  const known = new Set(applied.map(({metadata}) => metadata.uid));
  const scopes = namespaces.length > 0 ? [...new Set(namespaces)] : [];
  for (const namespace of scopes)
    for (const kind of kinds.filter(one => one.namespaced)) {
      const failure = await pruneKind(session, {kind, namespace, known, dryRun});
      if (failure) return failure;
    }
  for (const kind of kinds.filter(one => !one.namespaced)) {
    const failure = await pruneKind(session, {kind, namespace: '', known, dryRun});
    if (failure) return failure;
  }
  return undefined;
}

async function kindsOf(session: Session): Promise<readonly KindInfo[] | Failure> {
  const all = await session.kinds();
  if (all instanceof Failure) return all;
  const words = session.flags.list('prune-allowlist');
  const wanted: (readonly [string, string])[] = [];
  for (const word of words) {
    const parts = word.split('/');
    const [group = '', version = '', kind = ''] = parts;
    wanted.push([group === 'core' || group === '' ? version : `${group}/${version}`, kind]);
  }
  return (words.length > 0 ? wanted : DEFAULT_KINDS).flatMap(([apiVersion, kind]) => kindOfObject(all, apiVersion, kind) ?? []);
}

interface Pruning {
  readonly kind: KindInfo;
  readonly namespace: string;
  readonly known: ReadonlySet<string | undefined>;
  readonly dryRun: DryRun;
}

async function pruneKind(session: Session, {kind, namespace, known, dryRun}: Pruning): Promise<Failure | undefined> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const labelSelector = session.flags.text('selector');
  const list = await api.ask<{items?: readonly AnyObject[]; apiVersion: string}>({
    method: 'GET',
    path: pathOf(kind, namespace),
    query: labelSelector === '' ? {} : {labelSelector},
  });
  if (list instanceof Failure) return list.is('NotFound') ? undefined : list;
  for (const item of list.items ?? []) {
    if (lastApplied(item) === undefined || known.has(item.metadata.uid)) continue;
    const object = {...item, apiVersion: item.apiVersion ?? list.apiVersion, kind: kind.kind} as AnyObject;
    if (dryRun !== 'client') {
      const gone = await api.ask({
        method: 'DELETE',
        path: pathOf(kind, item.metadata.namespace ?? '', item.metadata.name),
        body: {
          kind: 'DeleteOptions',
          apiVersion: 'v1',
          propagationPolicy: 'Background',
          ...(dryRun === 'server' ? {dryRun: ['All']} : {}),
        },
      });
      if (gone instanceof Failure) return gone;
    }
    const printer = printerOf(session, {operation: dryRunWords('pruned', dryRun)});
    if (printer instanceof Failure) return printer;
    const text = printer(object);
    if (text instanceof Failure) return text;
    await session.out(text);
  }
  return undefined;
}
