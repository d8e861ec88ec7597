// The repair controllers of the API server: at each change of a Service or an address, and over all of them every three minutes,
// addresses are compared with Services; and so are node ports every three minutes, which are only told of.
import type {Service} from '../../../api/kinds/core-v1.ts';
import type {IPAddress} from '../../../api/kinds/networking-v1.ts';
import type {Core} from '../core.ts';
import {ServiceAddresses} from './service-addresses.ts';
import {tellOfPorts} from './service-ports.ts';
import {ownRecorder} from './own-events.ts';

const EVERY_MS = 180_000;

/** Begins to look after Services' addresses and ports. */
export function keepServicesRight(core: Core): void {
  const {scope} = core.daemon;
  const repair = new ServiceAddresses(core);
  const services = core.resources.of('services').cache;
  const addresses = core.resources.of('ipaddresses', 'networking.k8s.io').cache;
  const due = new Set<string>();
  let busy = false;
  const add = (key: string): void => {
    due.add(key);
    if (busy) return;
    busy = true;
    // What one transaction wrote is in both caches by then.
    scope.soon(() => scope.run(work(), () => (busy = false)));
  };
  function* work() {
    for (const key of due) {
      due.delete(key);
      const [kind, name = ''] = key.split(' ');
      if (kind === 'service') {
        const service = services.get(name) as Service | undefined;
        if (service) yield* repair.service(service);
        continue;
      }
      const address = addresses.get(name) as IPAddress | undefined;
      const again = address && (yield* repair.address(address));
      if (again !== undefined) scope.after(again, () => add(key));
    }
  }
  const recorder = ownRecorder(core, 'portallocator-repair-controller');
  const lookAtPorts = (): void => tellOfPorts(services.objects() as unknown as Service[], core.addresses.ports, recorder);
  services.on((now, _before, key) => now && add(`service ${key}`));
  addresses.on((now, _before, key) => now && add(`address ${key}`));
  lookAtPorts();
  scope.every(EVERY_MS, () => {
    for (const {metadata} of services.objects()) add(`service ${metadata.namespace}/${metadata.name}`);
    for (const {metadata} of addresses.objects()) add(`address ${metadata.name}`);
    lookAtPorts();
  });
}
