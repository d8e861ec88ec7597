// The Pod Security Standards as checks: each gives the sentence that a pod breaks, or nothing. They stand in the order in which they
// are told.
import {SAFE_SYSCTLS} from '../../../api/meta/sysctls.ts';
import type {Container, PodSpec, Volume} from '../../../api/kinds/core-v1.ts';

/** One rule of a standard. */
export type Check = (spec: PodSpec) => string | undefined;

type Context = NonNullable<Container['securityContext']>;

/** All containers, as far as they have a name and a security context. */
function containersOf(spec: PodSpec): readonly Container[] {
  const {containers, initContainers = [], ephemeralContainers = []} = spec;
  return [...initContainers, ...containers, ...(ephemeralContainers as readonly Container[])];
}

function quoted(values: readonly string[]): string {
  return values.map(value => JSON.stringify(value)).join(', ');
}

/** `container "a"`, `containers "a", "b"`. */
function named(noun: string, values: readonly string[]): string {
  return `${noun}${values.length === 1 ? '' : 's'} ${quoted(values)}`;
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

/** Names of the containers that a test finds. */
function which(spec: PodSpec, test: (context: Context, container: Container) => boolean): readonly string[] {
  return containersOf(spec)
    .filter(each => test(each.securityContext ?? {}, each))
    .map(each => each.name);
}

const DEFAULT_CAPABILITIES = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

const appArmor: Check = ({securityContext, ...spec}) => {
  const bad = (type: string | undefined): boolean => type === 'Unconfined';
  const setters: string[] = [];
  if (bad(securityContext?.appArmorProfile?.type)) setters.push('pod');
  const names = which(spec as PodSpec, context => bad(context.appArmorProfile?.type));
  if (names.length > 0) setters.push(named('container', names));
  return setters.length === 0
    ? undefined
    : `forbidden AppArmor profile (${setters.join(' and ')} must not set AppArmor profile type to "Unconfined")`;
};

const capabilities: Check = spec => {
  const bad = (context: Context): string[] => context.capabilities?.add?.filter(each => !DEFAULT_CAPABILITIES.has(each)) ?? [];
  const names = which(spec, context => bad(context).length > 0);
  if (names.length === 0) return undefined;
  const added = unique(containersOf(spec).flatMap(each => bad(each.securityContext ?? {})));
  return `non-default capabilities (${named('container', names)} must not include ${quoted(added)} in securityContext.capabilities.add)`;
};

const hostNamespaces: Check = spec => {
  const used = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter(name => spec[name] === true).map(name => `${name}=true`);
  return used.length === 0 ? undefined : `host namespaces (${used.join(', ')})`;
};

const hostPaths: Check = spec => {
  const names = (spec.volumes ?? []).filter(volume => volume.hostPath).map(volume => volume.name);
  return names.length === 0 ? undefined : `hostPath volumes (${named('volume', names)})`;
};

const hostPorts: Check = spec => {
  const ports = (container: Container): number[] =>
    (container.ports ?? []).map(port => port.hostPort ?? 0).filter(port => port !== 0);
  const names = which(spec, (_context, container) => ports(container).length > 0);
  if (names.length === 0) return undefined;
  const all = [...new Set(containersOf(spec).flatMap(ports))].sort((a, b) => a - b);
  return `hostPort (${named('container', names)} ${names.length === 1 ? 'uses' : 'use'} hostPort${all.length === 1 ? '' : 's'} ${all.join(', ')})`;
};

const probeHosts: Check = spec => {
  const hosts = (container: Container): string[] => {
    const {livenessProbe, readinessProbe, startupProbe, lifecycle} = container;
    const handlers = [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop];
    return handlers
      .flatMap(each => [each?.httpGet?.host ?? '', each?.tcpSocket?.host ?? ''])
      .filter(host => host !== '' && host !== '127.0.0.1' && host !== '::1');
  };
  const names = which(spec, (_context, container) => hosts(container).length > 0);
  if (names.length === 0) return undefined;
  const all = unique(containersOf(spec).flatMap(hosts));
  return `probe or lifecycle host (${named('container', names)} ${names.length === 1 ? 'uses' : 'use'} probe or lifecycle host${all.length === 1 ? '' : 's'} ${quoted(all)})`;
};

const privileged: Check = spec => {
  const names = which(spec, context => context.privileged === true);
  return names.length === 0
    ? undefined
    : `privileged (${named('container', names)} must not set securityContext.privileged=true)`;
};

/** A pod with its own user namespace may have any proc mount. */
const procMount: Check = spec => {
  if (spec.hostUsers === false) return undefined;
  const bad = (context: Context): boolean => context.procMount !== undefined && context.procMount !== 'Default';
  const names = which(spec, bad);
  if (names.length === 0) return undefined;
  const values = unique(
    containersOf(spec).flatMap(each => (bad(each.securityContext ?? {}) ? [each.securityContext?.procMount ?? ''] : [])),
  );
  return `procMount (${named('container', names)} must not set securityContext.procMount to ${quoted(values)})`;
};

const SELINUX_TYPES = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);

