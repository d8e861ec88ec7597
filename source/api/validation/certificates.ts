// Requests for certificates: whose signer, for which uses, and the request itself, which must be PEM of the right kind.
import type {CertificateSigningRequest} from '../kinds/certificates-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkSubdomain} from '../meta/names.ts';
import {type Errors, sentences} from './rules.ts';

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const LEAST_SECONDS = 600;
const FORM = "must be a fully qualified domain and path of the form 'example.com/signer-name'";

/** A new request. */
export function validateCertificateRequest(request: CertificateSigningRequest, errors: Errors): void {
  const {spec} = request;
  const path = root('spec');
  requestText(spec.request, path.child('request'), errors);
  usages(spec.usages ?? [], path.child('usages'), errors);
  signer(spec.signerName, path.child('signerName'), errors);
  const seconds = spec.expirationSeconds;
  if (seconds !== undefined && seconds < LEAST_SECONDS) {
    const text = `may not specify a duration less than ${LEAST_SECONDS} seconds (10 minutes)`;
    errors.push(invalid(path.child('expirationSeconds'), seconds, text));
  }
}

function requestText(encoded: string | undefined, path: FieldPath, errors: Errors): void {
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  if (/-----BEGIN (NEW )?CERTIFICATE REQUEST-----\n/.test(text)) return;
  errors.push(invalid(path, encoded ?? '', 'PEM block type must be CERTIFICATE REQUEST'));
}

function usages(list: readonly string[], path: FieldPath, errors: Errors): void {
  if (list.length === 0) errors.push(required(path));
  const seen = new Set<string>();
  list.forEach((usage, i) => {
    if (!USAGES.includes(usage)) errors.push(notSupported(path.index(i), usage, USAGES));
    else if (seen.has(usage)) errors.push(duplicate(path.index(i), usage));
    seen.add(usage);
  });
}

function signer(name: string | undefined, path: FieldPath, errors: Errors): void {
  if (!name) {
    errors.push(required(path));
    return;
  }
  const [domain = '', ...rest] = name.split('/');
  if (rest.length === 0) errors.push(invalid(path, name, FORM));
  else {
    sentences(checkSubdomain(domain), {path, value: domain}, errors);
    if (!domain.includes('.'))
      errors.push(invalid(path, domain, 'should be a domain with at least two segments separated by dots'));
    for (const part of rest.join('/').split('.')) sentences(checkSubdomain(part), {path, value: part}, errors);
  }
  if (name === 'kubernetes.io/legacy-unknown')
    errors.push(invalid(path, name, 'the legacy signerName is not allowed via this API version'));
}
