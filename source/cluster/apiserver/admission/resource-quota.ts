// ResourceQuota, the last gate: what is created or grows is counted against the quotas of its namespace, and the count is written into
// each quota's status before the object is. So two requests cannot both have the last place. A count that turns out too high, because
// the object was refused after all, is set right by the quota controller.
import type {ResourceQuota} from '../../../api/kinds/core-v1.ts';
import {add, type Quantities} from '../../../api/meta/pod-resources.ts';
import {isInScope, usageOf} from '../../../api/meta/quota.ts';
import {canonicalQuantity, compareQuantities, subtractQuantities} from '../../../api/meta/quantity.ts';
import {forbidden} from '../../../api/meta/status.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Task} from '../../../sim/task.ts';
import {refuse, Refused} from '../http/refused.ts';
import {updateObject} from '../registry/update-internal.ts';
import type {Attributes} from '../registry/write.ts';
import type {Plugin} from './plugin.ts';
import {shownName, specOf} from './pod-object.ts';
import {missingOf} from './quota-demands.ts';

export const resourceQuota: Plugin = {
  name: 'ResourceQuota',
  resources: ['*'],
  operations: ['CREATE', 'UPDATE'],
  subresources: ['', 'resize'],
  validate(attributes) {
    const {write, object} = attributes;
    const {cache} = write.core.resources.of('resourcequotas');
    if (cache.size === 0 || !object || !write.served.facts.namespaced) return undefined;
    const {facts} = write.served;
    if (facts.resource === 'resourcequotas' && attributes.operation === 'UPDATE') return undefined;
    const quotas = cache.keys(object.metadata.namespace).map(key => cache.get(key) as ResourceQuota);
    const concerned = quotas.filter(quota => isInScope(quota, facts, object));
    return concerned.length === 0 ? undefined : count(attributes, object, concerned);
  },
};

function* count(attributes: Attributes, object: AnyObject, quotas: readonly ResourceQuota[]): Task<Refused | undefined> {
  const {write, old} = attributes;
  const {facts} = write.served;
  const delta = difference(usageOf(facts, object), usageOf(facts, old));
  const concerned = quotas.filter(
    quota => Object.keys(delta).some(name => Object.hasOwn(hardOf(quota), name)) || facts.resource === 'pods',
  );
  for (const quota of concerned) {
    const problem = judge(attributes, object, {quota, delta});
    if (problem) return problem;
  }
  if (write.dryRun) return undefined;
  for (const quota of concerned) {
    const refused = yield* take(attributes, object, {quota, delta});
    if (refused) return refused;
  }
  return undefined;
}

interface Counting {
  readonly quota: ResourceQuota;
  readonly delta: Quantities;
}

function hardOf(quota: ResourceQuota): Quantities {
  return quota.status?.hard ?? {};
}

function judge({write, operation}: Attributes, object: AnyObject, {quota, delta}: Counting): Refused | undefined {
  const {facts} = write.served;
  const {name} = quota.metadata;
  const no = (why: string): Refused => refuse(forbidden(facts, shownName(object), why));
  const hard = hardOf(quota);
  const used = quota.status?.used ?? {};
  if (facts.resource === 'pods' && operation === 'CREATE') {
    const missing = missingOf(hard, specOf(object));
    if (missing.length > 0) return no(`failed quota: ${name}: must specify ${missing.join('; ')}`);
  }
  const wanted = Object.keys(delta)
    .filter(each => Object.hasOwn(hard, each))
    .sort();
  const unknown = wanted.filter(each => used[each] === undefined);
  if (unknown.length > 0) return no(`status unknown for quota: ${name}, resources: ${unknown.join(',')}`);
  const exceeded = wanted.filter(
    each =>
      compareQuantities(delta[each] ?? '0', '0') > 0 &&
      compareQuantities(add(used[each], delta[each] ?? '0'), hard[each] ?? '0') > 0,
  );
  if (exceeded.length === 0) return undefined;
  const show = (list: Quantities): string => exceeded.map(each => `${each}=${canonicalQuantity(list[each] ?? '0')}`).join(',');
  return no(`exceeded quota: ${name}, requested: ${show(delta)}, used: ${show(used)}, limited: ${show(hard)}`);
}

/** Writes the new count, judging once more by the state that is really there. */
function* take(attributes: Attributes, object: AnyObject, {quota, delta}: Counting): Task<Refused | undefined> {
  const {write} = attributes;
  const {name, namespace = ''} = quota.metadata;
  const own = {...write, served: write.core.resources.of('resourcequotas'), note: ignore};
  const updated = yield* updateObject(own, {
    name,
    namespace,
    change: present => {
      const now = present as unknown as ResourceQuota;
      const problem = judge(attributes, object, {quota: now, delta});
      if (problem) return problem;
      const used: Record<string, string | number> = {...now.status?.used};
      for (const each of Object.keys(delta))
        if (Object.hasOwn(hardOf(now), each)) used[each] = add(used[each], delta[each] ?? '0');
      return {...present, status: {...now.status, used}};
    },
  });
  return updated instanceof Refused && updated.status.reason === 'Forbidden' ? updated : undefined;
}

const ignore = (): void => undefined;

/** What a change takes more, or less. */
function difference(now: Quantities, before: Quantities): Quantities {
  const delta: Record<string, string> = {};
  for (const name of new Set([...Object.keys(now), ...Object.keys(before)])) {
    const change = subtractQuantities(now[name] ?? '0', before[name] ?? '0');
    if (canonicalQuantity(change) !== '0')
      delta[name] = before[name] === undefined ? canonicalQuantity(now[name] ?? '0') : change;
  }
  return delta;
}
