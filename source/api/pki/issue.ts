// Makes certificates. Serial numbers and keys depend on what is asked for, by whom and when, and on nothing else: the same
// request at the same instant gives the same certificate, a renewal another one.
import {deepFreeze} from '../meta/object.ts';
import {digestOf, type Certificate, type Usage} from './certificate.ts';

const DAY_MS = 24 * 3600 * 1000;
const YEAR_MS = 365 * DAY_MS;
/** How long a certificate counts from before it was made: clocks differ. */
const BEFORE_MS = 300_000;

/** What is asked for. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly usages: readonly Usage[];
  readonly dnsNames?: readonly string[];
  readonly addresses?: readonly string[];
  /** What it is for, where several are asked for alike: each has a key of its own. */
  readonly purpose?: string;
  /** The key pair; absent: a new one. */
  readonly key?: string;
}

/** The one who signs: an authority's certificate. */
export type Issuer = Pick<Certificate, 'commonName' | 'key'>;

/** A certificate that an authority signs, valid for a year as kubeadm makes them. */
export function issueCertificate(issuer: Issuer, request: CertificateRequest, nowMs: number, validMs = YEAR_MS): Certificate {
  const {commonName, organizations = [], usages, dnsNames = [], addresses = []} = request;
  const text = [
    issuer.key,
    request.purpose ?? '',
    commonName,
    ...organizations,
    ...usages,
    ...dnsNames,
    ...addresses,
    nowMs,
  ].join('\n');
  return deepFreeze({
    commonName,
    organizations,
    authority: issuer.key,
    notBefore: nowMs - BEFORE_MS,
    notAfter: nowMs + validMs,
    issuer: issuer.commonName,
    serial: digestOf(`serial ${text}`, 16).toUpperCase(),
    key: request.key ?? digestOf(`key ${text}`, 40),
    usages,
    dnsNames,
    addresses,
    isAuthority: false,
  });
}

/** An authority that vouches for itself, valid for ten years. */
export function selfSigned(commonName: string, key: string, nowMs: number): Certificate {
  return deepFreeze({
    commonName,
    organizations: [],
    authority: key,
    notBefore: nowMs - BEFORE_MS,
    notAfter: nowMs + 10 * YEAR_MS - 2 * DAY_MS,
    issuer: commonName,
    serial: digestOf(`serial ${commonName} ${key} ${nowMs}`, 16).toUpperCase(),
    key,
    usages: [],
    dnsNames: [commonName],
    addresses: [],
    isAuthority: true,
  });
}
