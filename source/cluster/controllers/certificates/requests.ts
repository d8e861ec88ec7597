// Requests for certificates, as the control plane's own signers see them: what each of them signs, and in which words it refuses.
import type {CertificateSigningRequest} from '../../../api/kinds/certificates-v1.ts';
import {isConditionTrue} from '../../../api/meta/conditions.ts';
import type {SigningRequest} from '../../../api/pki/signing-request.ts';

export const CLIENT = 'kubernetes.io/kube-apiserver-client';
export const KUBELET_CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
export const KUBELET_SERVING = 'kubernetes.io/kubelet-serving';
export const LEGACY = 'kubernetes.io/legacy-unknown';

const NODES = 'system:nodes';
const NODE_PREFIX = 'system:node:';
const CLIENT_USAGES = ['client auth', 'digital signature', 'key encipherment'];
const KUBELET_CLIENT_USAGES = ['client auth', 'digital signature'];
const KUBELET_SERVING_USAGES = ['digital signature', 'server auth'];
const KEY_ENCIPHERMENT = 'key encipherment';

/** Approved, and neither denied, failed nor signed yet? */
export function isToBeSigned({status}: CertificateSigningRequest): boolean {
  const has = (type: string) => isConditionTrue(status?.conditions, type);
  return has('Approved') && !has('Denied') && !has('Failed') && !status?.certificate;
}

/** Nobody has decided about it yet. */
export function isUndecided({status}: CertificateSigningRequest): boolean {
  const conditions = status?.conditions ?? [];
  return !status?.certificate && !conditions.some(({type}) => type === 'Approved' || type === 'Denied');
}

/** Why a signer does not sign; undefined when it does. */
export function whyNotSigned(signerName: string, request: SigningRequest, usages: readonly string[]): string | undefined {
  switch (signerName) {
    case CLIENT:
      return whyNoClient(usages);
    case KUBELET_CLIENT:
      return whyNoKubeletClient(request, usages);
    case KUBELET_SERVING:
      return whyNoKubeletServing(request, usages);
    default:
      return undefined;
  }
}

function whyNoClient(usages: readonly string[]): string | undefined {
  const odd = usages.find(usage => !CLIENT_USAGES.includes(usage));
  if (odd !== undefined) return `invalid usage for client certificate: ${odd}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

function whyNoKubeletClient(request: SigningRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(request)) return 'subject organization is not system:nodes';
  if (request.dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (request.emails.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.addresses.length > 0) return 'IP subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  if (!request.commonName.startsWith(NODE_PREFIX)) return 'subject common name does not begin with system:node: ';
  return whyOtherUsages(usages, KUBELET_CLIENT_USAGES);
}

function whyNoKubeletServing(request: SigningRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes(request)) return 'subject organization is not system:nodes';
  if (request.dnsNames.length + request.addresses.length === 0) return 'DNS or IP subjectAltName is required';
  if (request.emails.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  if (!request.commonName.startsWith(NODE_PREFIX)) return 'subject common name does not begin with system:node: ';
  return whyOtherUsages(usages, KUBELET_SERVING_USAGES);
}

function isOfNodes({organizations}: SigningRequest): boolean {
  return organizations.length === 1 && organizations[0] === NODES;
}

/** The usages must be these, with or without key encipherment. */
function whyOtherUsages(usages: readonly string[], wanted: readonly string[]): string | undefined {
  const asked = new Set(usages.filter(usage => usage !== KEY_ENCIPHERMENT));
  if (asked.size === wanted.length && wanted.every(usage => asked.has(usage))) return undefined;
  return `usages did not match [${[...wanted, KEY_ENCIPHERMENT].sort().join(' ')}]`;
}

/** How a kubelet's client certificate comes to be approved without anybody: who may ask for it, and what is said then. */
export interface Recognition {
  /** The subresource that the asker must be allowed to create. */
  readonly permission: string;
  readonly message: string;
}

/** The ways in which a request can be a kubelet's; the first one that is permitted counts. */
export function recognize({spec}: CertificateSigningRequest, request: SigningRequest | undefined): readonly Recognition[] {
  if (spec.signerName !== KUBELET_CLIENT || !request) return [];
  if (whyNoKubeletClient(request, spec.usages ?? []) !== undefined) return [];
  const own = {
    permission: 'selfnodeclient',
    message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
  };
  const any = {permission: 'nodeclient', message: 'Auto approving kubelet client certificate after SubjectAccessReview.'};
  return spec.username === request.commonName ? [own, any] : [any];
}
