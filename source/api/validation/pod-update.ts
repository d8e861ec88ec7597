// What may change in a Pod that exists: images, deadlines, more tolerations, fewer gates. All else is refused, with a picture
// of the difference in the server's own structs.
import type {Affinity, Container, NodeSelectorTerm, Pod, PodSpec, Toleration} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, required, root} from '../meta/field-error.ts';
import {rangeText} from '../meta/names.ts';
import {goPodSpec, goStruct} from '../schema/go-structs.ts';
import {sameJson} from '../schema/merge/index.ts';
import {lineDifference} from './difference.ts';
import {podAnnotations, podAnnotationsStay} from './pod-annotations.ts';
import {wholePodSpec} from './pods.ts';
import type {Errors} from './rules.ts';

const MOST_INT32 = 2_147_483_647;
const CHANGEABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/** A changed Pod. */
export function validatePodUpdate(pod: Pod, before: Pod, errors: Errors): void {
  const path = root('spec');
  const {spec, metadata} = pod;
  const old = before.spec;
  const annotated = root('metadata', 'annotations');
  if (metadata.annotations !== before.metadata.annotations || spec !== old)
    podAnnotations(metadata, {path: annotated, spec, specPath: path}, errors);
  if (spec !== old) wholePodSpec(pod, path, errors);
  if (metadata.annotations !== before.metadata.annotations)
    podAnnotationsStay(metadata.annotations, before.metadata.annotations, {path: annotated, errors});
  if (spec === old) return;
  for (const list of ['containers', 'initContainers'] as const) {
    if (!sameContainers(spec[list], old[list], {path: path.child(list), errors})) return;
  }
  if (!deadline(spec, old, {path: path.child('activeDeadlineSeconds'), errors})) return;
  addedTolerations(spec.tolerations ?? [], old.tolerations ?? [], {path: path.child('tolerations'), errors});
  const gates = path.child('schedulingGates');
  const held = new Set(old.schedulingGates?.map(({name}) => name));
  spec.schedulingGates?.forEach(({name}, i) => {
    if (held.has(name)) return;
    errors.push(
      forbiddenField(gates.index(i).child('name'), `only deletion is allowed, but found new scheduling gate '${name}'`),
    );
  });
  const gated = (old.schedulingGates?.length ?? 0) > 0;
  if (gated) {
    addedNodeSelector(spec, old, {path: path.child('nodeSelector'), errors});
    addedNodeAffinity(spec, old, {path: path.child('affinity', 'nodeAffinity', REQUIRED, 'nodeSelectorTerms'), errors});
  }
  restIsSame(munged(spec, old, gated), old, {path, errors});
}

interface Place {
  readonly path: FieldPath;
  readonly errors: Errors;
}

function sameContainers(
  list: readonly Container[] | undefined,
  old: readonly Container[] | undefined,
  {path, errors}: Place,
): boolean {
  if ((list?.length ?? 0) !== (old?.length ?? 0)) {
    errors.push(forbiddenField(path, 'pod updates may not add or remove containers'));
    return false;
  }
  const said = new Set(errors.map(({field}) => field));
  list?.forEach((container, i) => {
    const at = path.index(i).child('image');
    if (!container.image && !said.has(String(at))) errors.push(required(at));
  });
  return true;
}

function deadline(spec: PodSpec, old: PodSpec, {path, errors}: Place): boolean {
  const now = spec.activeDeadlineSeconds;
  const was = old.activeDeadlineSeconds;
  if (now === undefined) {
    if (was !== undefined) errors.push(invalid(path, null, 'must not update from a positive integer to nil value'));
    return true;
  }
  if (now < 0 || now > MOST_INT32) errors.push(invalid(path, now, rangeText(0, MOST_INT32)));
  else if (was !== undefined && was < now) errors.push(invalid(path, now, 'must be less than or equal to previous value'));
  else return true;
  return false;
}

