// CertificateSubjectRestriction: nobody gets a client certificate of the group that may do everything.
import type {CertificateSigningRequest} from '../../../api/kinds/certificates-v1.ts';
import {readSigningRequest} from '../../../api/pki/signing-request.ts';
import {forbid} from './pod-object.ts';
import type {Plugin} from './plugin.ts';

const SIGNER = 'kubernetes.io/kube-apiserver-client';
const MASTERS = 'system:masters';

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
  return readSigningRequest(Buffer.from(request, 'base64').toString('utf8'))?.organizations ?? [];
}
