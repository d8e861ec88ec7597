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
    ...RIGHTS,
  ];
}

const JOINING = {kind: 'Group', name: 'system:bootstrappers:kubeadm:default-node-token'};
const NODES = {kind: 'Group', name: 'system:nodes'};
const CSR_ROLE = 'system:certificates.k8s.io:certificatesigningrequests';

/** What machines that join, and those that have joined, may read and ask for. */
const RIGHTS: readonly AnyObject[] = [
  clusterBinding('kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', JOINING),
  clusterBinding('kubeadm:node-autoapprove-bootstrap', `${CSR_ROLE}:nodeclient`, JOINING),
  clusterBinding('kubeadm:node-autoapprove-certificate-rotation', `${CSR_ROLE}:selfnodeclient`, NODES),
  rbac('ClusterRole', {name: 'kubeadm:get-nodes'}, {rules: [{apiGroups: [''], resources: ['nodes'], verbs: ['get']}]}),
  clusterBinding('kubeadm:get-nodes', 'kubeadm:get-nodes', JOINING),
  ...reading('kubeadm:bootstrap-signer-clusterinfo', 'cluster-info', 'kube-public', [{kind: 'User', name: 'system:anonymous'}]),
  ...reading('kubeadm:nodes-kubeadm-config', 'kubeadm-config', 'kube-system', [JOINING, NODES]),
  ...reading('kubeadm:kubelet-config', 'kubelet-config', 'kube-system', [JOINING, NODES]),
];

interface Subject {
  readonly kind: string;
  readonly name: string;
}

function rbac(kind: string, metadata: object, rest: object): AnyObject {
  return {apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, ...rest} as unknown as AnyObject;
}

function boundTo(kind: string, name: string, subjects: readonly Subject[]): object {
  const apiGroup = 'rbac.authorization.k8s.io';
  return {roleRef: {apiGroup, kind, name}, subjects: subjects.map(subject => ({apiGroup, ...subject}))};
}

function clusterBinding(name: string, role: string, subject: Subject): AnyObject {
  return rbac('ClusterRoleBinding', {name}, boundTo('ClusterRole', role, [subject]));
}

/** A role to read one ConfigMap, and who has it. */
// oxlint-disable-next-line max-params
function reading(name: string, configMapName: string, namespace: string, subjects: readonly Subject[]): readonly AnyObject[] {
  const rules = [{apiGroups: [''], resourceNames: [configMapName], resources: ['configmaps'], verbs: ['get']}];
  return [rbac('Role', {name, namespace}, {rules}), rbac('RoleBinding', {name, namespace}, boundTo('Role', name, subjects))];
}

function configMap(name: string, namespace: string, data: Readonly<Record<string, string>>): AnyObject {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, namespace}, data} as unknown as AnyObject;
}
