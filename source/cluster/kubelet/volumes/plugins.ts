// Drivers of volumes on a node: each makes itself known by a file in the folder of plugins, and the kubelet tells the cluster in the
// node's CSINode object. A driver whose file goes is told no more.
//
// Not modelled: the CSINode of a node that has no driver, device plugins.
import type {CSINode, CSINodeDriver} from '../../../api/kinds/storage-v1.ts';
import {PLUGIN_REGISTRY, type PluginInfo} from '../../../api/meta/disk-driver.ts';
import type {Draft} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {failedAs} from '../../../client/client.ts';
import {create, get, update} from '../../../client/verbs.ts';
import {sleep, type Task} from '../../../sim/task.ts';
import type {KubeletParts} from '../surroundings.ts';

const csiNodes = builtin('storage.k8s.io', 'csinodes');
const SETTLE_MS = 100;
const RETRY_MS = 1000;
/** In-tree volumes that a node of this version leaves to drivers. */
const MIGRATED = ['aws-ebs', 'azure-disk', 'azure-file', 'cinder', 'gce-pd', 'portworx-volume', 'vsphere-volume'];

export type PluginSurroundings = Pick<KubeletParts, 'daemon' | 'client' | 'files' | 'config' | 'node'>;

/** The drivers of one node. */
export class Plugins {
  readonly #parts: PluginSurroundings;
  #drivers: ReadonlyMap<string, PluginInfo> = new Map();
  #wanted = false;

  constructor(parts: PluginSurroundings) {
    this.#parts = parts;
  }

  has(driver: string): boolean {
    return this.#drivers.has(driver);
  }

  /** Reads the folder, and does so whenever it changes. */
  start(): void {
    const {daemon, files} = this.#parts;
    if (files.list(PLUGIN_REGISTRY)) this.#look();
    daemon.scope.onStop(
      files.watch(path => {
        if (path.startsWith(PLUGIN_REGISTRY)) this.#look();
      }),
    );
  }

  #look(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    const {daemon} = this.#parts;
    daemon.scope.after(SETTLE_MS, () => {
      this.#wanted = false;
      this.#drivers = this.#read();
      daemon.scope.run(this.#tell());
    });
  }

  #read(): ReadonlyMap<string, PluginInfo> {
    const {files} = this.#parts;
    const found = (files.list(PLUGIN_REGISTRY) ?? []).flatMap(name => {
      const text = name.endsWith('.sock') ? files.read(`${PLUGIN_REGISTRY}/${name}`) : undefined;
      const info = text === undefined ? undefined : infoOf(text);
      return info ? [[info.name, info] as const] : [];
    });
    return new Map(found);
  }

  *#tell(): Task {
    const {client, node, config} = this.#parts;
    for (;;) {
      const owner = node();
      if (owner) {
        const {labels = {}} = owner.metadata;
        const drivers = [...this.#drivers.values()].map(info => driverOf(info, labels));
        const found = yield* client.ask<CSINode>(get(csiNodes, {name: config.name}));
        const request = found.ok
          ? update(csiNodes, {...found.value, spec: {...found.value.spec, drivers}})
          : create(csiNodes, newCsiNode({name: config.name, uid: owner.metadata.uid}, drivers));
        const missing = failedAs(found, 'NotFound');
        if ((found.ok || missing) && (yield* client.ask(request)).ok) return;
      }
      yield* sleep(RETRY_MS);
    }
  }
}

function infoOf(text: string): PluginInfo | undefined {
  try {
    const info = JSON.parse(text) as Partial<PluginInfo> | null;
    return typeof info?.name === 'string' && typeof info.nodeID === 'string' ? (info as PluginInfo) : undefined;
  } catch {
    return undefined;
  }
}

/** A driver as its CSINode tells of it: only with the labels that the node has. */
function driverOf(
  {name, nodeID, maxVolumes, topologyKeys = []}: PluginInfo,
  labels: Readonly<Record<string, string>>,
): CSINodeDriver {
  const keys = topologyKeys.filter(key => labels[key] !== undefined);
  return {
    name,
    nodeID,
    ...(keys.length > 0 ? {topologyKeys: keys} : {}),
    ...(maxVolumes === undefined ? {} : {allocatable: {count: maxVolumes}}),
  };
}

function newCsiNode(
  {name, uid}: {readonly name: string; readonly uid: string},
  drivers: readonly CSINodeDriver[],
): Draft<CSINode> {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: {
      name,
      annotations: {'storage.alpha.kubernetes.io/migrated-plugins': MIGRATED.map(each => `kubernetes.io/${each}`).join(',')},
      ownerReferences: [{apiVersion: 'v1', kind: 'Node', name, uid}],
    },
    spec: {drivers},
  };
}
