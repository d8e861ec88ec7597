// CertificateSigningRequests: the server writes down who asks; approval and the certificate are subresources of their own.
import type {CertificateSigningRequest} from '../../../api/kinds/certificates-v1.ts';
import type {Strategy} from './strategy.ts';

export const certificateRequests: Strategy = {
  fields: {'spec.signerName': object => (object as unknown as CertificateSigningRequest).spec.signerName},
  create(object, {user}) {
    const {spec} = object as unknown as CertificateSigningRequest;
    const {uid: _uid, extra: _extra, ...rest} = spec;
    return {
      ...object,
      spec: {
        ...rest,
        username: user.name,
        groups: user.groups,
        ...(user.uid === '' ? {} : {uid: user.uid}),
        ...(Object.keys(user.extra).length > 0 ? {extra: user.extra} : {}),
      },
    };
  },
  update: (object, old) => ({...object, spec: old.spec}),
  updateStatus(object, old, write) {
    const next = object as unknown as CertificateSigningRequest;
    const before = old as unknown as CertificateSigningRequest;
    const {certificate: _certificate, ...statusBefore} = before.status ?? {};
    // Approval may only add conditions, the signer may only add the certificate and its own failure.
    const status =
      write.subresource === 'approval'
        ? {
            ...before.status,
            ...(next.status?.conditions ? {conditions: timed(next.status.conditions, before, write.core.daemon.now())} : {}),
          }
        : {
            ...statusBefore,
            ...next.status,
            ...(next.status?.conditions ? {conditions: timed(next.status.conditions, before, write.core.daemon.now())} : {}),
          };
    return {...old, metadata: object.metadata, status};
  },
};

type Conditions = NonNullable<NonNullable<CertificateSigningRequest['status']>['conditions']>;

/** New conditions get their times. */
function timed(conditions: Conditions, before: CertificateSigningRequest, now: string): Conditions {
  return conditions.map(condition => {
    const old = before.status?.conditions?.find(each => each.type === condition.type);
    const since = old && old.status === condition.status ? (old.lastTransitionTime ?? now) : now;
    return {
      ...condition,
      lastUpdateTime: condition.lastUpdateTime ?? now,
      lastTransitionTime: condition.lastTransitionTime ?? since,
    };
  });
}
