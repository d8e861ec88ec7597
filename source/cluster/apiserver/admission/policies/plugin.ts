// ValidatingAdmissionPolicy: rules in CEL that a cluster's administrators write. A policy says what it looks at and what must hold; a
// binding puts it to work, on less if it wants, with parameters, and says what becomes of a failure: denied, told as a warning, or only
// kept for an audit log (which this server does not keep).
import type {MatchResources, NamedRuleWithOperations} from '../../../../api/kinds/admissionregistration-v1.ts';
import {failure, forbidden} from '../../../../api/meta/status.ts';
import {refuse, Refused} from '../../http/refused.ts';
import type {Attributes} from '../../registry/write.ts';
import type {Plugin} from '../plugin.ts';
import {matchesRule, namespaceFits, objectFits} from '../webhooks/match.ts';
import {subjectOf, type Subject, type View} from '../webhooks/subject.ts';
import {selectorMatcher} from '../../../../api/meta/selector.ts';
import {type Denial, judgeBy} from './judge.ts';
import {paramsOf} from './params.ts';
import type {BoundPolicy} from './policies.ts';

export const admissionPolicies: Plugin = {
  name: 'ValidatingAdmissionPolicy',
  resources: ['*'],
  operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  subresources: ['*'],
  validate(attributes) {
    const {bound} = attributes.write.core.policies;
    return bound.length === 0 || attributes.write.withoutWebhooks ? undefined : judgeAll(attributes, bound);
  },
};

/** Questions about rights, and policies themselves, are nobody's to refuse. */
const EXEMPT: Readonly<Record<string, readonly string[]>> = {
  'authentication.k8s.io': ['selfsubjectreviews', 'tokenreviews'],
  'authorization.k8s.io': [
    'localsubjectaccessreviews',
    'selfsubjectaccessreviews',
    'selfsubjectrulesreviews',
    'subjectaccessreviews',
  ],
  'admissionregistration.k8s.io': ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
};

function judgeAll(attributes: Attributes, bound: readonly BoundPolicy[]): Refused | undefined {
  const subject = subjectOf(attributes);
  const {group, resource} = subject.view.resource;
  if (EXEMPT[group]?.includes(resource)) return undefined;
  let first: Refused | undefined;
  for (const each of bound) {
    const refused = judgeOne(each, subject);
    first ??= refused;
  }
  return first;
}

function judgeOne(bound: BoundPolicy, subject: Subject): Refused | undefined {
  const {policy, spec, binding} = bound;
  const view = viewFor(policy.spec.matchConstraints, subject);
  if (!view) return undefined;
  if (view instanceof Refused) return view;
  const narrowed = spec.matchResources ? viewFor(spec.matchResources, subject, true) : view;
  if (!narrowed || narrowed instanceof Refused) return narrowed;
  const denials = denialsOf(bound, subject, view);
  const actions = spec.validationActions ?? [];
  const {warnings} = subject.attributes.write;
  if (actions.includes('Warn'))
    for (const {message} of denials)
      warnings.push(`Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding}': ${message}`);
  const [denial] = denials;
  return denial && actions.includes('Deny') ? refused(bound, subject, denial) : undefined;
}

function denialsOf(bound: BoundPolicy, subject: Subject, view: View): readonly Denial[] {
  const params = paramsOf(bound, subject.attributes.write.core, subject.namespace);
  if ('problem' in params) return bound.policy.fails ? [{message: params.problem, reason: 'Invalid'}] : [];
  return params.flatMap(each => judgeBy(bound.policy, {subject, view, params: each}));
}

/** The version in which a match sees the request; undefined when it does not. A binding may leave rules out. */
function viewFor(match: MatchResources | undefined, subject: Subject, optional = false): View | Refused | undefined {
  if (!match) return optional ? subject.view : undefined;
  const inNamespace = namespaceFits(subject, selectorMatcher(match.namespaceSelector));
  if (inNamespace === false || !objectFits(subject, selectorMatcher(match.objectSelector))) return undefined;
  const views = match.matchPolicy === 'Exact' ? [subject.view] : [subject.view, ...subject.others];
  if (views.some(view => match.excludeResourceRules?.some(rule => named(rule, subject) && matchesRule(rule, subject, view))))
    return undefined;
  const rules = match.resourceRules ?? [];
  const found =
    optional && rules.length === 0
      ? subject.view
      : views.find(view => rules.some(rule => named(rule, subject) && matchesRule(rule, subject, view)));
  return found && inNamespace instanceof Refused ? inNamespace : found;
}

function named({resourceNames = []}: NamedRuleWithOperations, {name}: Subject): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}

const CODES: Readonly<Record<string, number>> = {Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413, Invalid: 422};

function refused({policy, binding}: BoundPolicy, {attributes, name}: Subject, {message, reason}: Denial): Refused {
  const words = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding}' denied request: ${message}`;
  const status = forbidden(attributes.write.served.facts, name, words);
  return refuse(
    failure(CODES[reason] ?? 422, reason, {message: status.message, details: {...status.details, causes: [{message: words}]}}),
  );
}
