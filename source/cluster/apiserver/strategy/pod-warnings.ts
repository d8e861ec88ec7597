// Warnings about pods and pod templates that are accepted: old names, things said twice, quantities that mean little. Specs are
// shared, so each is looked through once.
import type {Container, ContainerPort, PodAffinity, PodSpec} from '../../../api/kinds/core-v1.ts';
import {MOST_WARNED} from '../http/reply.ts';
import {addressWarning} from './address-warnings.ts';
import {expressionWarnings, keyWarning, mapWarnings} from './label-warnings.ts';
import {fraction, volumeWarnings} from './volume-warnings.ts';

const NONE: readonly string[] = Object.freeze([]);
const known = new WeakMap<PodSpec, Map<string, readonly string[]>>();

/** What there is to say about a spec that stands under a path (`spec`, `spec.template.spec`). */
export function specWarnings(spec: PodSpec | undefined, path: string): readonly string[] {
  if (!spec) return NONE;
  const found = known.get(spec)?.get(path);
  if (found) return found;
  const made = warn(spec, path);
  if (Object.isFrozen(spec)) known.set(spec, (known.get(spec) ?? new Map<string, readonly string[]>()).set(path, made));
  return made;
}

/** What there is to say about the annotations of a pod or template. */
export function annotationWarnings(annotations: Readonly<Record<string, string>> | undefined, path: string): readonly string[] {
  if (!annotations) return NONE;
  return Object.keys(annotations).flatMap(name => {
    const about = (text: string): string[] => [`${path}.annotations[${name}]: ${text}`];
    if (name === 'seccomp.security.alpha.kubernetes.io/pod')
      return about('non-functional in v1.27+; use the "seccompProfile" field instead');
    if (name.startsWith('container.seccomp.security.alpha.kubernetes.io/'))
      return about('non-functional in v1.27+; use the "seccompProfile" field instead');
    if (name.startsWith('container.apparmor.security.beta.kubernetes.io/'))
      return about('deprecated since v1.30; use the "appArmorProfile" field instead');
    if (name === 'security.alpha.kubernetes.io/sysctls' || name === 'security.alpha.kubernetes.io/unsafe-sysctls')
      return about('non-functional in v1.11+; use the "sysctls" field instead');
    return name === 'scheduler.alpha.kubernetes.io/critical-pod'
      ? about('non-functional in v1.16+; use the "priorityClassName" field instead')
      : [];
  });
}

function warn(spec: PodSpec, path: string): readonly string[] {
  const made = [
    ...mapWarnings(spec.nodeSelector, name => `${path}.nodeSelector[${name}]`),
    ...affinityKeys(spec, path),
    ...spreading(spec, path),
    ...volumeWarnings(spec.volumes, `${path}.volumes`),
    ...aliases(spec, path),
    ...pullSecrets(spec, path),
    ...BYTES.flatMap(name => fraction(spec.overhead?.[name], `${path}.overhead[${name}]`)),
    ...everyContainer(spec, path).flatMap(({container, at}) => [...fractions(container, at), ...hiddenVariables(container, at)]),
    ...ports(spec, path),
    ...grace(spec, path),
    ...podTerms(spec.affinity?.podAffinity, `${path}.affinity.podAffinity`),
    ...podTerms(spec.affinity?.podAntiAffinity, `${path}.affinity.podAntiAffinity`),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((address, index) =>
      addressWarning(address, `${path}.dnsConfig.nameservers[${index}]`),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ip}, index) => addressWarning(ip, `${path}.hostAliases[${index}].ip`)),
  ];
  return made.length === 0 ? NONE : Object.freeze(made);
}

function affinityKeys(spec: PodSpec, path: string): string[] {
  const {requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution: preferred} =
    spec.affinity?.nodeAffinity ?? {};
  const base = `${path}.affinity.nodeAffinity`;
  const terms = [
    ...(required?.nodeSelectorTerms ?? []).map((term, index) => ({
      term,
      at: `${base}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`,
    })),
    ...(preferred ?? []).map(({preference}, index) => ({
      term: preference,
      at: `${base}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`,
    })),
  ];
  return terms.flatMap(({term, at}) => expressionWarnings(term.matchExpressions, at));
}

const MATCHES_NONE = 'a null labelSelector results in matching no pod';

function spreading(spec: PodSpec, path: string): string[] {
  return (spec.topologySpreadConstraints ?? []).flatMap(({topologyKey, labelSelector}, index) => {
    const at = `${path}.topologySpreadConstraints[${index}]`;
    const old = keyWarning(topologyKey, `${at}.topologyKey`);
    return labelSelector ? old : [...old, `${at}.labelSelector: ${MATCHES_NONE}`];
  });
}

