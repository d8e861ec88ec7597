// Webhook configurations, mutating and validating.
import {conditionVariables} from '../cel/admission.ts';
import type {Variables} from '../cel/environment.ts';
import {compileExpression, resultName} from '../cel/expression.ts';
import type {
  MatchCondition,
  MutatingWebhook,
  MutatingWebhookConfiguration,
  RuleWithOperations,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '../kinds/admissionregistration-v1.ts';
import {duplicate, invalid, notSupported, required, root, tooMany, type FieldPath} from '../meta/field-error.ts';
import {checkLabel1035, checkQualifiedName, checkSubdomain} from '../meta/names.ts';
import {labelSelector, sentences, type Errors} from './rules.ts';
import {serviceReference, webhookAddress} from './webhook-clients.ts';

type Webhook = MutatingWebhook | ValidatingWebhook;

const MOST_CONDITIONS = 64;
const MOST_SECONDS = 30;
const REVIEW_VERSIONS = ['v1', 'v1beta1'];
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

/** The configuration of either kind. */
export function validateWebhooks(
  {webhooks = []}: MutatingWebhookConfiguration | ValidatingWebhookConfiguration,
  errors: Errors,
): void {
  const seen = new Set<string>();
  webhooks.forEach((webhook, i) => {
    const path = root('webhooks').index(i);
    oneWebhook(webhook, path, errors);
    reviewVersions(webhook.admissionReviewVersions, path.child('admissionReviewVersions'), errors);
    if (webhook.name !== '' && seen.has(webhook.name)) errors.push(duplicate(path.child('name'), webhook.name));
    seen.add(webhook.name);
  });
}

function oneWebhook(webhook: Webhook, path: FieldPath, errors: Errors): void {
  domainName(webhook.name, path.child('name'), errors);
  webhook.rules?.forEach((rule, i) => oneRule(rule, path.child('rules').index(i), errors));
  known(webhook.failurePolicy, {path: path.child('failurePolicy'), of: ['Fail', 'Ignore']}, errors);
  known(webhook.matchPolicy, {path: path.child('matchPolicy'), of: ['Equivalent', 'Exact']}, errors);
  const effects: string | undefined = webhook.sideEffects;
  const effectsAt = path.child('sideEffects');
  if (!effects) errors.push(required(effectsAt, 'must specify one of None, NoneOnDryRun'));
  else known(effects, {path: effectsAt, of: ['None', 'NoneOnDryRun']}, errors);
  const seconds = webhook.timeoutSeconds;
  if (seconds !== undefined && (seconds > MOST_SECONDS || seconds < 1))
    errors.push(invalid(path.child('timeoutSeconds'), seconds, 'the timeout value must be between 1 and 30 seconds'));
  labelSelector(webhook.namespaceSelector, path.child('namespaceSelector'), errors);
  labelSelector(webhook.objectSelector, path.child('objectSelector'), errors);
  if ('reinvocationPolicy' in webhook)
    known(webhook.reinvocationPolicy, {path: path.child('reinvocationPolicy'), of: ['IfNeeded', 'Never']}, errors);
  client(webhook, path.child('clientConfig'), errors);
  matchConditions(webhook, {path: path.child('matchConditions'), variables: conditionVariables(false)}, errors);
}

function known(value: string | undefined, at: {path: FieldPath; of: readonly string[]}, errors: Errors): void {
  if (value !== undefined && !at.of.includes(value)) errors.push(notSupported(at.path, value, at.of));
}

/** The name must say whose webhook it is. */
function domainName(name: string | undefined, path: FieldPath, errors: Errors): void {
  if (!name) {
    errors.push(required(path));
    return;
  }
  const texts = checkSubdomain(name);
  sentences(texts, {path, value: name}, errors);
  if (texts.length === 0 && name.split('.').length < 3)
    errors.push(invalid(path, name, 'should be a domain with at least three segments separated by dots'));
}

function reviewVersions(versions: readonly string[] | undefined, path: FieldPath, errors: Errors): void {
  if (!versions?.length) {
    errors.push(required(path, `must specify one of ${REVIEW_VERSIONS.join(', ')}`));
    return;
  }
  versions.forEach((version, i) => {
    if (versions.indexOf(version) !== i) errors.push(invalid(path.index(i), version, 'duplicate version'));
    else sentences(checkLabel1035(version), {path: path.index(i), value: version}, errors);
  });
  if (!versions.some(version => REVIEW_VERSIONS.includes(version)))
    errors.push(invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
}

/** Which operations on which resources. */
export function oneRule(rule: RuleWithOperations, path: FieldPath, errors: Errors): void {
  const {operations = [], apiGroups = [], apiVersions = [], resources = [], scope} = rule;
  const listed = (name: string, list: readonly string[]): void => {
    const at = path.child(name);
    if (list.length === 0) errors.push(required(at));
    else if (list.length > 1 && list.includes('*'))
      errors.push(invalid(at, list, "if '*' is present, must not specify other " + (PLURALS[name] ?? name)));
  };
  listed('operations', operations);
  operations.forEach((operation, i) => known(operation, {path: path.child('operations').index(i), of: OPERATIONS}, errors));
  listed('apiGroups', apiGroups);
  listed('apiVersions', apiVersions);
  apiVersions.forEach((version, i) => {
    if (version === '') errors.push(required(path.child('apiVersions').index(i)));
  });
  ruleResources(resources, path.child('resources'), errors);
  known(scope, {path: path.child('scope'), of: ['*', 'Cluster', 'Namespaced']}, errors);
}

const PLURALS: Readonly<Record<string, string>> = {apiGroups: 'API groups', apiVersions: 'API versions'};

/** A `*` that says all that a later entry says is a mistake of whoever wrote it. */
function ruleResources(resources: readonly string[], path: FieldPath, errors: Errors): void {
  if (resources.length === 0) errors.push(required(path));
  const [whole, everywhere] = [new Set<string>(), new Set<string>()];
  let plain = false;
  resources.forEach((each, i) => {
    const at = path.index(i);
    const slash = each.indexOf('/');
    if (each === '') errors.push(required(at));
    else if (slash < 0) plain = each !== '*';
    if (slash < 0) return;
    const [resource, sub] = [each.slice(0, slash), each.slice(slash + 1)];
    const covered = (by: string) => errors.push(invalid(at, each, `if '${by}' is present, must not specify ${each}`));
    if (whole.has(resource)) covered(`${resource}/*`);
    if (everywhere.has(sub)) covered(`*/${sub}`);
    if (sub === '*') whole.add(resource);
    if (resource === '*') everywhere.add(sub);
  });
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes('*') && plain)
    errors.push(invalid(path, resources, "if '*' is present, must not specify other resources without subresources"));
}

function client({clientConfig}: Webhook, path: FieldPath, errors: Errors): void {
  const {url, service} = clientConfig ?? {};
  if ((url === undefined) === (service === undefined)) errors.push(required(path, 'exactly one of url or service is required'));
  else if (url !== undefined) webhookAddress(url, path.child('url'), errors);
  else if (service) serviceReference(service, path.child('service'), errors);
}

/** The conditions of a webhook or a policy. */
export function matchConditions(
  {matchConditions: listed = []}: {readonly matchConditions?: readonly MatchCondition[]},
  {path, variables}: {path: FieldPath; variables: Variables},
  errors: Errors,
): void {
  if (listed.length > MOST_CONDITIONS) errors.push(tooMany(path, listed.length, MOST_CONDITIONS));
  const seen = new Set<string>();
  listed.forEach(({name, expression}, i) => {
    const at = path.index(i);
    const text = (expression ?? '').trim();
    if (text === '') errors.push(required(at.child('expression')));
    else conditionText(text, {path: at.child('expression'), variables}, errors);
    if (!name) errors.push(required(at.child('name')));
    else {
      sentences(checkQualifiedName(name), {path: at.child('name'), value: name}, errors);
      if (seen.has(name)) errors.push(duplicate(at.child('name'), name));
    }
    seen.add(name);
  });
}

function conditionText(expression: string, {path, variables}: {path: FieldPath; variables: Variables}, errors: Errors): void {
  const made = compileExpression(expression, variables);
  if ('error' in made) errors.push(invalid(path, expression, `compilation failed: ${made.error}`));
  else if (made.expression.type.kind !== 'bool')
    errors.push(invalid(path, expression, `must evaluate to bool but got ${resultName(made.expression)}`));
}
