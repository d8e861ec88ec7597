// What the small kinds of the core group get.
import type {LimitRange, LimitRangeItem, Namespace, Node, Secret} from '../../kinds/core-v1.ts';
import {change, each, fill, set} from './fill.ts';

/** Every namespace carries its name as a label. */
export function defaultNamespace(namespace: Namespace): Namespace {
  const {name} = namespace.metadata;
  if (!name) return namespace;
  const labels = namespace.metadata.labels ?? {};
  if (labels['kubernetes.io/metadata.name'] === name) return namespace;
  const complete = Object.freeze({...labels, 'kubernetes.io/metadata.name': name});
  return change(namespace, 'metadata', metadata => set(metadata, {labels: complete}));
}

/** What is given as text goes to the data, as bytes. */
export function defaultSecret(secret: Secret): Secret {
  const out = fill(secret, {type: 'Opaque'});
  if (!out.stringData) return out;
  const {stringData, ...rest} = out;
  const bytes = Object.entries(stringData).map(([key, text]): [string, string] => [
    key,
    Buffer.from(text, 'utf8').toString('base64'),
  ]);
  return Object.freeze({...rest, data: Object.freeze(Object.fromEntries([...Object.entries(rest.data ?? {}), ...bytes]))});
}

/** A node that says nothing else gives all that it has; its one range of addresses is the first of several. */
export function defaultNode(node: Node): Node {
  const placed = change(node, 'spec', spec => (spec.podCIDR ? fill(spec, {podCIDRs: Object.freeze([spec.podCIDR])}) : spec));
  return change(placed, 'status', status => (status.capacity ? fill(status, {allocatable: status.capacity}) : status));
}

export function defaultLimitRange(range: LimitRange): LimitRange {
  return change(range, 'spec', spec => change(spec, 'limits', list => each(list, defaultLimitRangeItem)));
}

/** The most is the default limit, the default limit the default request; else the least is. */
function defaultLimitRangeItem(item: LimitRangeItem): LimitRangeItem {
  if (item.type !== 'Container') return item;
  const limits = {...item.max, ...item.default};
  const requests = {...item.min, ...limits, ...item.defaultRequest};
  let out = item;
  if (Object.keys(limits).length > 0) out = change(fill(out, {default: NOTHING}), 'default', own => fill(own, limits));
  if (Object.keys(requests).length > 0)
    out = change(fill(out, {defaultRequest: NOTHING}), 'defaultRequest', own => fill(own, requests));
  return out;
}

const NOTHING: Readonly<Record<string, string>> = Object.freeze({});
