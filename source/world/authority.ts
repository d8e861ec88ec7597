// The cluster's certificate authority: it names whom the API server will believe. Certificates are records (api/meta/certificate);
// what makes one genuine is the authority's fingerprint, drawn from the seed.
import type {ClientCertificate} from '../api/wire/http.ts';
import type {Dice} from '../sim/dice.ts';

const YEAR_MS = 365 * 24 * 3600 * 1000;

/** Issues certificates that one cluster's components trust. */
export class Authority {
  readonly id: string;
  readonly #from: number;

  constructor(dice: Dice, startMs: number) {
    this.id = dice.of('certificate authority').hex(40);
    this.#from = startMs - 300_000;
  }

  /** A client certificate for a user, valid for a year as kubeadm issues them. */
  issue(commonName: string, organizations: readonly string[] = []): ClientCertificate {
    return Object.freeze({
      commonName,
      organizations: Object.freeze([...organizations]),
      authority: this.id,
      notBefore: this.#from,
      notAfter: this.#from + YEAR_MS,
    });
  }

  /** The authority's own certificate, valid for ten years. */
  get certificate(): ClientCertificate {
    return Object.freeze({
      commonName: 'kubernetes',
      organizations: [],
      authority: this.id,
      notBefore: this.#from,
      notAfter: this.#from + 10 * YEAR_MS,
    });
  }
}
