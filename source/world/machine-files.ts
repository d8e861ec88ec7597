// What kubeadm leaves on a machine: certificates, kubeconfigs and, where the kubelet is to start the control plane, the manifests
// of its static pods; the kubelet's own files on every node.
import {AUTHORITIES, KUBERNETES, LEAVES, PKI, type AuthorityName, type KubeadmMachine} from '../api/kubeadm/certificates.ts';
import {kubeadmKubeconfig} from '../api/kubeadm/kubeconfig.ts';
import {manifestText, STATIC_PODS} from '../api/kubeadm/manifests.ts';
import {certificatePem, keyPem, publicKeyPem, type Certificate} from '../api/pki/certificate.ts';
import type {Files} from '../sim/files.ts';
import type {Authority} from './authority.ts';

/** The folder whose manifests the kubelet runs. */
export const MANIFESTS = `${KUBERNETES}/manifests`;

export interface ControlPlaneFiles {
  readonly authority: Authority;
  readonly machine: KubeadmMachine;
  /** The members of etcd up to this one, in the order of joining. */
  readonly members: readonly Pick<KubeadmMachine, 'name' | 'address'>[];
  readonly manifests: boolean;
}

/** Lays out a machine of the control plane. */
export function layControlPlane(files: Files, {authority, machine, members, manifests}: ControlPlaneFiles): void {
  for (const name of Object.keys(AUTHORITIES) as AuthorityName[])
    layPair(files, `${PKI}/${AUTHORITIES[name].path}`, authority.authorities[name]);
  files.place(`${PKI}/sa.key`, keyPem(authority.tokenKey), 0o600);
  files.place(`${PKI}/sa.pub`, publicKeyPem(authority.tokenKey), 0o600);
  for (const leaf of LEAVES) {
    const certificate = authority.leaf(leaf, machine);
    if (!leaf.isKubeconfig) layPair(files, `${PKI}/${leaf.path}`, certificate);
    else {
      const server = `https://${leaf.path.endsWith('admin.conf') ? machine.endpoint : machine.address}:6443`;
      const facts = {server, authority: authority.certificate, user: certificate.commonName, certificate};
      files.place(`${KUBERNETES}/${leaf.path}`, kubeadmKubeconfig(facts), 0o600);
    }
  }
  files.makeFolder(MANIFESTS);
  if (!manifests) return;
  for (const pod of STATIC_PODS) files.place(`${MANIFESTS}/${pod}.yaml`, manifestText(pod, {machine, members}), 0o600);
}

export interface NodeFiles {
  readonly authority: Authority;
  readonly name: string;
  readonly address: string;
  /** The API server that its kubelet speaks to. */
  readonly server: string;
}

const KUBELET = '/var/lib/kubelet';
/** The kubelet's certificate and key in one file, renewed under this name. */
export const KUBELET_CERTIFICATE = `${KUBELET}/pki/kubelet-client-current.pem`;

/** Lays out what the kubelet of a node needs. */
export function layNode(files: Files, {authority, name, address, server}: NodeFiles): void {
  const certificate = authority.issue(`system:node:${name}`, ['system:nodes']);
  files.place(KUBELET_CERTIFICATE, certificatePem(certificate) + keyPem(certificate.key), 0o600);
  layPair(files, `${KUBELET}/pki/kubelet`, authority.serving(name, address));
  const facts = {server, authority: authority.certificate, user: 'default-auth', certificate: {path: KUBELET_CERTIFICATE}};
  files.place(`${KUBERNETES}/kubelet.conf`, kubeadmKubeconfig(facts), 0o600);
  if (files.info(`${PKI}/ca.crt`) === undefined) files.place(`${PKI}/ca.crt`, certificatePem(authority.certificate), 0o644);
  files.place(`${KUBELET}/config.yaml`, KUBELET_CONFIG, 0o644);
  files.place(`${KUBELET}/kubeadm-flags.env`, 'KUBELET_KUBEADM_ARGS=""\n', 0o644);
  for (const program of ['containerd', 'kubelet']) files.place(`/usr/bin/${program}`, ELF, 0o755);
  files.place('/usr/lib/systemd/system/containerd.service', CONTAINERD_UNIT, 0o644);
  files.place('/usr/lib/systemd/system/kubelet.service', KUBELET_UNIT, 0o644);
  files.place('/usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf', KUBELET_DROP_IN, 0o644);
  files.place('/etc/crictl.yaml', 'runtime-endpoint: unix:///run/containerd/containerd.sock\n', 0o644);
  files.makeFolder(MANIFESTS);
  files.makeFolder('/root');
  files.makeFolder('/tmp');
  for (const folder of [
    '/bin',
    '/boot',
    '/dev',
    '/home',
    '/media',
    '/proc',
    '/sbin',
    '/srv',
    '/sys',
    '/run',
    '/var/tmp',
    '/mnt',
    '/opt',
    '/etc/default',
    '/etc/systemd/system',
    '/var/log',
  ])
    files.makeFolder(folder);
  files.place('/etc/os-release', OS_RELEASE, 0o644);
}

const OS_RELEASE = `PRETTY_NAME="Debian GNU/Linux 13 (trixie)"
NAME="Debian GNU/Linux"
VERSION_ID="13"
VERSION="13 (trixie)"
VERSION_CODENAME=trixie
ID=debian
`;

/** How a program's file begins. */
const ELF = '\u007fELF\u0002\u0001\u0001';

function layPair(files: Files, path: string, certificate: Certificate): void {
  files.place(`${path}.crt`, certificatePem(certificate), 0o644);
  files.place(`${path}.key`, keyPem(certificate.key), 0o600);
}

/** The kubelet's configuration as kubeadm writes it. */
export const KUBELET_CONFIG = `apiVersion: kubelet.config.k8s.io/v1beta1
authentication:
  anonymous:
    enabled: false
  webhook:
    cacheTTL: 0s
    enabled: true
  x509:
    clientCAFile: /etc/kubernetes/pki/ca.crt
authorization:
  mode: Webhook
  webhook:
    cacheAuthorizedTTL: 0s
    cacheUnauthorizedTTL: 0s
cgroupDriver: systemd
clusterDNS:
- 10.96.0.10
clusterDomain: cluster.local
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
healthzBindAddress: 127.0.0.1
healthzPort: 10248
kind: KubeletConfiguration
memorySwap: {}
resolvConf: /etc/resolv.conf
rotateCertificates: true
shutdownGracePeriod: 0s
shutdownGracePeriodCriticalPods: 0s
staticPodPath: /etc/kubernetes/manifests
`;

const CONTAINERD_UNIT = `[Unit]
Description=containerd container runtime
Documentation=https://containerd.io
After=network.target dbus.service

[Service]
ExecStart=/usr/bin/containerd
Type=notify
Delegate=yes
KillMode=process
Restart=always
RestartSec=5
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
OOMScoreAdjust=-999

[Install]
WantedBy=multi-user.target
`;

const KUBELET_UNIT = `[Unit]
Description=kubelet: The Kubernetes Node Agent
Documentation=https://kubernetes.io/docs/
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=/usr/bin/kubelet
Restart=always
StartLimitInterval=0
RestartSec=10

[Install]
WantedBy=multi-user.target
`;

const KUBELET_DROP_IN = `# Note: This dropin only works with kubeadm and kubelet v1.11+
[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
EnvironmentFile=-/etc/default/kubelet
ExecStart=
ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
`;
