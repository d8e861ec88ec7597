// ValidatingAdmissionPolicies and their bindings.
import type {
  AuditAnnotation,
  MatchResources,
  NamedRuleWithOperations,
  ParamKind,
  ParamRef,
  Validation,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  Variable,
} from '../kinds/admissionregistration-v1.ts';
import {admissionVariables, compileVariables, type CompiledVariable, conditionVariables} from '../cel/admission.ts';
import type {Variables} from '../cel/environment.ts';
import {compileExpression, type Expression, resultName} from '../cel/expression.ts';
import {isIdentifier} from '../cel/names.ts';
import type {CelType} from '../cel/types.ts';
import {duplicate, type FieldPath, forbiddenField, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkLabel1035, checkPathSegment, checkQualifiedName, checkSubdomain} from '../meta/names.ts';
import {splitApiVersion} from '../meta/object.ts';
import {type Errors, labelSelector, sentences} from './rules.ts';
import {matchConditions, oneRule} from './webhooks.ts';

const NOTHING = 'validations or auditAnnotations must contain at least one item';
const MOST_ANNOTATIONS = 20;
const LONGEST_VALUE = 5 * 1024;
const LINE_BREAK = /[\n\r]/;
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

/** A policy. */
export function validateAdmissionPolicy({metadata, spec}: ValidatingAdmissionPolicy, errors: Errors): void {
  const path = root('spec');
  const hasParams = spec.paramKind !== undefined;
  word(spec.failurePolicy, {path: path.child('failurePolicy'), of: ['Fail', 'Ignore']}, errors);
  if (spec.paramKind) paramKind(spec.paramKind, path.child('paramKind'), errors);
  if (!spec.matchConstraints) errors.push(required(path.child('matchConstraints')));
  else {
    const at = path.child('matchConstraints');
    matchResources(spec.matchConstraints, at, errors);
    if (!spec.matchConstraints.resourceRules?.length) errors.push(required(at.child('resourceRules')));
  }
  matchConditions(spec, {path: path.child('matchConditions'), variables: conditionVariables(hasParams)}, errors);
  const {all, seen} = compileVariables(spec.variables ?? [], admissionVariables({hasParams}));
  spec.variables?.forEach((variable, i) =>
    oneVariable(variable, {compiled: all[i], path: path.child('variables').index(i)}, errors),
  );
  const {validations = [], auditAnnotations = []} = spec;
  if (validations.length + auditAnnotations.length === 0) {
    errors.push(required(path.child('validations'), NOTHING), required(path.child('auditAnnotations'), NOTHING));
    return;
  }
  validations.forEach((validation, i) => oneValidation(validation, {seen, path: path.child('validations').index(i)}, errors));
  annotations(auditAnnotations, {seen, policy: metadata.name, path: path.child('auditAnnotations')}, errors);
}

function word(value: string | undefined, at: {path: FieldPath; of: readonly string[]}, errors: Errors): void {
  if (!value) errors.push(required(at.path));
  else if (!at.of.includes(value)) errors.push(notSupported(at.path, value, at.of));
}

