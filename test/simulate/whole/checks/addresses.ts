// No two pods that live have one address, nor two Services.
import type {Pod, Service} from '../../../../source/api/kinds/core-v1.ts';
import {isTerminal} from '../../../../source/api/meta/pod.ts';
import type {State} from '../ledger.ts';
import type {Check} from './check.ts';
import {listOf, nameOf, podsOf} from './reading.ts';

function twice(
  objects: readonly {readonly kind?: string; readonly metadata: object}[],
  addressOf: (object: never) => string | undefined,
): string[] {
  const owners = new Map<string, string>();
  const found: string[] = [];
  for (const object of objects) {
    const address = addressOf(object as never);
    if (address === undefined || address === '' || address === 'None') continue;
    const other = owners.get(address);
    if (other !== undefined) found.push(`${other} and ${nameOf(object)} both have ${address}`);
    owners.set(address, nameOf(object));
  }
  return found;
}

const podAddress = (pod: Pod) => (pod.spec.hostNetwork || isTerminal(pod) ? undefined : pod.status?.podIP);

function findings(state: State): string[] {
  return [
    ...twice(podsOf(state), podAddress),
    ...twice(listOf<Service>(state, 'services'), (service: Service) => service.spec?.clusterIP),
    ...twice(
      listOf<Service>(state, 'services').filter(({spec}) => spec?.ports?.[0]?.nodePort),
      (service: Service) => String(service.spec?.ports?.[0]?.nodePort),
    ),
  ];
}

export const ADDRESSES: Check = {
  change({resource, before, after}, {ledger}) {
    const ip = (after as Pod | undefined)?.status?.podIP;
    if (resource !== 'pods' || !ip || (before as Pod | undefined)?.status?.podIP === ip) return undefined;
    // A machine that lost power may give an address anew whose pod the API still shows: judged at rest.
    const others = podsOf(ledger).filter(pod => podAddress(pod) === ip && pod.spec.nodeName === (after as Pod).spec.nodeName);
    return others.length > 1 && others.every(pod => pod.status?.phase === 'Running' && !pod.metadata.deletionTimestamp)
      ? `${others.map(nameOf).join(' and ')} both have ${ip}`
      : undefined;
  },
  rest: findings,
};
