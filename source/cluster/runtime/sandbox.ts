// A pod's sandbox: its address and names, and the ports of the node that lead to it.
import type {SandboxConfig, SandboxStatus} from '../../api/wire/cri.ts';
import type {Dial} from '../../sim/daemon.ts';
import type {Listener} from '../../sim/network.ts';
import type {Container} from './container.ts';
import {forward} from './forward.ts';
import type {ContainerSurroundings} from './surroundings.ts';

type HostPort = NonNullable<SandboxConfig['hostPorts']>[number];

const NO_CONTAINERS: readonly Container[] = Object.freeze([]);
const NO_LABELS = Object.freeze({});
const LOCAL_NAMES =
  '127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\nfe00::0\tip6-localnet\nfe00::0\tip6-mcastprefix\nfe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);

/** One sandbox, with the containers that were made in it. */
export class Sandbox {
  readonly id: string;
  readonly config: SandboxConfig;
  containers: readonly Container[] = NO_CONTAINERS;
  /** Where its containers listen: its own address, or the node's. */
  readonly address: string;
  readonly #surroundings: ContainerSurroundings;
  #open: {close(): void}[] | undefined;
  #status: SandboxStatus;

  constructor(
    id: string,
    config: SandboxConfig,
    network: {readonly address: string; readonly surroundings: ContainerSurroundings},
  ) {
    const {address, surroundings} = network;
    this.id = id;
    this.config = config;
    this.address = address;
    this.#surroundings = surroundings;
    this.#status = Object.freeze({
      id,
      name: config.name,
      namespace: config.namespace,
      uid: config.uid,
      attempt: config.attempt,
      state: 'ready',
      ip: config.hostNetwork ? '' : address,
      createdAt: surroundings.wall(),
      labels: config.labels ?? NO_LABELS,
    });
    if (!config.hostNetwork) for (const port of config.hostPorts ?? []) this.#openHostPort(port);
  }

  get status(): SandboxStatus {
    return this.#status;
  }

  /** Its network goes. */
  stop(): void {
    for (const open of this.#open ?? []) open.close();
    this.#open = undefined;
    this.#status = Object.freeze({...this.#status, state: 'notready'});
  }

  /** Listens where its containers do: on the pod's address, or on the node's, of which a pod on the host's network may choose. */
  listen(port: number, listener: Listener, at?: string): {close(): void} | undefined {
    const {listen} = this.#surroundings;
    return this.config.hostNetwork ? listen(at ?? '0.0.0.0', port, listener) : listen(this.address, port, listener);
  }

  /** How its containers reach others; themselves under `localhost`. */
  dialer(): Dial {
    const {address} = this;
    const dial = this.#surroundings.dialFrom(address, {
      hosts: () => this.#hosts(),
      resolvConf: () => this.etcFiles().get('/etc/resolv.conf'),
    });
    if (this.config.hostNetwork) return dial;
    return (host, port, request, receiver) => dial(LOOPBACK.has(host) ? address : host, port, request, receiver);
  }

  /** The files under /etc that every container of the pod gets. */
  etcFiles(): ReadonlyMap<string, string> {
    const {hostname, dns} = this.config;
    const files = new Map([
      ['/etc/hostname', `${hostname}\n`],
      ['/etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/home:/bin/false\n'],
      ['/etc/group', 'root:x:0:\nnobody:x:65534:\n'],
    ]);
    const lines = [
      ...(dns?.searches.length ? [`search ${dns.searches.join(' ')}`] : []),
      ...(dns?.servers ?? []).map(server => `nameserver ${server}`),
      ...(dns?.options.length ? [`options ${dns.options.join(' ')}`] : []),
    ];
    return files.set('/etc/resolv.conf', lines.map(line => `${line}\n`).join('')).set('/etc/hosts', this.#hosts());
  }

  /** The file of names that the kubelet makes for a pod; on the host's network with the host's own. */
  #hosts(): string {
    const {hostNetwork, hostname, fullName, hostAliases = []} = this.config;
    const own = hostNetwork
      ? (this.#surroundings.files.read('/etc/hosts') ?? '')
      : `${LOCAL_NAMES}${this.address}\t${fullName ? `${fullName}\t${fullName.split('.')[0]}` : hostname}\n`;
    const title = `# Kubernetes-managed hosts file${hostNetwork ? ' (host network)' : ''}.\n`;
    const aliases = hostAliases.map(({ip, hostnames}) => `${[ip, ...hostnames].join('\t')}\n`).join('');
    return `${title}${own}${aliases ? `\n# Entries added by HostAliases.\n${aliases}` : ''}`;
  }

  /** At all addresses of the node, or at one of them. */
  #openHostPort({hostPort, containerPort, hostIP}: HostPort): void {
    const {listen, address} = this.#surroundings;
    const dial = this.dialer();
    for (const at of hostIP && hostIP !== '0.0.0.0' ? [hostIP] : [address, '127.0.0.1']) {
      const open = listen(at, hostPort, call =>
        forward(call, receiver => dial(this.address, containerPort, call.request, receiver)),
      );
      if (open) (this.#open ??= []).push(open);
    }
  }
}
