// `kubectl create namespace`, `serviceaccount`, `quota`, `priorityclass` and `poddisruptionbudget`.
import {canonicalQuantity, parseQuantity} from '../../../api/meta/quantity.ts';
import {parseSelector} from '../../../api/meta/selector-parser.ts';
import type {Requirement} from '../../../api/meta/selector.ts';
import {fail, Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {generatorCommand, type Draft} from './generator.ts';

export const createNamespace = generatorCommand({
  path: 'kubectl create namespace',
  short: 'Create a namespace',
  examples: ['kubectl create namespace shop'],
  flags: [],
  make: (_session, name) => ({apiVersion: 'v1', kind: 'Namespace', metadata: {name}, spec: {}, status: {}}),
});

export const createServiceAccount = generatorCommand({
  path: 'kubectl create serviceaccount',
  short: 'Create a service account',
  examples: ['kubectl create serviceaccount robot'],
  flags: [],
  refusal: 'failed to create serviceaccount:',
  make: (_session, name) => ({apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name}}),
});

export const createQuota = generatorCommand({
  path: 'kubectl create quota',
  short: 'Create a resource quota',
  examples: ['kubectl create quota small --hard=pods=4,cpu=2'],
  flags: ['hard', 'scopes'],
  refusal: 'failed to create quota:',
  make: quota,
});

function quota({flags}: Session, name: string): Draft | Failure {
  const hard: Record<string, string> = {};
  for (const part of flags.text('hard') === '' ? [] : flags.text('hard').split(',')) {
    const pair = part.split('=');
    const [resource = '', amount = ''] = pair;
    if (pair.length !== 2) return fail(`Invalid argument syntax ${part}, expected <resource>=<value>`);
    const parsed = parseQuantity(amount);
    if ('error' in parsed) return fail(parsed.error);
    hard[resource] = canonicalQuantity(amount);
  }
  const scopes = flags.text('scopes') === '' ? [] : flags.text('scopes').split(',');
  const wrong = scopes.find(scope => scope === '');
  if (wrong !== undefined) return fail(`invalid resource quota scope ${JSON.stringify(wrong)}`);
  const spec = {...(Object.keys(hard).length > 0 ? {hard} : {}), ...(scopes.length > 0 ? {scopes} : {})};
  return {apiVersion: 'v1', kind: 'ResourceQuota', metadata: {name}, spec, status: {}};
}

export const createPriorityClass = generatorCommand({
  path: 'kubectl create priorityclass',
  short: 'Create a priority class',
  examples: ['kubectl create priorityclass high --value=1000'],
  flags: ['description', 'global-default', 'preemption-policy', 'value'],
  refusal: 'failed to create priorityclass:',
  make: ({flags}, name) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: {name},
    value: flags.number('value'),
    ...(flags.on('global-default') ? {globalDefault: true} : {}),
    ...(flags.text('description') === '' ? {} : {description: flags.text('description')}),
    preemptionPolicy: flags.text('preemption-policy'),
  }),
});

export const createBudget = generatorCommand({
  path: 'kubectl create poddisruptionbudget',
  short: 'Create a pod disruption budget',
  examples: ['kubectl create poddisruptionbudget web --selector=app=web --min-available=1'],
  flags: ['max-unavailable', 'min-available', 'selector'],
  refusal: 'failed to create poddisruptionbudgets:',
  make: budget,
});

function budget({flags}: Session, name: string): Draft | Failure {
  const [least, most] = [flags.text('min-available'), flags.text('max-unavailable')];
  if (flags.text('selector') === '') return fail('a selector must be specified');
  if (least === '' && most === '') return fail('one of min-available or max-unavailable must be specified');
  if (least !== '' && most !== '') return fail('min-available and max-unavailable cannot be both specified');
  const parsed = parseSelector(flags.text('selector'));
  if ('error' in parsed) return fail(`couldn't parse the selector string "${flags.text('selector')}": ${parsed.error}`);
  for (const [flag, text] of [
    ['min-available', least],
    ['max-unavailable', most],
  ] as const)
    if (text !== '' && !/^\d+%?$/.test(text)) return fail(`invalid format specified for ${flag}`);
  const selector = selectorOf(parsed.requirements);
  const amount = least === '' ? {maxUnavailable: intOrText(most)} : {minAvailable: intOrText(least)};
  const status = {currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0};
  return {apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: {name}, spec: {...amount, selector}, status};
}

/** A selector with labels where they will do, and expressions for the rest. */
function selectorOf(requirements: readonly Requirement[]): object {
  const isPlain = ({operator, values}: Requirement) => operator === '=' || (operator === 'in' && values.length === 1);
  const matchLabels = Object.fromEntries(requirements.filter(isPlain).map(({key, values}) => [key, values[0] ?? '']));
  const matchExpressions = requirements
    .filter(requirement => !isPlain(requirement))
    .map(({key, operator, values}) => ({key, operator: OPERATORS[operator], ...(values.length > 0 ? {values} : {})}));
  return {
    ...(matchExpressions.length > 0 ? {matchExpressions} : {}),
    ...(Object.keys(matchLabels).length > 0 ? {matchLabels} : {}),
  };
}

const OPERATORS: Readonly<Record<string, string>> = {
  in: 'In',
  notin: 'NotIn',
  '!=': 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

/** A number where the text is one. */
export function intOrText(text: string): number | string {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}
