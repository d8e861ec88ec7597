// Endpoints that somebody wrote by hand, as EndpointSlices: proxies read nothing else. One group for each subset; addresses of
// both families go into slices of their own.
import type {EndpointAddress, Endpoints, Service} from '../../../api/kinds/core-v1.ts';
import type {Endpoint} from '../../../api/kinds/discovery-v1.ts';
import {isOfType, portsKey, type AddressType} from '../endpoint-slices/endpoints.ts';
import {MANAGED_BY, SERVICE_NAME, TRIGGER_TIME, type Group} from '../endpoint-slices/plan.ts';

export const MIRROR = 'endpointslicemirroring-controller.k8s.io';
const SKIP = 'endpointslice.kubernetes.io/skip-mirror';
const LEADER = 'control-plane.alpha.kubernetes.io/leader';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** So many addresses of one subset are mirrored. */
export const MOST_OF_A_SUBSET = 1000;

/** Is it to be mirrored? Not where a controller keeps slices anyway, nor where it asks not to be. */
export function isMirrored(endpoints: Endpoints, service: Service | undefined): boolean {
  if (!service || service.spec.selector || service.spec.type === 'ExternalName') return false;
  const {labels, annotations} = endpoints.metadata;
  return labels?.[SKIP] !== 'true' && annotations?.[LEADER] === undefined;
}

/** The groups of one family. */
export function mirrorGroups(endpoints: Endpoints, type: AddressType): readonly Group[] {
  const groups = new Map<string, {ports: Group['ports']; endpoints: Endpoint[]}>();
  for (const {addresses = [], notReadyAddresses = [], ports = []} of endpoints.subsets ?? []) {
    const named = ports.map(({name = '', ...port}) => ({name, ...port}));
    const key = portsKey(named);
    const group = groups.get(key) ?? {ports: named, endpoints: []};
    const all = [...addresses.map(each => mirrored(each, true)), ...notReadyAddresses.map(each => mirrored(each, false))];
    group.endpoints.push(...all.slice(0, MOST_OF_A_SUBSET).filter(each => isOfType(each.addresses[0] ?? '', type)));
    if (group.endpoints.length > 0) groups.set(key, group);
  }
  return [...groups.values()];
}

/** How many addresses are too many. */
export function skippedAddresses({subsets = []}: Endpoints): number {
  const over = subsets.map(
    ({addresses = [], notReadyAddresses = []}) => addresses.length + notReadyAddresses.length - MOST_OF_A_SUBSET,
  );
  return over.reduce((sum, count) => sum + Math.max(0, count), 0);
}

function mirrored({ip, hostname, nodeName, targetRef}: EndpointAddress, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: {ready},
    ...(hostname ? {hostname} : {}),
    ...(nodeName ? {nodeName} : {}),
    ...(targetRef ? {targetRef} : {}),
  };
}

/** The labels of its slices. */
export function mirrorLabels({metadata: {labels, name}}: Endpoints): Readonly<Record<string, string>> {
  return {...labels, [SERVICE_NAME]: name, [MANAGED_BY]: MIRROR};
}

/** The annotations of its slices. */
export function mirrorAnnotations({metadata: {annotations = {}}}: Endpoints): Readonly<Record<string, string>> {
  const {[LAST_APPLIED]: _applied, [TRIGGER_TIME]: _trigger, ...rest} = annotations;
  return rest;
}
