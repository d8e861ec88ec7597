// Puts right what Services and their addresses say of each other. Each cluster address of a Service has an IPAddress that names the
// Service; each IPAddress that the server gave is one of the Service that it names. Where somebody deleted or changed one of the
// two by hand, the address is written anew, or goes; what cannot be put right is told in events.
import type {Service} from '../../../api/kinds/core-v1.ts';
import type {IPAddress} from '../../../api/kinds/networking-v1.ts';
import {holdsIp, ipText, parseCidr, parseIp} from '../../../api/meta/ip.ts';
import {keyOf, type AnyObject} from '../../../api/meta/object.ts';
import {parseTime} from '../../../api/meta/time.ts';
import type {SeriesRecorder} from '../../../client/series-events.ts';
import type {Task} from '../../../sim/task.ts';
import type {Core} from '../core.ts';
import {createObject} from '../registry/create.ts';
import {ownWrite} from '../registry/own-write.ts';
import {removeObject} from '../registry/remove.ts';
import {ownRecorder} from './own-events.ts';

const FAMILY = 'ipaddress.kubernetes.io/ip-family';
const MANAGED = 'ipaddress.kubernetes.io/managed-by';
const ALLOCATOR = 'ipallocator.k8s.io';
/** An address is written with its Service, but a real server writes it before: so long it may stand alone. */
const ALONE_MS = 60_000;
const NOTHING: NonNullable<IPAddress['spec']>['parentRef'] = {resource: '', name: ''};

/** Compares Services with addresses. */
export class ServiceAddresses {
  readonly #core: Core;
  readonly #recorder: SeriesRecorder;

  constructor(core: Core) {
    this.#core = core;
    this.#recorder = ownRecorder(core, 'ipallocator-repair-controller');
  }

  /** Sees to all addresses of a Service. */
  *service(service: Service): Task {
    const {clusterIP, clusterIPs = [], type} = service.spec ?? {};
    if (!clusterIP || clusterIP === 'None' || type === 'ExternalName') return;
    for (const address of clusterIPs) yield* this.#check(service, address);
  }

  *#check(service: Service, text: string): Task {
    const ip = parseIp(text);
    if (!ip) return this.#tell(service, 'ClusterIPNotValid', `Cluster IP ${text} is not a valid IP; please recreate Service`);
    const family = `[IPv${ip.family}]`;
    if (!this.#ranges.some(cidr => holdsIp(cidr, ip))) {
      const note = `Cluster IP ${family}: ${text} is not within any configured Service CIDR; please recreate service`;
      return this.#tell(service, 'ClusterIPOutOfRange', note);
    }
    const name = ipText(ip);
    const address = this.#addresses.cache.get(name) as IPAddress | undefined;
    if (!address) {
      this.#tell(service, 'ClusterIPNotAllocated', `Cluster IP ${family}: ${text} is not allocated; repairing`);
      return yield* this.#create(name, service);
    }
    const owner = this.#ownerOf(address);
    if (owner === undefined || (owner !== keyOf(service) && !this.#services.get(owner))) {
      const note = `the ClusterIP ${family}: ${text} for Service ${keyOf(service)} has a wrong reference; repairing`;
      this.#tell(service, 'ClusterIPNotAllocated', note);
      return yield* this.#recreate(name, service);
    }
    const other = owner === keyOf(service) ? undefined : (this.#services.get(owner) as Service | undefined);
    if (other?.spec?.clusterIPs?.includes(name)) {
      const note = `Cluster IP ${family}:${text} was assigned to multiple services; please recreate service`;
      this.#tell(service, 'ClusterIPAlreadyAllocated', note);
    }
    const {labels = {}} = address.metadata;
    if (labels[FAMILY] !== `IPv${ip.family}` || labels[MANAGED] !== ALLOCATOR) yield* this.#recreate(name, service);
  }

  /** Sees to an address; answers when it is to be looked at again, if it is. */
  *address(address: IPAddress): Task<number | undefined> {
    const {metadata, spec} = address;
    if (metadata.labels?.[MANAGED] !== ALLOCATOR) return undefined;
    const {group = '', resource, namespace = '', name} = spec?.parentRef ?? NOTHING;
    const owner = this.#ownerOf(address);
    if (owner === undefined) {
      const reference = `&ParentReference{Group:${group},Resource:${resource},Namespace:${namespace},Name:${name},}`;
      const note = `IPAddress ${metadata.name} appears to have been modified, not referencing a Service ${reference}: cleaning up`;
      yield* this.#remove(address, 'IPAddressNotAllocated', note);
      return undefined;
    }
    const service = this.#services.get(owner) as Service | undefined;
    if (!service) {
      const left = (parseTime(metadata.creationTimestamp) ?? 0) + ALONE_MS - this.#core.daemon.wall();
      if (left >= 0) return left + 1;
      const note = `IPAddress: ${metadata.name} for Service ${owner} appears to have leaked: cleaning up`;
      yield* this.#remove(address, 'IPAddressNotAllocated', note);
    } else if (!service.spec?.clusterIPs?.includes(metadata.name)) {
      const note = `IPAddress: ${metadata.name} for Service ${owner} has a wrong reference; cleaning up`;
      yield* this.#remove(address, 'IPAddressWrongReference', note);
    }
    return undefined;
  }

  get #addresses() {
    return this.#core.resources.of('ipaddresses', 'networking.k8s.io');
  }

  get #services() {
    return this.#core.resources.of('services').cache;
  }

  get #ranges() {
    const all = this.#core.resources.of('servicecidrs', 'networking.k8s.io').cache.objects();
    return all.flatMap(({spec}) => ((spec as {cidrs?: readonly string[]}).cidrs ?? []).flatMap(cidr => parseCidr(cidr) ?? []));
  }

  /** The Service that an address names; undefined when it names something else. */
  #ownerOf({spec}: IPAddress): string | undefined {
    const {group = '', resource, namespace = '', name} = spec?.parentRef ?? NOTHING;
    return group === '' && resource === 'services' ? `${namespace}/${name}` : undefined;
  }

  #tell(service: Service, reason: string, note: string): void {
    const action = reason === 'ClusterIPNotValid' ? 'ClusterIPValidation' : 'ClusterIPAllocation';
    this.#recorder.record(service, {type: 'Warning', reason, action, note});
  }

  *#create(name: string, {metadata}: Service): Task {
    const labels = {[FAMILY]: name.includes(':') ? 'IPv6' : 'IPv4', [MANAGED]: ALLOCATOR};
    const parentRef = {resource: 'services', namespace: metadata.namespace, name: metadata.name};
    const object = {apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress', metadata: {name, labels}, spec: {parentRef}};
    yield* createObject(ownWrite(this.#core, this.#addresses), object as unknown as AnyObject);
  }

  *#recreate(name: string, service: Service): Task {
    yield* removeObject(ownWrite(this.#core, this.#addresses), {namespace: '', name}, {});
    yield* this.#create(name, service);
  }

  *#remove(address: IPAddress, reason: string, note: string): Task {
    this.#recorder.record(address, {type: 'Warning', reason, action: 'IPAddressAllocation', note});
    yield* removeObject(ownWrite(this.#core, this.#addresses), {namespace: '', name: address.metadata.name}, {});
  }
}
