// What may be written as the status of a pod: conditions by good names, addresses, and containers that stay ended.
import type {ContainerStatus, Pod, PodSpec} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, root} from '../meta/field-error.ts';
import {checkQualifiedName, checkSubdomain} from '../meta/names.ts';
import {oldIpFamily} from '../meta/ip.ts';
import {ipAddress} from './addresses.ts';
import {podAnnotations, podAnnotationsStay} from './pod-annotations.ts';
import {type Errors, immutable, sentences} from './rules.ts';

/** Conditions that the cluster itself writes, and writes often. */
const SYSTEM: ReadonlySet<string> = new Set([
  'PodScheduled',
  'Ready',
  'Initialized',
  'ContainersReady',
  'PodReadyToStartContainers',
  'DisruptionTarget',
]);
const NOT_COUNTED = 'must be a non-negative integer';

/** A pod with another status. */
export function validatePodStatus(pod: Pod, before: Pod, errors: Errors): void {
  const annotated = root('metadata', 'annotations');
  if (pod.metadata.annotations !== before.metadata.annotations) {
    podAnnotationsStay(pod.metadata.annotations, before.metadata.annotations, {path: annotated, errors});
    podAnnotations(pod.metadata, {path: annotated, spec: pod.spec, specPath: root('spec')}, errors);
  }
  const path = root('status');
  const {status = {}} = pod;
  const old = before.status ?? {};
  conditions(status.conditions ?? [], path.child('conditions'), errors);
  nominated(pod, before, {path: path.child('nominatedNodeName'), errors});
  const seen = status.observedGeneration ?? 0;
  if (seen < 0) errors.push(invalid(path.child('observedGeneration'), seen, NOT_COUNTED));
  immutable(status.qosClass ?? '', old.qosClass ?? '', {path: path.child('qosClass'), errors});
  for (const list of ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const) {
    const change = {now: status[list] ?? [], old: old[list] ?? []};
    staysEnded(change, {list, spec: before.spec, path: path.child(list)}, errors);
  }
  claimStatuses(pod, path.child('resourceClaimStatuses'), errors);
  if (status.podIPs !== old.podIPs) addresses(status.podIPs ?? [], path.child('podIPs'), errors);
  const hostIPs = status.hostIPs ?? [];
  const first = hostIPs[0]?.ip;
  if (hostIPs.length > 0 && status.hostIP !== first)
    errors.push(invalid(path.child('hostIPs').index(0).child('ip'), first, 'must be equal to `hostIP`'));
  if (hostIPs !== old.hostIPs) addresses(hostIPs, path.child('hostIPs'), errors);
}

function conditions(
  list: readonly {readonly type: string; readonly observedGeneration?: number}[],
  path: FieldPath,
  errors: Errors,
): void {
  list.forEach(({type, observedGeneration = 0}, i) => {
    const at = path.index(i);
    if (observedGeneration < 0) errors.push(invalid(at.child('observedGeneration'), observedGeneration, NOT_COUNTED));
    if (!SYSTEM.has(type)) sentences(checkQualifiedName(type), {path: at.child('Type'), value: type}, errors);
  });
}

function nominated(pod: Pod, before: Pod, {path, errors}: {path: FieldPath; errors: Errors}): void {
  const name = pod.status?.nominatedNodeName;
  if (!name || name === before.status?.nominatedNodeName) return;
  sentences(checkSubdomain(name), {path, value: name}, errors);
  if (before.spec.nodeName) errors.push(forbiddenField(path, 'may not be set on pods that are already bound to a node'));
}

interface Change {
  readonly now: readonly ContainerStatus[];
  readonly old: readonly ContainerStatus[];
}

interface Where {
  readonly list: 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';
  readonly spec: PodSpec;
  readonly path: FieldPath;
}

/** What has ended for good does not run again. */
function staysEnded({now, old}: Change, {list, spec, path}: Where, errors: Errors): void {
  const present = new Map(now.toReversed().map(each => [each.name, each]));
  old.forEach(({name, state}, i) => {
    if (!state?.terminated || startsAgain(name, state.terminated.exitCode, {list, spec})) return;
    const next = present.get(name);
    if (next && !next.state?.terminated)
      errors.push(forbiddenField(path.index(i).child('state'), 'may not be transitioned to non-terminated state'));
  });
}

function startsAgain(name: string, code: number, {list, spec}: Omit<Where, 'path'>): boolean {
  if (list === 'ephemeralContainerStatuses') return false;
  const own = (list === 'containerStatuses' ? spec.containers : (spec.initContainers ?? [])).find(each => each.name === name);
  if (list === 'containerStatuses' && !own) return false;
  for (const {exitCodes} of own?.restartPolicyRules ?? []) {
    const listed = exitCodes?.values?.includes(code) ?? false;
    if (exitCodes && (exitCodes.operator === 'In' ? listed : !listed)) return true;
  }
  const policy = own?.restartPolicy ?? spec.restartPolicy;
  return policy === 'Always' || (policy === 'OnFailure' && code !== 0);
}

function claimStatuses({spec, status}: Pod, path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  status?.resourceClaimStatuses?.forEach(({name, resourceClaimName}, i) => {
    const at = path.index(i).child('name');
    if (!spec.resourceClaims?.some(claim => claim.name === name))
      errors.push(invalid(at, name, 'must match the name of an entry in `spec.resourceClaims`'));
    if (names.has(name)) errors.push(duplicate(at, name));
    names.add(name);
    if (resourceClaimName !== undefined)
      sentences(checkSubdomain(resourceClaimName), {path: at, value: resourceClaimName}, errors);
  });
}

/** One address, or one of each family. */
function addresses(list: readonly {readonly ip: string}[], path: FieldPath, errors: Errors): void {
  list.forEach(({ip}, i) => ipAddress(ip, path.index(i), errors));
  const families = new Set(list.map(({ip}) => oldIpFamily(ip)));
  if (list.length > 1 && (families.size !== 2 || list.length > 2))
    errors.push(
      invalid(
        path,
        list.map(({ip}) => ({IP: ip})),
        'may specify no more than one IP for each IP family',
      ),
    );
}