const seLinux: Check = spec => {
  const options = [
    ...(spec.securityContext?.seLinuxOptions ? [{who: '', options: spec.securityContext.seLinuxOptions}] : []),
    ...containersOf(spec).flatMap(each =>
      each.securityContext?.seLinuxOptions ? [{who: each.name, options: each.securityContext.seLinuxOptions}] : [],
    ),
  ];
  const bad = options.filter(each => !SELINUX_TYPES.has(each.options.type ?? '') || each.options.user || each.options.role);
  if (bad.length === 0) return undefined;
  const names = bad.map(each => each.who).filter(who => who !== '');
  const setters = [
    ...(bad.some(each => each.who === '') ? ['pod'] : []),
    ...(names.length > 0 ? [named('container', names)] : []),
  ];
  const types = unique(bad.map(each => each.options.type ?? '').filter(type => !SELINUX_TYPES.has(type)));
  const problems = [
    ...(types.length > 0 ? [`type${types.length === 1 ? '' : 's'} ${quoted(types)}`] : []),
    ...(bad.some(each => each.options.user) ? ['user may not be set'] : []),
    ...(bad.some(each => each.options.role) ? ['role may not be set'] : []),
  ];
  return `seLinuxOptions (${setters.join(' and ')} set forbidden securityContext.seLinuxOptions: ${problems.join('; ')})`;
};

const seccompBaseline: Check = spec => {
  const bad = (type: string | undefined): boolean => type === 'Unconfined';
  const names = which(spec, context => bad(context.seccompProfile?.type));
  const setters = [
    ...(bad(spec.securityContext?.seccompProfile?.type) ? ['pod'] : []),
    ...(names.length > 0 ? [named('container', names)] : []),
  ];
  return setters.length === 0
    ? undefined
    : `seccompProfile (${setters.join(' and ')} must not set securityContext.seccompProfile.type to "Unconfined")`;
};

const sysctls: Check = spec => {
  const names = (spec.securityContext?.sysctls ?? []).map(each => each.name).filter(name => !SAFE_SYSCTLS.has(name));
  return names.length === 0 ? undefined : `forbidden sysctls (${names.join(', ')})`;
};

const hostProcess: Check = spec => {
  const names = which(spec, context => context.windowsOptions?.hostProcess === true);
  const setters = [
    ...(spec.securityContext?.windowsOptions?.hostProcess ? ['pod'] : []),
    ...(names.length > 0 ? [named('container', names)] : []),
  ];
  return setters.length === 0
    ? undefined
    : `hostProcess (${setters.join(' and ')} must not set securityContext.windowsOptions.hostProcess=true)`;
};

/** What Windows does not know is not asked of its pods. */
function isWindows(spec: PodSpec): boolean {
  return spec.os?.name === 'windows';
}

const escalation: Check = spec => {
  if (isWindows(spec)) return undefined;
  const names = which(spec, context => context.allowPrivilegeEscalation !== false);
  return names.length === 0
    ? undefined
    : `allowPrivilegeEscalation != false (${named('container', names)} must set securityContext.allowPrivilegeEscalation=false)`;
};

