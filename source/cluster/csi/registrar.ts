// The node's part of the driver: makes itself known to the kubelet, which then tells the cluster (CSINode). In life the two speak over a
// socket in the folder of plugins; here the file itself says what the plugin would answer.
import {DISK_DRIVER, DISK_TOPOLOGY, PLUGIN_REGISTRY, type PluginInfo} from '../../api/meta/disk-driver.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Files} from '../../sim/files.ts';

export interface RegistrarOptions {
  readonly daemon: Daemon;
  /** The node's files. */
  readonly files: Files;
  readonly node: string;
  readonly maxVolumes: number;
}

/** Registers the driver, as long as the process runs. */
export function startRegistrar({daemon, files, node, maxVolumes}: RegistrarOptions): void {
  const path = `${PLUGIN_REGISTRY}/${DISK_DRIVER}-reg.sock`;
  const info: PluginInfo = {name: DISK_DRIVER, nodeID: node, maxVolumes, topologyKeys: [DISK_TOPOLOGY]};
  files.place(path, JSON.stringify(info), 0o755);
  daemon.print(`I main.go:150] "CSI driver name" driver="${DISK_DRIVER}"`);
  daemon.print(`I node_register.go:56] "Starting Registration Server" socketPath="/registration/${DISK_DRIVER}-reg.sock"`);
  daemon.onTerminate = () => {
    files.remove(path);
    daemon.exit(0);
  };
}
