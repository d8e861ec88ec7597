// Requests for certificates: whose signer, for which uses, and the request itself, which must be PEM of the right kind.
import type {CertificateSigningRequest} from '../kinds/certificates-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, notSupported, required, root, tooLong} from '../meta/field-error.ts';
import {checkLabel, checkSubdomain} from '../meta/names.ts';
import {pemBlocks} from '../pki/pem.ts';
import {sameJson} from '../schema/merge/index.ts';
import type {Errors} from './rules.ts';

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
  if (pemBlocks(text)[0]?.label === 'CERTIFICATE REQUEST') return;
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

const LONGEST_DOMAIN = 253;
const LONGEST_NAME = LONGEST_DOMAIN + 1 + LONGEST_DOMAIN + 63 + 1;

/** A signer: a domain, a slash, and a name under it. */
function signer(name: string | undefined, path: FieldPath, errors: Errors): void {
  if (!name) {
    errors.push(required(path));
    return;
  }
  const [domain = '', rest = '', ...more] = name.split('/');
  if (name === LEGACY) errors.push(invalid(path, name, 'the legacy signerName is not allowed via this API version'));
  else if (!name.includes('/') || more.length > 0) errors.push(invalid(path, name, FORM));
  else {
    const parts = domain.split('.');
    if (domain.length > LONGEST_DOMAIN) errors.push(tooLong(path, LONGEST_DOMAIN));
    for (const part of parts) each(part, checkLabel(part), {path, value: domain, errors});
    if (parts.length < 2) errors.push(invalid(path, domain, 'should be a domain with at least two segments separated by dots'));
    for (const part of rest.split('.')) each(part, checkSubdomain(part), {path, value: rest, errors});
    if (name.length > LONGEST_NAME) errors.push(tooLong(path, LONGEST_NAME));
  }
}

const LEGACY = 'kubernetes.io/legacy-unknown';

function each(
  part: string,
  texts: readonly string[],
  {path, value, errors}: {path: FieldPath; value: string; errors: Errors},
): void {
  for (const text of texts) errors.push(invalid(path, value, `validating label ${JSON.stringify(part)}: ${text}`));
}

const FINAL = ['Approved', 'Denied', 'Failed'];
const TRUTHS = ['False', 'True', 'Unknown'];
type Condition = NonNullable<NonNullable<CertificateSigningRequest['status']>['conditions']>[number];

/** What has been said of a request: a verdict is not taken back, and not both verdicts are given. */
function conditions(list: readonly Condition[], errors: Errors): void {
  const seen = new Set<string>();
  const path = root('status', 'conditions');
  list.forEach(({type, status}, i) => {
    const at = path.index(i);
    if (!type) errors.push(required(at.child('type')));
    const of = FINAL.includes(type) ? ['True'] : TRUTHS;
    if (!status) errors.push(required(at.child('status')));
    else if (!of.includes(status)) errors.push(notSupported(at.child('status'), status, of));
    const other = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    if (other && seen.has(other))
      errors.push(invalid(at.child('type'), type, 'Approved and Denied conditions are mutually exclusive'));
    if (seen.has(type)) errors.push(duplicate(at.child('type'), type));
    seen.add(type);
  });
}

/** Why some bytes are no certificates, one after the other in PEM's armour. */
function wrongCertificates(base64: string): string | undefined {
  if (base64 === '') return undefined;
  const text = Buffer.from(base64, 'base64').toString('utf8');
  const types = pemBlocks(text).map(({label}) => label);
  const other = types.find(type => type !== 'CERTIFICATE');
  if (other !== undefined) return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(other)}`;
  return types.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

/** Who may change what: verdicts come through the one subresource, certificates through the other. */
function change(allowed: 'approval' | 'status' | 'none') {
  return (request: CertificateSigningRequest, before: CertificateSigningRequest, errors: Errors): void => {
    const now = request.status?.conditions ?? [];
    const was = before.status?.conditions ?? [];
    const path = root('status', 'conditions');
    conditions(now, errors);
    for (const type of FINAL) {
      const [next, old] = [now, was].map(list => list.filter(each => each.type === type));
      const may = type === 'Failed' ? allowed !== 'none' : allowed === 'approval';
      const refuse = (verb: string) =>
        errors.push(forbiddenField(path, `updates may not ${verb} a condition of type ${JSON.stringify(type)}`));
      if (!next || !old) continue;
      if (next.length < old.length) refuse('remove');
      else if (next.length > old.length && !may) refuse('add');
      else if (next.length === old.length && !sameJson(next, old)) refuse('modify');
    }
    const [certificate = '', old = ''] = [request.status?.certificate, before.status?.certificate];
    const wrong = certificate === old ? undefined : wrongCertificates(certificate);
    if (wrong !== undefined) errors.push(invalid(root('status', 'certificate'), '<certificate data>', wrong));
    if (certificate === old || (allowed === 'status' && old === '')) return;
    const text = old === '' ? 'updates may not set certificate content' : 'updates may not modify existing certificate content';
    errors.push(forbiddenField(root('status', 'certificate'), text));
  };
}

export const validateCertificateUpdate = change('none');
export const validateCertificateApproval = change('approval');
export const validateCertificateStatus = change('status');
