// What is installed besides the control plane: the network plugin, kubeadm's kube-proxy and CoreDNS; and metrics-server, and a driver with the class `standard`,
// where they are wanted.
import {deepFreeze, type AnyObject} from '../api/meta/object.ts';
import kubeadm from './data/add-ons.json' with {type: 'json'};
import metricsServer from './data/metrics-server.json' with {type: 'json'};
import storage from './data/storage.json' with {type: 'json'};
import {podNetworkOf, type WorldDescription} from './description.ts';
import {NETWORK_PLUGIN_OBJECTS} from './network-plugin.ts';

/** The add-ons of a cluster, in the order in which they are applied. */
export function addOnsOf(description: WorldDescription): readonly AnyObject[] {
  const {kubeadm: asKubeadm, metricsServer: withMetrics, storage: withStorage} = description;
  const wanted = [
    ...(asKubeadm ? [...NETWORK_PLUGIN_OBJECTS, ...kubeadm] : []),
    ...(withMetrics ? metricsServer : []),
    ...(withStorage ? storage : []),
  ];
  const objects = wanted as unknown as AnyObject[];
  const podNetwork = podNetworkOf(description);
  return objects.map(object => deepFreeze(withPodNetwork(withoutRevision(object), podNetwork)));
}

/** kubeadm's manifest of the DNS Service carries a resourceVersion for updates, which a create refuses. */
function withoutRevision(object: AnyObject): AnyObject {
  const {resourceVersion: _, ...metadata} = object.metadata;
  return {...object, metadata: metadata as AnyObject['metadata']};
}

/** kube-proxy is told where pods are. */
function withPodNetwork(object: AnyObject, podNetwork: string): AnyObject {
  const {data} = object as {readonly data?: Readonly<Record<string, string>>};
  const config = data?.['config.conf'];
  if (config === undefined) return object;
  return {
    ...object,
    data: {...data, 'config.conf': config.replace(/clusterCIDR: \S+/, `clusterCIDR: ${podNetwork}`)},
  } as AnyObject;
}
