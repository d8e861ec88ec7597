// The packet rules in force on a node, and what they do to a packet. Rules live as long as the machine is up, whoever made them.
import type {Destination, PacketRules, Protocol, RuleTable, ServiceRule, Target} from '../../api/wire/packet-rules.ts';
import type {Clock} from '../../sim/clock.ts';
import type {Dice} from '../../sim/dice.ts';

/** A packet that opens a connection. */
export interface Packet {
  readonly protocol: Protocol;
  /** The address that it comes from. */
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

/** Says which packets may leave or enter the pods of a node. */
export interface PacketFilter {
  leaves(packet: Packet): boolean;
  enters(packet: Packet): boolean;
}

/** What becomes of a packet: it goes on to a destination, or it is refused or lost. */
export type Fate = Destination | 'refused' | 'lost';

interface Remembered {
  readonly destination: Destination;
  at: number;
}

const MOST_REMEMBERED = 10_000;

/** A node's rules. */
export class NodeRules implements PacketRules {
  readonly #clock: Clock;
  readonly #dice: Dice;
  readonly #remembered = new Map<string, Remembered>();
  #table: RuleTable | undefined;
  /** Called when other ports of the node have rules than before. */
  onNodePorts: (() => void) | undefined;

  constructor(clock: Clock, dice: Dice) {
    this.#clock = clock;
    this.#dice = dice;
  }

  get table(): RuleTable | undefined {
    return this.#table;
  }

  replace(table: RuleTable): void {
    this.#table = table;
    this.onNodePorts?.();
  }

  /** All rules are gone, as after a reboot. */
  flush(): void {
    this.#table = undefined;
    this.#remembered.clear();
    this.onNodePorts?.();
  }

  /** What becomes of a packet of this node or of one of its pods. One that no rule is about goes where it is sent. */
  judge({protocol, from, to, port}: Packet): Fate {
    const rule = this.#table?.service(protocol, to, port);
    return rule ? this.#apply(rule, rule.inside, from) : {address: to, port};
  }

  /** What becomes of a packet that came in on a port of the node. */
  judgeNodePort(rule: ServiceRule, from: string, inside: boolean): Fate {
    return this.#apply(rule, inside ? rule.inside : rule.outside, from);
  }

  #apply(rule: ServiceRule, target: Target, from: string): Fate {
    if (target.action === 'reject') return 'refused';
    if (target.action === 'drop') return 'lost';
    const {destinations, affinitySeconds} = target;
    const chosen = destinations[destinations.length > 1 ? this.#dice.below(destinations.length) : 0];
    if (!chosen) return 'lost';
    return affinitySeconds === undefined ? chosen : this.#stick(`${rule.name}|${from}`, {chosen, destinations, affinitySeconds});
  }

  /** The destination that the caller had last time, as long as it is one and the time is not over. */
  #stick(
    key: string,
    of: {readonly chosen: Destination; readonly destinations: readonly Destination[]; readonly affinitySeconds: number},
  ): Destination {
    const {now} = this.#clock;
    const known = this.#remembered.get(key);
    const same =
      known && of.destinations.find(each => each.address === known.destination.address && each.port === known.destination.port);
    const destination = known && same && now - known.at < of.affinitySeconds * 1000 ? same : of.chosen;
    this.#remembered.delete(key);
    this.#remembered.set(key, {destination, at: now});
    if (this.#remembered.size > MOST_REMEMBERED)
      for (const oldest of this.#remembered.keys()) return this.#forget(oldest, destination);
    return destination;
  }

  #forget(oldest: string, destination: Destination): Destination {
    this.#remembered.delete(oldest);
    return destination;
  }
}
