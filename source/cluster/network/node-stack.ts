// The network stack of one machine: everything that is dialled by a process on it or by one of its pods goes through here.
//
//     curl web.shop ─► /etc/hosts ─► DNS (10.96.0.10, itself a Service) ─► 10.96.0.80:80 ─► packet rules ─► 10.244.2.17:8080
//
// Names become addresses by the caller's own /etc/hosts and /etc/resolv.conf; a question to a name server is a packet like any
// other. The rules then turn the address of a Service into that of a pod, refuse the packet (the caller hears `refused` at once)
// or drop it, as a filter may too (the caller hears nothing and has to know by itself how long it waits). A name that cannot be found ends the call as
// `unresolved`. What no rule is about goes out as it is; the address of a Service without rules leads nowhere.
//
// Ports of the node that have rules are listened on, so that calls from other machines reach them over the same links as all
// else. A caller that comes from another node or pod of the cluster counts as inside, everybody else as outside.
import type {Protocol, ServiceRule} from '../../api/wire/packet-rules.ts';
import {isDnsQuery, type NameFiles} from '../../api/wire/dns.ts';
import type {Clock} from '../../sim/clock.ts';
import type {Dial} from '../../sim/daemon.ts';
import type {Dice} from '../../sim/dice.ts';
import type {Call, Caller, Network, Receiver} from '../../sim/network.ts';
import {isAddress, parseHosts, parseResolvConf} from './names.ts';
import {relay} from '../../sim/relay.ts';
import {resolve} from './resolve.ts';
import {NodeRules, type Fate, type PacketFilter} from './rules.ts';

export interface NodeStackOptions {
  readonly network: Network;
  readonly clock: Clock;
  readonly dice: Dice;
  /** The machine's own address. */
  readonly address: string;
  /** Is an address one of the cluster's pods? */
  readonly isPod?: (address: string) => boolean;
}

const NOBODY: Caller = {send: () => undefined, cancel: () => undefined};

/** One machine's stack. */
export class NodeStack {
  readonly rules: NodeRules;
  /** Judges new connections of the node's pods, once somebody has made one. */
  filter: PacketFilter | undefined;
  readonly #options: NodeStackOptions;
  readonly #open = new Map<number, {close(): void}>();
  #known = '';

  constructor(options: NodeStackOptions) {
    this.#options = options;
    this.rules = new NodeRules(options.clock, options.dice);
    this.rules.onNodePorts = () => this.#listenOnNodePorts();
    options.network.guard(options.address, ({from, to, port, request}) => {
      return this.filter?.enters({from, to, port, protocol: protocolOf(request)}) ?? true;
    });
  }

  /** How somebody at an address of this machine reaches others; `files` are those of the caller's own file system. */
  dialFrom(from: string, files: NameFiles): Dial {
    return (host, port, request, receiver) => {
      if (host === 'localhost' || host.startsWith('127.')) return this.#send({from, to: from, port, request}, receiver);
      if (this.#isAddress(host)) return this.#send({from, to: host, port, request}, receiver);
      const known = parseHosts(files.hosts() ?? '').get(host.toLowerCase());
      if (known !== undefined) return this.#send({from, to: known, port, request}, receiver);
      return this.#byName(host, {from, port, request, config: files.resolvConf() ?? ''}, receiver);
    };
  }

  /** Most calls of a machine go to one address. */
  #isAddress(host: string): boolean {
    if (host === this.#known) return true;
    if (!isAddress(host)) return false;
    this.#known = host;
    return true;
  }

  #byName(
    host: string,
    call: {readonly from: string; readonly port: number; readonly request: unknown; readonly config: string},
    receiver: Receiver,
  ): Caller {
    const {clock} = this.#options;
    const {from, port, request} = call;
    const early: unknown[] = [];
    let caller: Caller | undefined;
    const ask = (server: string, dnsPort: number, query: unknown, hear: Receiver) =>
      this.#send({from, to: server, port: dnsPort, request: query}, hear);
    const search = resolve(host, {clock, config: parseResolvConf(call.config), ask}, addresses => {
      if (addresses.length === 0) receiver.end?.('unresolved');
      else caller = this.#sendToFirst(addresses, {from, port, request}, receiver);
      for (const frame of early) caller?.send(frame);
    });
    return {
      send: frame => (caller ? caller.send(frame) : early.push(frame)),
      cancel: () => {
        search.cancel();
        caller?.cancel();
      },
    };
  }

