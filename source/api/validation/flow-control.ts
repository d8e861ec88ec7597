// Flow schemas and priority levels.
import type {
  FlowSchema,
  LimitedPriorityLevelConfiguration,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  PriorityLevelConfiguration,
  QueuingConfiguration,
  ResourcePolicyRule,
  Subject,
} from '../kinds/flowcontrol-v1.ts';
import {type FieldPath, forbiddenField, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkLabel, checkSubdomain} from '../meta/names.ts';
import {fixedLevel, fixedSchema} from './flow-fixed.ts';
import {type Errors, sentences} from './rules.ts';

const MOST_PRECEDENCE = 10_000;
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** Which requests belong together, and to which level. */
export function validateFlowSchema(schema: FlowSchema, errors: Errors): void {
  const {metadata, spec} = schema;
  const path = root('spec');
  const {matchingPrecedence = 0, distinguisherMethod, priorityLevelConfiguration, rules = []} = spec ?? {};
  const at = path.child('matchingPrecedence');
  if (matchingPrecedence <= 0) errors.push(invalid(at, matchingPrecedence, 'must be a positive value'));
  if (matchingPrecedence > MOST_PRECEDENCE)
    errors.push(invalid(at, matchingPrecedence, `must not be greater than ${MOST_PRECEDENCE}`));
  if (matchingPrecedence === 1 && metadata.name !== 'exempt')
    errors.push(invalid(at, matchingPrecedence, "only the schema named 'exempt' may have matchingPrecedence 1"));
  const methods = ['ByNamespace', 'ByUser'];
  if (distinguisherMethod && !methods.includes(distinguisherMethod.type))
    errors.push(notSupported(path.child('distinguisherMethod').child('type'), {Type: distinguisherMethod.type}, methods));
  const level = priorityLevelConfiguration?.name ?? '';
  const levelAt = path.child('priorityLevelConfiguration').child('name');
  if (level === '') errors.push(required(levelAt, 'must reference a priority level'));
  else sentences(checkSubdomain(level), {path: levelAt, value: level}, errors);
  rules.forEach((rule, i) => oneRule(rule, path.child('rules').index(i), errors));
  fixedSchema(schema, errors);
}

