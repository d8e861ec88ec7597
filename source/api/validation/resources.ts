// Requests and limits of containers and pods, and amounts in quotas.
import type {ResourceRequirements} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, notSupported, required} from '../meta/field-error.ts';
import {compareStrings} from '../meta/go-text.ts';
import {checkLabel, checkQualifiedName} from '../meta/names.ts';
import {canonicalQuantity, compareQuantities, parseQuantity} from '../meta/quantity.ts';
import {type Errors, NOT_NEGATIVE, sentences} from './rules.ts';

const CONTAINER = new Set(['cpu', 'memory', 'ephemeral-storage']);
const COUNTED = new Set([
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
const QUOTA = new Set([
  ...COUNTED,
  ...CONTAINER,
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);

/** Is it `cpu`, `memory` … or fully qualified? */
export function resourceName(name: string, path: FieldPath, errors: Errors): boolean {
  const texts = checkQualifiedName(name);
  sentences(texts, {path, value: name}, errors);
  if (texts.length > 0) return false;
  if (!name.includes('/') && !isStandard(name))
    errors.push(invalid(path, name, 'must be a standard resource type or fully qualified'));
  return true;
}

function isStandard(name: string): boolean {
  return isQuotaResource(name) || name === 'storage';
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** The name of what a container may ask for. */
export function containerResourceName(name: string, path: FieldPath, errors: Errors): void {
  if (!resourceName(name, path, errors)) return;
  if (!name.includes('/')) {
    if (!CONTAINER.has(name) && !isHugePages(name))
      errors.push(invalid(path, name, 'must be a standard resource for containers'));
  } else if (name.startsWith('requests.') || (!isNative(name) && name.length > 253)) {
    errors.push(invalid(path, name, "doesn't follow extended resource name standard"));
  }
}

/** The name of what a quota may count. */
export function quotaResourceName(name: string, path: FieldPath, errors: Errors): void {
  if (!resourceName(name, path, errors)) return;
  if (!name.includes('/') && !isQuotaResource(name)) errors.push(invalid(path, name, 'must be a standard resource for quota'));
}

/** Is it something that quotas know by itself? */
export function isQuotaResource(name: string): boolean {
  return QUOTA.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** An amount: not negative, and whole for what is counted. */
export function resourceAmount(name: string, quantity: string | number, at: {path: FieldPath; errors: Errors}): void {
  const text = canonicalQuantity(quantity);
  if (compareQuantities(quantity, '0') < 0) at.errors.push(invalid(at.path, text, NOT_NEGATIVE));
  const parsed = parseQuantity(quantity);
  const whole = 'error' in parsed || parsed.nanos % 1_000_000_000n === 0n;
  if ((COUNTED.has(name) || !isNative(name)) && !whole) at.errors.push(invalid(at.path, text, 'must be an integer'));
}

/** What may be promised to more than can have it at once. */
export function isOvercommitted(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

/** Requests and limits of one container. */
export function containerResources(
  resources: ResourceRequirements | undefined,
  at: {path: FieldPath; claims: readonly string[]},
  errors: Errors,
): void {
  if (!resources) return;
  amounts(resources, {path: at.path, name: containerResourceName}, errors);
  claims(resources.claims, {path: at.path.child('claims'), known: at.claims}, errors);
}

/** The claims that a container uses, each once: whole, or by its requests. */
function claims(
  list: ResourceRequirements['claims'],
  {path, known}: {path: FieldPath; known: readonly string[]},
  errors: Errors,
): void {
  const used = new Set<string>();
  list?.forEach(({name, request}, i) => {
    const at = path.index(i);
    if (!name) {
      errors.push(required(at));
      return;
    }
    const key = request ? `${name}/${request}` : name;
    if (used.has(name)) errors.push(duplicate(at, name));
    else {
      if (request) sentences(checkLabel(request), {path: at.child('request'), value: request}, errors);
      if (used.has(key)) errors.push(duplicate(at, key));
      else if (!request) for (const other of used) if (other.startsWith(`${name}/`)) errors.push(duplicate(at, name));
      used.add(key);
    }
    if (known.includes(name)) return;
    const where = known.length === 0 ? ' which is empty' : `: ${known.toSorted(compareStrings).join(', ')}`;
    const detail = `must be one of the names in pod.spec.resourceClaims${where}`;
    errors.push({kind: 'NotFound', field: String(at), value: name, detail});
  });
}

/** May a pod ask for it as a whole? */
export function isPodLevel(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || isHugePages(resource);
}

/** Requests and limits of a pod as a whole: of CPU, memory and huge pages alone. */
export function podResources(resources: ResourceRequirements | undefined, path: FieldPath, errors: Errors): void {
  if (!resources) return;
  const name = (resource: string, at: FieldPath, list: Errors) => {
    if (!resourceName(resource, at, list) || isPodLevel(resource)) return;
    list.push(notSupported(at, resource, ['cpu', 'hugepages-', 'memory']));
  };
  amounts(resources, {path, name}, errors);
}

type NameRule = (name: string, path: FieldPath, errors: Errors) => void;

function amounts(resources: ResourceRequirements, {path, name}: {path: FieldPath; name: NameRule}, errors: Errors): void {
  const limits = resources.limits ?? {};
  const requests = resources.requests ?? {};
  const sorted = (list: object) => Object.keys(list).sort(compareStrings);
  for (const resource of sorted(limits))
    amount(resource, limits[resource] ?? '0', {path: path.child('limits').key(resource), name, errors});
  for (const resource of sorted(requests)) {
    const quantity = requests[resource] ?? '0';
    amount(resource, quantity, {path: path.child('requests').key(resource), name, errors});
    withinLimit({resource, quantity, limit: limits[resource]}, path, errors);
  }
  const asked = [...Object.keys(limits), ...Object.keys(requests)];
  if (asked.some(isHugePages) && !asked.includes('cpu') && !asked.includes('memory')) {
    errors.push(forbiddenField(path, 'HugePages require cpu or memory'));
  }
}

function amount(resource: string, quantity: string | number, at: {path: FieldPath; name: NameRule; errors: Errors}): void {
  at.name(resource, at.path, at.errors);
  resourceAmount(resource, quantity, at);
  if (!isHugePages(resource)) return;
  const size = parseQuantity(resource.slice('hugepages-'.length));
  const asked = parseQuantity(quantity);
  if ('error' in size || 'error' in asked || size.nanos === 0n || asked.nanos % size.nanos === 0n) return;
  const text = canonicalQuantity(quantity);
  at.errors.push(invalid(at.path, text, `${text} is not positive integer multiple of ${resource}`));
}

function withinLimit(
  asked: {resource: string; quantity: string | number; limit: string | number | undefined},
  path: FieldPath,
  errors: Errors,
): void {
  const {resource, quantity, limit} = asked;
  const text = canonicalQuantity(quantity);
  if (limit === undefined) {
    if (!isOvercommitted(resource))
      errors.push(required(path.child('limits'), 'Limit must be set for non overcommitable resources'));
    return;
  }
  const order = compareQuantities(quantity, limit);
  const most = canonicalQuantity(limit);
  if (order !== 0 && !isOvercommitted(resource)) {
    errors.push(invalid(path.child('requests'), text, `must be equal to ${resource} limit of ${most}`));
  } else if (order > 0)
    errors.push(invalid(path.child('requests'), text, `must be less than or equal to ${resource} limit of ${most}`));
}
