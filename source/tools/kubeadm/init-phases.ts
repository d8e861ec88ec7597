// `kubeadm init phase …`: the parts of an init that an operator repeats to mend a control plane: certificates, kubeconfigs, manifests,
// the kubelet's own files. What lies there already is kept, as kubeadm keeps it. They go by flags and `--config` alone, and never ask
// the cluster.
import {
  AUTHORITIES,
  KUBERNETES,
  LEAVES,
  PKI,
  type AuthorityName,
  type KubeadmMachine,
  type LeafCertificate,
} from '../../api/kubeadm/certificates.ts';
import {kubeadmKubeconfig} from '../../api/kubeadm/kubeconfig.ts';
import {commandOf, manifestText, withCommand, type StaticPodName} from '../../api/kubeadm/manifests.ts';
import {stampedLine} from '../../api/meta/klog.ts';
import {certificatePem, keyPem, publicKeyPem, readCertificate, readKey, type Certificate} from '../../api/pki/certificate.ts';
import {issueCertificate, selfSigned} from '../../api/pki/issue.ts';
import {readYaml} from '../../api/yaml/read.ts';
import {Failed, type Session} from './session.ts';

/** The certificates in the order in which an init makes them: an authority, then what it signs. */
const CERTIFICATES: readonly {readonly phase: string; readonly authority: AuthorityName; readonly leaf: string | undefined}[] = [
  {phase: 'ca', authority: 'ca', leaf: undefined},
  {phase: 'apiserver', authority: 'ca', leaf: 'apiserver'},
  {phase: 'apiserver-kubelet-client', authority: 'ca', leaf: 'apiserver-kubelet-client'},
  {phase: 'front-proxy-ca', authority: 'front-proxy-ca', leaf: undefined},
  {phase: 'front-proxy-client', authority: 'front-proxy-ca', leaf: 'front-proxy-client'},
  {phase: 'etcd-ca', authority: 'etcd-ca', leaf: undefined},
  {phase: 'etcd-server', authority: 'etcd-ca', leaf: 'etcd-server'},
  {phase: 'etcd-peer', authority: 'etcd-ca', leaf: 'etcd-peer'},
  {phase: 'etcd-healthcheck-client', authority: 'etcd-ca', leaf: 'etcd-healthcheck-client'},
  {phase: 'apiserver-etcd-client', authority: 'etcd-ca', leaf: 'apiserver-etcd-client'},
];

const MANIFESTS = `${KUBERNETES}/manifests`;
const KUBELET = '/var/lib/kubelet';

/** `init phase certs NAME|all`. */
export async function certs(session: Session): Promise<void> {
  const {process, words} = session;
  const [name = 'all'] = words;
  const known = CERTIFICATES.filter(({phase}) => name === 'all' || phase === name);
  if (known.length === 0 && name !== 'sa')
    throw new Failed(`unknown command ${JSON.stringify(name)} for "kubeadm init phase certs"`);
  const machine = await machineOf(session);
  for (const {authority, leaf} of known) {
    const wanted = LEAVES.find(each => each.name === leaf);
    await (wanted ? makeLeaf(session, wanted, machine) : makeAuthority(session, authority));
  }
  if (name !== 'all' && name !== 'sa') return;
  const {files} = process.machine;
  const pki = pkiOf(session);
  if (readKey(files.read(`${pki}/sa.key`) ?? '') !== undefined) return process.out('[certs] Using the existing "sa" key\n');
  const key = session.options.random(32);
  files.place(`${pki}/sa.key`, keyPem(key), 0o600);
  files.place(`${pki}/sa.pub`, publicKeyPem(key), 0o600);
  await process.out('[certs] Generating "sa" key and public key\n');
}

function pkiOf({flags}: Session): string {
  return flags.text('cert-dir') || PKI;
}

async function makeAuthority(session: Session, name: AuthorityName): Promise<void> {
  const {process, options} = session;
  const {path, commonName} = AUTHORITIES[name];
  const base = `${pkiOf(session)}/${path}`;
  const {files} = process.machine;
  if (readCertificate(files.read(`${base}.crt`) ?? ''))
    return process.out(`[certs] Using existing ${path} certificate authority\n`);
  const certificate = selfSigned(commonName, options.random(40), secondOf(process.machine.wall()));
  files.place(`${base}.crt`, certificatePem(certificate), 0o644);
  files.place(`${base}.key`, keyPem(certificate.key), 0o600);
  await process.out(`[certs] Generating "${path}" certificate and key\n`);
}

