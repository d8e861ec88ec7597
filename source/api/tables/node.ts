// The row of a Node.
import type {Node} from '../kinds/core-v1.ts';
import {compareStrings} from '../meta/go-text.ts';
import {age, type Cell, NONE, or, UNKNOWN} from './cells.ts';

/** Name, Status, Roles, Age, Version, Internal-IP, External-IP, OS-Image, Kernel-Version, Container-Runtime. */
export function nodeRow(node: Node, nowMs: number): readonly Cell[] {
  const info = node.status?.nodeInfo;
  const address = (type: string) => or(node.status?.addresses?.find(one => one.type === type)?.address, NONE);
  return [
    node.metadata.name,
    nodeStatusText(node),
    nodeRoles(node).join(',') || NONE,
    age(node, nowMs),
    info?.kubeletVersion ?? '',
    address('InternalIP'),
    address('ExternalIP'),
    or(info?.osImage, UNKNOWN),
    or(info?.kernelVersion, UNKNOWN),
    or(info?.containerRuntimeVersion, UNKNOWN),
  ];
}

/** `Ready`, `NotReady`, `Unknown`, and whether it may be scheduled to. */
function nodeStatusText(node: Node): string {
  const ready = node.status?.conditions?.find(({type}) => type === 'Ready');
  const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return node.spec?.unschedulable ? `${word},SchedulingDisabled` : word;
}

/** The roles that a node's labels give it, sorted. */
function nodeRoles(node: Node): readonly string[] {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(node.metadata.labels ?? {})) {
    const role = key.startsWith(ROLE_PREFIX) ? key.slice(ROLE_PREFIX.length) : key === 'kubernetes.io/role' ? value : '';
    if (role !== '') roles.add(role);
  }
  return [...roles].sort(compareStrings);
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';
