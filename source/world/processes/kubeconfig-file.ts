// A component's kubeconfig: where its API server is, whom it believes to be it, and with what it proves who it is itself. Read once,
// at the start, as the real ones do; what is wrong is said in the words of client-go.
import {aggregated} from '../../api/meta/go-text.ts';
import {readCertificate, readCertificates, trusted, type Certificate} from '../../api/pki/certificate.ts';
import {readKeyPair} from '../../api/pki/key-pair.ts';
import {noObject} from '../../api/meta/version-kind.ts';
import {readYaml} from '../../api/yaml/read.ts';
import type {Files} from '../../sim/files.ts';
import type {Read} from './secrets.ts';

/** What the current context says. */
export interface ComponentConfig {
  readonly host: string;
  readonly port: number;
  readonly certificate: Certificate | undefined;
  readonly token: string | undefined;
  /** The keys of the authorities whose servers it believes; undefined: it believes all. */
  readonly trusts: readonly string[] | undefined;
}

interface Named {
  readonly name?: string;
  readonly [field: string]: unknown;
}

/** As kubeadm writes it: read without a parser, since every node has one. */
const KUBEADM =
  /^apiVersion: v1\nclusters:\n- cluster:\n {4}certificate-authority-data: (\S+)\n {4}server: https:\/\/([^:/\s]+):(\d+)\n {2}name: kubernetes\ncontexts:\n- context:\n {4}cluster: kubernetes\n {4}user: (\S+)\n {2}name: (\S+)\ncurrent-context: \5\nkind: Config\npreferences: \{\}\nusers:\n- name: \4\n {2}user:\n {4}client-certificate(-data)?: (\S+)\n {4}client-key(-data)?: (\S+)\n$/;

type Fields = Readonly<Record<string, unknown>>;

/** Reads the file. */
export function readKubeconfig(files: Files, path: string): Read<ComponentConfig> {
  if (path === '') return invalid(NO_CONFIGURATION);
  const text = files.read(path);
  if (text === undefined)
    return {ok: false, why: files.isFolder(path) ? `read ${path}: is a directory` : `stat ${path}: no such file or directory`};
  const [, authority = '', host, port, user = '', , certificateData, certificate = '', keyData, key = ''] =
    KUBEADM.exec(text) ?? [];
  if (host === undefined) return readAny(files, path, text);
  return configOf(files, {
    host,
    port: Number(port),
    cluster: {name: 'kubernetes', fields: {'certificate-authority-data': authority}},
    user: {
      name: user,
      fields: {
        [certificateData ? 'client-certificate-data' : 'client-certificate']: certificate,
        [keyData ? 'client-key-data' : 'client-key']: key,
      },
    },
  });
}

const NO_CONFIGURATION = 'no configuration has been provided, try setting KUBERNETES_MASTER environment variable';

function invalid(...problems: readonly string[]): {readonly ok: false; readonly why: string} {
  return {ok: false, why: `invalid configuration: ${aggregated(problems)}`};
}

function readAny(files: Files, path: string, text: string): Read<ComponentConfig> {
  const {documents, error} = readYaml(text);
  const unread = (why: string): Read<never> => ({ok: false, why: `error loading config file "${path}": ${why}`});
  if (error) return unread(`yaml: line ${error.line}: ${error.sentence}`);
  const config = documents[0]?.value;
  if (config === undefined) return invalid(NO_CONFIGURATION);
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return unread(noObject(config));
  const fields = config as Fields;
  const current = fields['current-context'];
  const context = entryOf(fields, 'contexts', current, 'context');
  if (typeof current === 'string' && current !== '' && !context)
    return invalid(`context was not found for specified context: ${current}`);
  const cluster = entryOf(fields, 'clusters', context?.fields['cluster'], 'cluster');
  if (!cluster) return invalid(NO_CONFIGURATION);
  const server = textOf(cluster.fields['server']);
  const [, scheme = '', host = '', port = ''] = /^(https?):\/\/([^/:]+)(?::(\d+))?/.exec(server) ?? [];
  if (server === '') return invalid(`no server found for cluster ${JSON.stringify(cluster.name)}`);
  if (host === '') return {ok: false, why: `host must be a URL or a host:port pair: ${JSON.stringify(server)}`};
  const user = entryOf(fields, 'users', context?.fields['user'], 'user') ?? {name: '', fields: {}};
  return configOf(files, {host, port: Number(port === '' ? (scheme === 'https' ? 443 : 80) : port), cluster, user});
}