  /** Tries the addresses of a name in turn: the next one when one refuses. */
  #sendToFirst(
    addresses: readonly string[],
    call: {readonly from: string; readonly port: number; readonly request: unknown},
    receiver: Receiver,
  ): Caller {
    const [first = '', ...others] = addresses;
    if (others.length === 0) return this.#send({...call, to: first}, receiver);
    let current: Caller = NOBODY;
    current = this.#send(
      {...call, to: first},
      {
        ...receiver,
        answer: (answer, more) => receiver.answer(answer, more),
        end: failure => {
          if (failure === 'refused') current = this.#sendToFirst(others, call, receiver);
          else receiver.end?.(failure);
        },
      },
    );
    return {send: frame => current.send(frame), cancel: () => current.cancel()};
  }

  #send(
    packet: {readonly from: string; readonly to: string; readonly port: number; readonly request: unknown},
    receiver: Receiver,
  ): Caller {
    const {from, to, port, request} = packet;
    const protocol = protocolOf(request);
    const fate = this.rules.judge({from, to, port, protocol});
    const isDropped =
      this.filter && typeof fate === 'object' && !this.filter.leaves({from, to: fate.address, port: fate.port, protocol});
    return this.#follow(isDropped ? 'lost' : fate, {from, request}, receiver);
  }

  #follow(fate: Fate, {from, request}: {readonly from: string; readonly request: unknown}, receiver: Receiver): Caller {
    const {clock, network} = this.#options;
    if (fate === 'lost') return NOBODY;
    if (fate !== 'refused') return network.call(from, fate.address, fate.port, request, receiver);
    const timer = clock.after(network.loopbackMs, () => receiver.end?.('refused'));
    return {send: () => undefined, cancel: () => clock.cancel(timer)};
  }

  #listenOnNodePorts(): void {
    const {network, address} = this.#options;
    const {table} = this.rules;
    const wanted = new Set((table?.nodePorts ?? []).map(({port}) => port));
    for (const [port, open] of this.#open) {
      if (wanted.has(port)) continue;
      open.close();
      this.#open.delete(port);
    }
    for (const port of wanted) {
      if (this.#open.has(port)) continue;
      const open = network.listen(address, port, call => this.#onNodePort(port, call));
      if (open) this.#open.set(port, open);
    }
  }

  #onNodePort(port: number, call: Call): void {
    const rule = this.rules.table?.nodePort(protocolOf(call.request), port);
    if (!rule) {
      call.end('refused');
      return;
    }
    const fate = this.rules.judgeNodePort(rule, call.from, this.#isInside(call.from));
    // A packet that is dropped is one that nobody answers.
    if (fate === 'refused') call.end('refused');
    else if (fate !== 'lost')
      relay(call, receiver => this.#follow(fate, {from: this.#sourceOf(rule, call.from), request: call.request}, receiver));
  }

  #isInside(from: string): boolean {
    return from === this.#options.address || this.#options.isPod?.(from) === true;
  }

  /** With a policy of Local pods see who called; otherwise they see the node. */
  #sourceOf(rule: ServiceRule, from: string): string {
    return rule.keepsSource && !this.#isInside(from) ? from : this.#options.address;
  }
}

/** Questions to name servers are datagrams; all else here has connections. */
function protocolOf(request: unknown): Protocol {
  return isDnsQuery(request) ? 'UDP' : 'TCP';
}
