// The rows of the core group, but for pods and what makes them.
import type {
  ComponentStatus,
  ConfigMap,
  Event,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  ResourceQuota,
  Secret,
  ServiceAccount,
} from '../kinds/core-v1.ts';
import type {Event as NewEvent} from '../kinds/events-v1.ts';
import {compareStrings} from '../meta/go-text.ts';
import {canonicalQuantity} from '../meta/quantity.ts';
import {accessModes, age, type Cell, createdAt, NONE, or, since, UNKNOWN, UNSET} from './cells.ts';

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

export function componentStatusRow(status: ComponentStatus): readonly Cell[] {
  const healthy = status.conditions?.find(({type}) => type === 'Healthy');
  const word = healthy?.status === 'True' ? 'Healthy' : healthy?.status === 'False' ? 'Unhealthy' : 'Unknown';
  return [status.metadata.name, word, healthy?.message ?? '', healthy?.error ?? ''];
}

export function configMapRow(map: ConfigMap, nowMs: number): readonly Cell[] {
  return [map.metadata.name, Object.keys(map.data ?? {}).length + Object.keys(map.binaryData ?? {}).length, age(map, nowMs)];
}

export function secretRow(secret: Secret, nowMs: number): readonly Cell[] {
  return [secret.metadata.name, secret.type ?? '', Object.keys(secret.data ?? {}).length, age(secret, nowMs)];
}

export function serviceAccountRow(account: ServiceAccount, nowMs: number): readonly Cell[] {
  return [account.metadata.name, age(account, nowMs)];
}

export function namespaceRow(namespace: Namespace, nowMs: number): readonly Cell[] {
  return [namespace.metadata.name, namespace.status?.phase ?? '', age(namespace, nowMs)];
}

export function limitRangeRow(range: LimitRange): readonly Cell[] {
  return [range.metadata.name, createdAt(range)];
}

/** What is limited by `limits.…` stands in a column of its own. */
export function resourceQuotaRow(quota: ResourceQuota, nowMs: number): readonly Cell[] {
  const hard = quota.status?.hard ?? {};
  const used = quota.status?.used ?? {};
  const names = Object.keys(hard).sort(compareStrings);
  const texts = (limits: boolean) =>
    names
      .filter(name => name.startsWith('limits.') === limits)
      .map(name => `${name}: ${canonicalQuantity(used[name] ?? '0')}/${canonicalQuantity(hard[name] ?? '0')}`)
      .join(', ');
  return [quota.metadata.name, texts(false), texts(true), age(quota, nowMs)];
}

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
export function nodeStatusText(node: Node): string {
  const ready = node.status?.conditions?.find(({type}) => type === 'Ready');
  const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return node.spec?.unschedulable ? `${word},SchedulingDisabled` : word;
}

/** The roles that a node's labels give it, sorted. */
export function nodeRoles(node: Node): readonly string[] {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(node.metadata.labels ?? {})) {
    const role = key.startsWith(ROLE_PREFIX) ? key.slice(ROLE_PREFIX.length) : key === 'kubernetes.io/role' ? value : '';
    if (role !== '') roles.add(role);
  }
  return [...roles].sort(compareStrings);
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';

export function persistentVolumeRow(volume: PersistentVolume, nowMs: number): readonly Cell[] {
  const {spec, status, metadata} = volume;
  const claim = spec?.claimRef;
  return [
    metadata.name,
    canonicalQuantity(spec?.capacity?.['storage'] ?? '0'),
    accessModes(spec?.accessModes),
    spec?.persistentVolumeReclaimPolicy ?? '',
    metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
    claim ? `${claim.namespace ?? ''}/${claim.name ?? ''}` : '',
    metadata.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? '',
    spec?.volumeAttributesClassName ?? UNSET,
    status?.reason ?? '',
    age(volume, nowMs),
    spec?.volumeMode ?? UNSET,
  ];
}

export function persistentVolumeClaimRow(claim: PersistentVolumeClaim, nowMs: number): readonly Cell[] {
  const {spec, status, metadata} = claim;
  const bound = Boolean(spec?.volumeName);
  return [
    metadata.name,
    metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
    spec?.volumeName ?? '',
    bound ? canonicalQuantity(status?.capacity?.['storage'] ?? '0') : '',
    bound ? accessModes(status?.accessModes) : '',
    metadata.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? '',
    spec?.volumeAttributesClassName ?? UNSET,
    age(claim, nowMs),
    spec?.volumeMode ?? UNSET,
  ];
}

/** An event of either group: they are one object under two names. */
export function eventRow(event: Event | NewEvent, nowMs: number): readonly Cell[] {
  const read =
    'regarding' in event || 'note' in event || 'deprecatedCount' in event
      ? readNewEvent(event as NewEvent)
      : readEvent(event as Event);
  const first = since(read.first ?? event.eventTime, nowMs);
  const last = event.series ? since(event.series.lastObservedTime, nowMs) : read.last ? since(read.last, nowMs) : first;
  const kind = read.about.kind?.toLowerCase() ?? '';
  return [
    last,
    event.type ?? '',
    event.reason ?? '',
    read.about.name ? `${kind}/${read.about.name}` : kind,
    read.about.fieldPath ?? '',
    [read.component, read.instance].filter(part => part !== '').join(', '),
    read.message.trim(),
    first,
    event.series ? (event.series.count ?? 0) : read.count || 1,
    event.metadata.name,
  ];
}

interface EventReading {
  readonly about: {readonly kind?: string; readonly name?: string; readonly fieldPath?: string};
  readonly message: string;
  readonly first: string | undefined;
  readonly last: string | undefined;
  readonly count: number;
  readonly component: string;
  readonly instance: string;
}

function readEvent(event: Event): EventReading {
  return {
    about: event.involvedObject ?? {},
    message: event.message ?? '',
    first: event.firstTimestamp,
    last: event.lastTimestamp,
    count: event.count ?? 0,
    component: or(event.source?.component, event.reportingComponent ?? ''),
    instance: or(event.source?.host, event.reportingInstance ?? ''),
  };
}

function readNewEvent(event: NewEvent): EventReading {
  return {
    about: event.regarding ?? {},
    message: event.note ?? '',
    first: event.deprecatedFirstTimestamp,
    last: event.deprecatedLastTimestamp,
    count: event.deprecatedCount ?? 0,
    component: or(event.deprecatedSource?.component, event.reportingController ?? ''),
    instance: or(event.deprecatedSource?.host, event.reportingInstance ?? ''),
  };
}
