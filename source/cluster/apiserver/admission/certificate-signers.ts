// CertificateApproval and CertificateSigning: who approves or signs a request must have the right to do so for its signer (the verb
// `approve` or `sign` on the signer, or on all signers of its domain).
import type {CertificateSigningRequest} from '../../../api/kinds/certificates-v1.ts';
import {sameValue} from '../registry/equal.ts';
import type {Attributes} from '../registry/write.ts';
import {forbid} from './pod-object.ts';
import type {Plugin} from './plugin.ts';

const GROUP = 'certificates.k8s.io';

/** May the user do it for this signer, or for all of its domain? */
function may({write}: Attributes, verb: string, signer: string): boolean {
  const [domain = ''] = signer.split('/');
  return [signer, `${domain}/*`].some(
    name =>
      write.core.authorize(write.user, {
        verb,
        group: GROUP,
        version: '*',
        resource: 'signers',
        subresource: '',
        namespace: '',
        name,
        path: '',
      }).allowed,
  );
}

/** The certificate and what is said of the request. */
function said(request: CertificateSigningRequest): unknown {
  return {certificate: request.status?.certificate ?? '', conditions: request.status?.conditions ?? []};
}

function judging(name: string, subresource: string, verb: string): Plugin {
  return {
    name,
    resources: [`certificatesigningrequests.${GROUP}`],
    operations: ['UPDATE'],
    subresources: [subresource],
    validate(attributes) {
      const {object, old} = attributes;
      const [request, before] = [object, old] as unknown as readonly [CertificateSigningRequest, CertificateSigningRequest];
      if (!object || (verb === 'sign' && sameValue(said(request), said(before)))) return undefined;
      const {signerName} = before.spec;
      if (may(attributes, verb, signerName)) return undefined;
      return forbid(attributes, object, `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`);
    },
  };
}

export const certificateApproval = judging('CertificateApproval', 'approval', 'approve');
export const certificateSigning = judging('CertificateSigning', 'status', 'sign');
