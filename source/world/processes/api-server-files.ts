// The files that kube-apiserver's flags name, in the order in which it reads them; the first that is wrong ends it.
import type {Fields} from '../../api/meta/fields.ts';
import {readYaml} from '../../api/yaml/read.ts';
import {whyNoKind} from '../../api/meta/version-kind.ts';
import {certificatePem, readCertificate, readCertificates, readKey, type Certificate} from '../../api/pki/certificate.ts';
import type {Files} from '../../sim/files.ts';
import {whyBadPolicy} from './audit-log.ts';
import type {Flags} from './flags.ts';
import {readPair, readText, type Read} from './secrets.ts';
import {whyBadTls} from './serving-flags.ts';

/** What its files came to. */
export interface Secrets {
  readonly authority: Certificate | undefined;
  readonly authorityText: string;
  readonly tokenSeed: string;
  readonly kubeletClient: Certificate | undefined;
  readonly served: Certificate | undefined;
}

/** Reads all of them; `why` says what is wrong. */
export function readSecrets(files: Files, flags: Flags): Read<Secrets> {
  const served = pairOf(files, flags, 'tls-cert-file', 'tls-private-key-file');
  if (!served.ok) return served;
  const why = FILES.map(check => check(files, flags)).find(each => each !== undefined);
  if (why !== undefined) return {ok: false, why};
  const kubelet = pairOf(files, flags, 'kubelet-client-certificate', 'kubelet-client-key');
  if (!kubelet.ok) return kubelet;
  const proxy = pairOf(files, flags, 'proxy-client-cert-file', 'proxy-client-key-file');
  if (!proxy.ok) return proxy;
  const clients = files.read(flags.text('client-ca-file')) ?? '';
  const authority = readCertificate(clients);
  const signing = files.read(flags.text('service-account-signing-key-file')) ?? '';
  const value = {
    authority,
    authorityText: authority ? certificatePem(authority) : clients,
    tokenSeed: readKey(signing) ?? signing,
    kubeletClient: kubelet.value,
    served: served.value,
  };
  return {ok: true, value};
}

function pairOf(files: Files, flags: Flags, certificate: string, key: string): Read<Certificate | undefined> {
  const [path, keyPath] = [flags.text(certificate), flags.text(key)];
  return path === '' && keyPath === '' ? {ok: true, value: undefined} : readPair(files, path, keyPath);
}

type Check = (files: Files, flags: Flags) => string | undefined;

const FILES: readonly Check[] = [
  (_, flags) => whyBadTls(flags),
  encryption,
  (files, flags) => bundle(files, flags.text('client-ca-file'), 'client-ca-bundle'),
  (files, flags) => unread(files, flags.text('token-auth-file')),
  publicKeys,
  (files, flags) => bundle(files, flags.text('requestheader-client-ca-file'), 'request-header'),
  auditPolicy,
  (files, flags) => {
    const path = flags.text('admission-control-config-file');
    const why = unread(files, path);
    const words = `unable to read admission control configuration from ${JSON.stringify(path)} [${why}]`;
    return why && `failed to read plugin config: ${words}`;
  },
];

/** Why a file cannot be read; one that no flag names need not be there. */
function unread(files: Files, path: string): string | undefined {
  const read = path === '' ? undefined : readText(files, path);
  return read?.ok === false ? read.why : undefined;
}

function bundle(files: Files, path: string, name: string): string | undefined {
  const why = unread(files, path);
  if (path === '' || why !== undefined) return why;
  const text = files.read(path) ?? '';
  if (text === '') return `missing content for CA bundle "${name}::${path}"`;
  if (readCertificates(text).length > 0) return undefined;
  return `error loading CA bundle for "${name}::${path}": data does not contain any valid RSA or ECDSA certificates`;
}

function publicKeys(files: Files, flags: Flags): string | undefined {
  for (const path of flags.list('service-account-key-file')) {
    const why = unread(files, path);
    if (why !== undefined) return why;
    const text = files.read(path) ?? '';
    if (readKey(text) === undefined && readCertificates(text).length === 0 && !text.includes('PUBLIC KEY'))
      return `error reading public key file ${path}: data does not contain any valid RSA or ECDSA public keys`;
  }
  return undefined;
}

function encryption(files: Files, flags: Flags): string | undefined {
  const path = flags.text('encryption-provider-config');
  const why = unread(files, path);
  if (why !== undefined)
    return `error while parsing file: error opening encryption provider configuration file ${JSON.stringify(path)}: ${why}`;
  if (path === '') return undefined;
  const text = files.read(path) ?? '';
  if (text.trim() === '')
    return `error while parsing file: encryption provider configuration file ${JSON.stringify(path)} is empty`;
  const problem = whyNoObjectIn(text);
  return problem === undefined
    ? undefined
    : `error while parsing file: error decoding encryption provider configuration file ${JSON.stringify(path)}: ${problem}`;
}

function auditPolicy(files: Files, flags: Flags): string | undefined {
  const path = flags.text('audit-policy-file');
  const why = unread(files, path);
  const failed = (words: string) => `loading audit policy file: ${words}`;
  if (why !== undefined) return failed(`failed to read file path ${JSON.stringify(path)}: ${why}`);
  if (path === '') return undefined;
  const text = files.read(path) ?? '';
  const problem = whyNoObjectIn(text);
  if (problem !== undefined) return failed(`failed decoding: ${problem}: from file ${path}`);
  const policy = (readYaml(text).documents[0]?.value ?? {}) as Fields & {readonly rules?: readonly unknown[]};
  if ((policy.rules?.length ?? 0) === 0) return failed(`loaded illegal policy with 0 rules: from file ${path}`);
  const wrong = whyBadPolicy(policy);
  return wrong === undefined ? undefined : failed(`${wrong}: from file ${path}`);
}

/** Why a text is no object that says its kind. */
function whyNoObjectIn(text: string): string | undefined {
  const {documents, error} = readYaml(text);
  return error ? error.message.replace(/^.*?(?=yaml: )/s, '') : whyNoKind(documents[0]?.value);
}
