// `kubeadm certs`: how long the certificates on this machine's disk count, and new ones in their place, signed by the authorities
// whose keys lie there. What a process has read already it does not read again.
import {AUTHORITIES, KUBERNETES, LEAVES, PKI, type AuthorityName, type LeafCertificate} from '../../api/kubeadm/certificates.ts';
import {encoded} from '../../api/kubeadm/kubeconfig.ts';
import {humanDuration} from '../../api/meta/time.ts';
import {certificatePem, keyPem, readCertificate, readKey, type Certificate} from '../../api/pki/certificate.ts';
import {issueCertificate} from '../../api/pki/issue.ts';
import type {Files} from '../../sim/files.ts';
import {Failed, readConfiguration, table, type Session} from './session.ts';

const FALLING_BACK = 'Error reading configuration from the Cluster. Falling back to default configuration';

interface Found {
  readonly name: string;
  readonly authority: AuthorityName | undefined;
  readonly certificate: Certificate | undefined;
}

function pkiOf(session: Session): string {
  return session.flags.text('cert-dir') || PKI;
}

/** The file that a leaf lies in. */
function pathOf(leaf: LeafCertificate, pki: string): string {
  return leaf.isKubeconfig ? `${KUBERNETES}/${leaf.path}` : `${pki}/${leaf.path}.crt`;
}

function readLeaf(files: Files, leaf: LeafCertificate, pki: string): Certificate | undefined {
  const text = files.read(pathOf(leaf, pki));
  if (text === undefined) return undefined;
  if (!leaf.isKubeconfig) return readCertificate(text);
  const [, data] = /client-certificate-data: (\S+)/.exec(text) ?? [];
  return data === undefined ? undefined : readCertificate(Buffer.from(data, 'base64').toString('utf8'));
}

/** `kubeadm certs check-expiration`. */
export async function checkExpiration(session: Session): Promise<void> {
  const {process, flags} = session;
  const json = flags.text('output') === 'json';
  const {files} = process.machine;
  const pki = pkiOf(session);
  if (!json) await announce(session, 'check-expiration');
  const now = process.machine.wall();
  const leaves: Found[] = LEAVES.map(leaf => ({
    name: leaf.name,
    authority: leaf.authority,
    certificate: readLeaf(files, leaf, pki),
  }));
  const authorities: Found[] = (Object.keys(AUTHORITIES) as AuthorityName[]).map(name => ({
    name,
    authority: undefined,
    certificate: readCertificate(files.read(`${pki}/${AUTHORITIES[name].path}.crt`) ?? ''),
  }));
  if (json) {
    await process.out(`${JSON.stringify(expirationObject(leaves, authorities, now), null, 4)}\n`);
    return;
  }
  await process.out(
    table([
      ['CERTIFICATE', 'EXPIRES', 'RESIDUAL TIME', 'CERTIFICATE AUTHORITY', 'EXTERNALLY MANAGED'],
      ...leaves.map(({name, certificate, authority = ''}) =>
        certificate
          ? [name, expires(certificate), residual(certificate, now), authority, 'no']
          : [`!MISSING! ${name}`, '', '', '', ''],
      ),
    ]).replace(/(EXTERNALLY MANAGED) +\n/, '$1\n'),
  );
  await process.out('\n');
  await process.out(
    table([
      ['CERTIFICATE AUTHORITY', 'EXPIRES', 'RESIDUAL TIME', 'EXTERNALLY MANAGED'],
      ...authorities.map(({name, certificate}) =>
        certificate ? [name, expires(certificate), residual(certificate, now), 'no'] : [`!MISSING! ${name}`, '', '', ''],
      ),
    ]).replace(/(EXTERNALLY MANAGED) +\n/, '$1\n'),
  );
}