function addedTolerations(list: readonly Toleration[], old: readonly Toleration[], {path, errors}: Place): void {
  const bare = ({key, operator, value, effect}: Toleration) => JSON.stringify([key, operator, value, effect]);
  const present = new Set(list.map(bare));
  if (!old.every(toleration => present.has(bare(toleration))))
    errors.push(forbiddenField(path, 'existing toleration can not be modified except its tolerationSeconds'));
}

function addedNodeSelector(spec: PodSpec, old: PodSpec, {path, errors}: Place): void {
  const now = spec.nodeSelector ?? {};
  const kept = Object.entries(old.nodeSelector ?? {}).every(([key, value]) => now[key] === value);
  if (!kept)
    errors.push(
      invalid(path, spec.nodeSelector ?? null, 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'),
    );
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** A gated pod may become choosier about its nodes. */
function addedNodeAffinity(spec: PodSpec, old: PodSpec, {path, errors}: Place): void {
  const was = old.affinity?.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms ?? [];
  const now = spec.affinity?.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms ?? [];
  const shown = (term: NodeSelectorTerm) => goStruct('NodeSelectorTerm', term);
  if (was.length > 0 && was.length !== now.length) {
    const text = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    errors.push(invalid(path, now.length === 0 ? null : now.map(shown), text));
    return;
  }
  was.forEach((term, i) => {
    const next = now[i];
    if (next && !onlyMore(next, term))
      errors.push(invalid(path.index(i), shown(next), 'only additions are allowed (no mutations or deletions)'));
  });
}

/** A term that holds all that the other does, at its beginning; what selected nothing still does. */
function onlyMore(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const;
  const size = (one: NodeSelectorTerm) => lists.reduce((sum, list) => sum + (one[list]?.length ?? 0), 0);
  if (size(old) === 0 && size(term) > 0) return false;
  return lists.every(list => sameJson((term[list] ?? []).slice(0, old[list]?.length ?? 0), old[list] ?? []));
}

/** The new spec with all that may differ as it was. */
function munged(spec: PodSpec, old: PodSpec, gated: boolean): PodSpec {
  const images = (list: readonly Container[] | undefined, before: readonly Container[] | undefined) =>
    list?.map((container, i) => ({...container, ...pick(before?.[i] ?? container, ['image'])}));
  const initContainers = images(spec.initContainers, old.initContainers);
  const {activeDeadlineSeconds: _a, tolerations: _t, schedulingGates: _g, ...rest} = spec;
  const softened = (old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1;
  const {nodeSelector: _n, affinity, ...ungated} = rest;
  return {
    ...(gated ? {...ungated, ...pick(old, ['nodeSelector']), ...withOldNodeAffinity(affinity, old.affinity)} : rest),
    containers: images(spec.containers, old.containers) ?? [],
    ...(initContainers ? {initContainers} : {}),
    ...pick(old, ['activeDeadlineSeconds', 'tolerations', 'schedulingGates']),
    ...(softened ? pick(old, ['terminationGracePeriodSeconds']) : {}),
  };
}

function withOldNodeAffinity(now: Affinity | undefined, was: Affinity | undefined): {affinity?: Affinity} {
  const {nodeAffinity: _new, ...pods} = now ?? {};
  const kept = {...(was?.nodeAffinity ? {nodeAffinity: was.nodeAffinity} : {}), ...pods};
  return was === undefined && Object.keys(kept).length === 0 ? {} : {affinity: kept};
}

function pick<T extends object, K extends keyof T>(value: T, keys: readonly K[]): Partial<Pick<T, K>> {
  return Object.fromEntries(keys.filter(key => value[key] !== undefined).map(key => [key, value[key]])) as Partial<Pick<T, K>>;
}

function restIsSame(spec: PodSpec, old: PodSpec, {path, errors}: Place): void {
  if (sameJson(spec, old)) return;
  errors.push(
    forbiddenField(
      path,
      `pod updates may not change fields other than ${CHANGEABLE}\n${lineDifference(goPodSpec({...old}), goPodSpec({...spec}))}`,
    ),
  );
}
