// Reads a `--nodes FILE`: a v1 List of Node manifests, as `kubectl get nodes -o yaml` prints it.
import type {Node} from '../api/kinds/core-v1.ts';
import {readYaml} from '../api/yaml/read.ts';
import type {NodeDescription} from './description.ts';
import {DEFAULT_NODE_INFO} from './presets.ts';

export type NodesFile =
  | {readonly ok: true; readonly nodes: readonly NodeDescription[]}
  | {readonly ok: false; readonly message: string};

/** The machines that the file asks for; an empty List is a cluster without nodes. */
export function readNodesFile(text: string, name: string): NodesFile {
  const {documents, error} = readYaml(text);
  if (error) return {ok: false, message: `${name}:${error.line}:${error.column}: ${error.sentence}\n${error.excerpt}`};
  const list = documents[0]?.value;
  if (!isList(list)) return {ok: false, message: `${name}: this is not a v1 List of Nodes`};
  const nodes: NodeDescription[] = [];
  for (const [index, item] of list.items.entries()) {
    const node = describe(item, index);
    if (typeof node === 'string') return {ok: false, message: `${name}: items[${index}]: ${node}`};
    nodes.push(node);
  }
  return {ok: true, nodes};
}

function isList(value: unknown): value is {items: readonly Partial<Node>[]} {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as {kind?: unknown}).kind === 'List' &&
    Array.isArray((value as {items?: unknown}).items)
  );
}

function describe(node: Partial<Node>, index: number): NodeDescription | string {
  const name = node.metadata?.name;
  if (node.kind !== 'Node') return 'this is not a Node';
  if (!name) return 'the Node has no name';
  const labels = node.metadata?.labels ?? {};
  const address = node.status?.addresses?.find(each => each.type === 'InternalIP')?.address ?? `10.0.1.${index + 1}`;
  const capacity = texts(node.status?.capacity ?? {cpu: '4', memory: '8Gi', pods: '110'});
  return {
    name,
    address,
    labels,
    taints: node.spec?.taints ?? [],
    capacity,
    allocatable: texts(node.status?.allocatable ?? capacity),
    controlPlane: 'node-role.kubernetes.io/control-plane' in labels,
    nodeInfo: node.status?.nodeInfo ?? DEFAULT_NODE_INFO,
  };
}

function texts(quantities: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(quantities).map(([name, value]) => [name, String(value)]));
}
