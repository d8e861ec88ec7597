// The row of an EndpointSlice.
import type {EndpointSlice} from '../kinds/discovery-v1.ts';
import {age, type Cell, or, someOf, UNSET} from './cells.ts';

/** Name, AddressType, Ports, Endpoints, Age. */
export function endpointSliceRow(slice: EndpointSlice, nowMs: number): readonly Cell[] {
  const ports = (slice.ports ?? []).map(({port, name}) => (port === undefined ? or(name, '*') : String(port)));
  const addresses = (slice.endpoints ?? []).flatMap(endpoint => endpoint.addresses ?? []);
  return [slice.metadata.name, slice.addressType, someOf(ports, 3, UNSET), someOf(addresses, 3, UNSET), age(slice, nowMs)];
}
