// What RBAC bindings, priority classes, webhooks, admission policies, flow schemas and the like get.
import type {
  MatchResources,
  MutatingWebhook,
  MutatingWebhookConfiguration,
  RuleWithOperations,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from '../../kinds/admissionregistration-v1.ts';
import type {CustomResourceDefinition} from '../../kinds/apiextensions-v1.ts';
import type {APIService} from '../../kinds/apiregistration-v1.ts';
import type {FlowSchema, PriorityLevelConfiguration} from '../../kinds/flowcontrol-v1.ts';
import type {ClusterRoleBinding, RoleBinding, Subject} from '../../kinds/rbac-v1.ts';
import type {PriorityClass} from '../../kinds/scheduling-v1.ts';
import {change, each, fill} from './fill.ts';

const RBAC = 'rbac.authorization.k8s.io';
const NOTHING = Object.freeze({});

export function defaultBinding<B extends RoleBinding | ClusterRoleBinding>(binding: B): B {
  const given: RoleBinding = binding;
  const referring = given.roleRef.apiGroup ? given.roleRef : Object.freeze({...given.roleRef, apiGroup: RBAC});
  const out: RoleBinding = referring === given.roleRef ? given : Object.freeze({...given, roleRef: referring});
  return change(out, 'subjects', list => each(list, defaultSubject)) as B;
}

function defaultSubject(subject: Subject): Subject {
  return subject.kind === 'User' || subject.kind === 'Group' ? fill(subject, {apiGroup: RBAC}) : subject;
}

export function defaultPriorityClass(priorityClass: PriorityClass): PriorityClass {
  return fill(priorityClass, {preemptionPolicy: 'PreemptLowerPriority'});
}

export function defaultMutatingWebhooks(configuration: MutatingWebhookConfiguration): MutatingWebhookConfiguration {
  return change(configuration, 'webhooks', list => each(list, hook => fill(defaultWebhook(hook), {reinvocationPolicy: 'Never'})));
}

export function defaultValidatingWebhooks(configuration: ValidatingWebhookConfiguration): ValidatingWebhookConfiguration {
  return change(configuration, 'webhooks', list => each(list, hook => defaultWebhook(hook)));
}

function defaultWebhook<W extends MutatingWebhook | ValidatingWebhook>(webhook: W): W {
  let out: MutatingWebhook | ValidatingWebhook = fill<MutatingWebhook | ValidatingWebhook>(webhook, {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: NOTHING,
    objectSelector: NOTHING,
    timeoutSeconds: 10,
  });
  out = change(out, 'rules', list => each(list, defaultRule));
  return change(out, 'clientConfig', defaultClientConfig) as W;
}

function defaultClientConfig(config: WebhookClientConfig): WebhookClientConfig {
  return change(config, 'service', service => fill(service, {port: 443}));
}

function defaultRule<R extends RuleWithOperations>(rule: R): R {
  return fill<RuleWithOperations>(rule, {scope: '*'}) as R;
}

export function defaultAdmissionPolicy(policy: ValidatingAdmissionPolicy): ValidatingAdmissionPolicy {
  return change(policy, 'spec', spec => change(fill(spec, {failurePolicy: 'Fail'}), 'matchConstraints', defaultMatch));
}

export function defaultAdmissionPolicyBinding(binding: ValidatingAdmissionPolicyBinding): ValidatingAdmissionPolicyBinding {
  return change(binding, 'spec', spec => change(spec, 'matchResources', defaultMatch));
}

function defaultMatch(match: MatchResources): MatchResources {
  let out = fill(match, {matchPolicy: 'Equivalent', namespaceSelector: NOTHING, objectSelector: NOTHING});
  out = change(out, 'resourceRules', list => each(list, rule => defaultRule(rule)));
  return change(out, 'excludeResourceRules', list => each(list, rule => defaultRule(rule)));
}

export function defaultCustomResourceDefinition(definition: CustomResourceDefinition): CustomResourceDefinition {
  return change(definition, 'spec', spec => {
    let out = change(spec, 'names', names =>
      names.kind ? fill(names, {singular: names.kind.toLowerCase(), listKind: `${names.kind}List`}) : names,
    );
    out = fill(out, {conversion: Object.freeze({strategy: 'None'})});
    return change(out, 'conversion', conversion =>
      change(conversion, 'webhook', webhook => change(webhook, 'clientConfig', config => defaultClientConfig(config))),
    );
  });
}

export function defaultAPIService(service: APIService): APIService {
  return change(service, 'spec', spec => change(spec, 'service', reference => fill(reference, {port: 443})));
}

export function defaultFlowSchema(schema: FlowSchema): FlowSchema {
  return change(schema, 'spec', spec => (spec.matchingPrecedence ? spec : Object.freeze({...spec, matchingPrecedence: 1000})));
}

export function defaultPriorityLevel(level: PriorityLevelConfiguration): PriorityLevelConfiguration {
  return change(level, 'spec', spec => {
    const out = change(spec, 'limited', limited => {
      const shares = fill(limited, {nominalConcurrencyShares: 30, lendablePercent: 0});
      return change(shares, 'limitResponse', response =>
        change(response, 'queuing', queuing =>
          Object.freeze({
            ...queuing,
            queues: queuing.queues || 64,
            handSize: queuing.handSize || 8,
            queueLengthLimit: queuing.queueLengthLimit || 50,
          }),
        ),
      );
    });
    return change(out, 'exempt', exempt => fill(exempt, {nominalConcurrencyShares: 0, lendablePercent: 0}));
  });
}
