// Earlier templates of DaemonSets and StatefulSets are kept as ControllerRevisions: one for each template, with a number that
// grows. A template that comes back takes its old revision along and gives it the highest number.
import type {ControllerRevision} from '../../api/kinds/apps-v1.ts';
import type {PodTemplateSpec} from '../../api/kinds/core-v1.ts';
import type {ObjectMeta, RawExtension} from '../../api/kinds/meta.ts';
import {templateHash} from '../../api/meta/hash.ts';
import type {KubeObject} from '../../api/meta/object.ts';
import {controllerReference, type OwnerKind} from './ownership.ts';
import {isSameValue} from './same-value.ts';

export const REVISION_HASH = 'controller-revision-hash';

/** An object that keeps revisions of its template. */
export interface Revised extends KubeObject {
  readonly spec: {readonly template: PodTemplateSpec; readonly revisionHistoryLimit?: number};
  readonly status?: {readonly collisionCount?: number};
}

/** The revisions of an object. */
export interface History {
  /** The one of its template, if there is one: the newest of several. */
  readonly current: ControllerRevision | undefined;
  readonly old: readonly ControllerRevision[];
  /** The number that the current one is to have, at least. */
  readonly number: number;
}

/** What a revision holds: a patch that puts the template back. */
export function revisionData(template: PodTemplateSpec): RawExtension {
  return {spec: {template: {...template, $patch: 'replace'}}};
}

/** The template that a revision holds. */
export function revisionTemplate({data}: ControllerRevision): PodTemplateSpec | undefined {
  const known = data && templates.get(data);
  if (known || !data) return known;
  const {template} = (data['spec'] ?? {}) as {template?: PodTemplateSpec & {$patch?: string}};
  if (!template) return undefined;
  const {$patch: _patch, ...plain} = template;
  templates.set(data, plain);
  return plain;
}

const templates = new WeakMap<object, PodTemplateSpec>();

/** Sorts revisions into the current and the old ones. */
export function planHistory(object: Revised, revisions: readonly ControllerRevision[]): History {
  const data = revisionData(object.spec.template);
  const ordered = byNumber(revisions);
  const current = ordered.findLast(each => isSameValue(each.data, data));
  const old = ordered.filter(each => each !== current);
  const highest = old.reduce((number, each) => Math.max(number, each.revision), 0);
  return {current, old, number: highest + 1};
}

/** A revision for the template as it is. */
export function newRevision(
  object: Revised,
  kind: OwnerKind,
  how: {readonly number: number; readonly annotations: Readonly<Record<string, string>> | undefined},
): ControllerRevision {
  const {template} = object.spec;
  const hash = templateHash(template, object.status?.collisionCount ?? 0);
  const {name, namespace = ''} = object.metadata;
  const metadata = {
    name: `${name}-${hash}`,
    namespace,
    labels: {...template.metadata?.labels, [REVISION_HASH]: hash},
    ...(how.annotations ? {annotations: how.annotations} : {}),
    ownerReferences: [controllerReference(object, kind)],
  };
  // The server adds what is missing.
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: metadata as unknown as ObjectMeta,
    data: revisionData(template),
    revision: how.number,
  };
}

/** The hash of a revision. */
export function hashOfRevision({metadata}: ControllerRevision): string {
  return metadata.labels?.[REVISION_HASH] ?? metadata.name;
}

/** Old revisions beyond the limit whose hash no pod carries, the oldest. */
export function superfluousRevisions(
  old: readonly ControllerRevision[],
  limit: number,
  alive: ReadonlySet<string>,
): readonly ControllerRevision[] {
  const surplus = old.length - limit;
  if (surplus <= 0) return [];
  return byNumber(old)
    .filter(each => !alive.has(hashOfRevision(each)))
    .slice(0, surplus);
}

function byNumber(revisions: readonly ControllerRevision[]): readonly ControllerRevision[] {
  return revisions.toSorted((a, b) => a.revision - b.revision || (a.metadata.name < b.metadata.name ? -1 : 1));
}
