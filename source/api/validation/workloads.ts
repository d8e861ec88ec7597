// Deployments, ReplicaSets, DaemonSets, StatefulSets and replication controllers.
import type {DaemonSet, Deployment, ReplicaSet, StatefulSet} from '../kinds/apps-v1.ts';
import type {PodSpec, PodTemplateSpec, ReplicationController} from '../kinds/core-v1.ts';
import type {LabelSelector} from '../kinds/meta.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkLabel} from '../meta/names.ts';
import {mapMatcher, selectorMatcher} from '../meta/selector.ts';
import {sameJson} from '../schema/merge/index.ts';
import {claimSpec} from './claims.ts';
import {annotations} from './metadata.ts';
import {podAnnotations} from './pod-annotations.ts';
import {podSpec} from './pods.ts';
import {
  countIn,
  countOrPercent,
  type Errors,
  immutable,
  labels,
  labelSelector,
  notAbove100,
  notNegative,
  oneOf,
  sentences,
} from './rules.ts';

const NO_MATCH = '`selector` does not match template `labels`';

/** A template: its labels, its annotations, and its pods. */
export function podTemplate(template: PodTemplateSpec | undefined, path: FieldPath, errors: Errors): void {
  const {metadata, spec = NO_SPEC} = template ?? {};
  const at = path.child('annotations');
  labels(metadata?.labels, path.child('labels'), errors);
  annotations(metadata?.annotations, at, errors);
  podAnnotations(metadata ?? {}, {path: at, spec, specPath: path.child('spec')}, errors);
  if (goodSpecs.has(spec)) return;
  const count = errors.length;
  podSpec(spec, {path: path.child('spec')}, errors);
  if ((spec.ephemeralContainers?.length ?? 0) > 0)
    errors.push(forbiddenField(path.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template'));
  if (errors.length === count && Object.isFrozen(spec)) goodSpecs.add(spec);
}

const NO_SPEC: PodSpec = {containers: []};

/** Templates that were found good once: they come back with every update of their workload. */
const goodSpecs = new WeakSet<object>();

interface Workload {
  readonly selector: LabelSelector | undefined;
  readonly template: PodTemplateSpec | undefined;
  /** As the message for an empty selector names the kind. */
  readonly kind: string;
}

/** A selector that selects the template's pods, and a template whose pods are always restarted. */
function selectorAndTemplate({selector, template, kind}: Workload, path: FieldPath, errors: Errors): void {
  const set = kind === 'statefulset';
  const count = errors.length;
  if (!selector) errors.push(required(path.child('selector')));
  else labelSelector(selector, path.child('selector'), errors);
  const readable = !selector || errors.length === count;
  if (selector && isEmpty(selector))
    errors.push(invalid(path.child('selector'), selector, `empty selector is invalid for ${kind}`));
  // What cannot be read is told once more, and the template is not looked at.
  if (readable) ownTemplate({selector, template}, path.child('template'), errors);
  else errors.push(invalid(path.child('selector'), selector, set ? '' : 'invalid label selector'));
  if (readable || set)
    alwaysRestarted(template, {path: path.child('template', 'spec'), kind: set ? 'StatefulSet' : 'ReplicaSet'}, errors);
}

function isEmpty(selector: LabelSelector): boolean {
  return Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions?.length ?? 0) === 0;
}

function ownTemplate({selector, template}: Pick<Workload, 'selector' | 'template'>, path: FieldPath, errors: Errors): void {
  const own = template?.metadata?.labels;
  const matches = selector ? isEmpty(selector) || selectorMatcher(selector)(own) : false;
  if (!matches) errors.push(invalid(path.child('metadata', 'labels'), own ?? null, NO_MATCH));
  podTemplate(template, path, errors);
}

/** Pods that are kept running end neither of themselves nor at a time. */
function alwaysRestarted(
  template: PodTemplateSpec | undefined,
  {path, kind}: {path: FieldPath; kind: string},
  errors: Errors,
): void {
  const {restartPolicy, activeDeadlineSeconds} = template?.spec ?? {};
  if (restartPolicy !== undefined && restartPolicy !== 'Always')
    errors.push(notSupported(path.child('restartPolicy'), restartPolicy, ['Always']));
  if (activeDeadlineSeconds === undefined) return;
  errors.push(forbiddenField(path.child('activeDeadlineSeconds'), `activeDeadlineSeconds in ${kind} is not Supported`));
}

/** A Deployment. */
export function validateDeployment(deployment: Deployment, errors: Errors): void {
  const {spec} = deployment;
  const path = root('spec');
  notNegative(spec.replicas, path.child('replicas'), errors);
  selectorAndTemplate({selector: spec.selector, template: spec.template, kind: 'deployment'}, path, errors);
  strategy(spec.strategy ?? {}, path.child('strategy'), errors);
  notNegative(spec.minReadySeconds, path.child('minReadySeconds'), errors);
  notNegative(spec.revisionHistoryLimit, path.child('revisionHistoryLimit'), errors);
  const deadline = spec.progressDeadlineSeconds;
  if (deadline === undefined) return;
  const at = path.child('progressDeadlineSeconds');
  notNegative(deadline, at, errors);
  if (deadline <= (spec.minReadySeconds ?? 0)) errors.push(invalid(at, deadline, 'must be greater than minReadySeconds'));
}

type Strategy = NonNullable<Deployment['spec']['strategy']>;

function strategy(one: Strategy, path: FieldPath, errors: Errors): void {
  const {type, rollingUpdate} = one;
  if (type === 'Recreate') {
    if (rollingUpdate)
      errors.push(forbiddenField(path.child('rollingUpdate'), "may not be specified when strategy `type` is 'Recreate'"));
    return;
  }
  if (type !== 'RollingUpdate') {
    errors.push(notSupported(path, {Type: type, RollingUpdate: goRolling(rollingUpdate)}, ['Recreate', 'RollingUpdate']));
    return;
  }
  const at = path.child('rollingUpdate');
  const {maxSurge, maxUnavailable} = rollingUpdate ?? {};
  countOrPercent(maxUnavailable, at.child('maxUnavailable'), errors);
  countOrPercent(maxSurge, at.child('maxSurge'), errors);
  if (countIn(maxUnavailable) === 0 && countIn(maxSurge) === 0) {
    errors.push(invalid(at.child('maxUnavailable'), maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0'));
  }
  notAbove100(maxUnavailable, at.child('maxUnavailable'), errors);
}

interface Rolling {
  readonly maxUnavailable?: number | string;
  readonly maxSurge?: number | string;
}

/** The rolling update as the server's own struct. */
function goRolling(rolling: Rolling | undefined): object | null {
  return rolling ? {MaxUnavailable: rolling.maxUnavailable ?? 0, MaxSurge: rolling.maxSurge ?? 0} : null;
}

export function validateDeploymentUpdate(deployment: Deployment, before: Deployment, errors: Errors): void {
  validateDeployment(deployment, errors);
  immutable(deployment.spec.selector, before.spec.selector, {path: root('spec', 'selector'), errors});
}

/** A ReplicaSet. */
export function validateReplicaSet(set: ReplicaSet, errors: Errors): void {
  const {spec} = set;
  const path = root('spec');
  notNegative(spec.replicas, path.child('replicas'), errors);
  notNegative(spec.minReadySeconds, path.child('minReadySeconds'), errors);
  selectorAndTemplate({selector: spec.selector, template: spec.template, kind: 'deployment'}, path, errors);
}

export function validateReplicaSetUpdate(set: ReplicaSet, before: ReplicaSet, errors: Errors): void {
  validateReplicaSet(set, errors);
  immutable(set.spec.selector, before.spec.selector, {path: root('spec', 'selector'), errors});
}

/** A replication controller. */
export function validateReplicationController(controller: ReplicationController, errors: Errors): void {
  const {spec} = controller;
  const path = root('spec');
  notNegative(spec.minReadySeconds, path.child('minReadySeconds'), errors);
  if (Object.keys(spec.selector ?? {}).length === 0) errors.push(required(path.child('selector')));
  notNegative(spec.replicas, path.child('replicas'), errors);
  const template = path.child('template');
  if (!spec.template) {
    errors.push(required(template));
    return;
  }
  const own = spec.template.metadata?.labels;
  if (spec.selector && !mapMatcher(spec.selector)(own))
    errors.push(invalid(template.child('metadata', 'labels'), own ?? null, NO_MATCH));
  podTemplate(spec.template, template, errors);
  alwaysRestarted(spec.template, {path: template.child('spec'), kind: 'ReplicationController'}, errors);
}

/** A DaemonSet. */
export function validateDaemonSet(set: DaemonSet, errors: Errors): void {
  const {spec} = set;
  const path = root('spec');
  const count = errors.length;
  labelSelector(spec.selector, path.child('selector'), errors);
  const own = spec.template?.metadata?.labels;
  if (!spec.selector || (errors.length === count && !selectorMatcher(spec.selector)(own))) {
    errors.push(invalid(path.child('template', 'metadata', 'labels'), own ?? null, NO_MATCH));
  }
  if (spec.selector && isEmpty(spec.selector)) {
    errors.push(invalid(path.child('selector'), spec.selector, 'empty selector is invalid for daemonset'));
  }
  podTemplate(spec.template, path.child('template'), errors);
  alwaysRestarted(spec.template, {path: path.child('template', 'spec'), kind: 'DaemonSet'}, errors);
  notNegative(spec.minReadySeconds, path.child('minReadySeconds'), errors);
  daemonUpdate(spec.updateStrategy ?? {}, path.child('updateStrategy'), errors);
  notNegative(spec.revisionHistoryLimit, path.child('revisionHistoryLimit'), errors);
}

function daemonUpdate(
  {type, rollingUpdate}: NonNullable<DaemonSet['spec']['updateStrategy']>,
  path: FieldPath,
  errors: Errors,
): void {
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    errors.push(notSupported(path, {Type: type, RollingUpdate: goRolling(rollingUpdate)}, ['RollingUpdate', 'OnDelete']));
    return;
  }
  const at = path.child('rollingUpdate');
  if (!rollingUpdate) {
    errors.push(required(at));
    return;
  }
  const {maxSurge, maxUnavailable} = rollingUpdate;
  countOrPercent(maxUnavailable, at.child('maxUnavailable'), errors);
  countOrPercent(maxSurge, at.child('maxSurge'), errors);
  notAbove100(maxUnavailable, at.child('maxUnavailable'), errors);
  notAbove100(maxSurge, at.child('maxSurge'), errors);
  const surge = countIn(maxSurge) !== 0;
  if (countIn(maxUnavailable) !== 0 && surge)
    errors.push(invalid(at.child('maxSurge'), maxSurge ?? 0, 'may not be set when maxUnavailable is non-zero'));
  if (countIn(maxUnavailable) === 0 && !surge)
    errors.push(required(at.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0'));
}

export function validateDaemonSetUpdate(set: DaemonSet, before: DaemonSet, errors: Errors): void {
  immutable(set.spec.selector, before.spec.selector, {path: root('spec', 'selector'), errors});
  validateDaemonSet(set, errors);
}

/** A StatefulSet. */
export function validateStatefulSet(set: StatefulSet, errors: Errors): void {
  const {spec} = set;
  const path = root('spec');
  const policy = spec.podManagementPolicy as string | undefined;
  if (!policy) errors.push(required(path.child('podManagementPolicy')));
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    errors.push(invalid(path.child('podManagementPolicy'), policy, "must be 'OrderedReady' or 'Parallel'"));
  }
  statefulUpdate(spec.updateStrategy ?? {}, path.child('updateStrategy'), errors);
  for (const field of ['whenDeleted', 'whenScaled'] as const) {
    const value = spec.persistentVolumeClaimRetentionPolicy?.[field];
    if (value !== undefined)
      oneOf(value, {path: path.child('persistentVolumeClaimRetentionPolicy', field), of: ['Retain', 'Delete']}, errors);
  }
  notNegative(spec.replicas, path.child('replicas'), errors);
  notNegative(spec.minReadySeconds, path.child('minReadySeconds'), errors);
  notNegative(spec.ordinals?.start, path.child('ordinals', 'start'), errors);
  notNegative(spec.revisionHistoryLimit, path.child('revisionHistoryLimit'), errors);
  if (spec.serviceName)
    sentences(checkLabel(spec.serviceName), {path: path.child('serviceName'), value: spec.serviceName}, errors);
  selectorAndTemplate({selector: spec.selector, template: withClaims(spec), kind: 'statefulset'}, path, errors);
  spec.volumeClaimTemplates?.forEach((claim, i) =>
    claimSpec(claim.spec, path.child('volumeClaimTemplates').index(i).child('spec'), errors),
  );
}

/** The template with the volumes that its pods will have for the set's claims. */
function withClaims({template, volumeClaimTemplates}: StatefulSet['spec']): PodTemplateSpec {
  const claimed = (volumeClaimTemplates ?? []).flatMap(({metadata}) => {
    const name = metadata?.name ?? '';
    return name === '' ? [] : [{name, persistentVolumeClaim: {claimName: name}}];
  });
  if (claimed.length === 0 || !template.spec) return template;
  const own = (template.spec.volumes ?? []).filter(volume => !claimed.some(({name}) => name === volume.name));
  return {...template, spec: {...template.spec, volumes: [...own, ...claimed]}};
}

function statefulUpdate(
  {type, rollingUpdate}: NonNullable<StatefulSet['spec']['updateStrategy']>,
  path: FieldPath,
  errors: Errors,
): void {
  const at = path.child('rollingUpdate');
  const value = {Partition: rollingUpdate?.partition ?? 0, MaxUnavailable: rollingUpdate?.maxUnavailable ?? null};
  if (!type) errors.push(required(path));
  else if (type === 'OnDelete') {
    if (rollingUpdate) errors.push(invalid(at, value, "only allowed for updateStrategy 'RollingUpdate'"));
  } else if (type !== 'RollingUpdate') {
    errors.push(
      invalid(path, {Type: type, RollingUpdate: rollingUpdate ? value : null}, "must be 'RollingUpdate' or 'OnDelete'"),
    );
  } else notNegative(rollingUpdate?.partition, at.child('partition'), errors);
}

const CHANGEABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

export function validateStatefulSetUpdate(set: StatefulSet, before: StatefulSet, errors: Errors): void {
  validateStatefulSet(set, errors);
  const fixed = (spec: object) => Object.fromEntries(Object.entries(spec).filter(([key]) => !CHANGEABLE.includes(key)));
  if (sameJson(fixed(set.spec), fixed(before.spec))) return;
  const names = CHANGEABLE.map(name => `'${name}'`);
  const listed = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  errors.push(forbiddenField(root('spec'), `updates to statefulset spec for fields other than ${listed} are forbidden`));
}
