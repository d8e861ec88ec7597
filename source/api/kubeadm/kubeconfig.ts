// A kubeconfig as kubeadm writes it for a component or an administrator: one cluster, one user, one context.
import {certificatePem, keyPem, type Certificate} from '../pki/certificate.ts';

export interface KubeconfigFacts {
  readonly server: string;
  readonly authority: Certificate;
  readonly user: string;
  /** Embedded with its key, or a file of the machine that holds both. */
  readonly certificate: Certificate | {readonly path: string};
}

/** The file as text. */
export function kubeadmKubeconfig({server, authority, user, certificate}: KubeconfigFacts): string {
  const credentials =
    'path' in certificate
      ? `    client-certificate: ${certificate.path}\n    client-key: ${certificate.path}`
      : `    client-certificate-data: ${encoded(certificatePem(certificate))}\n    client-key-data: ${encoded(keyPem(certificate.key))}`;
  return `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${encoded(certificatePem(authority))}
    server: ${server}
  name: kubernetes
contexts:
- context:
    cluster: kubernetes
    user: ${user}
  name: ${user}@kubernetes
current-context: ${user}@kubernetes
kind: Config
preferences: {}
users:
- name: ${user}
  user:
${credentials}
`;
}

/** What anybody may know who wants to join: where the cluster is, and its authority. */
export function kubeadmDiscovery(server: string, authority: Certificate): string {
  return `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${encoded(certificatePem(authority))}
    server: ${server}
  name: ""
contexts: null
current-context: ""
kind: Config
preferences: {}
users: null
`;
}

/** Text as the file embeds it. */
export function encoded(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
