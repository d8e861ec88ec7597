// The driver of the disks that a cluster lends from its array, as classes, volumes and nodes name it.

/** The CSI driver's name: the provisioner of the class `standard`. */
export const DISK_DRIVER = 'disk.csi.crashloop.dev';
/** Nodes and volumes of another value are out of each other's reach. */
export const DISK_TOPOLOGY = 'topology.kubernetes.io/zone';
/** Where a node's plugins make themselves known to its kubelet. */
export const PLUGIN_REGISTRY = '/var/lib/kubelet/plugins_registry';

/** What a plugin says of itself when it registers. */
export interface PluginInfo {
  readonly name: string;
  readonly nodeID: string;
  readonly maxVolumes?: number;
  readonly topologyKeys?: readonly string[];
}
