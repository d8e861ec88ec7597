// The cluster's certificate authorities, as kubeadm sets them up: one for the API server and its clients, one for etcd, one for
// the front proxy. Their keys are drawn from the seed. Certificates are records (api/pki).
import {AUTHORITIES, type AuthorityName, type LeafCertificate, type KubeadmMachine} from '../api/kubeadm/certificates.ts';
import type {Certificate} from '../api/pki/certificate.ts';
import {issueCertificate, selfSigned, type CertificateRequest} from '../api/pki/issue.ts';
import type {Dice} from '../sim/dice.ts';

/** Issues certificates that one cluster's components trust. */
export class Authority {
  /** The key that signs for the API server's clients. */
  readonly id: string;
  /** The key that signs service account tokens. */
  readonly tokenKey: string;
  readonly authorities: Readonly<Record<AuthorityName, Certificate>>;
  readonly #startMs: number;

  constructor(dice: Dice, startMs: number) {
    this.id = dice.of('certificate authority').hex(40);
    this.tokenKey = dice.of('tokens').hex(32);
    this.#startMs = startMs;
    this.authorities = {
      ca: selfSigned(AUTHORITIES.ca.commonName, this.id, startMs),
      'etcd-ca': selfSigned(AUTHORITIES['etcd-ca'].commonName, dice.of('etcd authority').hex(40), startMs),
      'front-proxy-ca': selfSigned(AUTHORITIES['front-proxy-ca'].commonName, dice.of('front proxy authority').hex(40), startMs),
    };
  }

  /** A client certificate for a user, valid for a year as kubeadm issues them. */
  issue(commonName: string, organizations: readonly string[] = []): Certificate {
    return this.#sign('ca', {commonName, organizations, usages: ['client']});
  }

  /** One of kubeadm's certificates for a machine of the control plane. */
  leaf({authority, name, request}: LeafCertificate, machine: KubeadmMachine): Certificate {
    return this.#sign(authority, {...request(machine), purpose: name});
  }

  /** A certificate that kubelets serve with. */
  serving(name: string, address: string): Certificate {
    return this.#sign('ca', {commonName: `${name}@kubelet`, usages: ['server'], dnsNames: [name], addresses: [address]});
  }

  /** The authority's own certificate. */
  get certificate(): Certificate {
    return this.authorities.ca;
  }

  #sign(authority: AuthorityName, request: CertificateRequest): Certificate {
    return issueCertificate(this.authorities[authority], request, this.#startMs);
  }
}
