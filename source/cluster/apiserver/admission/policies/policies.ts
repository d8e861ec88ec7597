// The admission policies that are bound, ready to be asked. Policies and bindings are read anew when one of them changes, so a server
// without any pays one look at a length.
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../../../api/kinds/admissionregistration-v1.ts';
import {admissionVariables, compileVariables, type CompiledVariable, conditionVariables} from '../../../../api/cel/admission.ts';
import {type Compiled, compileExpression} from '../../../../api/cel/expression.ts';
import {compareStrings} from '../../../../api/meta/go-text.ts';
import type {ServedResources} from '../../registry/served.ts';

type Spec = NonNullable<ValidatingAdmissionPolicy['spec']>;

/** An expression with its text. */
export interface Written {
  readonly source: string;
  readonly compiled: Compiled;
}

/** A rule of a policy. */
export interface PolicyRule extends Written {
  readonly message: string;
  readonly messageExpression: Compiled | undefined;
  readonly reason: string;
}

/** A policy, compiled. */
export interface Policy {
  readonly name: string;
  readonly spec: Spec;
  readonly fails: boolean;
  readonly conditions: readonly Written[];
  readonly variables: readonly CompiledVariable[];
  readonly rules: readonly PolicyRule[];
  readonly annotations: readonly Written[];
}

/** A policy and one of its bindings. */
export interface BoundPolicy {
  readonly policy: Policy;
  readonly binding: string;
  readonly spec: NonNullable<ValidatingAdmissionPolicyBinding['spec']>;
}

const GROUP = 'admissionregistration.k8s.io';

/** All policies of a server. */
export class AdmissionPolicies {
  #bound: readonly BoundPolicy[] = [];

  /** In the order in which they are asked. */
  get bound(): readonly BoundPolicy[] {
    return this.#bound;
  }

  /** Begins to follow policies and bindings, once the caches are filled. */
  follow(resources: ServedResources): void {
    const policies = resources.of('validatingadmissionpolicies', GROUP).cache;
    const bindings = resources.of('validatingadmissionpolicybindings', GROUP).cache;
    const read = (): void => {
      this.#bound = bind(
        policies.objects() as unknown as readonly ValidatingAdmissionPolicy[],
        bindings.objects() as unknown as readonly ValidatingAdmissionPolicyBinding[],
      );
    };
    policies.on(read);
    bindings.on(read);
  }
}

function bind(
  policies: readonly ValidatingAdmissionPolicy[],
  bindings: readonly ValidatingAdmissionPolicyBinding[],
): readonly BoundPolicy[] {
  const byName = (a: {readonly metadata: {readonly name: string}}, b: {readonly metadata: {readonly name: string}}): number =>
    compareStrings(a.metadata.name, b.metadata.name);
  return policies.toSorted(byName).flatMap(policy => {
    const own = bindings.filter(each => each.spec?.policyName === policy.metadata.name).toSorted(byName);
    return own.map(binding => ({policy: compiled(policy), binding: binding.metadata.name, spec: binding.spec ?? {}}));
  });
}

const known = new WeakMap<ValidatingAdmissionPolicy, Policy>();

function compiled(policy: ValidatingAdmissionPolicy): Policy {
  const before = known.get(policy);
  if (before) return before;
  const {spec} = policy;
  const hasParams = spec.paramKind !== undefined;
  const {all, seen} = compileVariables(spec.variables ?? [], admissionVariables({hasParams}));
  const made: Policy = {
    name: policy.metadata.name,
    spec,
    fails: spec.failurePolicy !== 'Ignore',
    conditions: (spec.matchConditions ?? []).map(({expression}) => ({
      source: expression,
      compiled: compileExpression(expression, conditionVariables(hasParams)),
    })),
    variables: all,
    rules: (spec.validations ?? []).map(({expression, message = '', messageExpression, reason = 'Invalid'}) => ({
      source: expression,
      compiled: compileExpression(expression, seen),
      message: message.trim(),
      messageExpression: messageExpression?.trim() ? compileExpression(messageExpression, seen) : undefined,
      reason,
    })),
    annotations: (spec.auditAnnotations ?? []).map(({valueExpression}) => ({
      source: valueExpression,
      compiled: compileExpression(valueExpression, seen),
    })),
  };
  known.set(policy, made);
  return made;
}
