// What a container may know of its own pod: fields for `fieldRef`, amounts for `resourceFieldRef`.
import type {Container, Pod, ResourceFieldSelector} from '../../../api/kinds/core-v1.ts';
import {amountOf} from '../../../api/meta/pod-resources.ts';
import {compareStrings, goQuote} from '../../../api/meta/go-text.ts';
import {milliValue, unitValue} from '../../../api/meta/quantity.ts';

/** The addresses and capacity that stand in for what the object does not have yet. */
export interface FieldFacts {
  readonly podIP: string;
  readonly hostIP: string;
  readonly allocatable: Readonly<Record<string, string | number>>;
}

/** The text of a field of the pod; undefined for one that does not exist. */
export function fieldText(pod: Pod, path: string, facts: FieldFacts): string | undefined {
  const {metadata, spec} = pod;
  const subscript = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path);
  if (subscript) return (subscript[1] === 'labels' ? metadata.labels : metadata.annotations)?.[subscript[2] ?? ''] ?? '';
  switch (path) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid;
    case 'metadata.labels':
      return mapText(metadata.labels);
    case 'metadata.annotations':
      return mapText(metadata.annotations);
    case 'spec.nodeName':
      return spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? '';
    case 'status.podIP':
    case 'status.podIPs':
      return facts.podIP;
    case 'status.hostIP':
    case 'status.hostIPs':
      return facts.hostIP;
    default:
      return undefined;
  }
}

/** `key="value"` lines, sorted, as downward volumes have them. */
function mapText(map: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(map ?? {})
    .sort(([a], [b]) => compareStrings(a, b))
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .join('\n');
}

/** The text of a request or limit, in units of the divisor, rounded up. A limit that is not set is the node's. */
export function resourceText(container: Container, selector: ResourceFieldSelector, facts: FieldFacts): string {
  const [list = 'limits', ...rest] = selector.resource.split('.');
  const resource = rest.join('.');
  const own =
    list === 'requests'
      ? (container.resources?.requests?.[resource] ?? container.resources?.limits?.[resource])
      : container.resources?.limits?.[resource];
  const quantity = own ?? (list === 'limits' ? facts.allocatable[resource] : '0');
  const divisor = selector.divisor === undefined || unitOf(resource, selector.divisor) === 0 ? '1' : selector.divisor;
  const amount = resource === 'cpu' ? milliValue(quantity) / milliValue(divisor) : unitValue(quantity) / unitValue(divisor);
  return String(Math.ceil(amount));
}

function unitOf(resource: string, quantity: string | number): number {
  return amountOf(resource, quantity);
}
