// The row of a CertificateSigningRequest.
import type {CertificateSigningRequest} from '../kinds/certificates-v1.ts';
import {humanDuration} from '../meta/time.ts';
import {age, type Cell, conditionStatus, NONE, or} from './cells.ts';

/** Name, Age, SignerName, Requestor, RequestedDuration, Condition. */
export function certificateSigningRequestRow(request: CertificateSigningRequest, nowMs: number): readonly Cell[] {
  const {spec} = request;
  const seconds = spec.expirationSeconds;
  return [
    request.metadata.name,
    age(request, nowMs),
    or(spec.signerName, NONE),
    spec.username ?? '',
    seconds === undefined ? NONE : humanDuration(seconds * 1000),
    signingRequestStatus(request),
  ];
}

/** What was decided about it, and what came of that. */
export function signingRequestStatus({status}: CertificateSigningRequest): string {
  const is = (type: string) => conditionStatus(status?.conditions, type) !== undefined;
  const verdict = is('Denied') ? 'Denied' : is('Approved') ? 'Approved' : 'Pending';
  return `${verdict}${is('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
}
