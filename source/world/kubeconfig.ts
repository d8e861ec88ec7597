// The player's kubeconfig: who they are, and where the API server is.
import {stringify} from 'yaml';
import {encoded} from '../api/kubeadm/kubeconfig.ts';
import {certificatePem, keyPem, type Certificate} from '../api/pki/certificate.ts';

/** The one context of the file. */
export interface ContextDescription {
  readonly name: string;
  readonly server: string;
  readonly user: string;
  readonly certificate: Certificate;
  /** Empty: that of `default`, unsaid. */
  readonly namespace: string;
}

const CLUSTER = 'kubernetes';

/** The file as text. `authority` is the certificate authority's own certificate. */
export function kubeconfigText({name, server, user, certificate, namespace}: ContextDescription, authority: Certificate): string {
  const credentials = {
    'client-certificate-data': encoded(certificatePem(certificate)),
    'client-key-data': encoded(keyPem(certificate.key)),
  };
  const config = {
    apiVersion: 'v1',
    clusters: [{name: CLUSTER, cluster: {'certificate-authority-data': encoded(certificatePem(authority)), server}}],
    contexts: [{context: {cluster: CLUSTER, ...(namespace === '' ? {} : {namespace}), user}, name}],
    'current-context': name,
    kind: 'Config',
    preferences: {},
    users: [{name: user, user: credentials}],
  };
  return stringify(config, {lineWidth: 0, indentSeq: false});
}
