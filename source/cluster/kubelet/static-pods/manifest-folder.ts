// The kubelet's source of static pods: a folder of the node whose files are manifests. It is told of changes at once and reads the
// whole folder anew every twenty seconds. As in life the two differ: a change that cannot be read leaves the pod as it was, and the
// next look at the whole folder takes it away.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {Timer} from '../../../sim/clock.ts';
import type {Daemon} from '../../../sim/daemon.ts';
import type {Files} from '../../../sim/files.ts';
import {podOfManifest} from './manifest-pod.ts';

const LOOK_MS = 20_000;
/** A file that is written is read a moment later, when its writer has likely done. */
const SETTLE_MS = 20;

export interface ManifestFolderOptions {
  readonly daemon: Daemon;
  readonly files: Files;
  /** Absolute. */
  readonly folder: string;
  readonly node: string;
  /** All static pods there are now. */
  readonly changed: (pods: readonly Pod[]) => void;
}

interface Manifest {
  readonly text: string;
  readonly pod: Pod;
}

/** The manifests of one node. */
export class ManifestFolder {
  readonly #options: ManifestFolderOptions;
  readonly #folder: string;
  #manifests = new Map<string, Manifest>();
  readonly #touched = new Set<string>();
  #timer: Timer | undefined;
  #began = 0;

  constructor(options: ManifestFolderOptions) {
    this.#options = options;
    this.#folder = options.folder.replace(/(?<=.)\/+$/, '');
  }

  /** Reads the folder, and goes on doing so. */
  start(): void {
    const {daemon, files} = this.#options;
    this.#began = daemon.clock.now;
    this.#look('file.go:98');
    const unwatch = files.watch(path => this.#heard(path));
    daemon.scope.onStop(unwatch);
  }

  /** A folder with nothing in it need not be looked at until something comes. */
  #lookLater(): void {
    const {daemon} = this.#options;
    if (this.#timer) return;
    // Counted in whole looks: what is left of a division would at times be a wait too short to take the clock on.
    const looks = Math.floor((daemon.clock.now - this.#began) / LOOK_MS + 1e-6) + 1;
    this.#timer = daemon.scope.after(this.#began + looks * LOOK_MS - daemon.clock.now, () => {
      this.#timer = undefined;
      this.#look('file.go:104');
    });
  }

  #heard(path: string): void {
    const name = path.startsWith(`${this.#folder}/`) ? path.slice(this.#folder.length + 1) : '';
    if (name !== '' || path === this.#folder) this.#lookLater();
    if (name === '' || name.startsWith('.') || name.includes('/') || this.#touched.has(path)) return;
    this.#touched.add(path);
    this.#options.daemon.scope.after(SETTLE_MS, () => {
      this.#touched.delete(path);
      this.#changed(path);
    });
  }

  /** One file is not what it was. */
  #changed(path: string): void {
    const {daemon, files} = this.#options;
    const text = files.read(path);
    const before = this.#manifests.get(path);
    if (text === undefined) {
      if (files.isFolder(path) || !this.#manifests.delete(path)) return;
      return this.#tell();
    }
    if (text === before?.text) return;
    const read = this.#read(path, text);
    if (typeof read === 'string') {
      const why = `can't process config file ${JSON.stringify(path)}: ${read}`;
      daemon.print(`E file.go:108] "Unable to process watch event" err=${JSON.stringify(why)}`);
      return;
    }
    this.#manifests.set(path, read);
    this.#tell();
  }

  /** Reads all of it. */
  #look(place: string): void {
    const {daemon, files} = this.#options;
    const folder = this.#folder;
    const single = files.read(folder);
    const names = single === undefined ? files.list(folder) : [''];
    const found = new Map<string, Manifest>();
    if (!names) {
      const path = JSON.stringify(folder);
      daemon.print(`E ${place}] "Unable to read config path" err="path does not exist, ignoring" path=${path}`);
    }
    for (const name of names ?? []) {
      if (name.startsWith('.')) continue;
      const path = name === '' ? folder : `${folder}/${name}`;
      const text = files.read(path);
      if (text === undefined) {
        const words = '"Provided manifest path is a directory, not recursing into manifest path"';
        daemon.print(`E file.go:173] ${words} path=${JSON.stringify(path)}`);
        continue;
      }
      const read = this.#read(path, text);
      if (typeof read !== 'string') found.set(path, read);
      else
        daemon.print(`E file.go:187] "Could not process manifest file" err=${JSON.stringify(read)} path=${JSON.stringify(path)}`);
    }
    if (!names || names.length > 0) this.#lookLater();
    const same = found.size === this.#manifests.size && [...found].every(([path, each]) => this.#manifests.get(path) === each);
    this.#manifests = found;
    if (!same) this.#tell();
  }

  /** The manifest in a file, or why there is none; one that is known already is not read again. */
  #read(path: string, text: string): Manifest | string {
    const before = this.#manifests.get(path);
    if (before?.text === text) return before;
    const {daemon, node} = this.#options;
    const seen = new Date(Math.floor(daemon.wall())).toISOString().replace('Z', '000000Z');
    const read = podOfManifest(text, {path, node, seen});
    return read.ok ? {text, pod: read.pod} : read.why;
  }

  #tell(): void {
    const pods = new Map<string, Pod>();
    // Two files of one pod: the one that sorts last is run.
    for (const [, {pod}] of [...this.#manifests].sort(([a], [b]) => (a < b ? -1 : 1)))
      pods.set(`${pod.metadata.namespace}/${pod.metadata.name}`, pod);
    this.#options.changed([...pods.values()]);
  }
}
