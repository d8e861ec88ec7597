// The pod network of one node, as a bridge plugin with host-local addresses: one address after the other of the node's range,
// round and round, the first for the bridge. What the plugin needs lies on the node's disk: its configuration, without which
// the runtime calls the network not ready; its binary; and a file for an address that is held by something that is not here.
import type {Files} from '../../sim/files.ts';

const CONFIG_FOLDER = '/etc/cni/net.d';
const BINARIES = '/opt/cni/bin';
const NETWORK = 'simnet';
const HELD = `/var/lib/cni/networks/${NETWORK}`;

const CONFIG = `{
  "cniVersion": "1.0.0",
  "name": "${NETWORK}",
  "plugins": [
    {
      "type": "bridge",
      "bridge": "cni0",
      "isGateway": true,
      "ipMasq": true,
      "ipam": {"type": "host-local", "ranges": [[{"subnet": "usePodCidr"}]], "routes": [{"dst": "0.0.0.0/0"}]}
    },
    {"type": "portmap", "capabilities": {"portMappings": true}}
  ]
}
`;

/** Lays the plugin and its configuration on a node's disk. */
export function installNetworkPlugin(files: Files): void {
  files.place(`${CONFIG_FOLDER}/10-${NETWORK}.conflist`, CONFIG);
  for (const name of ['bridge', 'host-local', 'loopback', 'portmap']) files.place(`${BINARIES}/${name}`, '', 0o755);
  files.makeFolder(HELD);
}

/** The addresses of one node's pods. */
export class PodAddresses {
  readonly #files: Files;
  readonly #used = new Set<number>();
  #base = 0;
  /** As it was given; undefined while there is none. */
  range: string | undefined;
  #size = 0;
  #last = 1;

  constructor(files: Files) {
    this.#files = files;
  }

  /** The node's range, as `10.244.3.0/24`. */
  setRange(cidr: string): void {
    const [address = '', bits = '24'] = cidr.split('/');
    const base = toNumber(address);
    this.range = cidr;
    if (base === this.#base) return;
    this.#base = base;
    this.#size = 2 ** (32 - Number(bits));
    this.#last = 1;
    this.#used.clear();
  }

  /** Why the network is not ready; undefined where it is. */
  get notReady(): string | undefined {
    const configured = this.#files.list(CONFIG_FOLDER)?.some(name => /\.(conf|conflist|json)$/.test(name));
    return configured ? undefined : 'Network plugin returns error: cni plugin not initialized';
  }

  /** An address for a sandbox, or why there is none. */
  take(): {readonly address: string} | {readonly error: string} {
    if (this.notReady !== undefined) return {error: 'cni plugin not initialized'};
    const added = 'plugin type="bridge" failed (add):';
    if (!this.#files.info(`${BINARIES}/bridge`)) return {error: `${added} failed to find plugin "bridge" in path [${BINARIES}]`};
    if (this.#size === 0) return {error: `${added} failed to load netconf: the node has no range of addresses yet`};
    const most = this.#size - 2;
    for (let tries = 0; tries < most; tries++) {
      this.#last = this.#last >= most ? 2 : this.#last + 1;
      const address = toText(this.#base + this.#last);
      if (this.#used.has(this.#last) || this.#files.info(`${HELD}/${address}`)) continue;
      this.#used.add(this.#last);
      return {address};
    }
    const range = `${toText(this.#base + 1)}-${toText(this.#base + most)}`;
    return {error: `${added} failed to allocate for range 0: no IP addresses available in range set: ${range}`};
  }

  release(address: string): void {
    this.#used.delete(toNumber(address) - this.#base);
  }
}

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function toText(value: number): string {
  return [24, 16, 8, 0].map(shift => Math.floor(value / 2 ** shift) % 256).join('.');
}
