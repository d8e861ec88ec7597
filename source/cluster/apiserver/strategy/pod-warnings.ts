// Warnings about pods and pod templates that are accepted: old names, things said twice, quantities that mean little. Specs are
// shared, so each is looked through once.
import type {Container, PodSpec} from '../../../api/kinds/core-v1.ts';
import {milliValue} from '../../../api/meta/quantity.ts';

const OLD_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
};

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
    return name === 'scheduler.alpha.kubernetes.io/critical-pod'
      ? about('non-functional in v1.16+; use the "priorityClassName" field instead')
      : [];
  });
}

function warn(spec: PodSpec, path: string): readonly string[] {
  const made = [
    ...Object.keys(spec.nodeSelector ?? {}).flatMap(name =>
      OLD_LABELS[name] ? [`${path}.nodeSelector[${name}]: ${OLD_LABELS[name]}`] : [],
    ),
    ...affinityKeys(spec, path),
    ...spreadKeys(spec, path),
    ...aliases(spec, path),
    ...pullSecrets(spec, path),
    ...(spec.volumes ?? []).flatMap((volume, index) =>
      volume.gitRepo ? [`${path}.volumes[${index}].gitRepo: deprecated in v1.11, and disabled by default in v1.33+`] : [],
    ),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((address, index) =>
      addressWarning(address, `${path}.dnsConfig.nameservers[${index}]`),
    ),
    ...containers(spec.initContainers, `${path}.initContainers`),
    ...containers(spec.containers, `${path}.containers`),
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
  return terms.flatMap(({term, at}) =>
    (term.matchExpressions ?? []).flatMap(({key}, index) =>
      OLD_LABELS[key] ? [`${at}.matchExpressions[${index}].key: ${key} is ${OLD_LABELS[key]}`] : [],
    ),
  );
}

function spreadKeys(spec: PodSpec, path: string): string[] {
  return (spec.topologySpreadConstraints ?? []).flatMap(({topologyKey}, index) => {
    const old = OLD_LABELS[topologyKey];
    return old ? [`${path}.topologySpreadConstraints[${index}].topologyKey: ${topologyKey} is ${old}`] : [];
  });
}

function aliases(spec: PodSpec, path: string): string[] {
  const seen = new Set<string>();
  return (spec.hostAliases ?? []).flatMap(({ip}, index) => {
    const twice = seen.has(ip);
    seen.add(ip);
    const at = `${path}.hostAliases[${index}].ip`;
    return [...(twice ? [`${at}: duplicate ip ${JSON.stringify(ip)}`] : []), ...addressWarning(ip, at)];
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

/** An address whose numbers begin with zeros. */
export function addressWarning(address: string, at: string): string[] {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(address) || !/(^|\.)0\d/.test(address)) return [];
  const plain = address.split('.').map(Number).join('.');
  return [
    `${at}: non-standard IP address ${JSON.stringify(address)} will be considered invalid in a future Kubernetes release: use ${JSON.stringify(plain)}`,
  ];
}

function containers(list: readonly Container[] | undefined, path: string): string[] {
  return (list ?? []).flatMap((container, index) => {
    const at = `${path}[${index}]`;
    return [...fractions(container, at), ...hiddenVariables(container, at), ...samePorts(container, at)];
  });
}

function fractions({resources}: Container, at: string): string[] {
  return (['limits', 'requests'] as const).flatMap(side =>
    ['memory', 'ephemeral-storage'].flatMap(name => {
      const quantity = resources?.[side]?.[name];
      if (quantity === undefined || milliValue(quantity) % 1000 === 0) return [];
      return [
        `${at}.resources.${side}[${name}]: fractional byte value ${JSON.stringify(String(quantity))} is invalid, must be an integer`,
      ];
    }),
  );
}

function hiddenVariables({env}: Container, at: string): string[] {
  const seen = new Set<string>();
  return (env ?? []).flatMap(({name}, index) => {
    const hides = seen.has(name);
    seen.add(name);
    return hides
      ? [`${at}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`]
      : [];
  });
}

function samePorts({ports}: Container, at: string): string[] {
  const first = new Map<string, number>();
  return (ports ?? []).flatMap(({containerPort, protocol = 'TCP', hostPort = 0, hostIP = ''}, index) => {
    const key = `${containerPort} ${protocol} ${hostPort} ${hostIP}`;
    const before = first.get(key);
    if (before === undefined) first.set(key, index);
    return before === undefined ? [] : [`${at}.ports[${index}]: duplicate port definition with ${at}.ports[${before}]`];
  });
}
