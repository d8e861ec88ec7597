// Pods: their spec, which templates share, and what only a pod of its own must heed.
import type {HostAlias, Pod, PodDNSConfig, PodSpec} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, notFoundValue, notSupported, required, root, tooLong} from '../meta/field-error.ts';
import {compareStrings} from '../meta/go-text.ts';
import {checkLabel, checkQualifiedName, checkSearchDomain, checkSubdomain, rangeText} from '../meta/names.ts';
import {amountOf, podRequests} from '../meta/pod-resources.ts';
import {canonicalQuantity, compareQuantities, formatMilli, formatUnits} from '../meta/quantity.ts';
import {ipAddress} from './addresses.ts';
import {containers, initContainers, trimmedImage} from './containers.ts';
import {ephemeralContainers} from './ephemeral-containers.ts';
import {podAnnotations} from './pod-annotations.ts';
import {affinity, schedulingGates, spreadConstraints, tolerations} from './placement.ts';
import {podClaims} from './resource-claims.ts';
import {containerResources, isPodLevel, podResources} from './resources.ts';
import {type Errors, labels, oneOf, requiredOneOf, sentences} from './rules.ts';
import {ownUsers, podSecurityContext} from './security-context.ts';
import {volumes} from './volumes.ts';
import {hostProcesses, onlyLinux, onlyWindows} from './windows.ts';

const MOST_INT32 = 2_147_483_647;
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** Specs without a fault: pods of one template share theirs, so it is judged once. */
const faultless = new WeakSet<PodSpec>();

