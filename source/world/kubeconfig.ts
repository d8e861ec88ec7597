// The player's kubeconfig: who they are, and where the API server is.
import {stringify} from 'yaml';
import {certificatePem} from '../api/meta/certificate.ts';
import type {ClientCertificate} from '../api/wire/http.ts';

/** A context of the file; the first one is current. */
export interface ContextDescription {
  readonly name: string;
  readonly cluster: string;
  readonly server: string;
  readonly user: string;
  readonly certificate: ClientCertificate;
  readonly namespace?: string;
}

/** The file as text. `authority` is the certificate authority's own certificate. */
export function kubeconfigText(contexts: readonly ContextDescription[], authority: ClientCertificate): string {
  const encode = (certificate: ClientCertificate) => Buffer.from(certificatePem(certificate), 'utf8').toString('base64');
  const clusters = unique(
    contexts.map(({cluster, server}) => ({name: cluster, cluster: {'certificate-authority-data': encode(authority), server}})),
  );
  const users = unique(
    contexts.map(({user, certificate}) => ({
      name: user,
      user: {
        'client-certificate-data': encode(certificate),
        'client-key-data': Buffer.from(`key of ${certificate.commonName}\n`, 'utf8').toString('base64'),
      },
    })),
  );
  const config = {
    apiVersion: 'v1',
    clusters,
    contexts: contexts.map(({name, cluster, user, namespace}) => ({
      context: {cluster, ...(namespace ? {namespace} : {}), user},
      name,
    })),
    'current-context': contexts[0]?.name ?? '',
    kind: 'Config',
    preferences: {},
    users,
  };
  return stringify(config, {lineWidth: 0, indentSeq: false});
}

function unique<T extends {readonly name: string}>(entries: readonly T[]): T[] {
  return [...new Map(entries.map(entry => [entry.name, entry])).values()];
}
