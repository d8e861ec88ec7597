// Signs approved requests with the cluster's authority, for the four signers that are the control plane's own. A certificate lives for
// a year, or for as long as was asked, but not longer than its authority.
import type {CertificateSigningRequest} from '../../../api/kinds/certificates-v1.ts';
import {compareStrings} from '../../../api/meta/go-text.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {certificatePem, readCertificate, type Certificate, type Usage} from '../../../api/pki/certificate.ts';
import {issueCertificate, type CertificateRequest} from '../../../api/pki/issue.ts';
import {readSigningRequest, type SigningRequest} from '../../../api/pki/signing-request.ts';
import {ecKeyOf, x509ForKey} from '../../../api/pki/x509.ts';
import {update} from '../../../client/verbs.ts';
import type {Outcome} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {CLIENT, isToBeSigned, KUBELET_CLIENT, KUBELET_SERVING, LEGACY, whyNotSigned} from './requests.ts';

const requests = builtin('certificates.k8s.io', 'certificatesigningrequests');
const OURS: ReadonlySet<string> = new Set([CLIENT, KUBELET_CLIENT, KUBELET_SERVING, LEGACY]);

/** Signs. */
export const csrSigningController: Controller = {
  name: 'certificatesigningrequest-signing-controller',
  account: 'certificate-controller',
  start: context => {
    if (!readCertificate(context.settings.signingCa)) {
      context.daemon.print('"Skipping CSR signer controller because no csr cert/key was specified"');
      return;
    }
    const informer = context.informers.of<CertificateSigningRequest>(requests);
    const queue = context.queue({reconcile: key => sign(context, informer.get(key)), workers: 1});
    const look = (request: CertificateSigningRequest): void => {
      if (OURS.has(request.spec.signerName) && isToBeSigned(request)) queue.add(request.metadata.name);
    };
    informer.on({added: look, updated: look});
  },
};

function* sign({daemon, client, settings}: Context, object: CertificateSigningRequest | undefined): Task<Outcome> {
  if (!object || !isToBeSigned(object)) return undefined;
  const {spec} = object;
  const now = daemon.now();
  const request = readSigningRequest(Buffer.from(spec.request, 'base64').toString('utf8'));
  const why = request ? whyNotSigned(spec.signerName, request, spec.usages ?? []) : 'asn1: structure error';
  const failed = {
    type: 'Failed',
    status: 'True',
    reason: 'SignerValidationFailure',
    message: why,
    lastUpdateTime: now,
    lastTransitionTime: now,
  };
  const issuer = readCertificate(settings.signingCa);
  if (!issuer) return undefined;
  const wall = daemon.wall();
  const {signedMs} = settings.tuning;
  const asked = spec.expirationSeconds === undefined ? signedMs : Math.min(signedMs, spec.expirationSeconds * 1000);
  const certificate =
    request && why === undefined
      ? pemFor(
          request,
          issueCertificate(issuer, wishOf(request, spec.usages ?? []), wall, Math.min(asked, issuer.notAfter - wall)),
        )
      : undefined;
  const status = certificate
    ? {...object.status, certificate: Buffer.from(certificate, 'utf8').toString('base64')}
    : {...object.status, conditions: [...(object.status?.conditions ?? []), failed]};
  const result = yield* client.ask(update(requests, {...object, status} as CertificateSigningRequest, 'status'));
  return result.ok || result.status.code === 404 ? undefined : 'again';
}

/** Who asked with a key of their own reads bytes, so X.509 is signed; who asked with a record gets one. */
function pemFor({publicKey}: SigningRequest, certificate: Certificate): string {
  if (publicKey === undefined) return certificatePem(certificate);
  return x509ForKey(certificate, Buffer.from(publicKey, 'base64'), ecKeyOf(certificate.authority));
}

/** What is certified. Several organizations are one set in the certificate, which orders it: the shorter ones first. */
function wishOf(request: SigningRequest, usages: readonly string[]): CertificateRequest {
  const organizations = request.organizations.toSorted((a, b) => a.length - b.length || compareStrings(a, b));
  return {...request, organizations, usages: usagesOf(usages)};
}

function usagesOf(usages: readonly string[]): readonly Usage[] {
  return [
    ...(usages.includes('server auth') ? ['server' as const] : []),
    ...(usages.includes('client auth') ? ['client' as const] : []),
  ];
}
