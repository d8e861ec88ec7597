// Which endpoints of a Service take traffic. Those that are ready; where none is, those that are ending but still serve, so that a
// rollout of a single pod loses no connection.
import type {Endpoint, EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import type {ServicePort} from '../../api/kinds/core-v1.ts';
import {compareStrings} from '../../api/meta/go-text.ts';
import type {Destination} from '../../api/wire/packet-rules.ts';

/** An endpoint of one port. */
export interface PortEndpoint extends Destination {
  /** Is it on this node? */
  readonly local: boolean;
}

/** The endpoints of one port of a Service that take traffic, sorted by address. */
export function endpointsOf(slices: Iterable<EndpointSlice>, port: ServicePort, nodeName: string): readonly PortEndpoint[] {
  const ready = new Map<string, PortEndpoint>();
  const ending = new Map<string, PortEndpoint>();
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
      into?.set(`${address}:${found.port}`, {address, port: found.port, local: endpoint.nodeName === nodeName});
    }
  }
  const chosen = ready.size > 0 ? ready : ending;
  return [...chosen].sort(([a], [b]) => compareStrings(a, b)).map(([, endpoint]) => endpoint);
}

function isReady({conditions}: Endpoint): boolean {
  return conditions?.ready !== false;
}

function isEnding({conditions}: Endpoint): boolean {
  return conditions?.serving === true && conditions.terminating === true;
}