/** A new Pod. */
export function validatePod(pod: Pod, errors: Errors): void {
  const {spec, metadata} = pod;
  const path = root('spec');
  podAnnotations(metadata, {path: root('metadata', 'annotations'), spec, specPath: path}, errors);
  if (faultless.has(spec)) return;
  const found = errors.length;
  wholePodSpec(pod, path, errors);
  if ((spec.ephemeralContainers?.length ?? 0) > 0)
    errors.push(forbiddenField(path.child('ephemeralContainers'), 'cannot be set on create'));
  if (spec.nodeName && (spec.schedulingGates?.length ?? 0) > 0) {
    errors.push(forbiddenField(path.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'));
  }
  // The claims of volumes that are made for a pod bear its name, so such a spec is judged for each.
  const named = spec.volumes?.some(({ephemeral}) => ephemeral !== undefined);
  if (errors.length === found && Object.isFrozen(spec) && !named) faultless.add(spec);
}

/** The spec of a Pod that is one, and what is not asked of templates. */
export function wholePodSpec({spec, metadata}: Pod, path: FieldPath, errors: Errors): void {
  podSpec(spec, {path, pod: metadata.name}, errors);
  if (!spec.serviceAccountName) {
    const text = 'must not be specified when serviceAccountName is not set';
    spec.volumes?.forEach(({projected}, v) =>
      projected?.sources?.forEach(({serviceAccountToken}, s) => {
        const at = path.child('volumes').index(v).child('projected', 'sources').index(s);
        if (serviceAccountToken) errors.push(forbiddenField(at.child('serviceAccountToken'), text));
      }),
    );
  }
  for (const list of ['containers', 'initContainers'] as const)
    spec[list]?.forEach((container, i) => trimmedImage(container, path.child(list).index(i), errors));
}

/** The spec of a Pod, which has a name, or of a template. */
export function podSpec(spec: PodSpec, {path, pod}: {path: FieldPath; pod?: string}, errors: Errors): void {
  const good = volumes(spec.volumes, {path: path.child('volumes'), pod}, errors);
  podClaims(spec.resourceClaims, path.child('resourceClaims'), errors);
  const place = {spec, volumes: good};
  containers(place, path.child('containers'), errors);
  initContainers(place, path.child('initContainers'), errors);
  ephemeralContainers(place, path.child('ephemeralContainers'), errors);
  podLevel(spec, path, errors);
  hostNetwork(spec, {path, pod}, errors);
  requiredOneOf(spec.restartPolicy, {path: path.child('restartPolicy'), of: ['Always', 'OnFailure', 'Never']}, errors);
  requiredOneOf(spec.dnsPolicy, {path: path.child('dnsPolicy'), of: DNS_POLICIES}, errors);
  labels(spec.nodeSelector, path.child('nodeSelector'), errors);
  podSecurityContext(spec, path.child('securityContext'), errors);
  affinity(spec.affinity, path.child('affinity'), errors);
  dnsConfig(spec, path.child('dnsConfig'), errors);
  readinessGates(spec, path.child('readinessGates'), errors);
  schedulingGates(spec.schedulingGates, path.child('schedulingGates'), errors);
  spreadConstraints(spec.topologySpreadConstraints, path.child('topologySpreadConstraints'), errors);
  hostProcesses(spec, path, errors);
  ownUsers(spec, path, errors);
  hostnameOverride(spec, path.child('hostnameOverride'), errors);
  ownNames(spec, path, errors);
  tolerations(spec.tolerations, path.child('tolerations'), errors);
  hostAliases(spec.hostAliases, path.child('hostAliases'), errors);
  classes(spec, path, errors);
  if (spec.overhead) containerResources({limits: spec.overhead}, {path: path.child('overhead'), claims: []}, errors);
  os(spec, path, errors);
  fileVolumes(spec, path, errors);
}

function podLevel(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const at = path.child('resources');
  if (spec.resources && spec.os?.name === 'windows') {
    errors.push(forbiddenField(at, 'may not be set for a windows pod'));
    return;
  }
  if (spec.resources?.claims) errors.push(forbiddenField(at.child('claims'), 'claims may not be set for Resources at pod-level'));
  podResources(spec.resources, at, errors);
  wholeAndParts(spec, at, errors);
}

const LONGEST_HOSTNAME = 64;

function hostnameOverride(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const name = spec.hostnameOverride;
  if (name === undefined) return;
  for (const field of ['setHostnameAsFQDN', 'hostNetwork'] as const)
    if (spec[field]) errors.push(forbiddenField(path, `may not be specified when ${field} is true`));
  if (name.length > LONGEST_HOSTNAME) errors.push(tooLong(path, LONGEST_HOSTNAME));
  sentences(checkSubdomain(name), {path, value: name}, errors);
}

/** Variables are read from files of empty directories alone. */
function fileVolumes(spec: PodSpec, path: FieldPath, errors: Errors): void {
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    spec[list]?.forEach(({env}, i) =>
      env?.forEach(({valueFrom}, n) => {
        if (!valueFrom?.fileKeyRef) return;
        const name = valueFrom.fileKeyRef.volumeName;
        const at = path.child(list).index(i).child('env').index(n).child('valueFrom', 'fileKeyRef', 'volumeName');
        const volume = spec.volumes?.find(each => each.name === name);
        if (!volume) errors.push(notFoundValue(at, name));
        else if (!volume.emptyDir) errors.push(invalid(at, name, 'referenced volume must be of type emptyDir'));
      }),
    );
  }
}

/** What a pod as a whole asks for is enough for its containers, and none of them may use more than the whole. */
function wholeAndParts(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const {requests, limits} = spec.resources ?? {};
  if (!spec.resources) return;
  const {resources: _whole, overhead: _overhead, ...parts} = spec;
  const asked = podRequests(parts);
  for (const name of Object.keys(asked).filter(isPodLevel).sort(compareStrings)) {
    const least = asked[name] ?? 0;
    const given = requests?.[name] ?? '0';
    if (amountOf(name, given) >= least) continue;
    const text = `must be greater than or equal to aggregate container requests of ${amountText(name, least)}`;
    errors.push(invalid(path.child('requests').key(name), canonicalQuantity(given), text));
  }
  spec.containers?.forEach((container, i) => {
    for (const [name, limit] of Object.entries(container.resources?.limits ?? {})) {
      const most = limits?.[name];
      if (most === undefined || compareQuantities(limit, most) <= 0) continue;
      // The server's own order of steps.
      const at = path.child('containers').index(i).key(name).child('limits');
      const text = `must be less than or equal to pod limits of ${canonicalQuantity(most)}`;
      errors.push(invalid(at, canonicalQuantity(limit), text));
    }
  });
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

/** A port of the node's network is one port; a template may leave that unsaid. */
function hostNetwork(spec: PodSpec, {path, pod}: {path: FieldPath; pod: string | undefined}, errors: Errors): void {
  if (!spec.hostNetwork) return;
  spec.containers?.forEach((container, i) => {
    container.ports?.forEach(({hostPort = 0, containerPort}, n) => {
      if (hostPort === containerPort || (pod === undefined && hostPort === 0)) return;
      const at = path.child('containers').index(i).child('ports').index(n).child('hostPort');
      errors.push(invalid(at, hostPort, 'must match `containerPort` when `hostNetwork` is true'));
    });
  });
}

function dnsConfig(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const config = spec.dnsConfig;
  const servers = config?.nameservers ?? [];
  if (spec.dnsPolicy === 'None') {
    if (!config) {
      errors.push(required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'));
      return;
    }
    if (servers.length === 0) {
      errors.push(required(path.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None'));
      return;
    }
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

function os(spec: PodSpec, path: FieldPath, errors: Errors): void {
  const name = spec.os?.name;
  if (!spec.os) return;
  if (!name) errors.push(required(path.child('os', 'name')));
  else if (name === 'windows') onlyWindows(spec, path, errors);
  else if (name === 'linux') onlyLinux(spec, path, errors);
  else errors.push(notSupported(path.child('os'), name, ['linux', 'windows']));
}
