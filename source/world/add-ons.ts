// What kubeadm installs besides the control plane: kube-proxy and CoreDNS; and metrics-server where it is wanted.
import {deepFreeze, type AnyObject} from '../api/meta/object.ts';
import kubeadm from './data/add-ons.json' with {type: 'json'};
import metricsServer from './data/metrics-server.json' with {type: 'json'};
import type {WorldDescription} from './description.ts';

/** The add-ons of a cluster, in the order in which they are applied. */
export function addOnsOf({kubeadm: asKubeadm, metricsServer: withMetrics}: WorldDescription): readonly AnyObject[] {
  const objects = [...(asKubeadm ? kubeadm : []), ...(withMetrics ? metricsServer : [])] as unknown as AnyObject[];
  return objects.map(object => deepFreeze(withoutRevision(object)));
}

/** kubeadm's manifest of the DNS Service carries a resourceVersion for updates, which a create refuses. */
function withoutRevision(object: AnyObject): AnyObject {
  const {resourceVersion: _, ...metadata} = object.metadata;
  return {...object, metadata: metadata as AnyObject['metadata']};
}
