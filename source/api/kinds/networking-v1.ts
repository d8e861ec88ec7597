// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as coreV1 from './core-v1.ts';
import type * as meta from './meta.ts';

export interface HTTPIngressPath {
  readonly backend: IngressBackend;
  readonly path?: string;
  readonly pathType: "Exact" | "ImplementationSpecific" | "Prefix";
}
export interface HTTPIngressRuleValue {
  readonly paths: readonly HTTPIngressPath[];
}
export interface IPAddress {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: IPAddressSpec;
}
export interface IPAddressList {
  readonly apiVersion: string;
  readonly items: readonly IPAddress[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface IPAddressSpec {
  readonly parentRef: ParentReference;
}
export interface IPBlock {
  readonly cidr: string;
  readonly except?: readonly string[];
}
export interface Ingress {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: IngressSpec;
  readonly status?: IngressStatus;
}
export interface IngressBackend {
  readonly resource?: coreV1.TypedLocalObjectReference;
  readonly service?: IngressServiceBackend;
}
export interface IngressClass {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: IngressClassSpec;
}
export interface IngressClassList {
  readonly apiVersion: string;
  readonly items: readonly IngressClass[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface IngressClassParametersReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly scope?: string;
}
export interface IngressClassSpec {
  readonly controller?: string;
  readonly parameters?: IngressClassParametersReference;
}
export interface IngressList {
  readonly apiVersion: string;
  readonly items: readonly Ingress[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface IngressLoadBalancerIngress {
  readonly hostname?: string;
  readonly ip?: string;
  readonly ports?: readonly IngressPortStatus[];
}
export interface IngressLoadBalancerStatus {
  readonly ingress?: readonly IngressLoadBalancerIngress[];
}
export interface IngressPortStatus {
  readonly error?: string;
  readonly port: number;
  readonly protocol: "SCTP" | "TCP" | "UDP";
}
export interface IngressRule {
  readonly host?: string;
  readonly http?: HTTPIngressRuleValue;
}
export interface IngressServiceBackend {
  readonly name: string;
  readonly port?: ServiceBackendPort;
}
export interface IngressSpec {
  readonly defaultBackend?: IngressBackend;
  readonly ingressClassName?: string;
  readonly rules?: readonly IngressRule[];
  readonly tls?: readonly IngressTLS[];
}
export interface IngressStatus {
  readonly loadBalancer?: IngressLoadBalancerStatus;
}
export interface IngressTLS {
  readonly hosts?: readonly string[];
  readonly secretName?: string;
}
export interface NetworkPolicy {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: NetworkPolicySpec;
}
export interface NetworkPolicyEgressRule {
  readonly ports?: readonly NetworkPolicyPort[];
  readonly to?: readonly NetworkPolicyPeer[];
}
export interface NetworkPolicyIngressRule {
  readonly from?: readonly NetworkPolicyPeer[];
  readonly ports?: readonly NetworkPolicyPort[];
}
export interface NetworkPolicyList {
  readonly apiVersion: string;
  readonly items: readonly NetworkPolicy[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface NetworkPolicyPeer {
  readonly ipBlock?: IPBlock;
  readonly namespaceSelector?: meta.LabelSelector;
  readonly podSelector?: meta.LabelSelector;
}
export interface NetworkPolicyPort {
  readonly endPort?: number;
  readonly port?: meta.IntOrString;
  readonly protocol?: "SCTP" | "TCP" | "UDP";
}
export interface NetworkPolicySpec {
  readonly egress?: readonly NetworkPolicyEgressRule[];
  readonly ingress?: readonly NetworkPolicyIngressRule[];
  readonly podSelector?: meta.LabelSelector;
  readonly policyTypes?: readonly ("Egress" | "Ingress")[];
}
export interface ParentReference {
  readonly group?: string;
  readonly name: string;
  readonly namespace?: string;
  readonly resource: string;
}
export interface ServiceBackendPort {
  readonly name?: string;
  readonly number?: number;
}
export interface ServiceCIDR {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: ServiceCIDRSpec;
  readonly status?: ServiceCIDRStatus;
}
export interface ServiceCIDRList {
  readonly apiVersion: string;
  readonly items: readonly ServiceCIDR[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface ServiceCIDRSpec {
  readonly cidrs?: readonly string[];
}
export interface ServiceCIDRStatus {
  readonly conditions?: readonly meta.Condition[];
}
