// What a node does with packets to Services. kube-proxy makes the rules, the node keeps them: they go on when kube-proxy is dead.
// A table is asked about one packet at a time, and may work its answer out only then.

export type Protocol = 'TCP' | 'UDP' | 'SCTP';

/** Where a packet ends up: a pod's address and port. */
export interface Destination {
  readonly address: string;
  readonly port: number;
}

/** What happens to a packet. With `affinitySeconds` a caller gets the destination that it got last time. */
export type Target =
  | {readonly action: 'forward'; readonly destinations: readonly Destination[]; readonly affinitySeconds?: number}
  /** The caller is told at once that nobody is there. */
  | {readonly action: 'reject'}
  /** The caller hears nothing. */
  | {readonly action: 'drop'};

/** What happens to the packets of one port of a Service. */
export interface ServiceRule {
  /** `shop/web:http`. */
  readonly name: string;
  /** For packets of this node and its pods. */
  readonly inside: Target;
  /** For packets that come from outside of the cluster. */
  readonly outside: Target;
  /** Pods see the true address of a caller from outside (externalTrafficPolicy Local). */
  readonly keepsSource: boolean;
}

/** All rules of a node. */
export interface RuleTable {
  /** The rule for a cluster, external or load balancer's address. */
  service(protocol: Protocol, address: string, port: number): ServiceRule | undefined;
  /** The rule for a port of the node itself. */
  nodePort(protocol: Protocol, port: number): ServiceRule | undefined;
  /** All ports of the node that have a rule. */
  readonly nodePorts: readonly {readonly protocol: Protocol; readonly port: number}[];
  /** As `iptables-save` prints them. */
  text(): string;
}

/** The rules in force on a node. */
export interface PacketRules {
  readonly table: RuleTable | undefined;
  /** Puts a table in force, in place of the one before. */
  replace(table: RuleTable): void;
}
