// The order in which nodes are looked at: one of each zone in turn. With many nodes only a part of them is tried for a pod, and
// this order lets every part touch all zones.
import type {NodeInfo} from './node-info.ts';

const REGION = 'topology.kubernetes.io/region';
const ZONE = 'topology.kubernetes.io/zone';

/** The list of nodes; made anew when somebody asks after a change. */
export class NodeOrder {
  readonly #zones = new Map<string, Set<NodeInfo>>();
  readonly #zoneOf = new Map<NodeInfo, string>();
  #list: readonly NodeInfo[] | undefined;

  get list(): readonly NodeInfo[] {
    this.#list ??= interleave([...this.#zones.values()].map(zone => [...zone]));
    return this.#list;
  }

  add(node: NodeInfo): void {
    const zone = `${node.labels[REGION] ?? ''}|${node.labels[ZONE] ?? ''}`;
    const nodes = this.#zones.get(zone) ?? new Set<NodeInfo>();
    nodes.add(node);
    this.#zones.set(zone, nodes);
    this.#zoneOf.set(node, zone);
    this.#list = undefined;
  }

  remove(node: NodeInfo): void {
    const zone = this.#zoneOf.get(node);
    if (zone === undefined) return;
    this.#zoneOf.delete(node);
    const nodes = this.#zones.get(zone);
    nodes?.delete(node);
    if (nodes?.size === 0) this.#zones.delete(zone);
    this.#list = undefined;
  }

  /** The node's labels changed: it may be in another zone now. */
  moved(node: NodeInfo): void {
    const zone = `${node.labels[REGION] ?? ''}|${node.labels[ZONE] ?? ''}`;
    if (this.#zoneOf.get(node) === zone) return;
    this.remove(node);
    this.add(node);
  }
}

function interleave(zones: readonly (readonly NodeInfo[])[]): readonly NodeInfo[] {
  const longest = Math.max(0, ...zones.map(zone => zone.length));
  const list: NodeInfo[] = [];
  for (let turn = 0; turn < longest; turn++) {
    for (const zone of zones) {
      const node = zone[turn];
      if (node) list.push(node);
    }
  }
  return list;
}
