// The disk of a machine. What containers have logged lies under /var/log/pods and, by links, under /var/log/containers; those
// files appear when somebody looks there, since a cluster has very many and hardly anybody does.
import {Files, type FileInfo} from '../../sim/files.ts';

/** The log of one container. */
export interface ContainerLogFile {
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string;
  readonly container: string;
  readonly attempt: number;
  readonly id: string;
  /** As the runtime writes it, one line after the other. */
  readonly read: () => string;
}

const PODS = '/var/log/pods';
const CONTAINERS = '/var/log/containers';
const LOGS = /^\/var\/log(\/(pods|containers)(\/|$)|\/?$)/;

/** A machine's files. */
export class MachineFiles extends Files {
  /** All logs that there are now; absent on a machine without containers. */
  containerLogs: (() => readonly ContainerLogFile[]) | undefined;
  #laid = '';
  #busy = false;

  override read(path: string): string | undefined {
    this.#look(path);
    return super.read(path);
  }

  override info(path: string): FileInfo | undefined {
    this.#look(path);
    return super.info(path);
  }

  override isFolder(path: string): boolean {
    this.#look(path);
    return super.isFolder(path);
  }

  override list(path: string): string[] | undefined {
    this.#look(path);
    return super.list(path);
  }

  override linkAt(path: string): string | undefined {
    this.#look(path);
    return super.linkAt(path);
  }

  override get hasLinks(): boolean {
    return super.hasLinks || this.containerLogs !== undefined;
  }

  #look(path: string): void {
    if (this.#busy || !this.containerLogs || !LOGS.test(path)) return;
    this.#busy = true;
    this.#lay(this.containerLogs());
    this.#busy = false;
  }

  #lay(logs: readonly ContainerLogFile[]): void {
    const key = logs.map(log => log.id).join(' ');
    if (key === this.#laid && super.isFolder(PODS)) return;
    this.#laid = key;
    this.remove(PODS, true);
    this.remove(CONTAINERS, true);
    this.makeFolder(PODS);
    this.makeFolder(CONTAINERS);
    for (const log of logs) {
      const {namespace, pod, uid, container, attempt, id} = log;
      const path = `${PODS}/${namespace}_${pod}_${uid}/${container}/${attempt}.log`;
      this.placeLive(path, {read: log.read, size: () => log.read().length, owner: log}, 0o640);
      const link = `${CONTAINERS}/${pod}_${namespace}_${container}-${id}.log`;
      // Of several lives the newest is linked.
      if (super.linkAt(link) === undefined) this.makeLink(link, path);
    }
  }
}
