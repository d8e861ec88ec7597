// Nodes: their taints, and the ranges of addresses that their pods get.
import type {Node, Taint} from '../kinds/core-v1.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
  root,
} from '../meta/field-error.ts';
import {checkLabelValue} from '../meta/names.ts';
import {oldIpFamily} from '../meta/ip.ts';
import {ipRange} from './addresses.ts';
import {resourceAmount} from './resources.ts';
import {type Errors, labelKey} from './rules.ts';

const ONE_EACH = 'may specify no more than one CIDR for each IP family';

export function validateNode(node: Node, errors: Errors): void {
  // The server looks for taints among the metadata.
  taints(node.spec?.taints, root('metadata', 'taints'), errors);
  resources(node, undefined, errors);
  ranges(node.spec?.podCIDRs ?? [], root('spec', 'podCIDRs'), errors);
}

/** How much a node has; a kubelet tells it often, and seldom anew. */
function resources({status}: Node, before: Node | undefined, errors: Errors): void {
  for (const list of ['capacity', 'allocatable'] as const) {
    if (before?.status && status?.[list] === before.status[list]) continue;
    for (const [name, amount] of Object.entries(status?.[list] ?? {}))
      resourceAmount(name, amount, {path: root('status', list, name), errors});
  }
}

/** What a node's own part may change in: where it is reached is settled once. */
export function validateNodeUpdate(node: Node, before: Node, errors: Errors): void {
  resources(node, before, errors);
  taints(node.spec?.taints, root('metadata', 'taints'), errors);
  ranges(node.spec?.podCIDRs ?? [], root('spec', 'podCIDRs'), errors);
  const path = root('spec');
  addressesOnce(node, errors);
  const was = before.spec?.podCIDRs ?? [];
  const now = node.spec?.podCIDRs ?? [];
  if (was.length > 0 && (was.length !== now.length || was.some((range, i) => range !== now[i]))) {
    errors.push(forbiddenField(path.child('podCIDRs'), 'node updates may not change podCIDR except from "" to valid'));
  }
  if (before.spec?.providerID && node.spec?.providerID !== before.spec.providerID) {
    errors.push(forbiddenField(path.child('providerID'), 'node updates may not change providerID except from "" to valid'));
  }
}

function addressesOnce({status}: Node, errors: Errors): void {
  const seen = new Set<string>();
  status?.addresses?.forEach(({type, address}, i) => {
    const key = `${type} ${address}`;
    if (seen.has(key)) errors.push(duplicate(root('status', 'addresses').index(i), {Type: type, Address: address}));
    seen.add(key);
  });
}

/** One range of addresses, or one of each family. */
function ranges(list: readonly string[], path: FieldPath, errors: Errors): void {
  const count = errors.length;
  list.forEach((range, i) => ipRange(range, path.index(i), errors));
  if (list.length < 2) return;
  const wrong = list.findIndex((range, i) => !isGood(range, path.index(i)));
  if (errors.length > count && wrong >= 0) {
    const range = list[wrong] ?? '';
    const why = `invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${range})`;
    errors.push(internal(path, `invalid PodCIDRs. failed to check with dual stack with error:${why}`));
  }
  const families = new Set(list.map(range => oldIpFamily(range.split('/')[0] ?? '')));
  if (list.length > 2 || families.size < 2) errors.push(invalid(path, list, ONE_EACH));
}

function isGood(range: string, path: FieldPath): boolean {
  const found: Errors = [];
  ipRange(range, path, found);
  return found.length === 0;
}

function internal(path: FieldPath, detail: string): FieldError {
  return {kind: 'Internal', field: String(path), value: '', detail};
}

function taints(list: readonly Taint[] | undefined, path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  list?.forEach((taint, i) => {
    const at = path.index(i);
    labelKey(taint.key, at.child('key'), errors);
    const texts = checkLabelValue(taint.value ?? '');
    if (texts.length > 0) errors.push(invalid(at.child('value'), taint.value ?? '', texts.join(';')));
    const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
    if (!taint.effect) errors.push(required(at.child('effect')));
    else if (!effects.includes(taint.effect)) errors.push(notSupported(at.child('effect'), taint.effect, effects));
    const pair = `${taint.effect}/${taint.key}`;
    if (seen.has(pair)) {
      const {key, value = '', effect, timeAdded = null} = taint;
      const duplicated = duplicate(at, {Key: key, Value: value, Effect: effect, TimeAdded: timeAdded});
      errors.push({...duplicated, detail: 'taints must be unique by key and effect pair'});
    }
    seen.add(pair);
  });
}
