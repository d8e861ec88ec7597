// The page of a node: what it is, what it has, who sits on it and how much of it they asked for.
import type {Lease} from '../../api/kinds/coordination-v1.ts';
import type {Event, Node, Pod, Taint} from '../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import {canonicalQuantity} from '../../api/meta/quantity.ts';
import {compareStrings} from '../../api/meta/go-text.ts';
import {Failure} from '../failure.ts';
import {timeText, type Describer, type Surroundings} from './describer.ts';
import {addEvents, askEvents} from './events.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels, sortedEntries} from './maps.ts';
import {addUse} from './node-use.ts';

const ROLE = 'node-role.kubernetes.io/';

export const describeNode: Describer = async (object, around) => {
  const node = object as unknown as Node;
  const lines = new Lines();
  addHead(lines, node);
  await addLease(lines, node, around);
  addConditions(lines, node);
  addCapacity(lines, node);
  addSystem(lines, node);
  const pods = await podsOn(node, around);
  if (pods) addUse(lines, node, {pods, now: around.session.now});
  else lines.field(0, 'Pods', 'not authorized');
  addEvents(lines, await nodeEvents(object, around), around.session.now);
  return lines.text();
};

function addHead(lines: Lines, {metadata, spec}: Node): void {
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Roles', rolesOf(metadata.labels).join(',') || '<none>');
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  lines.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
  const taints = sortedTaints(spec?.taints ?? []).map(({key, value, effect}) => `${key}${value ? `=${value}` : ''}:${effect}`);
  for (const [index, text] of (taints.length === 0 ? ['<none>'] : taints).entries())
    lines.raw(`${index === 0 ? 'Taints:' : ''}\t${text}\n`);
  lines.field(0, 'Unschedulable', String(spec?.unschedulable ?? false));
}

function rolesOf(labels: Readonly<Record<string, string>> | undefined): readonly string[] {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(labels ?? {})) {
    if (key.startsWith(ROLE) && key.length > ROLE.length) roles.add(key.slice(ROLE.length));
    else if (key === 'kubernetes.io/role' && value !== '') roles.add(value);
  }
  return [...roles].sort();
}

function sortedTaints(taints: readonly Taint[]): readonly Taint[] {
  return taints.toSorted((a, b) => compareStrings(a.effect, b.effect) || compareStrings(a.key, b.key));
}

async function addLease(lines: Lines, {metadata}: Node, {session}: Surroundings): Promise<void> {
  const api = session.api();
  if (api instanceof Failure) return;
  const lease = await api.ask<Lease>({
    method: 'GET',
    path: `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${metadata.name}`,
  });
  if (lease instanceof Failure) {
    lines.add(0, `Lease:\tFailed to get lease: ${lease.message}`);
    return;
  }
  lines.add(0, 'Lease:');
  lines.field(1, 'HolderIdentity', lease.spec?.holderIdentity ?? '<unset>');
  lines.field(1, 'AcquireTime', lease.spec?.acquireTime ? timeText(lease.spec.acquireTime) : '<unset>');
  lines.field(1, 'RenewTime', lease.spec?.renewTime ? timeText(lease.spec.renewTime) : '<unset>');
}

function addConditions(lines: Lines, {status}: Node): void {
  const conditions = status?.conditions ?? [];
  if (conditions.length > 0)
    lines.raw(
      'Conditions:\n  Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage\n  ----\t------\t-----------------\t------------------\t------\t-------\n',
    );
  for (const {type, status: state, lastHeartbeatTime, lastTransitionTime, reason = '', message = ''} of conditions) {
    lines.add(
      1,
      `${type} \t${state} \t${timeText(lastHeartbeatTime)} \t${timeText(lastTransitionTime)} \t${reason} \t${message}`,
    );
  }
}

function addCapacity(lines: Lines, {status}: Node): void {
  lines.add(0, 'Addresses:');
  for (const {type, address} of status?.addresses ?? []) lines.field(1, type, address);
  for (const [title, amounts] of [
    ['Capacity', status?.capacity],
    ['Allocatable', status?.allocatable],
  ] as const) {
    const entries = sortedEntries(amounts);
    if (entries.length > 0) lines.add(0, `${title}:`);
    for (const [name, amount] of entries) lines.field(1, name, canonicalQuantity(amount));
  }
}

function addSystem(lines: Lines, {spec, status}: Node): void {
  const info = status?.nodeInfo;
  lines.add(0, 'System Info:');
  lines.field(1, 'Machine ID', info?.machineID ?? '');
  lines.field(1, 'System UUID', info?.systemUUID ?? '');
  lines.field(1, 'Boot ID', info?.bootID ?? '');
  lines.field(1, 'Kernel Version', info?.kernelVersion ?? '');
  lines.field(1, 'OS Image', info?.osImage ?? '');
  lines.field(1, 'Operating System', info?.operatingSystem ?? '');
  lines.field(1, 'Architecture', info?.architecture ?? '');
  lines.field(1, 'Container Runtime Version', info?.containerRuntimeVersion ?? '');
  lines.field(1, 'Kubelet Version', info?.kubeletVersion ?? '');
  lines.field(1, 'Kube-Proxy Version', info?.kubeProxyVersion ?? '');
  if (spec?.podCIDR) lines.field(0, 'PodCIDR', spec.podCIDR);
  if ((spec?.podCIDRs ?? []).length > 0) lines.field(0, 'PodCIDRs', (spec?.podCIDRs ?? []).join(','));
  if (spec?.providerID) lines.field(0, 'ProviderID', spec.providerID);
}

/** The pods that have not ended; undefined for somebody who may not list them. */
async function podsOn({metadata}: Node, {session}: Surroundings): Promise<readonly Pod[] | undefined> {
  const api = session.api();
  if (api instanceof Failure) return undefined;
  const query = {fieldSelector: `spec.nodeName=${metadata.name},status.phase!=Succeeded,status.phase!=Failed`, limit: '500'};
  const list = await api.ask<{items?: readonly Pod[]}>({method: 'GET', path: '/api/v1/pods', query});
  return list instanceof Failure ? undefined : (list.items ?? []);
}

/** A node's events carry its uid when a controller wrote them, and its name when its kubelet did. */
async function nodeEvents(object: AnyObject, around: Surroundings): Promise<readonly Event[] | undefined> {
  if (!around.showEvents) return undefined;
  const {name, uid} = object.metadata;
  const found: Event[] = [];
  for (const one of [uid, name]) {
    const events = await askEvents(
      around,
      '',
      `involvedObject.kind=Node,involvedObject.name=${name},involvedObject.namespace=,involvedObject.uid=${one}`,
    );
    found.push(...(events ?? []));
  }
  return found;
}
