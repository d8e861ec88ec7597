// `kubeadm join`: makes a machine a worker of a cluster. It asks the cluster where it is, compares the authority with the pin that it was
// given, and gets the kubelet a certificate with the bootstrap token: a request that the control plane approves and signs. (In life the
// kubelet asks for its certificate itself, just after its start.) Then it writes the kubelet's files and starts it.
import {KUBERNETES, PKI} from '../../api/kubeadm/certificates.ts';
import {kubeadmKubeconfig} from '../../api/kubeadm/kubeconfig.ts';
import type {CertificateSigningRequest} from '../../api/kinds/certificates-v1.ts';
import type {ConfigMap} from '../../api/kinds/core-v1.ts';
import {certificatePem, keyPem, readCertificate, type Certificate} from '../../api/pki/certificate.ts';
import {issueCertificate, selfSigned} from '../../api/pki/issue.ts';
import {signingRequestPem} from '../../api/pki/signing-request.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import {checkJoin} from './preflight.ts';
import {askAs, Failed, type ApiAccess, type Session} from './session.ts';
import {pinOf} from './tokens.ts';

const KUBELET = '/var/lib/kubelet';
const CLIENT = `${KUBELET}/pki/kubelet-client-current.pem`;
const CONFIGS = '/api/v1/namespaces/kube-system/configmaps';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const PATIENCE_MS = 300_000;
const AGAIN_MS = 5000;
const LOOK_MS = 500;

const JOINED = `
This node has joined the cluster:
* Certificate signing request was sent to apiserver and a response was received.
* The Kubelet was informed of the new secure connection details.

Run 'kubectl get nodes' on the control-plane to see this node join the cluster.

`;

/** `kubeadm join`. */
export async function join(session: Session): Promise<void> {
  const {process, flags, words} = session;
  const token = checked(session);
  await process.out('[preflight] Running pre-flight checks\n');
  checkJoin(session);
  if (flags.on('control-plane')) throw new Failed('this kubeadm joins workers, and no control planes');
  const [, host = '', port = '6443'] = /^([^:]+)(?::(\d+))?$/.exec(words[0] ?? '') ?? [];
  const access: ApiAccess = {host, port: Number(port), token};
  const authority = await discover(session, access);
  await process.out(
    '[preflight] Reading configuration from the "kubeadm-config" ConfigMap in namespace "kube-system"...\n' +
      "[preflight] Use 'kubeadm init phase upload-config kubeadm --config your-config-file' to re-upload it.\n",
  );
  const config = await askAs<ConfigMap>(process, access, {method: 'GET', path: `${CONFIGS}/kubelet-config`});
  if (config instanceof Failed)
    throw new Failed(`error execution phase preflight: unable to fetch the kubeadm-config ConfigMap: ${config.message}`);
  await startKubelet(session, {access, authority, config: config.data?.['kubelet'] ?? session.options.kubeletConfig});
  await process.out(JOINED);
}

/** The token, if flags and words are complete. */
function checked({flags, words}: Session): string {
  const [endpoint] = words;
  if (endpoint === undefined)
    throw new Failed(
      'discovery: Invalid value: "": bootstrapToken or file must be set\n[discovery.bootstrapToken, discovery.file]: Invalid value: "": exactly one of them must be set',
    );
  const token = flags.text('token') || flags.text('discovery-token');
  if (!/^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(token))
    throw new Failed(`discovery.bootstrapToken.token: Invalid value: ${JSON.stringify(token)}: the bootstrap token is invalid`);
  if (flags.list('discovery-token-ca-cert-hash').length === 0 && !flags.on('discovery-token-unsafe-skip-ca-verification'))
    throw new Failed(
      'discovery.bootstrapToken: Invalid value: "": using token-based discovery without caCertHashes can be unsafe. Set unsafeSkipCAVerification as true in your kubeadm config file or pass --discovery-token-unsafe-skip-ca-verification flag to continue',
    );
  return token;
}

/** The authority of the cluster, as everybody may read it; what does not fit is asked for again for five minutes. */
async function discover({process, flags}: Session, access: ApiAccess): Promise<Certificate> {
  const {clock} = process.kernel;
  const until = clock.now + PATIENCE_MS;
  const {token = ''} = access;
  for (;;) {
    const why = await look();
    if (typeof why !== 'string') return why;
    if (clock.now + AGAIN_MS > until)
      throw new Failed(`error execution phase preflight: couldn't validate the identity of the API Server: ${why}`);
    await process.sleep(AGAIN_MS);
  }
  async function look(): Promise<Certificate | string> {
    const path = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
    const found = await askAs<ConfigMap>(process, {host: access.host, port: access.port}, {method: 'GET', path});
    if (found instanceof Failed) return `failed to request the cluster-info ConfigMap: ${found.message}`;
    const [, data = ''] = /certificate-authority-data: (\S+)/.exec(found.data?.['kubeconfig'] ?? '') ?? [];
    const authority = readCertificate(Buffer.from(data, 'base64').toString('utf8'));
    const known = await askAs(process, access, {method: 'GET', path: `${CONFIGS}/kubeadm-config`});
    if (known instanceof Failed)
      return `could not find a JWS signature in the cluster-info ConfigMap for token ID ${JSON.stringify(token.slice(0, 6))}`;
    const pins = flags.list('discovery-token-ca-cert-hash');
    if (!authority) return 'the cluster-info ConfigMap holds no certificate';
    if (pins.length === 0 || pins.includes(pinOf(authority.key))) return authority;
    throw new Failed(
      `error execution phase preflight: couldn't validate the identity of the API Server: cluster CA found in cluster-info ConfigMap is invalid: none of the public keys ${JSON.stringify(pinOf(authority.key))} are pinned`,
    );
  }
}

