// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as meta from './meta.ts';

export interface CertificateSigningRequest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: CertificateSigningRequestSpec;
  readonly status?: CertificateSigningRequestStatus;
}
export interface CertificateSigningRequestCondition {
  readonly lastTransitionTime?: meta.Time;
  readonly lastUpdateTime?: meta.Time;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}
export interface CertificateSigningRequestList {
  readonly apiVersion: string;
  readonly items: readonly CertificateSigningRequest[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface CertificateSigningRequestSpec {
  readonly expirationSeconds?: number;
  readonly extra?: {readonly [key: string]: readonly string[]};
  readonly groups?: readonly string[];
  readonly request: string;
  readonly signerName: string;
  readonly uid?: string;
  readonly usages?: readonly ("any" | "cert sign" | "client auth" | "code signing" | "content commitment" | "crl sign" | "data encipherment" | "decipher only" | "digital signature" | "email protection" | "encipher only" | "ipsec end system" | "ipsec tunnel" | "ipsec user" | "key agreement" | "key encipherment" | "microsoft sgc" | "netscape sgc" | "ocsp signing" | "s/mime" | "server auth" | "signing" | "timestamping")[];
  readonly username?: string;
}
export interface CertificateSigningRequestStatus {
  readonly certificate?: string;
  readonly conditions?: readonly CertificateSigningRequestCondition[];
}