async function makeLeaf(session: Session, leaf: LeafCertificate, machine: KubeadmMachine): Promise<void> {
  const {process} = session;
  const {files} = process.machine;
  const base = `${pkiOf(session)}/${leaf.path}`;
  const old = readCertificate(files.read(`${base}.crt`) ?? '');
  const authority = authorityOf(session, leaf.authority);
  if (old) {
    if (old.authority !== authority.key)
      throw new Failed(
        `error execution phase certs/${leaf.name}: [certs] certificate ${leaf.path} not signed by CA certificate ${AUTHORITIES[leaf.authority].path}: x509: certificate signed by unknown authority`,
      );
    return process.out(`[certs] Using existing ${leaf.path} certificate and key on disk\n`);
  }
  const request = leaf.request(machine);
  const fresh = issueCertificate(authority, {...request, purpose: leaf.name}, secondOf(process.machine.wall()));
  files.place(`${base}.crt`, certificatePem(fresh), 0o644);
  files.place(`${base}.key`, keyPem(fresh.key), 0o600);
  await process.out(`[certs] Generating "${leaf.path}" certificate and key\n`);
  if (fresh.addresses.length === 0) return;
  const addresses = fresh.addresses.map(each => each.replace('0:0:0:0:0:0:0:1', '::1')).join(' ');
  const names = [...fresh.dnsNames].sort().join(' ');
  await process.out(`[certs] ${leaf.path} serving cert is signed for DNS names [${names}] and IPs [${addresses}]\n`);
}

/** The authority that lies on the disk, with its key. */
function authorityOf(session: Session, name: AuthorityName): Certificate {
  const {files} = session.process.machine;
  const base = `${pkiOf(session)}/${AUTHORITIES[name].path}`;
  const certificate = readCertificate(files.read(`${base}.crt`) ?? '');
  if (!certificate)
    throw new Failed(
      `error execution phase certs: couldn't load CA certificate ${AUTHORITIES[name].path}: couldn't load the certificate file ${base}.crt: open ${base}.crt: no such file or directory`,
    );
  if (readKey(files.read(`${base}.key`) ?? '') === undefined)
    throw new Failed(
      `error execution phase certs: couldn't load CA certificate ${AUTHORITIES[name].path}: couldn't load the private key file ${base}.key: open ${base}.key: no such file or directory`,
    );
  return certificate;
}

const KUBECONFIGS = ['admin', 'super-admin', 'controller-manager', 'scheduler', 'kubelet'];

/** `init phase kubeconfig NAME|all`. */
export async function kubeconfig(session: Session): Promise<void> {
  const {process, words} = session;
  const [name = 'all'] = words;
  if (name !== 'all' && !KUBECONFIGS.includes(name))
    throw new Failed(`unknown command ${JSON.stringify(name)} for "kubeadm init phase kubeconfig"`);
  const machine = await machineOf(session);
  const authority = authorityOf(session, 'ca');
  const {files} = process.machine;
  for (const each of name === 'all' ? ['admin', 'super-admin', 'kubelet', 'controller-manager', 'scheduler'] : [name]) {
    const path = `${KUBERNETES}/${each}.conf`;
    const local = each === 'controller-manager' || each === 'scheduler';
    const server = `https://${local ? machine.address : machine.endpoint}:6443`;
    if (files.read(path) !== undefined) {
      await keepKubeconfig(session, path, {authority, server});
      continue;
    }
    const request = LEAVES.find(leaf => leaf.path === `${each}.conf`)?.request(machine) ?? {
      commonName: `system:node:${machine.name}`,
      organizations: ['system:nodes'],
      usages: ['client' as const],
    };
    const certificate = issueCertificate(authority, {...request, purpose: each}, secondOf(process.machine.wall()));
    files.place(path, kubeadmKubeconfig({server, authority, user: certificate.commonName, certificate}), 0o600);
    await process.out(`[kubeconfig] Writing "${each}.conf" kubeconfig file\n`);
  }
}

/** `kubeconfig user --client-name NAME [--org GROUP]`: a file for a user, on standard output. */
export async function userKubeconfig(session: Session): Promise<void> {
  const {process, flags} = session;
  const user = flags.text('client-name');
  if (user === '') throw new Failed('required flag(s) "client-name" not set');
  const machine = await machineOf(session);
  const authority = authorityOf(session, 'ca');
  const request = {commonName: user, organizations: flags.list('org'), usages: ['client' as const], purpose: 'kubeconfig user'};
  const certificate = issueCertificate(authority, request, secondOf(process.machine.wall()));
  await process.out(kubeadmKubeconfig({server: `https://${machine.endpoint}:6443`, authority, user, certificate}));
}

async function keepKubeconfig(
  {process}: Session,
  path: string,
  {authority, server}: {readonly authority: Certificate; readonly server: string},
): Promise<void> {
  const text = process.machine.files.read(path) ?? '';
  const [, data = ''] = /certificate-authority-data: (\S+)/.exec(text) ?? [];
  const [, given = ''] = /server: (\S+)/.exec(text) ?? [];
  const trusted = readCertificate(Buffer.from(data, 'base64').toString('utf8'));
  if (trusted?.key !== authority.key)
    throw new Failed(
      `error execution phase kubeconfig: a kubeconfig file ${JSON.stringify(path)} exists already but has got the wrong CA cert`,
    );
  if (given !== server) {
    const line = `W kubeconfig.go:234] a kubeconfig file ${JSON.stringify(path)} exists already but has an unexpected API Server URL: expected: ${server}, got: ${given}`;
    await process.err(`${stampedLine(line, process.machine.wall(), process.pid)}\n`);
  }
  await process.out(`[kubeconfig] Using existing kubeconfig file: ${JSON.stringify(path)}\n`);
}