const droppedCapabilities: Check = spec => {
  if (isWindows(spec)) return undefined;
  const keeps = which(spec, context => !(context.capabilities?.drop ?? []).includes('ALL'));
  const extra = (context: Context): string[] => context.capabilities?.add?.filter(each => each !== 'NET_BIND_SERVICE') ?? [];
  const adds = which(spec, context => extra(context).length > 0);
  const added = unique(containersOf(spec).flatMap(each => extra(each.securityContext ?? {})));
  const parts = [
    ...(keeps.length > 0 ? [`${named('container', keeps)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adds.length > 0
      ? [`${named('container', adds)} must not include ${quoted(added)} in securityContext.capabilities.add`]
      : []),
  ];
  return parts.length === 0 ? undefined : `unrestricted capabilities (${parts.join('; ')})`;
};

const ALLOWED_VOLUMES: readonly (keyof Volume)[] = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

const volumeTypes: Check = spec => {
  const bad = (spec.volumes ?? []).filter(volume => !ALLOWED_VOLUMES.some(type => volume[type] !== undefined));
  if (bad.length === 0) return undefined;
  const types = unique(bad.flatMap(volume => Object.keys(volume).filter(key => key !== 'name')));
  const names = bad.map(volume => volume.name);
  return `restricted volume types (${named('volume', names)} ${names.length === 1 ? 'uses' : 'use'} restricted volume type${types.length === 1 ? '' : 's'} ${quoted(types)})`;
};

const nonRoot: Check = spec => {
  const {runAsNonRoot} = spec.securityContext ?? {};
  const explicit = which(spec, context => context.runAsNonRoot === false);
  if (runAsNonRoot === false || explicit.length > 0) {
    const setters = [...(runAsNonRoot === false ? ['pod'] : []), ...(explicit.length > 0 ? [named('container', explicit)] : [])];
    return `runAsNonRoot != true (${setters.join(' and ')} must not set securityContext.runAsNonRoot=false)`;
  }
  const silent = which(spec, context => context.runAsNonRoot === undefined);
  if (runAsNonRoot === true || silent.length === 0) return undefined;
  return `runAsNonRoot != true (pod or ${named('container', silent)} must set securityContext.runAsNonRoot=true)`;
};

const rootUser: Check = spec => {
  const names = which(spec, context => context.runAsUser === 0);
  const setters = [
    ...(spec.securityContext?.runAsUser === 0 ? ['pod'] : []),
    ...(names.length > 0 ? [named('container', names)] : []),
  ];
  return setters.length === 0 ? undefined : `runAsUser=0 (${setters.join(' and ')} must not set runAsUser=0)`;
};

const seccompRestricted: Check = spec => {
  if (isWindows(spec)) return undefined;
  const good = (type: string | undefined): boolean => type === 'RuntimeDefault' || type === 'Localhost';
  const own = spec.securityContext?.seccompProfile?.type;
  const explicit = which(spec, context => context.seccompProfile?.type !== undefined && !good(context.seccompProfile.type));
  const podBad = own !== undefined && !good(own);
  if (podBad || explicit.length > 0) {
    const setters = [...(podBad ? ['pod'] : []), ...(explicit.length > 0 ? [named('container', explicit)] : [])];
    return `seccompProfile (${setters.join(' and ')} must not set securityContext.seccompProfile.type to "Unconfined")`;
  }
  const silent = which(spec, context => context.seccompProfile === undefined);
  if (good(own) || silent.length === 0) return undefined;
  return `seccompProfile (pod or ${named('container', silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")`;
};

/** What keeps a pod from known ways to break out of its container. */
const BASELINE: readonly Check[] = [
  appArmor,
  capabilities,
  hostNamespaces,
  hostPaths,
  hostPorts,
  probeHosts,
  privileged,
  procMount,
  seLinux,
  seccompBaseline,
  sysctls,
  hostProcess,
];

/** The baseline, and the practice of hardened pods; where both speak of the same thing, the stricter one does. */
const RESTRICTED: readonly Check[] = [
  appArmor,
  hostNamespaces,
  hostPorts,
  probeHosts,
  privileged,
  procMount,
  seLinux,
  sysctls,
  hostProcess,
  escalation,
  droppedCapabilities,
  volumeTypes,
  nonRoot,
  rootUser,
  seccompRestricted,
];

/** The minor version with which a rule came, where it did not always stand. */
const SINCE: ReadonlyMap<Check, number> = new Map([
  [escalation, 8],
  [seccompBaseline, 19],
  [seccompRestricted, 19],
  [droppedCapabilities, 22],
  [rootUser, 23],
  [probeHosts, 34],
]);

/** The rules of a standard as they were in a minor version. */
export function checksOf(level: 'baseline' | 'restricted', minor: number): readonly Check[] {
  const all = level === 'baseline' ? BASELINE : RESTRICTED;
  const old = level === 'restricted' && minor < (SINCE.get(droppedCapabilities) ?? 0) ? [capabilities] : [];
  return [...old, ...all].filter(check => (SINCE.get(check) ?? 0) <= minor);
}
