// What network policies and ingress classes get.
import type {IngressClass, NetworkPolicy, NetworkPolicyPort} from '../../kinds/networking-v1.ts';
import {change, each, fill} from './fill.ts';

const INGRESS = Object.freeze(['Ingress'] as const);
const BOTH = Object.freeze(['Ingress', 'Egress'] as const);

/** A policy is about what comes in, and about what goes out when it says something of that. */
export function defaultNetworkPolicy(policy: NetworkPolicy): NetworkPolicy {
  if (!policy.spec) return policy;
  return change(policy, 'spec', spec => {
    let out = fill(spec, {policyTypes: spec.egress ? BOTH : INGRESS});
    out = change(out, 'ingress', rules => each(rules, rule => change(rule, 'ports', defaultPorts)));
    return change(out, 'egress', rules => each(rules, rule => change(rule, 'ports', defaultPorts)));
  });
}

function defaultPorts(ports: readonly NetworkPolicyPort[]): readonly NetworkPolicyPort[] {
  return each(ports, port => fill(port, {protocol: 'TCP'}));
}

export function defaultIngressClass(ingressClass: IngressClass): IngressClass {
  return change(ingressClass, 'spec', spec => change(spec, 'parameters', reference => fill(reference, {scope: 'Cluster'})));
}