const COMPONENTS: Readonly<Record<string, StaticPodName>> = {
  apiserver: 'kube-apiserver',
  'controller-manager': 'kube-controller-manager',
  scheduler: 'kube-scheduler',
};

/** `init phase control-plane NAME|all`. */
export async function controlPlane(session: Session): Promise<void> {
  const [name = 'all'] = session.words;
  const chosen = name === 'all' ? Object.values(COMPONENTS) : [COMPONENTS[name]];
  for (const component of chosen) {
    if (!component) throw new Failed(`unknown command ${JSON.stringify(name)} for "kubeadm init phase control-plane"`);
    await writeManifest(session, component);
    await session.process.out(`[control-plane] Creating static Pod manifest for ${JSON.stringify(component)}\n`);
  }
}

/** `init phase etcd local`. */
export async function etcd(session: Session): Promise<void> {
  const [name = 'local'] = session.words;
  if (name !== 'local' && name !== 'all')
    throw new Failed(`unknown command ${JSON.stringify(name)} for "kubeadm init phase etcd"`);
  await writeManifest(session, 'etcd');
  await session.process.out(`[etcd] Creating static Pod manifest for local etcd in "${MANIFESTS}"\n`);
}

async function writeManifest(session: Session, component: StaticPodName): Promise<void> {
  const machine = await machineOf(session);
  const text = manifestText(component, {machine, members: [machine]});
  // Without a range for pods nobody hands any out.
  const words = commandOf(text).filter(word => machine.podNetwork !== '' || !/^--(allocate-node-cidrs|cluster-cidr)=/.test(word));
  session.process.machine.files.place(`${MANIFESTS}/${component}.yaml`, withCommand(text, words), 0o600);
}

/** `init phase kubelet-start`. */
export async function kubeletStart({process, options}: Session): Promise<void> {
  const {files} = process.machine;
  options.units.stop('kubelet');
  files.place(`${KUBELET}/kubeadm-flags.env`, 'KUBELET_KUBEADM_ARGS=""\n', 0o644);
  await process.out(`[kubelet-start] Writing kubelet environment file with flags to file "${KUBELET}/kubeadm-flags.env"\n`);
  files.place(`${KUBELET}/config.yaml`, options.kubeletConfig, 0o644);
  await process.out(`[kubelet-start] Writing kubelet configuration to file "${KUBELET}/config.yaml"\n`);
  options.units.start('kubelet');
  await process.out('[kubelet-start] Starting the kubelet\n');
}

/** What flags and `--config` say of this machine; the rest is what kubeadm takes where nothing is said. */
async function machineOf(session: Session): Promise<KubeadmMachine> {
  const {process, flags, options} = session;
  const {name, address} = options.machine;
  const config = flags.text('config') === '' ? undefined : configOf(session, flags.text('config'));
  if (!config && !flags.has('kubernetes-version')) {
    const url = 'https://dl.k8s.io/release/stable-1.txt';
    const lines = [
      `W version.go:108] could not fetch a Kubernetes version from the internet: unable to get URL "${url}": Get "${url}": dial tcp: lookup dl.k8s.io: no such host`,
      'W version.go:109] falling back to the local client version: v1.35.4',
    ];
    await process.err(lines.map(line => `${stampedLine(line, process.machine.wall(), process.pid)}\n`).join(''));
  }
  const advertised = flags.text('apiserver-advertise-address') || config?.address || address;
  const endpoint = (flags.text('control-plane-endpoint') || config?.endpoint || advertised).replace(/:\d+$/, '');
  const podNetwork = flags.text('pod-network-cidr') || config?.podNetwork || '';
  return {name, address: advertised, endpoint, serviceAddress: '10.96.0.1', podNetwork};
}

interface Configured {
  readonly address: string | undefined;
  readonly endpoint: string | undefined;
  readonly podNetwork: string | undefined;
}

function configOf({process}: Session, path: string): Configured {
  const text = process.machine.files.read(process.path(path));
  if (text === undefined) throw new Failed(`unable to read config from "${path}" : open ${path}: no such file or directory`);
  const {documents, error} = readYaml(text);
  if (error) throw new Failed(`error converting YAML to JSON: ${error.message.replace(/^.*?(?=yaml: )/s, '')}`);
  const objects = documents.map(({value}) => value as Readonly<Record<string, unknown>>);
  const of = (kind: string) => objects.find(object => object['kind'] === kind) ?? {};
  const cluster = of('ClusterConfiguration') as {networking?: {podSubnet?: string}; controlPlaneEndpoint?: string};
  const init = of('InitConfiguration') as {localAPIEndpoint?: {advertiseAddress?: string}};
  return {
    address: init.localAPIEndpoint?.advertiseAddress,
    endpoint: cluster.controlPlaneEndpoint,
    podNetwork: cluster.networking?.podSubnet,
  };
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}
