// The revisions that a workload remembers: a Deployment by its replica sets, a DaemonSet or StatefulSet by controller revisions.
import type {ControllerRevision, Deployment, ReplicaSet} from '../../api/kinds/apps-v1.ts';
import type {PodTemplateSpec} from '../../api/kinds/core-v1.ts';
import type {LabelSelector} from '../../api/kinds/meta.ts';
import {controllerOf, pathOf, type AnyObject} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import {requirementsText, selectorRequirements} from '../../api/meta/selector.ts';
import {parseTime} from '../../api/meta/time.ts';
import {sameJson} from '../../api/schema/merge/index.ts';
import {Failure, restated} from '../failure.ts';
import type {Session} from '../session.ts';

export const REVISION = 'deployment.kubernetes.io/revision';
/** The annotation in which it is noted why a revision came about. */
export const CHANGE_CAUSE = 'kubernetes.io/change-cause';
const HASH = 'pod-template-hash';

/** One revision: what its pods are made from. */
export interface Revision {
  readonly number: number;
  readonly cause: string;
  readonly template: PodTemplateSpec;
  readonly object: AnyObject;
}

/** The revisions of a workload, oldest first. */
export async function revisionsOf(session: Session, object: AnyObject): Promise<readonly Revision[] | Failure> {
  const isDeployment = object.kind === 'Deployment';
  const owned = isDeployment
    ? await replicaSetsOf(session, object)
    : await ownedBy<ControllerRevision>(session, object, builtin('apps', 'controllerrevisions'));
  if (owned instanceof Failure) return owned;
  const revisions = isDeployment
    ? (owned as readonly ReplicaSet[]).flatMap(fromReplicaSet)
    : (owned as readonly ControllerRevision[]).flatMap(fromControllerRevision);
  return revisions.toSorted((a, b) => a.number - b.number);
}

/** The replica sets of a Deployment. */
export async function replicaSetsOf(session: Session, deployment: AnyObject): Promise<readonly ReplicaSet[] | Failure> {
  return ownedBy<ReplicaSet>(session, deployment, builtin('apps', 'replicasets'));
}

async function ownedBy<T extends ControllerRevision | ReplicaSet>(
  session: Session,
  owner: AnyObject,
  resource: ReturnType<typeof builtin>,
): Promise<readonly T[] | Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const {selector} = (owner.spec ?? {}) as {selector?: LabelSelector};
  const labelSelector = selector ? requirementsText(selectorRequirements(selector)) : '';
  const list = await api.ask<{items?: readonly T[]}>({
    method: 'GET',
    path: pathOf(resource, owner.metadata.namespace),
    query: labelSelector === '' ? {} : {labelSelector},
  });
  if (list instanceof Failure) return restated(list, missingText(owner));
  return (list.items ?? []).filter(item => controllerOf(item as unknown as AnyObject)?.uid === owner.metadata.uid);
}

function missingText({kind, metadata}: AnyObject): string {
  return kind === 'Deployment'
    ? `failed to retrieve replica sets from deployment ${metadata.name}: `
    : `unable to find history controlled by ${kind} ${metadata.name}: `;
}

function fromReplicaSet(set: ReplicaSet): Revision[] {
  const number = Number(set.metadata.annotations?.[REVISION] ?? 0);
  const template = set.spec?.template;
  if (number === 0 || !template) return [];
  return [{number, cause: set.metadata.annotations?.[CHANGE_CAUSE] ?? '', template, object: set as unknown as AnyObject}];
}

function fromControllerRevision(revision: ControllerRevision): Revision[] {
  const data = revision.data as {spec?: {template?: Readonly<Record<string, unknown>>}} | undefined;
  const {$patch: _patch, ...template} = data?.spec?.template ?? {};
  return [
    {
      number: revision.revision,
      cause: revision.metadata.annotations?.[CHANGE_CAUSE] ?? '',
      template: template as unknown as PodTemplateSpec,
      object: revision as unknown as AnyObject,
    },
  ];
}

/** Do two templates ask for the same pods? The label that tells them apart does not count. */
export function sameTemplate(a: PodTemplateSpec | undefined, b: PodTemplateSpec | undefined): boolean {
  return sameJson(withoutHash(a), withoutHash(b));
}

/** The template without the label that its replica set gave it. */
export function withoutHash(template: PodTemplateSpec | undefined): PodTemplateSpec | undefined {
  const labels = template?.metadata?.labels;
  if (!template || labels?.[HASH] === undefined) return template;
  const {[HASH]: _hash, ...rest} = labels;
  return {...template, metadata: {...template.metadata, labels: rest}} as PodTemplateSpec;
}

/** The replica set that a Deployment wants now, and the others. */
export function splitReplicaSets(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
): {readonly newest: ReplicaSet | undefined; readonly older: readonly ReplicaSet[]} {
  const byAge = sets.toSorted(
    (a, b) =>
      (parseTime(a.metadata.creationTimestamp) ?? 0) - (parseTime(b.metadata.creationTimestamp) ?? 0) ||
      (a.metadata.name < b.metadata.name ? -1 : 1),
  );
  const newest = byAge.find(set => sameTemplate(set.spec?.template, deployment.spec?.template));
  return {newest, older: sets.filter(set => set !== newest)};
}