function oneRule(
  {subjects, resourceRules = [], nonResourceRules = []}: PolicyRulesWithSubjects,
  path: FieldPath,
  errors: Errors,
): void {
  if (subjects.length === 0) errors.push(required(path.child('subjects'), 'subjects must contain at least one value'));
  subjects.forEach((subject, i) => oneSubject(subject, path.child('subjects').index(i), errors));
  if (resourceRules.length + nonResourceRules.length === 0)
    errors.push(required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'));
  resourceRules.forEach((rule, i) => resourceRule(rule, path.child('resourceRules').index(i), errors));
  nonResourceRules.forEach((rule, i) => urlRule(rule, path.child('nonResourceRules').index(i), errors));
}

function oneSubject(subject: Subject, path: FieldPath, errors: Errors): void {
  const kinds = ['Group', 'ServiceAccount', 'User'];
  const fields: Readonly<Record<string, 'group' | 'serviceAccount' | 'user'>> = {
    ServiceAccount: 'serviceAccount',
    User: 'user',
    Group: 'group',
  };
  const own = fields[subject.kind];
  if (own === undefined) {
    errors.push(notSupported(path.child('kind'), subject.kind, kinds));
    return;
  }
  if (!subject[own]) errors.push(required(path.child(own), `${own} is required when subject kind is '${subject.kind}'`));
  else if (own === 'serviceAccount') account(subject.serviceAccount, path.child('serviceAccount'), errors);
  else if (!subject[own].name) errors.push(required(path.child(own).child('name')));
  for (const [kind, field] of Object.entries(fields))
    if (field !== own && subject[field])
      errors.push(forbiddenField(path.child(field), `${field} is forbidden when subject kind is not '${kind}'`));
}

function account(subject: Subject['serviceAccount'], path: FieldPath, errors: Errors): void {
  const {name = '', namespace = ''} = subject ?? {};
  if (name === '') errors.push(required(path.child('name')));
  else if (name !== '*') sentences(checkSubdomain(name), {path: path.child('name'), value: name}, errors);
  if (namespace === '') errors.push(required(path.child('namespace'), 'must specify namespace for service account'));
  else sentences(checkLabel(namespace), {path: path.child('namespace'), value: namespace}, errors);
}

interface ListAt {
  readonly path: FieldPath;
  readonly missing: string;
  /** What else may not stand beside `*`. */
  readonly others: string;
}

function list(values: readonly string[] | undefined, {path, missing, others}: ListAt, errors: Errors): void {
  if (!values?.length) errors.push(required(path, missing));
  else if (values.length > 1 && values.includes('*'))
    errors.push(invalid(path, values, `if '*' is present, must not specify other ${others}`));
}

function verbs(values: readonly string[], path: FieldPath, errors: Errors): void {
  list(values, {path, missing: 'verbs must contain at least one value', others: 'verbs'}, errors);
  if (!values.includes('*') && values.some(verb => !VERBS.includes(verb))) errors.push(notSupported(path, values, VERBS));
}

const NAMESPACE = "each member of this list must be '*' or a DNS-1123 label; ";

function resourceRule(rule: ResourcePolicyRule, path: FieldPath, errors: Errors): void {
  verbs(rule.verbs, path.child('verbs'), errors);
  list(
    rule.apiGroups,
    {path: path.child('apiGroups'), missing: 'resource rules must supply at least one api group', others: 'api groups'},
    errors,
  );
  list(
    rule.resources,
    {path: path.child('resources'), missing: 'resource rules must supply at least one resource', others: 'resources'},
    errors,
  );
  const {namespaces = [], clusterScope = false} = rule;
  const at = path.child('namespaces');
  if (namespaces.length === 0 && !clusterScope)
    errors.push(required(at, 'resource rules that are not cluster scoped must supply at least one namespace'));
  else if (namespaces.length > 1 && namespaces.includes('*'))
    errors.push(invalid(at, namespaces, "if '*' is present, must not specify other namespaces"));
  else
    namespaces.forEach((namespace, i) => {
      if (namespace !== '*')
        sentences(
          checkLabel(namespace).map(why => NAMESPACE + why),
          {path: at.index(i), value: namespace},
          errors,
        );
    });
}

function urlRule(rule: NonResourcePolicyRule, path: FieldPath, errors: Errors): void {
  verbs(rule.verbs, path.child('verbs'), errors);
  const at = path.child('nonResourceURLs');
  const urls = rule.nonResourceURLs;
  list(urls, {path: at, missing: 'nonResourceURLs must contain at least one value', others: 'non-resource URLs'}, errors);
  if (urls.includes('*')) return;
  urls.forEach((url, i) => {
    const why = wrongPath(url);
    if (why !== undefined) errors.push(invalid(at.index(i), url, why));
  });
}

function wrongPath(path: string): string | undefined {
  if (path === '') return 'must not be empty';
  if (path === '/') return undefined;
  if (!path.startsWith('/')) return 'must start with slash';
  if (path.includes(' ')) return 'must not contain white-space';
  if (path.includes('//')) return 'must not contain double slash';
  return /^[^*]*(\/\*)?$/.test(path) ? undefined : 'wildcard can only do suffix matching';
}

/** How many requests of a level may run at once. */
export function validatePriorityLevel(level: PriorityLevelConfiguration, errors: Errors): void {
  const {metadata, spec} = level;
  const path = root('spec');
  const {type, limited, exempt} = spec ?? {};
  if ((metadata.name === 'exempt') !== (type === 'Exempt'))
    errors.push(invalid(path.child('type'), type, "type must be 'Exempt' if and only if name is 'exempt'"));
  if (type === 'Exempt') {
    if (limited) errors.push(forbiddenField(path.child('limited'), 'must be nil if the type is not Limited'));
    percent(exempt?.lendablePercent, path.child('exempt').child('lendablePercent'), errors);
    shares(exempt?.nominalConcurrencyShares, path.child('exempt').child('nominalConcurrencyShares'), errors);
  } else if (type === 'Limited') {
    if (exempt) errors.push(forbiddenField(path.child('exempt'), 'must be nil if the type is Limited'));
    if (!limited) errors.push(required(path.child('limited'), 'must not be empty when type is Limited'));
    else limits(limited, path.child('limited'), errors);
  } else errors.push(notSupported(path.child('type'), type, ['Exempt', 'Limited']));
  fixedLevel(level, errors);
}

function shares(value: number | undefined, path: FieldPath, errors: Errors): void {
  if (value !== undefined && value < 0) errors.push(invalid(path, value, 'must be a non-negative integer'));
}

function percent(value: number | undefined, path: FieldPath, errors: Errors): void {
  if (value !== undefined && (value < 0 || value > 100))
    errors.push(invalid(path, value, 'must be between 0 and 100, inclusive'));
}

function limits(limited: LimitedPriorityLevelConfiguration, path: FieldPath, errors: Errors): void {
  shares(limited.nominalConcurrencyShares, path.child('nominalConcurrencyShares'), errors);
  const {type = '', queuing} = limited.limitResponse ?? {};
  const at = path.child('limitResponse');
  if (type === 'Reject') {
    if (queuing) errors.push(forbiddenField(at.child('queuing'), 'must be nil if limited.limitResponse.type is not Limited'));
  } else if (type === 'Queue') {
    if (!queuing) errors.push(required(at.child('queuing'), 'must not be empty if limited.limitResponse.type is Limited'));
    else queues(queuing, at.child('queuing'), errors);
  } else errors.push(notSupported(at.child('type'), type, ['Queue', 'Reject']));
  percent(limited.lendablePercent, path.child('lendablePercent'), errors);
  const borrowed = limited.borrowingLimitPercent;
  if (borrowed !== undefined && borrowed < 0)
    errors.push(invalid(path.child('borrowingLimitPercent'), borrowed, 'if specified, must be a non-negative integer'));
}

const MOST_QUEUES = 10_000_000;

function queues(
  {queues: count = 0, queueLengthLimit = 0, handSize = 0}: QueuingConfiguration,
  path: FieldPath,
  errors: Errors,
): void {
  if (queueLengthLimit <= 0) errors.push(invalid(path.child('queueLengthLimit'), queueLengthLimit, 'must be positive'));
  if (count <= 0) errors.push(invalid(path.child('queues'), count, 'must be positive'));
  else if (count > MOST_QUEUES) errors.push(invalid(path.child('queues'), count, `must not be greater than ${MOST_QUEUES}`));
  if (handSize <= 0) errors.push(invalid(path.child('handSize'), handSize, 'must be positive'));
  else if (handSize > count)
    errors.push(invalid(path.child('handSize'), handSize, `should not be greater than queues (${count})`));
  else if (tooManyWays(count, handSize)) {
    const text = `required entropy bits of deckSize ${count} and handSize ${handSize} should not be greater than ${MOST_ENTROPY}`;
    errors.push(invalid(path.child('handSize'), handSize, text));
  }
}

const MOST_ENTROPY = 60;

/** Are there more ways to draw a hand of queues than the bits of a hash can tell apart? */
function tooManyWays(queues: number, hand: number): boolean {
  const most = 1n << BigInt(MOST_ENTROPY);
  let ways = 1n;
  for (let drawn = 0; drawn < hand && ways <= most; drawn++) ways *= BigInt(queues - drawn);
  return ways > most;
}
