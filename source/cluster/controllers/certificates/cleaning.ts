// Removes requests for certificates that nobody needs any more, looking once an hour: what was decided an hour ago, what nobody
// decided for a day, and what was issued and has expired.
import type {CertificateSigningRequest} from '../../../api/kinds/certificates-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {parseTime} from '../../../api/meta/time.ts';
import {readCertificate} from '../../../api/pki/certificate.ts';
import {remove} from '../../../client/verbs.ts';
import type {Outcome} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';

const requests = builtin('certificates.k8s.io', 'certificatesigningrequests');
const HOUR_MS = 3_600_000;
const DECIDED_MS = HOUR_MS;
const PENDING_MS = 24 * HOUR_MS;

/** Removes old requests. */
export const csrCleanerController: Controller = {
  name: 'certificatesigningrequest-cleaner-controller',
  account: 'certificate-controller',
  start: context => {
    const informer = context.informers.of<CertificateSigningRequest>(requests);
    const began = context.daemon.clock.now;
    const queue = context.queue({reconcile: key => sync(context, informer.get(key), began), workers: 1});
    const look = ({metadata}: CertificateSigningRequest): void => queue.add(metadata.name);
    informer.on({added: look, updated: look});
  },
};

/** When a request may go; the earliest of all that holds for it. */
export function goneAt({metadata, status}: CertificateSigningRequest): number {
  const conditions = status?.conditions ?? [];
  const expires = status?.certificate && readCertificate(Buffer.from(status.certificate, 'base64').toString('utf8'))?.notAfter;
  // One that was approved stays until it is signed: its signer may be slow, or nobody.
  const decided = conditions
    .filter(({type}) => type !== 'Approved' || status?.certificate)
    .map(({lastUpdateTime}) => (parseTime(lastUpdateTime) ?? 0) + DECIDED_MS);
  const pending = conditions.length === 0 ? [(parseTime(metadata.creationTimestamp) ?? 0) + PENDING_MS] : [];
  return Math.min(...decided, ...pending, expires || Infinity);
}

function* sync({client, daemon}: Context, object: CertificateSigningRequest | undefined, began: number): Task<Outcome> {
  if (!object) return undefined;
  const left = goneAt(object) - daemon.wall();
  if (left === Infinity) return undefined;
  if (left >= 0) {
    const passed = daemon.clock.now + left - began;
    return {afterMs: left + HOUR_MS - (passed % HOUR_MS)};
  }
  const result = yield* client.ask(remove(requests, {name: object.metadata.name}));
  return result.ok || result.status.code === 404 ? undefined : 'again';
}
