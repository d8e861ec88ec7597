// The row of an Endpoints.
import type {Endpoints} from '../kinds/core-v1.ts';
import {age, type Cell, NONE, someOf} from './cells.ts';

/** `ip:port` for every port and address; addresses alone where there is no port. */
export function endpointsText(endpoints: Endpoints): string {
  const all = (endpoints.subsets ?? []).flatMap(({addresses, ports}) => {
    const ips = (addresses ?? []).map(({ip}) => ip);
    if (!ports || ports.length === 0) return ips;
    return ports.flatMap(({port}) => ips.map(ip => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)));
  });
  return someOf(all, 3, NONE);
}

/** Name, Endpoints, Age. */
export function endpointsRow(endpoints: Endpoints, nowMs: number): readonly Cell[] {
  return [endpoints.metadata.name, endpointsText(endpoints), age(endpoints, nowMs)];
}
