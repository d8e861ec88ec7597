// The profiles of `kubectl debug`: what the debugging container may do, and what a copy of a pod or a pod on a node shares.
import type {Container, Pod, PodSpec} from '../../../api/kinds/core-v1.ts';

export type Style = 'ephemeral' | 'copy' | 'node';

export const PROFILES = ['legacy', 'general', 'baseline', 'netadmin', 'restricted', 'sysadmin'] as const;
export type Profile = (typeof PROFILES)[number];

export function isProfile(word: string): word is Profile {
  return (PROFILES as readonly string[]).includes(word);
}

/** What a copy keeps of its pod. */
export interface Kept {
  readonly labels: boolean;
  readonly annotations: boolean;
  readonly liveness: boolean;
  readonly readiness: boolean;
  readonly startup: boolean;
  readonly initContainers: boolean;
}

/** The container as the profile wants it. */
export function profiled(container: Container, profile: Profile, style: Style): Container {
  const security = securityOf(profile, style);
  return security ? {...container, securityContext: security} : container;
}

function securityOf(profile: Profile, style: Style): Container['securityContext'] {
  switch (profile) {
    case 'general':
      return style === 'node' ? undefined : {capabilities: {add: ['SYS_PTRACE']}};
    case 'restricted':
      return {
        allowPrivilegeEscalation: false,
        capabilities: {drop: ['ALL']},
        runAsNonRoot: true,
        seccompProfile: {type: 'RuntimeDefault'},
      };
    case 'netadmin':
      return {capabilities: {add: ['NET_ADMIN', 'NET_RAW']}};
    case 'sysadmin':
      return {privileged: true};
    default:
      return undefined;
  }
}

/** What a pod on a node shares with it. */
export function onNode(spec: PodSpec, profile: Profile, containerName: string): PodSpec {
  if (profile === 'baseline' || profile === 'restricted') return spec;
  const shared = {...spec, hostIPC: true, hostNetwork: true, hostPID: true};
  if (profile === 'netadmin') return shared;
  return {
    ...shared,
    containers: spec.containers.map(container =>
      container.name === containerName ? {...container, volumeMounts: [{mountPath: '/host', name: 'host-root'}]} : container,
    ),
    volumes: [{name: 'host-root', hostPath: {path: '/'}}],
  };
}

/** A copy of a pod without what it does not keep. */
export function keeping(pod: Pod, kept: Kept): Pod {
  const {labels, annotations, ...metadata} = pod.metadata;
  const {initContainers, ...spec} = pod.spec as PodSpec;
  return {
    ...pod,
    metadata: {
      ...metadata,
      ...(kept.labels && labels ? {labels} : {}),
      ...(kept.annotations && annotations ? {annotations} : {}),
    },
    spec: {
      ...spec,
      ...(kept.initContainers && initContainers ? {initContainers} : {}),
      containers: spec.containers.map(({livenessProbe, readinessProbe, startupProbe, ...container}) => ({
        ...container,
        ...(kept.liveness && livenessProbe ? {livenessProbe} : {}),
        ...(kept.readiness && readinessProbe ? {readinessProbe} : {}),
        ...(kept.startup && startupProbe ? {startupProbe} : {}),
      })),
    },
  };
}
