// From a container of a pod to what the runtime is asked for.
import type {Container, EphemeralContainer, Pod} from '../../../api/kinds/core-v1.ts';
import {milliValue, unitValue} from '../../../api/meta/quantity.ts';
import type {ContainerConfig, ImageStatus} from '../../../api/wire/cri.ts';
import {expandAll} from './environment.ts';
import {podText} from '../surroundings.ts';
import type {PodVolumes} from '../volumes/volumes.ts';

export interface ConfigFacts {
  readonly volumes: PodVolumes;
  readonly attempt: number;
  /** The environment. */
  readonly values: ReadonlyMap<string, string>;
}

const TOKEN_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';
const SECCOMP_FOLDER = '/var/lib/kubelet/seccomp';

/** Makes the configuration. */
export function containerConfig(container: Container | EphemeralContainer, pod: Pod, facts: ConfigFacts): ContainerConfig {
  const {volumes, attempt, values} = facts;
  const command = expandAll(container.command, values);
  const args = expandAll(container.args, values);
  return {
    name: container.name,
    attempt,
    image: container.image ?? '',
    ...(command ? {command} : {}),
    ...(args ? {args} : {}),
    ...(container.workingDir ? {workingDir: container.workingDir} : {}),
    env: values,
    mounts: () => volumes.mounts(container, values),
    ...(container.volumeMounts?.some(mount => mount.mountPath !== TOKEN_FOLDER) ? {mountsVolumes: true} : {}),
    ...security(pod, container),
    ...limits(container),
    ...(container.tty ? {tty: true} : {}),
    ...(container.stdin ? {stdin: true} : {}),
    ...('targetContainerName' in container && container.targetContainerName ? {target: container.targetContainerName} : {}),
    ...(container.lifecycle?.stopSignal ? {stopSignal: container.lifecycle.stopSignal} : {}),
  };
}

/** A container's limits, as the runtime wants them. */
export function limits(container: Container | EphemeralContainer): Pick<ContainerConfig, 'cpuLimit' | 'memoryLimit'> {
  const {cpu, memory} = container.resources?.limits ?? {};
  return {
    ...(cpu === undefined ? {} : {cpuLimit: milliValue(cpu) / 1000}),
    ...(memory === undefined ? {} : {memoryLimit: unitValue(memory)}),
  };
}

function security(pod: Pod, container: Container | EphemeralContainer): Partial<ContainerConfig> {
  const own = container.securityContext;
  const shared = pod.spec.securityContext;
  if (!own && !shared) return {};
  const user = own?.runAsUser ?? shared?.runAsUser;
  const group = own?.runAsGroup ?? shared?.runAsGroup;
  const groups = [...(shared?.fsGroup === undefined ? [] : [shared.fsGroup]), ...(shared?.supplementalGroups ?? [])];
  const appArmor = own?.appArmorProfile ?? shared?.appArmorProfile;
  const seccomp = own?.seccompProfile ?? shared?.seccompProfile;
  return {
    ...(user === undefined ? {} : {user}),
    ...(group === undefined ? {} : {group}),
    ...(groups.length > 0 ? {groups} : {}),
    ...(own?.readOnlyRootFilesystem ? {readOnlyRoot: true} : {}),
    ...(own?.privileged ? {privileged: true} : {}),
    ...(own?.allowPrivilegeEscalation === false ? {noNewPrivileges: true} : {}),
    ...(own?.capabilities ? {capabilities: own.capabilities} : {}),
    ...(appArmor?.type === 'Localhost' ? {appArmorProfile: appArmor.localhostProfile ?? ''} : {}),
    ...(seccomp?.type === 'Localhost' ? {seccompProfile: `${SECCOMP_FOLDER}/${seccomp.localhostProfile}`} : {}),
  };
}

/** `runAsNonRoot`: why it is not sure that the container does not run as root. */
export function checkUser(pod: Pod, container: Container | EphemeralContainer, image: ImageStatus): string | undefined {
  const nonRoot = container.securityContext?.runAsNonRoot ?? pod.spec.securityContext?.runAsNonRoot;
  if (!nonRoot) return undefined;
  const where = `(pod: "${podText(pod)}", container: ${container.name})`;
  const user = container.securityContext?.runAsUser ?? pod.spec.securityContext?.runAsUser;
  if (user !== undefined) return user === 0 ? `container's runAsUser breaks non-root policy ${where}` : undefined;
  const [name = ''] = image.user.split(':');
  if (name === '' || name === '0' || name === 'root') return `container has runAsNonRoot and image will run as root ${where}`;
  if (/^\d+$/.test(name)) return undefined;
  return `container has runAsNonRoot and image has non-numeric user (${name}), cannot verify user is non-root ${where}`;
}
