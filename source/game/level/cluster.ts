// From a level to the description of a cluster that the world can build.
import type {Taint} from '../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import {unitValue} from '../../api/meta/quantity.ts';
import {printYaml} from '../../api/yaml/print.ts';
import type {NodeDescription, WorldDescription} from '../../world/description.ts';
import {isPreset, PRESETS} from '../../world/presets.ts';
import {withCertificates} from './certificates.ts';
import {standsFor, type Level} from './level.ts';

/** When a level without a clock of its own begins: a Friday morning, some minutes past nine. */
const DEFAULT_START = Date.UTC(2026, 10, 27, 9, 0, 0);

/** The cluster of a level. A seed other than the level's own shifts all chance. */
export function describeLevel(level: Level, seed = level.rng): WorldDescription {
  const {cluster, player} = level;
  const startMs = cluster.clock === undefined ? DEFAULT_START : Date.parse(cluster.clock);
  return {
    seed,
    startMs,
    nodes: nodesOf(level),
    kubeadm: true,
    metricsServer: cluster.metricsServer ?? level.debrief.commands?.some(command => command.startsWith('kubectl top')) === true,
    ...(cluster.storage?.provisioner === true ? {storage: storageOf(cluster.storage)} : {}),
    staticPods: cluster.staticPods === true || cluster.etcd?.topology === 'stacked',
    images: (cluster.registry ?? []).map(({image, size, program}) => ({image, sizeBytes: unitValue(size), program})),
    programs: level.programs ?? {},
    player: {
      user: player.user,
      identity: player.kubeconfig.user,
      // Who has no rights of a level's making is an administrator, as kubeadm makes them.
      groups: player.groups ?? (player.rbac ? [] : ['kubeadm:cluster-admins']),
      namespace: player.kubeconfig.namespace ?? 'default',
      ...(player.ssh ? {ssh: player.ssh} : {}),
      ...(player.env ? {hostEnvironment: player.env} : {}),
      files: Object.fromEntries(Object.entries(player.files ?? {}).map(([name, content]) => [name, fileText(content, level)])),
      allowed: player.tools?.allow ?? [],
    },
    objects: [...rightsOf(level), ...inOrder({...level, objects: withCertificates(level, startMs)})],
  };
}

function storageOf({capacity}: NonNullable<Level['cluster']['storage']>): NonNullable<WorldDescription['storage']> {
  return capacity === undefined || capacity === null ? {} : {capacityBytes: unitValue(capacity)};
}

function nodesOf(level: Level): readonly NodeDescription[] {
  const {preset, nodes: changes = []} = level.cluster;
  const nodes = new Map((isPreset(preset) ? PRESETS[preset] : []).map(node => [node.name, node]));
  for (const change of changes) {
    for (const name of expand(change.name)) {
      const plain = nodes.get(name);
      if (plain) nodes.set(name, changed(plain, change));
    }
  }
  return [...nodes.values()];
}

type Change = NonNullable<Level['cluster']['nodes']>[number];

function changed(node: NodeDescription, change: Change): NodeDescription {
  const extra = {...change.capacity, ...change.allocatable};
  const labels = {
    ...node.labels,
    ...change.labels,
    ...(change.zone === undefined ? {} : {'topology.kubernetes.io/zone': change.zone}),
  };
  return {
    ...node,
    labels,
    capacity: {...node.capacity, ...extra, ...change.capacity},
    allocatable: {...node.allocatable, ...extra},
    taints: (change.taints as readonly Taint[] | undefined) ?? node.taints,
    address: change.address ?? change.ip ?? node.address,
  };
}

/** `gpu-{1..3}` as three names. */
export function expand(name: string): readonly string[] {
  const range = /^(.*)\{(\d+)\.\.(\d+)\}(.*)$/.exec(name);
  if (!range) return [name];
  const [, before = '', first = '', last = '', after = ''] = range;
  const count = Math.max(0, Math.min(1000, Number(last) - Number(first) + 1));
  return Array.from({length: count}, (_, index) => `${before}${Number(first) + index}${after}`);
}

/** The objects, those of `applyOrder` last and in its order; namespaces come first of all. */
function inOrder({objects, applyOrder = []}: Level): readonly AnyObject[] {
  const place = (object: AnyObject) => (object.kind === 'Namespace' ? -1 : applyOrder.indexOf(object.metadata.name));
  const sorted = [...objects.entries()].sort(([i, a], [j, b]) => place(a) - place(b) || i - j);
  return sorted.map(([, object]) => asApplied(object));
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The object as `kubectl apply` would have left it, so that the player's own apply finds what it expects. */
function asApplied(object: AnyObject): AnyObject {
  const {annotations = {}, ...metadata} = object.metadata;
  const plain = sortedKeys({...object, metadata: {annotations, ...metadata}});
  return {...object, metadata: {...object.metadata, annotations: {...annotations, [LAST_APPLIED]: `${JSON.stringify(plain)}\n`}}};
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sortedKeys(each)]));
}

/** What lets the player do what the level says: a role in a namespace, and further rules for the whole cluster. */
function rightsOf({player}: Level): readonly AnyObject[] {
  const {rbac, user} = player;
  if (!rbac) return [];
  const subjects = [{kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user}];
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const meta = (name: string, namespace?: string) => ({name, ...(namespace ? {namespace} : {})}) as AnyObject['metadata'];
  const objects: AnyObject[] = [
    {apiVersion: 'v1', kind: 'Namespace', metadata: meta(rbac.namespace)},
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata: meta(`${user}-${rbac.clusterRole}`, rbac.namespace),
      roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: rbac.clusterRole},
      subjects,
    },
  ];
  if (rbac.extra) {
    objects.push(
      {apiVersion, kind: 'ClusterRole', metadata: meta(`${user}-extra`), rules: rbac.extra},
      {
        apiVersion,
        kind: 'ClusterRoleBinding',
        metadata: meta(`${user}-extra`),
        roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `${user}-extra`},
        subjects,
      },
    );
  }
  return objects;
}

function fileText(content: string, {objects}: Level): string {
  const names = standsFor(content);
  if (names.length === 0) return content;
  return names
    .map(name =>
      printYaml(objects.find(object => object.metadata.name === name.split('/').at(-1) && kindFits(object, name)) ?? null),
    )
    .join('---\n');
}

function kindFits(object: AnyObject, name: string): boolean {
  const word = (name.split('/')[0] ?? '').toLowerCase();
  const kind = object.kind.toLowerCase();
  return (
    kind.startsWith(word) ||
    {svc: 'service', ns: 'namespace', cm: 'configmap', sts: 'statefulset', ds: 'daemonset'}[word] === kind
  );
}
