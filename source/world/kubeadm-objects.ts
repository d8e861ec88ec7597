// What `kubeadm init` leaves in the API: its own configuration, the kubelets' and, for those who want to join, where the cluster is.
// The add-ons are data of their own (add-ons.ts).
import {kubeadmDiscovery} from '../api/kubeadm/kubeconfig.ts';
import type {AnyObject} from '../api/meta/object.ts';
import type {Certificate} from '../api/pki/certificate.ts';
import {API_ADDRESS, API_PORT, SERVICE_NETWORK} from './description.ts';
import {KUBELET_CONFIG} from './machine-files.ts';

export interface KubeadmObjectsFacts {
  readonly authority: Certificate;
  readonly podNetwork: string;
}

/** The objects, in the order in which kubeadm makes them. */
export function kubeadmObjects({authority, podNetwork}: KubeadmObjectsFacts): readonly AnyObject[] {
  const configuration = `apiServer: {}
apiVersion: kubeadm.k8s.io/v1beta4
caCertificateValidityPeriod: 87600h0m0s
certificateValidityPeriod: 8760h0m0s
certificatesDir: /etc/kubernetes/pki
clusterName: kubernetes
controllerManager: {}
dns: {}
encryptionAlgorithm: RSA-2048
etcd:
  local:
    dataDir: /var/lib/etcd
imageRepository: registry.k8s.io
kind: ClusterConfiguration
kubernetesVersion: v1.35.4
networking:
  dnsDomain: cluster.local
  podSubnet: ${podNetwork}
  serviceSubnet: ${SERVICE_NETWORK}
proxy: {}
scheduler: {}
`;
  const server = `https://${API_ADDRESS}:${API_PORT}`;
  return [
    configMap('kubeadm-config', 'kube-system', {ClusterConfiguration: configuration}),
    configMap('kubelet-config', 'kube-system', {kubelet: KUBELET_CONFIG}),
    configMap('cluster-info', 'kube-public', {kubeconfig: kubeadmDiscovery(server, authority)}),
  ];
}

function configMap(name: string, namespace: string, data: Readonly<Record<string, string>>): AnyObject {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, namespace}, data} as unknown as AnyObject;
}
