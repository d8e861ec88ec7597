// A pod's sandbox: its address and names, and the ports of the node that lead to it.
import type {SandboxConfig, SandboxStatus} from '../../api/wire/cri.ts';
import type {Dial} from '../../sim/daemon.ts';
import {forward} from './forward.ts';
import type {ContainerSurroundings} from './surroundings.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);

/** One sandbox. */
export class Sandbox {
  readonly id: string;
  readonly config: SandboxConfig;
  /** Where its containers listen: its own address, or the node's. */
  readonly address: string;
  readonly dial: Dial;
  readonly #surroundings: ContainerSurroundings;
  readonly #open: {close(): void}[] = [];
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
    let dial: Dial | undefined;
    this.dial = (host, port, request, receiver) => {
      dial ??= surroundings.dialFrom(address);
      return dial(LOOPBACK.has(host) ? address : host, port, request, receiver);
    };
    this.#status = Object.freeze({
      id,
      name: config.name,
      namespace: config.namespace,
      uid: config.uid,
      attempt: config.attempt,
      state: 'ready',
      ip: config.hostNetwork ? '' : address,
      createdAt: surroundings.wall(),
      labels: config.labels ?? {},
    });
    if (!config.hostNetwork) for (const port of config.hostPorts ?? []) this.#openHostPort(port.hostPort, port.containerPort);
  }

  get status(): SandboxStatus {
    return this.#status;
  }

  /** Its network goes. */
  stop(): void {
    for (const open of this.#open) open.close();
    this.#open.length = 0;
    this.#status = Object.freeze({...this.#status, state: 'notready'});
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
    return files.set('/etc/resolv.conf', lines.map(line => `${line}\n`).join(''));
  }

  #openHostPort(hostPort: number, containerPort: number): void {
    const {listen, address} = this.#surroundings;
    const open = listen(address, hostPort, call =>
      forward(call, receiver => this.dial(this.address, containerPort, call.request, receiver)),
    );
    if (open) this.#open.push(open);
  }
}