function podTerms(affinity: PodAffinity | undefined, path: string): string[] {
  const {requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution: preferred} =
    affinity ?? {};
  const [hard, soft] = ['requiredDuringSchedulingIgnoredDuringExecution', 'preferredDuringSchedulingIgnoredDuringExecution'];
  const terms = [
    ...(required ?? []).map((term, index) => ({term, at: `${path}.${hard}[${index}]`})),
    ...(preferred ?? []).map((each, index) => ({term: each.podAffinityTerm, at: `${path}.${soft}[${index}].podAffinityTerm`})),
  ];
  return terms.flatMap(({term, at}) => (term.labelSelector ? [] : [`${at}.labelSelector: ${MATCHES_NONE}`]));
}

function grace({terminationGracePeriodSeconds: seconds = 0}: PodSpec, path: string): string[] {
  if (seconds >= 0) return [];
  return [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`];
}

function aliases(spec: PodSpec, path: string): string[] {
  const seen = new Set<string>();
  return (spec.hostAliases ?? []).flatMap(({ip}, index) => {
    const twice = seen.has(ip);
    seen.add(ip);
    return twice ? [`${path}.hostAliases[${index}].ip: duplicate ip ${JSON.stringify(ip)}`] : [];
  });
}

function pullSecrets(spec: PodSpec, path: string): string[] {
  const seen = new Set<string>();
  return (spec.imagePullSecrets ?? []).flatMap(({name = ''}, index) => {
    const at = `${path}.imagePullSecrets[${index}].name`;
    if (name === '') return [`${at}: invalid empty name ""`];
    const twice = seen.has(name);
    seen.add(name);
    return twice ? [`${at}: duplicate name ${JSON.stringify(name)}`] : [];
  });
}

interface Placed {
  readonly container: Container;
  readonly at: string;
}

function everyContainer(spec: PodSpec, path: string): Placed[] {
  const placed = (list: readonly Container[] | undefined, field: string) =>
    (list ?? []).map((container, index) => ({container, at: `${path}.${field}[${index}]`}));
  return [...placed(spec.initContainers, 'initContainers'), ...placed(spec.containers, 'containers')];
}

const BYTES = ['memory', 'ephemeral-storage'] as const;

function fractions({resources}: Container, at: string): string[] {
  return BYTES.flatMap(name =>
    (['limits', 'requests'] as const).flatMap(side => fraction(resources?.[side]?.[name], `${at}.resources.${side}[${name}]`)),
  );
}

/** A variable may be made of its former self; else that is lost. */
function hiddenVariables({env}: Container, at: string): string[] {
  const seen = new Set<string>();
  return (env ?? []).flatMap(({name, value = '', valueFrom}, index) => {
    const again = seen.has(name);
    seen.add(name);
    const former = `$(${name})`;
    const hides = again && (valueFrom !== undefined || value === former || !value.includes(former));
    return hides
      ? [`${at}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`]
      : [];
  });
}

/** Ports of all containers that are the same, or as good as the same; no more of them than an answer has room for. */
function ports(spec: PodSpec, path: string): string[] {
  const known = new Map<string, {readonly port: ContainerPort; readonly at: string}[]>();
  const made: string[] = [];
  for (const {container, at: place} of everyContainer(spec, path)) {
    for (const [index, port] of (container.ports ?? []).entries()) {
      if (made.length > MOST_WARNED) return made;
      const at = `${place}.ports[${index}]`;
      if (port.hostIP && !port.hostPort) made.push(`${at}: hostIP set without hostPort: ${goPort(port)}`);
      const number = `${port.containerPort}/${port.protocol ?? 'TCP'}`;
      const others = known.get(number);
      for (const other of others ?? []) {
        const how = sameness(port, other.port);
        if (how) made.push(`${at}: ${how} port definition with ${other.at}`);
      }
      if (others) others.push({port, at});
      else known.set(number, [{port, at}]);
    }
  }
  return made;
}

/** The same number and protocol, where nothing else tells them apart. */
function sameness(a: ContainerPort, b: ContainerPort): string | undefined {
  const {hostIP = '', hostPort = 0} = a;
  const {hostIP: otherIP = '', hostPort: otherPort = 0} = b;
  if (hostIP === otherIP && hostPort === otherPort) return 'duplicate';
  if (hostPort === 0 || otherPort === 0) return 'overlapping';
  return hostPort === otherPort && (hostIP === '') !== (otherIP === '') ? 'dangerously ambiguous' : undefined;
}

/** A port as Go prints a struct. */
function goPort({name = '', hostPort = 0, containerPort, protocol = 'TCP', hostIP = ''}: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}
