// Questions that are asked by creating an object: may I, may he, what may I, who am I, whose token is this. Nothing is stored.
import type {SelfSubjectRulesReview, SubjectAccessReview} from '../../../api/kinds/authorization-v1.ts';
import type {TokenReview} from '../../../api/kinds/authentication-v1.ts';
import {invalid, Printed, type FieldError} from '../../../api/meta/field-error.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {badRequest, invalidObject} from '../../../api/meta/status.ts';
import type {Task} from '../../../sim/task.ts';
import {admitByWebhooks} from '../admission/chain.ts';
import {AUDIENCES} from '../auth/authenticate.ts';
import {makeUser, userInfo, type User} from '../auth/user.ts';
import {json} from '../http/reply.ts';
import {refuse, Refused} from '../http/refused.ts';
import type {Access, Decision} from '../rbac/access.ts';
import {decodeBody} from '../registry/body.ts';
import {writeOf, type AskedResource, type Handler} from './asked.ts';
import {rulesStatus} from './rules-review.ts';

/** A handler that decodes its body and answers with the body and a status. */
function review(judge: (asked: AskedResource, body: AnyObject) => unknown): Handler {
  return function* (asked): Task<ReturnType<typeof json> | Refused> {
    const write = writeOf(asked);
    const decoded = decodeBody(write, asked.request, asked.served.facts);
    if (decoded instanceof Refused) return decoded;
    const body = yield* admitByWebhooks({operation: 'CREATE', write, object: decoded, old: undefined});
    if (body instanceof Refused) return body;
    const status = judge(asked, body);
    if (status instanceof Refused) return status;
    return json(201, Object.freeze({...body, status}));
  };
}

type AccessSpec = NonNullable<SubjectAccessReview['spec']>;

/** May I? */
export const selfSubjectAccess = review((asked, body) => {
  const spec = (body as unknown as SubjectAccessReview).spec ?? {};
  const problems = checkAttributes(spec);
  if (problems.length > 0) return refused(problems);
  return statusOf(asked.core.authorize(asked.user, accessOf(spec)));
});

/** May he? */
export const subjectAccess = review((asked, body) => {
  const spec = (body as unknown as SubjectAccessReview).spec ?? {};
  const problems = [...checkAttributes(spec), ...checkUser(spec)];
  return problems.length > 0 ? refused(problems) : statusOf(asked.core.authorize(userOf(spec), accessOf(spec)));
});

/** May he, in this namespace? */
export const localSubjectAccess = review((asked, body) => {
  const spec = (body as unknown as SubjectAccessReview).spec ?? {};
  const problems = [...checkAttributes(spec), ...checkUser(spec)];
  if (problems.length > 0) return refused(problems);
  if (spec.resourceAttributes?.namespace !== asked.info.namespace)
    return refuse(badRequest(`spec.resourceAttributes.namespace must match namespace: ${asked.info.namespace}`));
  return statusOf(asked.core.authorize(userOf(spec), accessOf(spec)));
});

/** What may I? */
export const selfSubjectRules = review((asked, body) => {
  const namespace = (body as unknown as SelfSubjectRulesReview).spec?.namespace ?? '';
  return namespace === '' ? refuse(badRequest('no namespace on request')) : rulesStatus(asked.core, asked.user, namespace);
});

/** Who am I? */
export const selfSubject: Handler = function* (asked): Task<ReturnType<typeof json> | Refused> {
  const body = decodeBody(writeOf(asked), asked.request, asked.served.facts);
  if (body instanceof Refused) return body;
  const metadata = {...body.metadata, creationTimestamp: asked.core.daemon.now()};
  return json(201, Object.freeze({...body, metadata, status: {userInfo: userInfo(asked.user)}}));
};

/** Whose token is this? */
export const tokenReview = review((asked, body) => {
  const {token = '', audiences} = (body as unknown as TokenReview).spec ?? {};
  if (token === '') return refuse(badRequest('token is required for TokenReview in authentication'));
  const {core} = asked;
  const wanted = audiences?.length ? audiences : AUDIENCES;
  const checked = core.tokens.check(token, wanted, core.daemon.wall());
  if ('error' in checked) return {user: {}, error: checked.error};
  return {authenticated: true, user: userInfo(checked.user), audiences: checked.audiences};
});

function statusOf(decision: Decision): unknown {
  return {allowed: decision.allowed, ...(decision.reason === '' ? {} : {reason: decision.reason})};
}

function accessOf(spec: AccessSpec): Access {
  const {resourceAttributes: resource, nonResourceAttributes: other} = spec;
  if (other)
    return {
      verb: other.verb ?? '',
      group: '',
      version: '',
      resource: '',
      subresource: '',
      namespace: '',
      name: '',
      path: other.path ?? '',
    };
  const {
    namespace = '',
    verb = '',
    group = '',
    version = '',
    resource: plural = '',
    subresource = '',
    name = '',
    fieldSelector,
  } = resource ?? {};
  const raw = fieldSelector?.rawSelector;
  return {
    namespace,
    verb,
    group,
    version,
    resource: plural,
    subresource,
    name,
    path: '',
    ...(raw === undefined ? {} : {fieldSelector: raw}),
  };
}

function userOf(spec: AccessSpec): User {
  return makeUser({
    name: spec.user ?? '',
    groups: spec.groups ?? [],
    ...(spec.uid === undefined ? {} : {uid: spec.uid}),
    ...(spec.extra ? {extra: spec.extra} : {}),
  });
}

function checkAttributes({resourceAttributes, nonResourceAttributes}: AccessSpec): FieldError[] {
  if (resourceAttributes && nonResourceAttributes) {
    const {path = '', verb = ''} = nonResourceAttributes;
    const shown = new Printed(JSON.stringify({Path: path, Verb: verb}));
    return [invalid('spec.nonResourceAttributes', shown, 'cannot be specified in combination with resourceAttributes')];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  return [
    invalid('spec.resourceAttributes', null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified'),
  ];
}

function checkUser({user = '', groups = []}: AccessSpec): FieldError[] {
  return user === '' && groups.length === 0 ? [invalid('spec.user', '', 'at least one of user or group must be specified')] : [];
}

function refused(problems: readonly FieldError[]): Refused {
  return refuse(invalidObject({group: '', kind: ''}, '', problems));
}
