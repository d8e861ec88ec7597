// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as coreV1 from './core-v1.ts';
import type * as meta from './meta.ts';

export interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: EndpointConditions;
  readonly deprecatedTopology?: {readonly [key: string]: string};
  readonly hints?: EndpointHints;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef?: coreV1.ObjectReference;
  readonly zone?: string;
}
export interface EndpointConditions {
  readonly ready?: boolean;
  readonly serving?: boolean;
  readonly terminating?: boolean;
}
export interface EndpointHints {
  readonly forNodes?: readonly ForNode[];
  readonly forZones?: readonly ForZone[];
}
export interface EndpointPort {
  readonly appProtocol?: string;
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: "SCTP" | "TCP" | "UDP";
}
export interface EndpointSlice {
  readonly addressType: "FQDN" | "IPv4" | "IPv6";
  readonly apiVersion: string;
  readonly endpoints: readonly Endpoint[];
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly ports?: readonly EndpointPort[];
}
export interface EndpointSliceList {
  readonly apiVersion: string;
  readonly items: readonly EndpointSlice[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface ForNode {
  readonly name: string;
}
export interface ForZone {
  readonly name: string;
}
