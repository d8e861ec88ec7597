// What expressions about a request see, in webhooks' conditions and in policies.
import {authorizerOf, requestResourceOf, type Question} from '../../../api/cel/library/authorizer.ts';
import {celValue} from '../../../api/cel/convert.ts';
import type {Scope} from '../../../api/cel/evaluate.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {makeUser, type User} from '../auth/user.ts';
import {conditionVariables} from './webhooks/review.ts';
import type {Subject, View} from './webhooks/subject.ts';

/** The values of the variables, in the version of a view. */
export function scopeOf(subject: Subject, view: View, params: AnyObject | null): Scope {
  const {core, user} = subject.attributes.write;
  const variables = Object.fromEntries(
    Object.entries(conditionVariables(subject, view)).map(([name, value]) => [name, celValue(value)]),
  );
  const namespace = subject.namespace === '' ? undefined : core.resources.of('namespaces').cache.get(subject.namespace);
  const ask = (question: Question) => {
    const asker = question.account === undefined ? user : accountOf(question.account);
    const {group = '', resource = '', subresource = '', namespace: inside = '', name = '', path = '', verb} = question;
    return core.authorize(asker, {verb, group, version: '*', resource, subresource, namespace: inside, name, path});
  };
  const {group, resource} = subject.view.resource;
  const requested = {group, resource, subresource: subject.subresource, namespace: subject.namespace, name: subject.name};
  return {
    ...variables,
    params: celValue(params),
    namespaceObject: celValue(namespace ?? null),
    authorizer: authorizerOf(ask),
    'authorizer.requestResource': requestResourceOf(ask, requested),
  };
}

function accountOf(key: string): User {
  const [namespace = '', name = ''] = key.split('/');
  return makeUser({
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  });
}