function paramKind({apiVersion = '', kind = ''}: ParamKind, path: FieldPath, errors: Errors): void {
  const at = path.child('apiVersion');
  const {group, version} = splitApiVersion(apiVersion);
  const wrongGroup = group === '' ? [] : checkSubdomain(group);
  const wrongVersion = version === '' ? [] : checkLabel1035(version);
  if (apiVersion === '') errors.push(required(at));
  else if (apiVersion.split('/').length > 2)
    errors.push(invalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  else {
    if (wrongGroup.length > 0) errors.push(invalid(at, group, wrongGroup.join(',')));
    if (version === '') errors.push(invalid(at, apiVersion, 'version must be specified'));
    else if (wrongVersion.length > 0) errors.push(invalid(at, version, wrongVersion.join(',')));
  }
  const wrongKind = checkLabel1035(kind.toLowerCase());
  if (kind === '') errors.push(required(path.child('kind')));
  else if (wrongKind.length > 0)
    errors.push(invalid(path.child('kind'), kind, `may have mixed case, but should otherwise match: ${wrongKind.join(',')}`));
}

function matchResources(match: MatchResources, path: FieldPath, errors: Errors): void {
  word(match.matchPolicy, {path: path.child('matchPolicy'), of: ['Equivalent', 'Exact']}, errors);
  for (const name of ['namespaceSelector', 'objectSelector'] as const) {
    if (!match[name]) errors.push(required(path.child(name)));
    else labelSelector(match[name], path.child(name), errors);
  }
  match.resourceRules?.forEach((rule, i) => namedRule(rule, path.child('resourceRules').index(i), errors));
  match.excludeResourceRules?.forEach((rule, i) => namedRule(rule, path.child('excludeResourceRules').index(i), errors));
}

function namedRule(rule: NamedRuleWithOperations, path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  rule.resourceNames?.forEach((name, i) => {
    const at = path.child('resourceNames').index(i);
    sentences(checkPathSegment(name), {path: at, value: name}, errors);
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
  });
  oneRule(rule, path, errors);
}

function oneVariable(
  {name, expression}: Variable,
  {compiled, path}: {compiled: CompiledVariable | undefined; path: FieldPath},
  errors: Errors,
): void {
  if (!name) errors.push(required(path.child('name'), 'name is not specified'));
  else if (!isIdentifier(name)) errors.push(invalid(path.child('name'), name, 'must be a valid CEL identifier'));
  if (!expression.trim()) errors.push(required(path.child('expression'), 'expression is not specified'));
  else if (compiled && 'error' in compiled.compiled)
    errors.push(invalid(path.child('expression'), expression, `compilation failed: ${compiled.compiled.error}`));
}

interface ExpressionAt {
  readonly path: FieldPath;
  readonly seen: Variables;
  readonly gives: readonly CelType['kind'][];
}

function expressionOf(source: string, {path, seen, gives}: ExpressionAt, errors: Errors): void {
  const made = compileExpression(source, seen);
  if ('error' in made) errors.push(invalid(path, source, `compilation failed: ${made.error}`));
  else if (!gives.includes(made.expression.type.kind)) errors.push(invalid(path, source, wrongResult(made.expression, gives)));
}

function wrongResult(expression: Expression, gives: readonly string[]): string {
  const wanted =
    gives.length === 1 ? gives[0] : `one of [${gives.map(kind => (kind === 'null' ? 'null_type' : kind)).join(' ')}]`;
  return `must evaluate to ${wanted} but got ${resultName(expression)}`;
}

/** A message is no place to ask who may do what. */
function withoutAuthorizer(seen: Variables): Variables {
  return Object.fromEntries(Object.entries(seen).filter(([name]) => !name.startsWith('authorizer')));
}

function oneValidation(validation: Validation, {seen, path}: {seen: Variables; path: FieldPath}, errors: Errors): void {
  const {expression, message = '', messageExpression = '', reason} = validation;
  if (!expression.trim()) errors.push(required(path.child('expression'), 'expression is not specified'));
  else expressionOf(expression, {path: path.child('expression'), seen, gives: ['bool']}, errors);
  const made = path.child('messageExpression');
  if (messageExpression !== '' && messageExpression.trim() === '')
    errors.push(invalid(made, messageExpression, 'must be non-empty if specified'));
  else if (messageExpression !== '')
    expressionOf(messageExpression, {path: made, seen: withoutAuthorizer(seen), gives: ['string']}, errors);
  const at = path.child('message');
  if (message !== '' && message.trim() === '') errors.push(invalid(at, message, 'message must be non-empty if specified'));
  else if (LINE_BREAK.test(message.trim())) errors.push(invalid(at, message, 'must not contain line breaks'));
  else if (LINE_BREAK.test(expression.trim()) && message.trim() === '')
    errors.push(required(at, 'message must be specified if expression contains line breaks'));
  if (reason !== undefined && !REASONS.includes(reason)) errors.push(notSupported(path.child('reason'), reason, REASONS));
}

interface AnnotationsAt {
  readonly path: FieldPath;
  readonly seen: Variables;
  readonly policy: string;
}

function annotations(listed: readonly AuditAnnotation[], {path, seen, policy}: AnnotationsAt, errors: Errors): void {
  if (listed.length > MOST_ANNOTATIONS)
    errors.push(invalid(path, listed, `must not have more than ${MOST_ANNOTATIONS} auditAnnotations`));
  const known = new Set<string>();
  listed.forEach(({key, valueExpression}, i) => {
    const at = path.index(i);
    const whole = policy ? `${policy}/${key}` : key;
    sentences(checkQualifiedName(whole), {path: at.child('key'), value: whole}, errors);
    const text = valueExpression.trim();
    if (!text) errors.push(required(at.child('valueExpression'), 'valueExpression is not specified'));
    else if (text.length > LONGEST_VALUE)
      errors.push(required(at.child('valueExpression'), `must not exceed ${LONGEST_VALUE} bytes in length`));
    else expressionOf(valueExpression, {path: at.child('valueExpression'), seen, gives: ['string', 'null']}, errors);
    if (known.has(key)) errors.push(duplicate(at.child('key'), key));
    known.add(key);
  });
}

const ACTIONS = ['Audit', 'Deny', 'Warn'];
const BOTH =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

/** A binding. */
export function validateAdmissionPolicyBinding({spec}: ValidatingAdmissionPolicyBinding, errors: Errors): void {
  const path = root('spec');
  const {policyName = '', paramRef, matchResources: match, validationActions: actions = []} = spec;
  if (policyName === '') errors.push(required(path.child('policyName')));
  else sentences(checkSubdomain(policyName), {path: path.child('policyName'), value: policyName}, errors);
  if (paramRef) paramReference(paramRef, path.child('paramRef'), errors);
  // The misspelling is the server's own.
  if (match) matchResources(match, path.child('matchResouces'), errors);
  const at = path.child('validationActions');
  if (actions.length === 0) errors.push(required(at, 'at least one validation action is required'));
  actions.forEach((action, i) => {
    if (!ACTIONS.includes(action)) errors.push(notSupported(at.index(i), action, ACTIONS));
    if (actions.indexOf(action) < i) errors.push(duplicate(at.index(i), action));
  });
  if (actions.includes('Deny') && actions.includes('Warn')) errors.push(invalid(at, actions, BOTH));
}

function paramReference({name = '', selector, parameterNotFoundAction}: ParamRef, path: FieldPath, errors: Errors): void {
  const either = 'name and selector are mutually exclusive';
  if (name !== '') {
    sentences(checkPathSegment(name), {path: path.child('name'), value: name}, errors);
    if (selector) errors.push(forbiddenField(path.child('name'), either));
  }
  if (selector) {
    labelSelector(selector, path.child('selector'), errors);
    if (name !== '') errors.push(forbiddenField(path.child('selector'), either));
  }
  if (name === '' && !selector) errors.push(required(path, 'one of name or selector must be specified'));
  word(parameterNotFoundAction, {path: path.child('parameterNotFoundAction'), of: ['Deny', 'Allow']}, errors);
}
