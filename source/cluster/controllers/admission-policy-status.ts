// The status of ValidatingAdmissionPolicies: the API server compiles a policy without knowing what it will be asked about; here each
// expression is checked once more against the types of the resources that the policy names, and what does not fit is told. It
// warns and does not refuse.
//
// Not modelled: types of custom resources; expressions about them are not checked.
import type {
  ExpressionWarning,
  NamedRuleWithOperations,
  ValidatingAdmissionPolicy,
} from '../../api/kinds/admissionregistration-v1.ts';
import {admissionVariables, compileVariables} from '../../api/cel/admission.ts';
import type {Variables} from '../../api/cel/environment.ts';
import {compileExpression} from '../../api/cel/expression.ts';
import {builtinType} from '../../api/cel/schema-types.ts';
import type {CelType} from '../../api/cel/types.ts';
import {builtin, findResource, type ResourceFacts} from '../../api/meta/resources.ts';
import {typeOfKind} from '../../api/schema/index.ts';
import {update} from '../../client/verbs.ts';
import type {Outcome} from '../../client/work-queue.ts';
import type {Task} from '../../sim/task.ts';
import type {Context, Controller} from './context.ts';

const policies = builtin('admissionregistration.k8s.io', 'validatingadmissionpolicies');
/** A policy that names more kinds is checked against the first few. */
const MOST_TYPES = 10;

/** Checks policies against types. */
export const admissionPolicyStatusController: Controller = {
  name: 'validatingadmissionpolicy-status-controller',
  account: 'validatingadmissionpolicy-status-controller',
  start: context => {
    const queue = context.queue({reconcile: key => report(context, key)});
    const wake = (policy: ValidatingAdmissionPolicy): void => queue.add(policy.metadata.name);
    context.informers.of<ValidatingAdmissionPolicy>(policies).on({added: wake, updated: wake});
  },
};

function* report({client, informers}: Context, name: string): Task<Outcome> {
  const policy = informers.of<ValidatingAdmissionPolicy>(policies).get(name);
  const {generation = 0} = policy?.metadata ?? {};
  if (!policy || (policy.status?.observedGeneration ?? 0) >= generation) return undefined;
  const expressionWarnings = typeWarnings(policy);
  const typeChecking = expressionWarnings.length > 0 ? {expressionWarnings} : {};
  const status = {...policy.status, observedGeneration: generation, typeChecking};
  const result = yield* client.ask(update(policies, {...policy, status}, 'status'));
  return result.ok || result.status.reason === 'NotFound' ? undefined : 'again';
}

interface Typed {
  /** `apps/v1, Kind=Deployment`. */
  readonly name: string;
  readonly type: CelType;
}

/** What does not fit the types of what a policy is asked about. */
export function typeWarnings({spec}: ValidatingAdmissionPolicy): readonly ExpressionWarning[] {
  const kinds = (spec.matchConstraints?.resourceRules ?? []).flatMap(kindsOf).slice(0, MOST_TYPES);
  const seen = kinds.map(kind => {
    const params = spec.paramKind && typeOf(spec.paramKind.apiVersion ?? '', spec.paramKind.kind ?? '');
    const base = admissionVariables({hasParams: spec.paramKind !== undefined, object: kind.type, ...(params ? {params} : {})});
    return {kind, variables: compileVariables(spec.variables ?? [], base).seen};
  });
  return (spec.validations ?? []).flatMap(({expression, messageExpression}, i) => [
    ...warningOf(expression, {fieldRef: `spec.validations[${i}].expression`, seen}),
    ...(messageExpression ? warningOf(messageExpression, {fieldRef: `spec.validations[${i}].messageExpression`, seen}) : []),
  ]);
}

interface Place {
  readonly fieldRef: string;
  readonly seen: readonly {readonly kind: Typed; readonly variables: Variables}[];
}

function warningOf(expression: string, {fieldRef, seen}: Place): readonly ExpressionWarning[] {
  const texts = seen.flatMap(({kind, variables}) => {
    const made = compileExpression(expression, variables);
    return 'error' in made ? [`${kind.name}: ${made.error}\n`] : [];
  });
  return texts.length > 0 ? [{fieldRef, warning: texts.join('\n')}] : [];
}

/** The kinds that a rule names one by one; what it names by `*` is not checked. */
function kindsOf({apiGroups = [], apiVersions = [], resources = []}: NamedRuleWithOperations): readonly Typed[] {
  if (apiGroups.includes('*') || apiVersions.includes('*')) return [];
  const facts = apiGroups.flatMap(group =>
    apiVersions.flatMap(version => resources.flatMap(resource => findResource(group, version, resource) ?? [])),
  );
  return facts.flatMap(typedOf);
}

function typedOf({group, version, kind}: ResourceFacts): readonly Typed[] {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const type = typeOf(apiVersion, kind);
  return type ? [{name: `${apiVersion}, Kind=${kind}`, type}] : [];
}

function typeOf(apiVersion: string, kind: string): CelType | undefined {
  const long = typeOfKind(apiVersion, kind);
  return long === undefined ? undefined : builtinType(long);
}
