// Pods: their spec, which templates share, and what only a pod of its own must heed.
import type {HostAlias, Pod, PodDNSConfig, PodSpec} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, required, root} from '../meta/field-error.ts';
import {compareStrings} from '../meta/go-text.ts';
import {checkLabel, checkQualifiedName, checkSearchDomain, checkSubdomain, rangeText} from '../meta/names.ts';
import {amountOf, podRequests} from '../meta/pod.ts';
import {canonicalQuantity, compareQuantities, formatMilli, formatUnits} from '../meta/quantity.ts';
import {ipAddress} from './addresses.ts';
import {containers, identity, initContainers, seccomp} from './containers.ts';
import {affinity, schedulingGates, spreadConstraints, tolerations} from './placement.ts';
import {podClaims} from './resource-claims.ts';
import {podResources} from './resources.ts';
import {type Errors, labels, oneOf, requiredOneOf, sentences} from './rules.ts';
import {volumes} from './volumes.ts';

const MOST_INT32 = 2_147_483_647;
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** Specs without a fault: pods of one template share theirs, so it is judged once. */
const faultless = new WeakSet<PodSpec>();

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/** The annotations of a pod that mean something to a controller. */
export function podAnnotations({metadata}: Pod, errors: Errors): void {
  const cost = metadata.annotations?.[DELETION_COST];
  if (cost === undefined || (/^(0|-?[1-9]\d*)$/.test(cost) && Number(cost) === Math.trunc(Number(cost)) && fitsInt32(cost)))
    return;
  errors.push(invalid(root('metadata', 'annotations').key(DELETION_COST), cost, 'must be a 32bit integer'));
}

function fitsInt32(text: string): boolean {
  return Number(text) >= -MOST_INT32 - 1 && Number(text) <= MOST_INT32;
}

