// Who the port is and who its user is: an authority of its own, the port's certificate, and a client certificate for the kubeconfig.
// These are bytes for TLS; inside the cluster the client is a record of the cluster's own authority. Keys come from a secret, so a
// program that knows the secret could sign for this port: it is drawn anew for each run.
import {deepFreeze} from '../api/meta/object.ts';
import {issueCertificate, selfSigned} from '../api/pki/issue.ts';
import {ecKeyOf, ecKeyPem, x509Pem} from '../api/pki/x509.ts';

/** Who gets a certificate. */
export interface UserName {
  readonly user: string;
  readonly groups: readonly string[];
}

/** A certificate and its key, as PEM. */
export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** All that TLS needs. */
export interface PortIdentity {
  readonly authority: string;
  readonly server: Pair;
  readonly client: Pair;
}

/** Makes the certificates of a port; they hold for a year from `nowMs`. */
export function makeIdentity(secret: string, {user, groups}: UserName, nowMs: number): PortIdentity {
  const authority = selfSigned('crashloop', `authority ${secret}`, nowMs);
  const authorityKey = ecKeyOf(authority.key);
  const pair = (key: string, request: Omit<Parameters<typeof issueCertificate>[1], 'key'>): Pair => {
    const record = issueCertificate(authority, {...request, key}, nowMs);
    const own = ecKeyOf(key);
    return {certificate: x509Pem(record, own, authorityKey), key: ecKeyPem(own)};
  };
  return deepFreeze({
    authority: x509Pem(authority, authorityKey, authorityKey),
    server: pair(`server ${secret}`, {
      commonName: 'kube-apiserver',
      usages: ['server'],
      dnsNames: [
        'localhost',
        'kubernetes',
        'kubernetes.default',
        'kubernetes.default.svc',
        'kubernetes.default.svc.cluster.local',
      ],
      addresses: ['127.0.0.1'],
    }),
    client: pair(`client ${secret}`, {commonName: user, organizations: groups, usages: ['client']}),
  });
}
