// The filter of a node: whether a connection may leave one of its pods, or enter one. The node itself always reaches its own pods, as
// probes must; pods in the node's own network are not judged, and a pod always reaches itself.
import type {Namespace, Pod} from '../../../api/kinds/core-v1.ts';
import type {NetworkPolicy} from '../../../api/kinds/networking-v1.ts';
import type {Index, Informer} from '../../../client/informer.ts';
import type {PacketFilter, Packet} from '../rules.ts';
import {isRefused, type Direction} from './verdict.ts';

export interface FilterOptions {
  /** The node's own address. */
  readonly address: string;
  /** `namespace/name` of a pod that has an address, also before its status says so. */
  readonly ownerOf: (address: string) => string | undefined;
  readonly policies: Informer<NetworkPolicy>;
  readonly pods: Informer<Pod>;
  readonly namespaces: Informer<Namespace>;
}

/** Judges by what is known of policies, pods and namespaces at that moment. */
export class PolicyFilter implements PacketFilter {
  readonly #options: FilterOptions;
  readonly #byAddress: Index<Pod>;
  readonly #byNamespace: Index<NetworkPolicy>;

  constructor(options: FilterOptions) {
    this.#options = options;
    this.#byAddress = options.pods.index(addressesOf);
    this.#byNamespace = options.policies.index(({metadata}) => [metadata.namespace ?? '']);
  }

  leaves(packet: Packet): boolean {
    return this.#passes('egress', packet);
  }

  enters(packet: Packet): boolean {
    return this.#passes('ingress', packet);
  }

  #passes(direction: Direction, {from, to, port, protocol}: Packet): boolean {
    const {address, pods, namespaces} = this.#options;
    if (from === to || from === address || to === address) return true;
    const [source, server] = [this.#podAt(from), this.#podAt(to)];
    const pod = direction === 'ingress' ? server : source;
    if (!pod || !pods.synced || !namespaces.synced) return true;
    const peer = direction === 'ingress' ? {address: from, pod: source} : {address: to, pod: server};
    const policies = this.#byNamespace.of(pod.metadata.namespace ?? '').values();
    return !isRefused(policies, {direction, pod, peer, server, port, protocol}, name => namespaces.get(name));
  }

  #podAt(address: string): Pod | undefined {
    for (const pod of this.#byAddress.of(address).values()) return pod;
    const owner = this.#options.ownerOf(address);
    return owner === undefined ? undefined : this.#options.pods.get(owner);
  }
}

/** The addresses that are a pod's own, while it has them. */
function addressesOf({spec, status}: Pod): readonly string[] {
  if (spec.hostNetwork || status?.phase === 'Succeeded' || status?.phase === 'Failed') return [];
  return (status?.podIPs ?? []).map(({ip}) => ip);
}