async function announce(session: Session, phase: string): Promise<void> {
  const configuration = await readConfiguration(session, phase);
  await session.process.out(configuration ? '\n' : `[${phase}] ${FALLING_BACK}\n\n`);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function expires({notAfter}: Certificate): string {
  const at = new Date(notAfter);
  const text = at.toISOString();
  return `${MONTHS[at.getUTCMonth()]} ${text.slice(8, 10)}, ${text.slice(0, 4)} ${text.slice(11, 16)} UTC`;
}

/** In the largest unit alone. */
function residual({notAfter}: Certificate, now: number): string {
  const ms = notAfter - now;
  if (ms < -1000) return '<invalid>';
  const days = Math.floor(ms / 86_400_000);
  if (days >= 365) return `${Math.floor(days / 365)}y`;
  return days >= 1 ? `${days}d` : (/^\d+[a-z]+/.exec(humanDuration(ms))?.[0] ?? '0s');
}

function expirationObject(leaves: readonly Found[], authorities: readonly Found[], now: number): unknown {
  const entry = ({name, certificate, authority}: Found) => ({
    name,
    expirationDate: certificate ? `${new Date(certificate.notAfter).toISOString().slice(0, 19)}Z` : null,
    residualTime: certificate ? Math.floor((certificate.notAfter - now) / 1000) : 0,
    externallyManaged: false,
    ...(authority === undefined ? {} : {caName: authority}),
    missing: certificate === undefined,
  });
  return {
    kind: 'CertificateExpirationInfo',
    apiVersion: 'output.kubeadm.k8s.io/v1alpha3',
    certificates: leaves.map(entry),
    certificateAuthorities: authorities.map(entry),
  };
}

/** `kubeadm certs renew NAME`, or `all`. */
export async function renew(session: Session): Promise<void> {
  const {process, words} = session;
  const [name] = words;
  if (name === undefined) {
    await process.out(`This command is not meant to be run on its own. See list of available subcommands.\n`);
    return;
  }
  const chosen = name === 'all' ? LEAVES : LEAVES.filter(leaf => leaf.name === name);
  if (chosen.length === 0) throw new Failed(`unknown command ${JSON.stringify(name)} for "kubeadm certs renew"`);
  await announce(session, 'renew');
  for (const leaf of chosen) await renewOne(session, leaf, name === 'all');
  if (name === 'all')
    await process.out(
      '\nDone renewing certificates. You must restart the kube-apiserver, kube-controller-manager, kube-scheduler and etcd, so that they can use the new certificates.\n',
    );
}

async function renewOne(session: Session, leaf: LeafCertificate, isOneOfAll: boolean): Promise<void> {
  const {process} = session;
  const {files} = process.machine;
  const pki = pkiOf(session);
  const path = pathOf(leaf, pki);
  const old = readLeaf(files, leaf, pki);
  if (!old) {
    if (!isOneOfAll)
      throw new Failed(
        leaf.isKubeconfig
          ? `failed to load existing certificate ${leaf.name}: open ${path}: no such file or directory`
          : `failed to load existing certificate ${leaf.name}: couldn't load the certificate file ${path}: open ${path}: no such file or directory`,
      );
    await process.out(`MISSING! ${leaf.says}\n`);
    return;
  }
  const base = `${pki}/${AUTHORITIES[leaf.authority].path}`;
  const authority = readCertificate(files.read(`${base}.crt`) ?? '');
  const key = readKey(files.read(`${base}.key`) ?? '');
  if (!authority || key === undefined) {
    if (!isOneOfAll)
      throw new Failed(
        `failed to renew certificate ${leaf.name}: couldn't load the CA certificate key from ${base}.key: open ${base}.key: no such file or directory`,
      );
    await process.out(`Detected external ${leaf.authority}, ${leaf.says} can't be renewed\n`);
    return;
  }
  const fresh = issueCertificate(
    {commonName: authority.commonName, key},
    {
      commonName: old.commonName,
      organizations: old.organizations,
      usages: old.usages,
      dnsNames: old.dnsNames,
      addresses: old.addresses,
      purpose: leaf.name,
    },
    Math.floor(process.machine.wall() / 1000) * 1000,
  );
  if (leaf.isKubeconfig) {
    const text = (files.read(path) ?? '')
      .replace(/(client-certificate-data: )\S+/, `$1${encoded(certificatePem(fresh))}`)
      .replace(/(client-key-data: )\S+/, `$1${encoded(keyPem(fresh.key))}`);
    files.write(path, text);
  } else {
    files.write(path, certificatePem(fresh));
    files.write(path.replace(/\.crt$/, '.key'), keyPem(fresh.key));
  }
  await process.out(`${leaf.says} renewed\n`);
}