interface Joining {
  readonly access: ApiAccess;
  readonly authority: Certificate;
  readonly config: string;
}

async function startKubelet({process, options, flags}: Session, {access, authority, config}: Joining): Promise<void> {
  const {files} = process.machine;
  const {name: own, address} = options.machine;
  const name = flags.text('node-name') || own;
  options.units.stop('kubelet');
  const certificate = await certificateFor({process, options, access, name});
  const now = process.machine.wall();
  files.place(`${PKI}/ca.crt`, certificatePem(authority), 0o644);
  files.place(CLIENT, certificatePem(certificate) + keyPem(certificate.key), 0o600);
  const maker = selfSigned(`${name}-ca@${Math.floor(now / 1000)}`, options.random(40), now);
  const served = issueCertificate(
    maker,
    {commonName: `${name}@${Math.floor(now / 1000)}`, usages: ['server'], dnsNames: [name], addresses: [address]},
    now,
  );
  files.place(`${KUBELET}/pki/kubelet.crt`, certificatePem(served), 0o644);
  files.place(`${KUBELET}/pki/kubelet.key`, keyPem(served.key), 0o600);
  const server = `https://${access.host}:${access.port}`;
  const facts = {server, authority, user: 'default-auth', certificate: {path: CLIENT}};
  files.place(`${KUBERNETES}/kubelet.conf`, kubeadmKubeconfig(facts), 0o600);
  await process.out(`[kubelet-start] Writing kubelet configuration to file "${KUBELET}/config.yaml"\n`);
  files.place(`${KUBELET}/config.yaml`, config, 0o644);
  await process.out(`[kubelet-start] Writing kubelet environment file with flags to file "${KUBELET}/kubeadm-flags.env"\n`);
  const named = name === own ? '' : `--hostname-override=${name}`;
  files.place(`${KUBELET}/kubeadm-flags.env`, `KUBELET_KUBEADM_ARGS="${named}"\n`, 0o644);
  if (!files.isFolder(`${KUBERNETES}/manifests`)) files.makeFolder(`${KUBERNETES}/manifests`);
  await process.out('[kubelet-start] Starting the kubelet\n');
  options.units.start('kubelet');
  await process.out(
    '[kubelet-check] Waiting for a healthy kubelet at http://127.0.0.1:10248/healthz. This can take up to 4m0s\n',
  );
  const took = await healthy({process, options});
  await process.out(
    `[kubelet-check] The kubelet is healthy after ${took}\n[kubelet-start] Waiting for the kubelet to perform the TLS Bootstrap\n`,
  );
}

type Place = Pick<Session, 'process' | 'options'>;

/** Waits for the kubelet; how long that took. */
async function healthy({process}: Place): Promise<string> {
  const {clock} = process.kernel;
  const began = clock.now;
  const request: Request = {method: 'GET', scheme: 'http', path: '/healthz'};
  for (;;) {
    await process.sleep(LOOK_MS);
    const reply = await process.call<Answer>('127.0.0.1', 10_248, request, AGAIN_MS);
    if (reply.ok && reply.answer.status === 200) return `${Number((clock.now - began).toFixed(6))}ms`;
    if (clock.now > began + 240_000)
      throw new Failed(
        'error execution phase kubelet-start: The HTTP call equal to \'curl -sSL http://127.0.0.1:10248/healthz\' returned error: Get "http://127.0.0.1:10248/healthz": dial tcp 127.0.0.1:10248: connect: connection refused',
      );
  }
}

/** Asks for the kubelet's certificate, and waits until it is signed. */
async function certificateFor({process, options, access, name}: Place & {access: ApiAccess; name: string}): Promise<Certificate> {
  const key = options.random(40);
  const request = signingRequestPem({
    commonName: `system:node:${name}`,
    organizations: ['system:nodes'],
    dnsNames: [],
    addresses: [],
    emails: [],
    uris: [],
    key,
  });
  const body = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: {generateName: 'csr-'},
    spec: {
      request: Buffer.from(request, 'utf8').toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
    },
  };
  const made = await askAs<CertificateSigningRequest>(process, access, {method: 'POST', path: REQUESTS, body});
  if (made instanceof Failed) throw new Failed(`error execution phase kubelet-start: ${made.message}`);
  const until = process.kernel.clock.now + PATIENCE_MS;
  while (process.kernel.clock.now < until) {
    await process.sleep(LOOK_MS);
    const now = await askAs<CertificateSigningRequest>(process, access, {
      method: 'GET',
      path: `${REQUESTS}/${made.metadata.name}`,
    });
    const signed = now instanceof Failed ? undefined : now.status?.certificate;
    const certificate = signed === undefined ? undefined : readCertificate(Buffer.from(signed, 'base64').toString('utf8'));
    if (certificate) return {...certificate, key};
  }
  throw new Failed('error execution phase kubelet-start: timed out waiting for the condition');
}
