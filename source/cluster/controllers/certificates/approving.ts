// Approves the client certificates of kubelets, where whoever asks is permitted to have them: new nodes by their bootstrap token's
// group, nodes that renew their own by being nodes.
import type {SubjectAccessReview} from '../../../api/kinds/authorization-v1.ts';
import type {CertificateSigningRequest} from '../../../api/kinds/certificates-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {readSigningRequest} from '../../../api/pki/signing-request.ts';
import {create, update} from '../../../client/verbs.ts';
import type {Outcome} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {isUndecided, recognize} from './requests.ts';

const requests = builtin('certificates.k8s.io', 'certificatesigningrequests');
const reviews = builtin('authorization.k8s.io', 'subjectaccessreviews');

/** Approves kubelets' requests. */
export const csrApprovingController: Controller = {
  name: 'certificatesigningrequest-approving-controller',
  account: 'certificate-controller',
  start: context => {
    const informer = context.informers.of<CertificateSigningRequest>(requests);
    const queue = context.queue({reconcile: key => approve(context, informer.get(key)), workers: 1});
    const look = (request: CertificateSigningRequest): void => {
      if (isUndecided(request)) queue.add(request.metadata.name);
    };
    informer.on({added: look, updated: look});
  },
};

function* approve(context: Context, object: CertificateSigningRequest | undefined): Task<Outcome> {
  if (!object || !isUndecided(object)) return undefined;
  const pem = Buffer.from(object.spec.request, 'base64').toString('utf8');
  const ways = recognize(object, readSigningRequest(pem));
  for (const {permission, message} of ways) {
    const allowed = yield* isAllowed(context, object, permission);
    if (allowed === undefined) return 'again';
    if (!allowed) continue;
    const {daemon, client} = context;
    const now = daemon.now();
    const approved = {
      type: 'Approved',
      status: 'True',
      reason: 'AutoApproved',
      message,
      lastUpdateTime: now,
      lastTransitionTime: now,
    };
    const status = {...object.status, conditions: [...(object.status?.conditions ?? []), approved]};
    const result = yield* client.ask(update(requests, {...object, status}, 'approval'));
    return result.ok || result.status.code === 404 ? undefined : 'again';
  }
  return undefined;
}

function* isAllowed({client}: Context, {spec}: CertificateSigningRequest, subresource: string): Task<boolean | undefined> {
  const {username, groups, uid, extra} = spec;
  const resourceAttributes = {group: 'certificates.k8s.io', resource: 'certificatesigningrequests', verb: 'create', subresource};
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      resourceAttributes,
      ...(username ? {user: username} : {}),
      ...(groups ? {groups} : {}),
      ...(uid ? {uid} : {}),
      ...(extra ? {extra} : {}),
    },
  };
  const result = yield* client.ask<SubjectAccessReview>(create(reviews, review));
  return result.ok ? result.value.status?.allowed === true : undefined;
}