interface Entry {
  readonly name: string;
  readonly fields: Fields;
}

interface Parts {
  readonly host: string;
  readonly port: number;
  readonly cluster: Entry;
  readonly user: Entry;
}

function configOf(files: Files, {host, port, cluster, user}: Parts): Read<ComponentConfig> {
  const absent = [
    ...unreadable(files, user, 'client-certificate', 'client-cert'),
    ...unreadable(files, user, 'client-key', 'client-key'),
    ...unreadable(files, cluster, 'certificate-authority', 'certificate-authority'),
  ];
  if (absent.length > 0) return invalid(...absent);
  const certificateText = dataOf(files, user, 'client-certificate');
  const key = dataOf(files, user, 'client-key');
  const pair = certificateText === undefined || key === undefined ? undefined : readKeyPair(certificateText, key);
  if (pair && 'error' in pair) return {ok: false, why: pair.error};
  const certificate = pair?.certificate ?? readCertificate(certificateText ?? '');
  if (certificateText !== undefined && !certificate)
    return {ok: false, why: 'tls: failed to find any PEM data in certificate input'};
  const trusts = trustsOf(files, cluster);
  if (trusts === 'unreadable') return {ok: false, why: 'unable to load root certificates: unable to parse bytes as PEM block'};
  return {ok: true, value: {host, port, certificate, token: tokenOf(files, user), trusts}};
}

function unreadable(files: Files, {name, fields}: Entry, field: string, word: string): string[] {
  const path = textOf(fields[field]);
  if (path === '' || textOf(fields[`${field}-data`]) !== '' || files.read(path) !== undefined) return [];
  return [`unable to read ${word} ${path} for ${name} due to open ${path}: no such file or directory`];
}

function dataOf(files: Files, {fields}: Entry, field: string): string | undefined {
  const data = textOf(fields[`${field}-data`]);
  if (data !== '') return Buffer.from(data, 'base64').toString('utf8');
  const path = textOf(fields[field]);
  return path === '' ? undefined : files.read(path);
}

/** The authorities of the last bundle that was read: those of a cluster's nodes are all the same. */
let lastBundle: {readonly text: string; readonly keys: readonly string[]} = {text: '', keys: []};

/** Without a bundle those of the system count, which have not signed anything here. */
function trustsOf(files: Files, cluster: Entry): readonly string[] | undefined | 'unreadable' {
  if (cluster.fields['insecure-skip-tls-verify'] === true) return undefined;
  const text = dataOf(files, cluster, 'certificate-authority');
  if (text === undefined) return [];
  if (lastBundle.text !== text) lastBundle = {text, keys: readCertificates(text).map(trusted)};
  return lastBundle.keys.length === 0 ? 'unreadable' : lastBundle.keys;
}

function tokenOf(files: Files, {fields}: Entry): string | undefined {
  const path = textOf(fields['tokenFile']);
  return (path === '' ? undefined : files.read(path)?.trim()) || textOf(fields['token']) || undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function entryOf(config: Fields, list: string, name: unknown, field: string): Entry | undefined {
  const entries = config[list];
  const found = Array.isArray(entries) ? (entries as readonly Named[]).find(each => each.name === name) : undefined;
  const fields = found?.[field];
  if (found === undefined) return undefined;
  return {name: String(name), fields: typeof fields === 'object' && fields !== null ? (fields as Fields) : {}};
}
