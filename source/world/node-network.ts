// The network stacks of the machines, and the names of the site that they find each other and the outside world by.
import {startNameServer} from '../cluster/network/name-server.ts';
import {NodeStack} from '../cluster/network/node-stack.ts';
import type {NameFiles} from '../cluster/runtime/surroundings.ts';
import type {Dial} from '../sim/daemon.ts';
import {Host, isLoopback, type Physics} from './host.ts';
import {REGISTRIES} from './images.ts';

const NAME_SERVER = '10.0.0.2';

/** The stacks of all machines. */
export class SiteNetwork {
  readonly #physics: Physics;
  readonly #isPod: (address: string) => boolean;
  readonly #stacks = new Map<Host, NodeStack>();
  /** Whose an address is, from the moment that a node's plugin gives it out: what its agents on all nodes share. */
  readonly #owners = new Map<string, string>();
  readonly #names = new Map<string, string>(REGISTRIES.map(({host, address}) => [host, address]));

  /** `podNetwork` as `10.244.0.0/16`. */
  constructor(physics: Physics, podNetwork: string) {
    this.#isPod = inRange(podNetwork);
    this.#physics = physics;
    const server = new Host(physics, 'name-server', NAME_SERVER);
    startNameServer(server.newDaemon('named'), this.#names);
  }

  /** Gives a machine its stack, its name, and the files that names are found by. */
  connect(host: Host): void {
    const {network, clock, dice} = this.#physics;
    const {name, address, files} = host;
    const stack = new NodeStack({network, clock, dice: dice.of(`stack of ${name}`), address, isPod: this.#isPod});
    this.#stacks.set(host, stack);
    this.#names.set(name, address);
    files.place('/etc/hostname', `${name}\n`);
    files.place('/etc/hosts', `127.0.0.1 localhost\n${address} ${name}\n`);
    files.place('/etc/resolv.conf', `nameserver ${NAME_SERVER}\n`);
    const dial = stack.dialFrom(address, {
      hosts: () => files.read('/etc/hosts'),
      resolvConf: () => files.read('/etc/resolv.conf'),
    });
    host.dial = this.#ofMachine(host, dial);
  }

  /** The machine's own sockets and loopback do not go through its stack, but for node ports, which the rules serve there too. */
  #ofMachine(host: Host, dial: Dial): Dial {
    const {rules} = this.stackOf(host);
    return (to, port, request, receiver) => {
      const inside = to.startsWith('/') || (isLoopback(to) && !rules.table?.nodePorts.some(each => each.port === port));
      return inside ? host.dialAddress(to, port, {request, receiver}) : dial(to, port, request, receiver);
    };
  }

  /** An address is a pod's now, or nobody's. */
  give(address: string, pod: string | undefined): void {
    if (pod === undefined) this.#owners.delete(address);
    else this.#owners.set(address, pod);
  }

  /** `namespace/name` of the pod that has an address. */
  ownerOf(address: string): string | undefined {
    return this.#owners.get(address);
  }

  /** The stack of a machine that was connected. */
  stackOf(host: Host): NodeStack {
    const stack = this.#stacks.get(host);
    if (!stack) throw new Error(`broken invariant: ${host.name} has no network`);
    return stack;
  }

  /** How a pod of a machine reaches others. */
  dialOfPods(host: Host): (address: string, names: NameFiles) => Dial {
    return (address, names) => {
      const dial = this.stackOf(host).dialFrom(address, names);
      if (address === host.address) return this.#ofMachine(host, dial);
      return (to, port, request, receiver) =>
        to.startsWith('/') ? host.dialAddress(to, port, {request, receiver}) : dial(to, port, request, receiver);
    };
  }
}

/** Does an address lie in a range? */
function inRange(cidr: string): (address: string) => boolean {
  const [base = '', bits = ''] = cidr.split('/');
  const size = 2 ** (32 - Number(bits));
  const share = (address: string) => Math.floor(address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) / size);
  const wanted = share(base);
  return address => share(address) === wanted;
}
