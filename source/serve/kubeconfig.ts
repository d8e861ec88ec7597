// The kubeconfig for real clients: certificate and key inside, readable by its owner alone.
import {renameSync, rmSync, writeFileSync} from 'node:fs';
import {stringify} from 'yaml';
import type {PortIdentity} from './identity.ts';

export interface KubeconfigFacts {
  readonly server: string;
  readonly user: string;
  readonly namespace: string;
  readonly identity: PortIdentity;
}

const CLUSTER = 'kubernetes';

/** The file as text. */
export function kubeconfigText({server, user, namespace, identity}: KubeconfigFacts): string {
  const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
  const context = `${user}@${CLUSTER}`;
  const {authority, client} = identity;
  const config = {
    apiVersion: 'v1',
    clusters: [{cluster: {'certificate-authority-data': base64(authority), server}, name: CLUSTER}],
    contexts: [{context: {cluster: CLUSTER, ...(namespace === '' ? {} : {namespace}), user}, name: context}],
    'current-context': context,
    kind: 'Config',
    users: [{name: user, user: {'client-certificate-data': base64(client.certificate), 'client-key-data': base64(client.key)}}],
  };
  return stringify(config, {lineWidth: 0, indentSeq: false});
}

/** Writes a private file whole or not at all: nobody reads half of it, and nobody else reads it. */
export function writePrivate(path: string, text: string): void {
  const fresh = `${path}.${process.pid}.new`;
  rmSync(fresh, {force: true});
  writeFileSync(fresh, text, {mode: 0o600, flag: 'wx'});
  renameSync(fresh, path);
}
