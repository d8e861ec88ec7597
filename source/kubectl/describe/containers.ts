// The containers of a pod or of a template, as `describe` shows them.
import type {Container, ContainerPort, ContainerState, ContainerStatus, ResourceRequirements} from '../../api/kinds/core-v1.ts';
import {compareStrings} from '../../api/meta/go-text.ts';
import {canonicalQuantity} from '../../api/meta/quantity.ts';
import {timeText} from './describer.ts';
import {addEnvironment, addEnvironmentFrom, type FieldValues} from './environment.ts';
import type {Lines} from './lines.ts';
import {sortedEntries} from './maps.ts';
import {probeText} from './probes.ts';

export interface ContainersOptions {
  readonly statuses?: readonly ContainerStatus[] | undefined;
  /** Values of the pod's fields, for variables that come from them. */
  readonly fields?: FieldValues;
  /** Inside of a template everything stands further right. */
  readonly indent?: string;
}

/** Writes the list of containers under a title. */
export function addContainers(
  lines: Lines,
  title: string,
  containers: readonly Container[],
  options: ContainersOptions = {},
): void {
  const {indent = '', statuses = []} = options;
  lines.add(0, `${indent}${title}:${containers.length === 0 ? ' <none>' : ''}`);
  for (const container of containers) {
    const status = statuses.find(one => one.name === container.name);
    lines.add(1, `${indent === '' ? '' : ' '}${container.name}:`);
    addBasics(lines, container, status);
    addWords(lines, 'Command', container.command);
    addWords(lines, 'Args', container.args);
    if (status) addState(lines, status);
    addResources(lines, container.resources, 2);
    for (const [name, probe] of [
      ['Liveness', container.livenessProbe],
      ['Readiness', container.readinessProbe],
      ['Startup', container.startupProbe],
    ] as const) {
      if (probe) lines.add(2, `${name}:\t${probeText(probe)}`);
    }
    if ((container.envFrom ?? []).length > 0) addEnvironmentFrom(lines, container.envFrom ?? []);
    addEnvironment(lines, container, options.fields);
    addMounts(lines, container);
  }
}

function addBasics(lines: Lines, container: Container, status: ContainerStatus | undefined): void {
  if (status) lines.add(2, `Container ID:\t${status.containerID ?? ''}`);
  lines.add(2, `Image:\t${container.image ?? ''}`);
  if (status) lines.add(2, `Image ID:\t${status.imageID}`);
  const ports = portsText(container.ports, port => port.containerPort);
  lines.add(2, ports.includes(',') ? `Ports:\t${ports}` : `Port:\t${ports || '<none>'}`);
  const hostPorts = portsText(container.ports, port => port.hostPort ?? 0);
  lines.add(2, hostPorts.includes(',') ? `Host Ports:\t${hostPorts}` : `Host Port:\t${hostPorts || '<none>'}`);
  const seccomp = container.securityContext?.seccompProfile;
  if (seccomp) {
    lines.add(2, `SeccompProfile:\t${seccomp.type}`);
    if (seccomp.type === 'Localhost') lines.add(3, `LocalhostProfile:\t${seccomp.localhostProfile ?? ''}`);
  }
}

function portsText(ports: readonly ContainerPort[] | undefined, numberOf: (port: ContainerPort) => number): string {
  return (ports ?? []).map(port => `${numberOf(port)}/${port.protocol ?? 'TCP'}${port.name ? ` (${port.name})` : ''}`).join(', ');
}

function addWords(lines: Lines, title: string, words: readonly string[] | undefined): void {
  if (!words || words.length === 0) return;
  lines.add(2, `${title}:`);
  for (const line of words.flatMap(word => word.split('\n'))) lines.add(3, line);
}

function addState(lines: Lines, status: ContainerStatus): void {
  addOneState(lines, 'State', status.state ?? {});
  if (status.lastState?.terminated) addOneState(lines, 'Last State', status.lastState);
  lines.add(2, `Ready:\t${status.ready ? 'True' : 'False'}`);
  lines.add(2, `Restart Count:\t${status.restartCount}`);
}

function addOneState(lines: Lines, title: string, state: ContainerState): void {
  if (state.running) {
    lines.add(2, `${title}:\tRunning`);
    lines.add(3, `Started:\t${timeText(state.running.startedAt)}`);
    return;
  }
  const {terminated} = state;
  if (!terminated) {
    lines.add(2, `${title}:\tWaiting`);
    if (state.waiting?.reason) lines.add(3, `Reason:\t${state.waiting.reason}`);
    return;
  }
  lines.add(2, `${title}:\tTerminated`);
  if (terminated.reason) lines.add(3, `Reason:\t${terminated.reason}`);
  if (terminated.message) lines.add(3, `Message:\t${terminated.message}`);
  lines.add(3, `Exit Code:\t${terminated.exitCode}`);
  if ((terminated.signal ?? 0) > 0) lines.add(3, `Signal:\t${terminated.signal}`);
  lines.add(3, `Started:\t${timeText(terminated.startedAt)}`);
  lines.add(3, `Finished:\t${timeText(terminated.finishedAt)}`);
}

/** Writes limits and requests. */
export function addResources(lines: Lines, resources: ResourceRequirements | undefined, level: number): void {
  for (const [title, amounts] of [
    ['Limits', resources?.limits],
    ['Requests', resources?.requests],
  ] as const) {
    const entries = sortedEntries(amounts);
    if (entries.length > 0) lines.add(level, `${title}:`);
    for (const [name, amount] of entries) lines.add(level + 1, `${name}:\t${canonicalQuantity(amount)}`);
  }
}

function addMounts(lines: Lines, container: Container): void {
  const mounts = (container.volumeMounts ?? []).toSorted((a, b) => compareStrings(a.mountPath, b.mountPath));
  lines.add(2, `Mounts:${mounts.length === 0 ? '\t<none>' : ''}`);
  for (const mount of mounts) {
    const flags = [mount.readOnly ? 'ro' : 'rw', ...(mount.subPath ? [`path=${JSON.stringify(mount.subPath)}`] : [])];
    lines.add(3, `${mount.mountPath} from ${mount.name} (${flags.join(',')})`);
  }
  const devices = (container.volumeDevices ?? []).toSorted((a, b) => compareStrings(a.devicePath, b.devicePath));
  if (devices.length > 0) lines.add(2, 'Devices:');
  for (const device of devices) lines.add(3, `${device.devicePath} from ${device.name}`);
}
