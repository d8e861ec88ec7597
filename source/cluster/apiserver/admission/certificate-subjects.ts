// CertificateSubjectRestriction: nobody gets a client certificate of the group that may do everything. The group is read from the
// request's own bytes: an attribute `organization` (2.5.4.10) with a text behind it.
import type {CertificateSigningRequest} from '../../../api/kinds/certificates-v1.ts';
import {forbid} from './pod-object.ts';
import type {Plugin} from './plugin.ts';

const SIGNER = 'kubernetes.io/kube-apiserver-client';
const MASTERS = 'system:masters';
const ORGANIZATION = Buffer.from([0x06, 0x03, 0x55, 0x04, 0x0a]);

export const certificateSubjects: Plugin = {
  name: 'CertificateSubjectRestriction',
  resources: ['certificatesigningrequests.certificates.k8s.io'],
  operations: ['CREATE'],
  validate(attributes) {
    const {object} = attributes;
    if (!object) return undefined;
    const {signerName, request} = (object as unknown as CertificateSigningRequest).spec;
    if (signerName !== SIGNER || !organizationsOf(request).includes(MASTERS)) return undefined;
    return forbid(attributes, object, `use of ${SIGNER} signer with ${MASTERS} group is not allowed`);
  },
};

function organizationsOf(request: string): readonly string[] {
  const pem = Buffer.from(request, 'base64').toString('utf8');
  const body = /-----BEGIN [A-Z ]+-----([\s\S]*?)-----END/.exec(pem)?.[1] ?? '';
  const bytes = Buffer.from(body.replaceAll(/\s/g, ''), 'base64');
  const found: string[] = [];
  for (let at = bytes.indexOf(ORGANIZATION); at >= 0; at = bytes.indexOf(ORGANIZATION, at + 1)) {
    const text = at + ORGANIZATION.length;
    const length = bytes[text + 1] ?? 0;
    found.push(bytes.subarray(text + 2, text + 2 + length).toString('utf8'));
  }
  return found;
}
