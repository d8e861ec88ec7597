// Which webhooks hear of a request. In the real server's order: the namespace's labels, the object's labels, the rules, and last
// the match conditions, which cost most. With matchPolicy Equivalent a rule about another version of the same objects counts
// too, and the webhook is then shown that version.
import type {RuleWithOperations} from '../../../../api/kinds/admissionregistration-v1.ts';
import {conditionVariables as conditionTypes} from '../../../../api/cel/admission.ts';
import {compileExpression} from '../../../../api/cel/expression.ts';
import {selectorMatcher, type LabelMatcher} from '../../../../api/meta/selector.ts';
import {forbidden, notFound} from '../../../../api/meta/status.ts';
import {refuse, Refused} from '../../http/refused.ts';
import type {Hook} from './hooks.ts';
import {scopeOf} from '../scope.ts';
import type {Subject, View} from './subject.ts';

const EXEMPT = new Set([
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);

/** The version in which a webhook is to see the request; undefined when it hears nothing of it; or why that cannot be told. */
export function viewFor({spec}: Hook, subject: Subject): View | Refused | undefined {
  const {view, attributes} = subject;
  // Nobody may lock the door whose key lies behind it.
  if (view.resource.group === 'admissionregistration.k8s.io' && EXEMPT.has(view.resource.resource)) return undefined;
  const inNamespace = namespaceFits(subject, selectorMatcher(spec.namespaceSelector));
  if (inNamespace === false || !objectFits(subject, selectorMatcher(spec.objectSelector))) return undefined;
  const found = ruleFits(spec.rules ?? [], subject, spec.matchPolicy !== 'Exact');
  if (!found || inNamespace instanceof Refused) return found && (inNamespace as Refused);
  const held = conditionsHold(spec, subject, found);
  if (held === true) return found;
  if (held === false) return undefined;
  if (spec.failurePolicy === 'Ignore') return undefined;
  const {group, resource} = attributes.write.served.facts;
  return refuse(forbidden({group, resource}, subject.name, held));
}

function ruleFits(rules: readonly RuleWithOperations[], subject: Subject, equivalent: boolean): View | undefined {
  const views = equivalent ? [subject.view, ...subject.others] : [subject.view];
  return views.find(view => rules.some(rule => matchesRule(rule, subject, view)));
}

/** Does a rule name this operation on this resource? */
export function matchesRule(
  rule: RuleWithOperations,
  subject: Pick<Subject, 'operation' | 'subresource' | 'namespace'>,
  {resource}: Pick<View, 'resource'>,
): boolean {
  const {operation, subresource, namespace} = subject;
  return (
    inScope(rule.scope, resource.resource, namespace) &&
    names(rule.operations, operation) &&
    names(rule.apiGroups, resource.group) &&
    names(rule.apiVersions, resource.version) &&
    (rule.resources ?? []).some(each => namesResource(each, resource.resource, subresource))
  );
}

function names(list: readonly string[] | undefined, word: string): boolean {
  return list !== undefined && (list.includes('*') || list.includes(word));
}

/** `pods`, `pods/log`, `pods/*`, `*\/scale`, `*` (all resources, no subresources), `*\/*`. */
function namesResource(text: string, resource: string, subresource: string): boolean {
  const [first = '', second = ''] = text.split('/');
  return (first === '*' || first === resource) && (second === '*' || second === subresource);
}

/** A request for a namespace carries that namespace's name, though the object itself lies in none. */
function inScope(scope: RuleWithOperations['scope'], resource: string, namespace: string): boolean {
  const lies = resource !== 'namespaces' && namespace !== '';
  return scope === 'Namespaced' ? lies : scope === 'Cluster' ? !lies : true;
}

/** Objects outside of namespaces fit every selector; a Namespace is asked for its own labels. */
export function namespaceFits({namespace, attributes, view, subresource}: Subject, fits: LabelMatcher): boolean | Refused {
  if (namespace === '' || fits === EVERYTHING) return true;
  const {write, object, operation} = attributes;
  const namespaces = write.core.resources.of('namespaces');
  if (view.resource.resource === 'namespaces' && operation === 'CREATE' && subresource === '')
    return fits(object?.metadata.labels);
  const found = namespaces.cache.get(namespace);
  return found ? fits(found.metadata.labels) : refuse(notFound(namespaces.facts, namespace));
}

const EVERYTHING = selectorMatcher({});

/** The labels of the object as it is to be, or as it was. */
export function objectFits({attributes: {object, old}}: Subject, fits: LabelMatcher): boolean {
  if (fits === EVERYTHING) return true;
  return (object?.metadata !== undefined && fits(object.metadata.labels)) || (old !== undefined && fits(old.metadata.labels));
}

/** All hold, one does not, or one could not be evaluated and none was false: then the words of the first. */
function conditionsHold({matchConditions = []}: Hook['spec'], subject: Subject, view: View): boolean | string {
  let problem: string | undefined;
  const scope = matchConditions.length > 0 ? scopeOf(subject, view, null) : {};
  for (const {expression} of matchConditions) {
    const made = compileExpression(expression, conditionTypes(false));
    const outcome = 'error' in made ? made : made.expression.run(scope);
    if ('error' in outcome) problem ??= `expression '${expression}' resulted in error: ${outcome.error}`;
    else if (outcome.value !== true) return false;
  }
  return problem ?? true;
}
