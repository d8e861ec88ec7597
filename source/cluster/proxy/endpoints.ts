// Which endpoints of a Service take traffic. Those that are ready; where none is, those that are ending but still serve, so that a
// rollout of a single pod loses no connection.
import type {Endpoint, EndpointHints, EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import type {ServicePort} from '../../api/kinds/core-v1.ts';
import {compareStrings} from '../../api/meta/go-text.ts';
import type {Destination} from '../../api/wire/packet-rules.ts';

/** An endpoint of one port. */
export interface PortEndpoint extends Destination {
  /** Is it on this node? */
  readonly local: boolean;
  /** For whom it is rather than for others. */
  readonly hints?: EndpointHints;
}

/** Where a proxy is. */
export interface Here {
  readonly nodeName: string;
  readonly zone?: string | undefined;
}

/** The endpoints of one port of a Service that take traffic, sorted by address. */
export function endpointsOf(slices: Iterable<EndpointSlice>, port: ServicePort, here: Here): readonly PortEndpoint[] {
  const ready = new Map<string, PortEndpoint>();
  const ending = new Map<string, PortEndpoint>();
  const {nodeName} = here;
  for (const slice of slices) {
    if (slice.addressType !== 'IPv4') continue;
    const found = slice.ports?.find(
      each => (each.name ?? '') === (port.name ?? '') && (each.protocol ?? 'TCP') === (port.protocol ?? 'TCP'),
    );
    if (found?.port === undefined) continue;
    for (const endpoint of slice.endpoints ?? []) {
      const [address] = endpoint.addresses;
      if (address === undefined) continue;
      const into = isReady(endpoint) ? ready : isEnding(endpoint) ? ending : undefined;
      const hints = endpoint.hints ? {hints: endpoint.hints} : {};
      into?.set(`${address}:${found.port}`, {address, port: found.port, local: endpoint.nodeName === nodeName, ...hints});
    }
  }
  const chosen = ready.size > 0 ? ready : ending;
  return [...chosen].sort(([a], [b]) => compareStrings(a, b)).map(([, endpoint]) => endpoint);
}

/** Those that are meant for this node, or else for its zone, where all endpoints say for whom they are; else all of them. */
export function nearest(endpoints: readonly PortEndpoint[], {nodeName, zone}: Here): readonly PortEndpoint[] {
  const forNode = endpoints.filter(({hints}) => hints?.forNodes?.some(each => each.name === nodeName));
  if (forNode.length > 0 && endpoints.every(({hints}) => hints?.forNodes?.length)) return forNode;
  const forZone = endpoints.filter(({hints}) => hints?.forZones?.some(each => each.name === zone));
  if (forZone.length > 0 && endpoints.every(({hints}) => hints?.forZones?.length)) return forZone;
  return endpoints;
}

function isReady({conditions}: Endpoint): boolean {
  return conditions?.ready !== false;
}

function isEnding({conditions}: Endpoint): boolean {
  return conditions?.serving === true && conditions.terminating === true;
}
