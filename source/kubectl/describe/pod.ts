// The page of a pod.
import type {Pod} from '../../api/kinds/core-v1.ts';
import {controllerOf, type AnyObject} from '../../api/meta/object.ts';
import {humanDuration, parseTime} from '../../api/meta/time.ts';
import {addContainers, addResources} from './containers.ts';
import {timeText, type Describer} from './describer.ts';
import {addEvents, eventsOf} from './events.ts';
import {fieldValues} from './pod-fields.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels} from './maps.ts';
import {addSpreading, addTolerations} from './placement.ts';
import {addVolumes} from './volumes.ts';

const MIRROR = 'kubernetes.io/config.mirror';

export const describePod: Describer = async (object, around) => {
  const pod = object as unknown as Pod;
  const lines = new Lines();
  addHead(lines, pod, around.session.now);
  addAddresses(lines, pod);
  addAllContainers(lines, pod);
  addConditions(lines, pod);
  addVolumes(lines, pod.spec?.volumes);
  lines.add(0, `QoS Class:\t${pod.status?.qosClass ?? 'BestEffort'}`);
  addLabels(lines, 'Node-Selectors', pod.spec?.nodeSelector);
  addTolerations(lines, pod.spec?.tolerations);
  addSpreading(lines, pod.spec?.topologySpreadConstraints);
  addEvents(lines, await eventsOf(asSeenByEvents(object), around), around.session.now);
  return lines.text();
};

/** The events of a static pod carry the uid that its kubelet gave it. */
function asSeenByEvents(object: AnyObject): AnyObject {
  const uid = object.metadata.annotations?.[MIRROR];
  return uid === undefined ? object : {...object, metadata: {...object.metadata, uid}};
}

function addHead(lines: Lines, {metadata, spec, status}: Pod, now: number): void {
  lines.add(0, `Name:\t${metadata.name}`);
  lines.add(0, `Namespace:\t${metadata.namespace ?? ''}`);
  if (spec?.priority !== undefined) lines.add(0, `Priority:\t${spec.priority}`);
  if (spec?.priorityClassName) lines.add(0, `Priority Class Name:\t${spec.priorityClassName}`);
  if (spec?.runtimeClassName) lines.add(0, `Runtime Class Name:\t${spec.runtimeClassName}`);
  if (spec?.serviceAccountName) lines.add(0, `Service Account:\t${spec.serviceAccountName}`);
  lines.add(0, spec?.nodeName ? `Node:\t${spec.nodeName}/${status?.hostIP ?? ''}` : 'Node:\t<none>');
  if (status?.startTime) lines.add(0, `Start Time:\t${timeText(status.startTime)}`);
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  if (metadata.deletionTimestamp && status?.phase !== 'Failed' && status?.phase !== 'Succeeded') {
    lines.add(0, `Status:\tTerminating (lasts ${humanDuration(now - (parseTime(metadata.deletionTimestamp) ?? now))})`);
    lines.add(0, `Termination Grace Period:\t${metadata.deletionGracePeriodSeconds ?? 0}s`);
  } else lines.add(0, `Status:\t${status?.phase ?? ''}`);
  if (status?.reason) lines.add(0, `Reason:\t${status.reason}`);
  if (status?.message) lines.add(0, `Message:\t${status.message}`);
  const seccomp = spec?.securityContext?.seccompProfile;
  if (seccomp) lines.add(0, `SeccompProfile:\t${seccomp.type}`);
  if (seccomp?.type === 'Localhost') lines.add(0, `LocalhostProfile:\t${seccomp.localhostProfile ?? ''}`);
}

function addAddresses(lines: Lines, pod: Pod): void {
  const {status, spec} = pod;
  lines.add(0, `IP:\t${status?.podIP ?? ''}`);
  const ips = status?.podIPs ?? [];
  lines.add(0, ips.length === 0 ? 'IPs:\t<none>' : 'IPs:');
  for (const {ip} of ips) lines.add(1, `IP:\t${ip}`);
  const controller = controllerOf(pod);
  if (controller) lines.add(0, `Controlled By:\t${controller.kind}/${controller.name}`);
  if (status?.nominatedNodeName) lines.add(0, `NominatedNodeName:\t${status.nominatedNodeName}`);
  if (spec?.resources) {
    lines.add(0, 'Resources:');
    addResources(lines, spec.resources, 1);
  }
}

function addAllContainers(lines: Lines, pod: Pod): void {
  const {spec, status} = pod;
  const fields = fieldValues(pod);
  if ((spec?.initContainers ?? []).length > 0)
    addContainers(lines, 'Init Containers', spec?.initContainers ?? [], {statuses: status?.initContainerStatuses, fields});
  addContainers(lines, 'Containers', spec?.containers ?? [], {statuses: status?.containerStatuses, fields});
  const ephemeral = spec?.ephemeralContainers ?? [];
  if (ephemeral.length > 0)
    addContainers(lines, 'Ephemeral Containers', ephemeral, {statuses: status?.ephemeralContainerStatuses, fields});
}

function addConditions(lines: Lines, {spec, status}: Pod): void {
  const conditions = status?.conditions ?? [];
  const gates = spec?.readinessGates ?? [];
  if (gates.length > 0) lines.raw('Readiness Gates:\n  Type\tStatus\n');
  for (const gate of gates) {
    const found = conditions.find(condition => condition.type === gate.conditionType);
    lines.add(1, `${gate.conditionType} \t${found?.status ?? '<none>'} `);
  }
  if (conditions.length > 0) lines.raw('Conditions:\n  Type\tStatus\n');
  for (const condition of conditions) lines.add(1, `${condition.type} \t${condition.status} `);
}