/** A new Pod. */
export function validatePod(pod: Pod, errors: Errors): void {
  if (pod.metadata.annotations) podAnnotations(pod, errors);
  if (faultless.has(pod.spec)) return;
  const found = errors.length;
  const path = root('spec');
  podSpec(pod.spec, path, errors);
  if ((pod.spec.ephemeralContainers?.length ?? 0) > 0)
    errors.push(forbiddenField(path.child('ephemeralContainers'), 'cannot be set on create'));
  if (pod.spec.nodeName && (pod.spec.schedulingGates?.length ?? 0) > 0) {
    errors.push(forbiddenField(path.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'));
  }
  if (errors.length === found && Object.isFrozen(pod.spec)) faultless.add(pod.spec);
}

/** The spec of a Pod or of a template. */
export function podSpec(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const names = volumes(spec.volumes, path.child('volumes'), errors);
  podClaims(spec.resourceClaims, path.child('resourceClaims'), errors);
  const place = {spec, volumes: names};
  containers(place, path.child('containers'), errors);
  initContainers(place, path.child('initContainers'), errors);
  podResources(spec.resources, path.child('resources'), errors);
  wholeAndParts(spec, path, errors);
  hostNetwork(spec, path, errors);
  requiredOneOf(spec.restartPolicy, {path: path.child('restartPolicy'), of: ['Always', 'OnFailure', 'Never']}, errors);
  requiredOneOf(spec.dnsPolicy, {path: path.child('dnsPolicy'), of: DNS_POLICIES}, errors);
  labels(spec.nodeSelector, path.child('nodeSelector'), errors);
  securityContext(spec, path.child('securityContext'), errors);
  affinity(spec.affinity, path.child('affinity'), errors);
  dnsConfig(spec, path.child('dnsConfig'), errors);
  readinessGates(spec, path.child('readinessGates'), errors);
  schedulingGates(spec.schedulingGates, path.child('schedulingGates'), errors);
  spreadConstraints(spec.topologySpreadConstraints, path.child('topologySpreadConstraints'), errors);
  if (spec.hostUsers === false) {
    for (const field of ['hostNetwork', 'hostPID', 'hostIPC'] as const) {
      if (spec[field]) errors.push(forbiddenField(path.child(field), 'when `hostUsers` is false'));
    }
  }
  ownNames(spec, path, errors);
  tolerations(spec.tolerations, path.child('tolerations'), errors);
  hostAliases(spec.hostAliases, path.child('hostAliases'), errors);
  classes(spec, path, errors);
  os(spec, path, errors);
}

/** What a pod as a whole asks for is enough for its containers, and none of them may use more than the whole. */
function wholeAndParts(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const {requests, limits} = spec.resources ?? {};
  if (!requests && !limits) return;
  const {resources: _whole, overhead: _overhead, ...parts} = spec;
  const asked = podRequests(parts);
  for (const name of Object.keys(requests ?? {}).sort(compareStrings)) {
    const least = asked[name] ?? 0;
    const given = requests?.[name] ?? '0';
    if (amountOf(name, given) >= least) continue;
    const text = `must be greater than or equal to aggregate container requests of ${amountText(name, least)}`;
    errors.push(invalid(path.child('resources', 'requests').key(name), canonicalQuantity(given), text));
  }
  for (const list of ['containers', 'initContainers'] as const) {
    spec[list]?.forEach((container, i) => {
      for (const [name, limit] of Object.entries(container.resources?.limits ?? {})) {
        const most = limits?.[name];
        if (most === undefined || compareQuantities(limit, most) <= 0) continue;
        const at = path.child(list).index(i).child('resources', 'limits').key(name);
        errors.push(
          invalid(at, canonicalQuantity(limit), `must be less than or equal to pod limits of ${canonicalQuantity(most)}`),
        );
      }
    });
  }
}

function amountText(name: string, amount: number): string {
  return name === 'cpu' ? formatMilli(amount) : formatUnits(amount, 'BinarySI');
}

function ownNames(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const check = (
    field: 'serviceAccountName' | 'nodeName' | 'hostname' | 'subdomain',
    rule: (name: string) => readonly string[],
  ) => {
    const name = spec[field];
    if (name) sentences(rule(name), {path: path.child(field), value: name}, errors);
  };
  check('serviceAccountName', checkSubdomain);
  check('nodeName', checkSubdomain);
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined && (deadline < 1 || deadline > MOST_INT32)) {
    errors.push(invalid(path.child('activeDeadlineSeconds'), deadline, rangeText(1, MOST_INT32)));
  }
  check('hostname', checkLabel);
  check('subdomain', checkLabel);
}

function classes(spec: PodSpec, path: FieldPath, errors: Errors): void {
  for (const field of ['priorityClassName', 'runtimeClassName'] as const) {
    const name = spec[field];
    if (name) sentences(checkSubdomain(name), {path: path.child(field), value: name}, errors);
  }
  if (spec.preemptionPolicy !== undefined) {
    oneOf(spec.preemptionPolicy, {path: path.child('preemptionPolicy'), of: ['PreemptLowerPriority', 'Never']}, errors);
  }
}

function hostNetwork(spec: PodSpec, path: FieldPath, errors: Errors): void {
  if (!spec.hostNetwork) return;
  for (const list of ['containers', 'initContainers'] as const) {
    spec[list]?.forEach((container, i) => {
      container.ports?.forEach((port, n) => {
        if (port.hostPort === port.containerPort) return;
        const at = path.child(list).index(i).child('ports').index(n).child('hostPort');
        errors.push(invalid(at, port.hostPort ?? 0, 'must match `containerPort` when `hostNetwork` is true'));
      });
    });
  }
  if (spec.hostnameOverride !== undefined) {
    errors.push(forbiddenField(path.child('hostnameOverride'), 'may not be specified when hostNetwork is true'));
  }
}

function securityContext(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const context = spec.securityContext;
  identity(context?.fsGroup, path.child('fsGroup'), errors);
  identity(context?.runAsUser, path.child('runAsUser'), errors);
  identity(context?.runAsGroup, path.child('runAsGroup'), errors);
  context?.supplementalGroups?.forEach((group, i) => identity(group, path.child('supplementalGroups').index(i), errors));
  if (spec.shareProcessNamespace && spec.hostPID) {
    errors.push(invalid(path.child('shareProcessNamespace'), true, 'ShareProcessNamespace and HostPID cannot both be enabled'));
  }
  if (context?.fsGroupChangePolicy !== undefined) {
    oneOf(context.fsGroupChangePolicy, {path: path.child('fsGroupChangePolicy'), of: ['Always', 'OnRootMismatch']}, errors);
  }
  seccomp(context?.seccompProfile, path.child('seccompProfile'), errors);
}

function dnsConfig(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const config = spec.dnsConfig;
  const servers = config?.nameservers ?? [];
  if (spec.dnsPolicy === 'None') {
    if (!config) {
      errors.push(required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'));
      return;
    }
    if (servers.length === 0)
      errors.push(required(path.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None'));
  }
  if (!config) return;
  if (servers.length > 3) errors.push(invalid(path.child('nameservers'), servers, 'must not have more than 3 nameservers'));
  servers.forEach((server, i) => ipAddress(server, path.child('nameservers').index(i), errors));
  searches(config, path.child('searches'), errors);
  config.options?.forEach(({name}, i) => {
    if (!name) errors.push(required(path.child('options').index(i), 'must not be empty'));
  });
}

function searches(config: PodDNSConfig, path: FieldPath, errors: Errors): void {
  const list = config.searches ?? [];
  if (list.length > 32) errors.push(invalid(path, list, 'must not have more than 32 search paths'));
  if (list.join(' ').length > 2048) {
    errors.push(invalid(path, list, 'must not have more than 2048 characters (including spaces) in the search list'));
  }
  list.forEach((domain, i) => {
    // A search domain may be the root, or end in it.
    const bare = domain === '.' ? domain : domain.replace(/\.$/, '');
    if (bare !== '.') sentences(checkSearchDomain(bare), {path: path.index(i), value: bare}, errors);
  });
}

function readinessGates(spec: PodSpec, path: FieldPath, errors: Errors): void {
  spec.readinessGates?.forEach(({conditionType}, i) => {
    sentences(checkQualifiedName(conditionType), {path: path.index(i).child('conditionType'), value: conditionType}, errors);
  });
}

function hostAliases(list: readonly HostAlias[] | undefined, path: FieldPath, errors: Errors): void {
  list?.forEach(({ip, hostnames}, i) => {
    ipAddress(ip, path.index(i).child('ip'), errors);
    hostnames?.forEach((name, n) =>
      sentences(checkSubdomain(name), {path: path.index(i).child('hostnames').index(n), value: name}, errors),
    );
  });
}

const NOT_FOR_WINDOWS = 'cannot be set for a windows pod';

function os(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const name = spec.os?.name;
  if (!spec.os) return;
  if (!name) errors.push(required(path.child('os', 'name')));
  else if (name !== 'windows') oneOf(name, {path: path.child('os'), of: ['linux', 'windows']}, errors);
  else {
    const context = spec.securityContext;
    for (const field of [
      'appArmorProfile',
      'seLinuxOptions',
      'seccompProfile',
      'fsGroup',
      'fsGroupChangePolicy',
      'sysctls',
      'runAsUser',
      'runAsGroup',
      'supplementalGroups',
    ] as const) {
      if (context?.[field] !== undefined) errors.push(forbiddenField(path.child('securityContext', field), NOT_FOR_WINDOWS));
    }
  }
}
