// The row of an Ingress.
import type {Ingress} from '../kinds/networking-v1.ts';
import {age, type Cell, NONE, or, balancerAddresses} from './cells.ts';

/** Name, Class, Hosts, Address, Ports, Age. */
export function ingressRow(ingress: Ingress, nowMs: number): readonly Cell[] {
  const {spec, status} = ingress;
  return [
    ingress.metadata.name,
    or(spec?.ingressClassName, NONE),
    hostsText((spec?.rules ?? []).map(rule => rule.host ?? '')),
    balancerAddresses(status?.loadBalancer?.ingress).join(','),
    spec?.tls && spec.tls.length > 0 ? '80, 443' : '80',
    age(ingress, nowMs),
  ];
}

function hostsText(hosts: readonly string[]): string {
  const named = hosts.filter(host => host !== '');
  return named.length > 3 ? `${named.slice(0, 3).join(',')} + ${hosts.length - 3} more...` : or(named.join(','), '*');
}
