// `kubectl apply --prune`: what was applied once and is not among the files any more is deleted, of some kinds, in the namespaces that
// were visited, where labels fit.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {fail, Failure} from '../../failure.ts';
import {klogTime} from '../../request/klog.ts';
import {kindOfObject, type KindInfo} from '../../resources/kinds.ts';
import type {Session} from '../../session.ts';
import {dryRunWords, type DryRun} from '../dry-run.ts';
import {printResult} from '../result.ts';
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
  const known = new Set(applied.map(({metadata}) => metadata.uid));
  const objects = await prunable(session, {isAmong: ({metadata}) => known.has(metadata.uid), namespaces});
  if (objects instanceof Failure) return objects;
  for (const one of objects) {
    const failure = await pruneOne(session, one, dryRun);
    if (failure) return failure;
  }
  return undefined;
}

interface Prunable {
  readonly object: AnyObject;
  readonly kind: KindInfo;
}

/** What was applied once, is of the kinds that are looked through, and is not among the files. */
export async function prunable(
  session: Session,
  {isAmong, namespaces}: {isAmong: (object: AnyObject) => boolean; namespaces: readonly string[]},
): Promise<readonly Prunable[] | Failure> {
  const kinds = await prunedKinds(session);
  if (kinds instanceof Failure) return kinds;
  if (session.flags.list('prune-allowlist').length === 0)
    await session.err(`W${klogTime(session.process)} prune.go:71] ${OTHERS_TOO}\n`);
  const scopes = [...new Set(namespaces.filter(namespace => namespace !== ''))];
  const places = [
    ...scopes.flatMap(namespace => kinds.filter(one => one.namespaced).map(kind => ({kind, namespace}))),
    ...kinds.filter(one => !one.namespaced).map(kind => ({kind, namespace: ''})),
  ];
  const found: Prunable[] = [];
  for (const {kind, namespace} of places) {
    const objects = await appliedOnce(session, kind, namespace);
    if (objects instanceof Failure) return objects;
    found.push(...objects.filter(object => !isAmong(object)).map(object => ({object, kind})));
  }
  return found;
}

/** The kinds that are looked through. */
export async function prunedKinds(session: Session): Promise<readonly KindInfo[] | Failure> {
  const all = await session.kinds();
  if (all instanceof Failure) return all;
  const words = session.flags.list('prune-allowlist');
  const wanted: (readonly [string, string])[] = [];
  for (const word of words) {
    const parts = word.split('/');
    const [group = '', version = '', kind = ''] = parts;
    wanted.push([group === 'core' || group === '' ? version : `${group}/${version}`, kind]);
  }
  const known: KindInfo[] = [];
  for (const [apiVersion, kind] of words.length > 0 ? wanted : DEFAULT_KINDS) {
    const info = kindOfObject(all, apiVersion, kind);
    if (info) known.push(info);
    else return fail(`no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`);
  }
  return known;
}

async function appliedOnce(session: Session, kind: KindInfo, namespace: string): Promise<readonly AnyObject[] | Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const labelSelector = session.flags.text('selector');
  const list = await api.ask<{items?: readonly AnyObject[]; apiVersion: string}>({
    method: 'GET',
    path: pathOf(kind, namespace),
    query: labelSelector === '' ? {} : {labelSelector},
  });
  if (list instanceof Failure) return list.is('NotFound') ? [] : list;
  return (list.items ?? [])
    .filter(item => lastApplied(item) !== undefined)
    .map(item => ({...item, apiVersion: item.apiVersion ?? list.apiVersion, kind: kind.kind}) as AnyObject);
}

async function pruneOne(session: Session, {object, kind}: Prunable, dryRun: DryRun): Promise<Failure | undefined> {
  const api = session.api();
  if (api instanceof Failure) return api;
  if (dryRun !== 'client') {
    const gone = await api.ask({
      method: 'DELETE',
      path: pathOf(kind, object.metadata.namespace ?? '', object.metadata.name),
      body: {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        propagationPolicy: 'Background',
        ...(dryRun === 'server' ? {dryRun: ['All']} : {}),
      },
    });
    if (gone instanceof Failure) return gone;
  }
  return printResult(session, object, dryRunWords('pruned', dryRun));
}
