// All sandboxes, containers and images of one node. They belong to the machine, not to containerd: when that stops they run on,
// when it starts again it finds them, and when the machine loses power they are gone (but for images).
import type {ContainerConfig, CriError, ContainerUsage, RuntimeEvent, SandboxConfig} from '../../api/wire/cri.ts';
import {PodAddresses} from './addresses.ts';
import {Container} from './container.ts';
import {withImages} from './image-mounts.ts';
import {ImageStore} from './image-store.ts';
import {Sandbox} from './sandbox.ts';
import type {ContainerSurroundings} from './surroundings.ts';

/** The one way in which this runtime runs a sandbox. */
const HANDLER = 'runc';

/** What a node's disk and kernel hold of containers. */
export class ContainerHost {
  readonly surroundings: ContainerSurroundings;
  readonly images: ImageStore;
  readonly addresses: PodAddresses;
  readonly sandboxes = new Map<string, Sandbox>();
  readonly containers = new Map<string, Container>();
  readonly #listeners = new Set<(event: RuntimeEvent) => void>();

  constructor(surroundings: ContainerSurroundings) {
    this.surroundings = {...surroundings, dice: surroundings.dice.of(`containers@${surroundings.host}`)};
    this.images = new ImageStore(repository => surroundings.components.has(repository));
    this.addresses = new PodAddresses(surroundings.files);
  }

  /** Hears of every change; the answer takes that back. */
  onEvent(listener: (event: RuntimeEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  runSandbox(config: SandboxConfig): Sandbox | CriError {
    const id = this.surroundings.dice.hex(64);
    const {runtimeHandler = HANDLER} = config;
    if (runtimeHandler !== HANDLER)
      return unknown(`unable to get OCI runtime for sandbox "${id}": no runtime for "${runtimeHandler}" is configured`);
    let {address} = this.surroundings;
    if (!config.hostNetwork) {
      const taken = this.addresses.take();
      if ('error' in taken) return unknown(`failed to setup network for sandbox "${id}": ${taken.error}`);
      ({address} = taken);
      this.surroundings.attachAddress(address, config);
    }
    const sandbox = new Sandbox(id, config, {address, surroundings: this.surroundings});
    this.sandboxes.set(id, sandbox);
    this.#tell({kind: 'sandbox', status: sandbox.status});
    return sandbox;
  }

  /** Ends all containers of a sandbox and gives its address back. */
  stopSandbox(id: string): void {
    const sandbox = this.sandboxes.get(id);
    if (!sandbox || sandbox.status.state === 'notready') return;
    for (const container of sandbox.containers) container.kill();
    sandbox.stop();
    this.#detach(sandbox);
    this.#tell({kind: 'sandbox', status: sandbox.status});
  }

  removeSandbox(id: string): void {
    const sandbox = this.sandboxes.get(id);
    if (!sandbox) return;
    this.stopSandbox(id);
    for (const container of sandbox.containers) this.containers.delete(container.id);
    this.sandboxes.delete(id);
    this.#tell({kind: 'removed', uid: sandbox.config.uid, id});
  }

  createContainer(sandboxId: string, config: ContainerConfig): Container | CriError {
    const sandbox = this.sandboxes.get(sandboxId);
    if (!sandbox) return notFound(`failed to find sandbox id "${sandboxId}": not found`);
    const found = this.images.find(config.image);
    if (!found) return notFound(`failed to resolve image "${config.image}": not found`);
    const {seccompProfile} = config;
    if (seccompProfile !== undefined && !this.surroundings.files.info(seccompProfile))
      return unknown(
        `failed to create containerd container: cannot load seccomp profile "${seccompProfile}": open ${seccompProfile}: no such file or directory`,
      );
    const {appArmorProfile} = config;
    if (appArmorProfile !== undefined)
      return unknown(
        `failed to get container spec opts: failed to generate apparmor spec opts: apparmor profile not found ${appArmorProfile}`,
      );
    const {content: image, repository, name: imageName} = found;
    const {images, surroundings} = this;
    const complete = config.mountsVolumes
      ? {...config, mounts: () => withImages(config.mounts(), images, surroundings.wall)}
      : config;
    const container = new Container(this.surroundings.dice.hex(64), {
      sandbox,
      config: complete,
      image,
      repository,
      imageName,
      host: this,
    });
    this.containers.set(container.id, container);
    sandbox.containers = [...sandbox.containers, container];
    return container;
  }

  removeContainer(id: string): void {
    const container = this.containers.get(id);
    if (!container) return;
    container.kill();
    this.containers.delete(id);
    container.sandbox.containers = container.sandbox.containers.filter(each => each !== container);
    this.#tell({kind: 'removed', uid: container.status.uid, id});
  }

  /** A container is not what it was. */
  changed(container: Container): void {
    this.#tell({kind: 'container', status: container.status});
  }

  /** What running containers use now: of one pod, or of all. */
  usage(uid?: string): ContainerUsage[] {
    const all: ContainerUsage[] = [];
    for (const {status, ...container} of this.#running(uid))
      all.push({id: status.id, uid: status.uid, name: status.name, ...container.usage, diskBytes: container.diskBytes});
    return all;
  }

  /** The machine stops at once. */
  powerOff(): void {
    for (const container of this.containers.values()) container.kill();
    for (const sandbox of this.sandboxes.values()) {
      if (sandbox.status.state === 'ready') this.#detach(sandbox);
      sandbox.stop();
    }
  }

  *#running(uid: string | undefined) {
    for (const container of this.containers.values()) {
      if (container.status.state !== 'running' || (uid !== undefined && container.status.uid !== uid)) continue;
      const usage = container.usage();
      if (usage) yield {status: container.status, usage, diskBytes: container.diskBytes};
    }
  }

  #detach(sandbox: Sandbox): void {
    if (sandbox.config.hostNetwork) return;
    this.addresses.release(sandbox.address);
    this.surroundings.detachAddress(sandbox.address);
  }

  #tell(event: RuntimeEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

function unknown(message: string): CriError {
  return {error: {code: 'Unknown', message}};
}

function notFound(message: string): CriError {
  return {error: {code: 'NotFound', message}};
}
