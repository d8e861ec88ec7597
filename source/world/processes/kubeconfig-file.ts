// A component's kubeconfig: where its API server is, and with what it proves who it is. Read once, at the start, as the real ones do.
import {readCertificate, type Certificate} from '../../api/pki/certificate.ts';
import {readYaml} from '../../api/yaml/read.ts';
import type {Files} from '../../sim/files.ts';
import type {Read} from './secrets.ts';

/** What the current context says. */
export interface ComponentConfig {
  readonly host: string;
  readonly port: number;
  readonly certificate: Certificate | undefined;
  readonly token: string | undefined;
}

interface Named {
  readonly name?: string;
  readonly [field: string]: unknown;
}

/** As kubeadm writes it: read without a parser, since every node has one. */
const KUBEADM =
  /^apiVersion: v1\nclusters:\n- cluster:\n {4}certificate-authority-data: \S+\n {4}server: https:\/\/([^:/\s]+):(\d+)\n {2}name: kubernetes\ncontexts:\n- context:\n {4}cluster: kubernetes\n {4}user: (\S+)\n {2}name: \S+\ncurrent-context: \S+\nkind: Config\npreferences: \{\}\nusers:\n- name: \3\n {2}user:\n {4}client-certificate(-data)?: (\S+)\n {4}client-key(?:-data)?: \S+\n$/;

type Fields = Readonly<Record<string, unknown>>;

/** Reads the file. */
export function readKubeconfig(files: Files, path: string): Read<ComponentConfig> {
  const text = files.read(path);
  if (text === undefined) return {ok: false, why: `stat ${path}: no such file or directory`};
  const [, host, port, , embedded, certificate = ''] = KUBEADM.exec(text) ?? [];
  if (host !== undefined) {
    const user = {[embedded ? 'client-certificate-data' : 'client-certificate']: certificate};
    return {ok: true, value: {host, port: Number(port), certificate: certificateOf(files, user), token: undefined}};
  }
  return readAny(files, path, text);
}

function readAny(files: Files, path: string, text: string): Read<ComponentConfig> {
  const {documents, error} = readYaml(text);
  if (error) return {ok: false, why: `error loading config file "${path}": yaml: line ${error.line}: ${error.sentence}`};
  const config = documents[0]?.value as Fields | undefined;
  const context = fieldsOf(config, 'contexts', config?.['current-context'], 'context');
  const cluster = fieldsOf(config, 'clusters', context['cluster'], 'cluster');
  const user = fieldsOf(config, 'users', context['user'], 'user');
  const server = typeof cluster['server'] === 'string' ? cluster['server'] : '';
  const [, host = '', port = ''] = /^https?:\/\/([^/:]+)(?::(\d+))?/.exec(server) ?? [];
  if (host === '') return {ok: false, why: 'invalid configuration: no server found for cluster'};
  return {
    ok: true,
    value: {
      host,
      port: Number(port === '' ? 443 : port),
      certificate: certificateOf(files, user),
      token: typeof user['token'] === 'string' ? user['token'] : undefined,
    },
  };
}

function certificateOf(files: Files, user: Fields): Certificate | undefined {
  const data = user['client-certificate-data'];
  if (typeof data === 'string') return readCertificate(Buffer.from(data, 'base64').toString('utf8'));
  const path = user['client-certificate'];
  return typeof path === 'string' ? readCertificate(files.read(path) ?? '') : undefined;
}

function fieldsOf(config: Fields | undefined, list: string, name: unknown, field: string): Fields {
  const entries = config?.[list];
  const found = Array.isArray(entries) ? (entries as readonly Named[]).find(each => each.name === name) : undefined;
  const fields = found?.[field];
  return typeof fields === 'object' && fields !== null ? (fields as Fields) : {};
}
