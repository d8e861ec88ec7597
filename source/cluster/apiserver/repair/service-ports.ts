// Node ports that two Services have, or that lie outside of the range: nothing is changed, the Services are told.
import type {Service} from '../../../api/kinds/core-v1.ts';
import type {SeriesRecorder} from '../../../client/series-events.ts';

/** Tells the Services whose node ports are wrong. */
export function tellOfPorts(
  services: readonly Service[],
  {first, last}: {readonly first: number; readonly last: number},
  recorder: SeriesRecorder,
): void {
  const taken = new Set<number>();
  for (const service of services) {
    for (const port of portsOf(service)) {
      const tell = (reason: string, note: string): void =>
        recorder.record(service, {type: 'Warning', reason, action: 'PortAllocation', note});
      if (port < first || port > last) {
        tell('PortOutOfRange', `Port ${port} is not within the port range ${first}-${last}; please recreate service`);
      } else if (taken.has(port)) {
        tell('PortAlreadyAllocated', `Port ${port} was assigned to multiple services; please recreate service`);
      }
      taken.add(port);
    }
  }
}

/** A Service's node ports; one number with several protocols is one port. */
function portsOf({spec}: Service): readonly number[] {
  const seen = new Set<string>();
  const ports: number[] = [];
  const add = (port: number | undefined, protocol: string): void => {
    if (!port) return;
    const another = seen.has(`${port}`) && !seen.has(`${port} ${protocol}`);
    if (!another) ports.push(port);
    seen.add(`${port}`).add(`${port} ${protocol}`);
  };
  for (const {nodePort, protocol = 'TCP'} of spec?.ports ?? []) add(nodePort, protocol);
  add(spec?.healthCheckNodePort, 'TCP');
  return ports;
}
