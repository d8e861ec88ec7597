// From a pod to its sandbox: host name, name servers, ports of the node.
import type {Pod} from '../../api/kinds/core-v1.ts';
import type {SandboxConfig} from '../../api/wire/cri.ts';
import type {KubeletParts} from './surroundings.ts';

const EMPTY: readonly string[] = Object.freeze([]);

/** What the runtime is asked for. */
export function sandboxConfig(pod: Pod, attempt: number, parts: KubeletParts): SandboxConfig {
  const {metadata, spec} = pod;
  const hostNetwork = spec.hostNetwork === true;
  const hostPorts = spec.containers.flatMap(container =>
    (container.ports ?? []).flatMap(({hostPort, containerPort, hostIP}) =>
      hostPort ? [{hostPort, containerPort, ...(hostIP ? {hostIP} : {})}] : [],
    ),
  );
  const namespace = metadata.namespace ?? 'default';
  const own = spec.hostnameOverride ?? spec.hostname ?? metadata.name.slice(0, 63);
  const hostname = hostNetwork ? parts.config.name : own;
  const fullName =
    spec.subdomain && spec.hostnameOverride === undefined
      ? `${hostname}.${spec.subdomain}.${namespace}.svc.${parts.names.domain}`
      : undefined;
  const processes = spec.hostPID ? 'node' : spec.shareProcessNamespace ? 'pod' : undefined;
  return {
    name: metadata.name,
    namespace,
    uid: metadata.uid,
    attempt,
    hostname: spec.setHostnameAsFQDN && fullName !== undefined ? fullName : hostname,
    hostNetwork,
    ...(metadata.labels ? {labels: metadata.labels} : {}),
    dns: dnsOf(pod, parts),
    ...(fullName === undefined ? {} : {fullName}),
    ...(processes ? {processes} : {}),
    ...(spec.securityContext?.sysctls
      ? {sysctls: Object.fromEntries(spec.securityContext.sysctls.map(({name, value}) => [name.replaceAll('/', '.'), value]))}
      : {}),
    ...(spec.hostAliases ? {hostAliases: spec.hostAliases.map(({ip, hostnames = []}) => ({ip, hostnames}))} : {}),
    ...(hostPorts.length > 0 && !hostNetwork ? {hostPorts} : {}),
  };
}

const plain = new Map<string, NonNullable<SandboxConfig['dns']>>();

function dnsOf(pod: Pod, {names, files}: KubeletParts): NonNullable<SandboxConfig['dns']> {
  const {dnsPolicy = 'ClusterFirst', dnsConfig, hostNetwork} = pod.spec;
  const namespace = pod.metadata.namespace ?? 'default';
  const cluster = dnsPolicy === 'ClusterFirstWithHostNet' || (dnsPolicy === 'ClusterFirst' && !hostNetwork);
  const own = cluster || dnsPolicy === 'None' ? '' : (files.read('/etc/resolv.conf') ?? '');
  const key = `${cluster} ${own} ${namespace} ${names.dns} ${names.domain}`;
  const base = plain.get(key) ?? {
    servers: cluster ? [names.dns] : wordsAfter(own, 'nameserver'),
    searches: cluster ? [`${namespace}.svc.${names.domain}`, `svc.${names.domain}`, names.domain] : wordsAfter(own, 'search'),
    options: cluster ? ['ndots:5'] : EMPTY,
  };
  plain.set(key, base);
  if (!dnsConfig) return base;
  const options = new Map(base.options.map(option => [option.split(':')[0] ?? '', option]));
  for (const {name = '', value} of dnsConfig.options ?? []) options.set(name, value === undefined ? name : `${name}:${value}`);
  return {
    servers: [...new Set([...base.servers, ...(dnsConfig.nameservers ?? [])])],
    searches: [...new Set([...base.searches, ...(dnsConfig.searches ?? [])])],
    options: [...options.values()],
  };
}

/** The words that follow a keyword in the node's resolv.conf. */
function wordsAfter(text: string, keyword: string): readonly string[] {
  return text.split('\n').flatMap(line => {
    const [first, ...rest] = line.trim().split(/\s+/);
    return first === keyword ? rest : [];
  });
}
