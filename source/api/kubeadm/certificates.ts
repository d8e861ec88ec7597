// The certificates of a kubeadm cluster: what lies where, who signs it, for whom.
import type {CertificateRequest} from '../pki/issue.ts';

/** The certificate authorities, by the name that kubeadm gives them. */
export const AUTHORITIES = {
  ca: {path: 'ca', commonName: 'kubernetes'},
  'etcd-ca': {path: 'etcd/ca', commonName: 'etcd-ca'},
  'front-proxy-ca': {path: 'front-proxy-ca', commonName: 'front-proxy-ca'},
} as const;

export type AuthorityName = keyof typeof AUTHORITIES;

export const PKI = '/etc/kubernetes/pki';
export const KUBERNETES = '/etc/kubernetes';

/** What kubeadm must know of a machine and its cluster. */
export interface KubeadmMachine {
  readonly name: string;
  readonly address: string;
  /** Where clients reach the control plane. */
  readonly endpoint: string;
  /** The first address of the Services' range. */
  readonly serviceAddress: string;
  /** Where pods get their addresses. */
  readonly podNetwork: string;
}

/** One leaf certificate. */
export interface LeafCertificate {
  /** As `kubeadm certs` calls it. */
  readonly name: string;
  readonly authority: AuthorityName;
  /** Below /etc/kubernetes/pki without its ending, or a kubeconfig in /etc/kubernetes. */
  readonly path: string;
  readonly isKubeconfig: boolean;
  /** What `kubeadm certs renew` calls it when it is done. */
  readonly says: string;
  readonly request: (machine: KubeadmMachine) => CertificateRequest;
}

const client = (commonName: string, ...organizations: string[]): CertificateRequest => ({
  commonName,
  organizations,
  usages: ['client'],
});

const etcdServer = ({name, address}: KubeadmMachine): CertificateRequest => ({
  commonName: name,
  usages: ['server', 'client'],
  dnsNames: [name, 'localhost'],
  addresses: [address, '127.0.0.1', '0:0:0:0:0:0:0:1'],
});

const apiServer = ({name, address, endpoint, serviceAddress}: KubeadmMachine): CertificateRequest => ({
  commonName: 'kube-apiserver',
  usages: ['server'],
  dnsNames: [name, 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'],
  addresses: [...new Set([serviceAddress, address, endpoint])],
});

function leaf(
  [name, authority, path]: readonly [string, AuthorityName, string],
  says: string,
  request: (machine: KubeadmMachine) => CertificateRequest,
): LeafCertificate {
  return {name, authority, path, isKubeconfig: path.endsWith('.conf'), says, request};
}

/** All leaves, in the order of `kubeadm certs check-expiration`. */
export const LEAVES: readonly LeafCertificate[] = [
  leaf(
    ['admin.conf', 'ca', 'admin.conf'],
    'certificate embedded in the kubeconfig file for the admin to use and for kubeadm itself',
    () => client('kubernetes-admin', 'kubeadm:cluster-admins'),
  ),
  leaf(['apiserver', 'ca', 'apiserver'], 'certificate for serving the Kubernetes API', apiServer),
  leaf(['apiserver-etcd-client', 'etcd-ca', 'apiserver-etcd-client'], 'certificate the apiserver uses to access etcd', () =>
    client('kube-apiserver-etcd-client'),
  ),
  leaf(
    ['apiserver-kubelet-client', 'ca', 'apiserver-kubelet-client'],
    'certificate for the API server to connect to kubelet',
    () => client('kube-apiserver-kubelet-client', 'kubeadm:cluster-admins'),
  ),
  leaf(
    ['controller-manager.conf', 'ca', 'controller-manager.conf'],
    'certificate embedded in the kubeconfig file for the controller manager to use',
    () => client('system:kube-controller-manager'),
  ),
  leaf(
    ['etcd-healthcheck-client', 'etcd-ca', 'etcd/healthcheck-client'],
    'certificate for liveness probes to healthcheck etcd',
    () => client('kube-etcd-healthcheck-client'),
  ),
  leaf(['etcd-peer', 'etcd-ca', 'etcd/peer'], 'certificate for etcd nodes to communicate with each other', etcdServer),
  leaf(['etcd-server', 'etcd-ca', 'etcd/server'], 'certificate for serving etcd', etcdServer),
  leaf(['front-proxy-client', 'front-proxy-ca', 'front-proxy-client'], 'certificate for the front proxy client', () =>
    client('front-proxy-client'),
  ),
  leaf(
    ['scheduler.conf', 'ca', 'scheduler.conf'],
    'certificate embedded in the kubeconfig file for the scheduler manager to use',
    () => client('system:kube-scheduler'),
  ),
  leaf(['super-admin.conf', 'ca', 'super-admin.conf'], 'certificate embedded in the kubeconfig file for the super-admin', () =>
    client('kubernetes-super-admin', 'system:masters'),
  ),
];
