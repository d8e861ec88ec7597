// The volumes of one pod. What they hold is fetched before the sandbox is made, so that a missing ConfigMap holds the pod up; the
// files themselves are laid out only when a container looks at them, which those of most pods never do. For the same reason a
// token is asked for only when a container could read it.
//
// Not modelled: most kinds that need a server elsewhere. They count as mounted and empty. An emptyDir in memory has
// its size; any other may grow until the pod is evicted.
import type {Container, EphemeralContainer, Volume} from '../../../api/kinds/core-v1.ts';
import {unitValue} from '../../../api/meta/quantity.ts';
import type {Mount} from '../../../api/wire/cri.ts';
import {Files} from '../../../sim/files.ts';
import type {Task} from '../../../sim/task.ts';
import {expand} from '../containers/environment.ts';
import {claimNameOf, findClaimed} from './claimed-volumes.ts';
import type {Data} from '../references.ts';
import type {KubeletParts} from '../surroundings.ts';
import {sourceOf} from './mount-source.ts';
import {lay, lookAt, PodVolume, treeOf, type VolumeOwner} from './one-volume.ts';
import {ATTACHING, setUpVolume} from './set-up.ts';
import {askForToken} from './token.ts';
import {fetchSource, isAlwaysReadOnly, keptSources, sourcesOf} from './volume-sources.ts';

const MOST_WORDS = 4096;

/** Why a volume is not there. */
export interface MountFailure {
  readonly volume: string;
  /** The whole sentence; of a token that is not to be had, its end. */
  readonly message: string;
  /** It is still to be attached to the node, which is no failure for a while. */
  readonly attaching?: boolean;
}

/** The volumes of a pod, as its kubelet holds them. */
export class PodVolumes {
  readonly #owner: VolumeOwner;
  #volumes: readonly PodVolume[] = NONE;
  #words: Files | undefined;

  constructor(owner: VolumeOwner) {
    this.#owner = owner;
  }

  /** Sets up what needs no waiting. True when that was all. */
  setUpNow(): boolean {
    const {parts, pod} = this.#owner;
    for (const spec of pod.spec.volumes ?? NO_VOLUMES) {
      if (this.#find(spec.name)) continue;
      const later = spec.hostPath ?? spec.csi ?? spec.nfs ?? spec.emptyDir?.medium ?? claimNameOf(spec, pod);
      const found = later ? undefined : keptSources(parts.references, pod, spec);
      if (!found) return false;
      this.#volumes = [...this.#volumes, new PodVolume(spec, found, undefined)];
    }
    return true;
  }

  /** Fetches what all volumes hold, and says which cannot be had. */
  *setUp(): Task<readonly MountFailure[]> {
    const failures: MountFailure[] = [];
    for (const spec of this.#owner.pod.spec.volumes ?? []) {
      if (this.#find(spec.name)) continue;
      const made = yield* setUpVolume(this.#owner, spec);
      if (made === ATTACHING) failures.push({volume: spec.name, message: '', attaching: true});
      else if (typeof made !== 'string') this.#volumes = [...this.#volumes, made];
      else {
        const isWhole = claimNameOf(spec, this.#owner.pod) !== undefined;
        const message = isWhole ? made : `MountVolume.SetUp failed for volume "${spec.name}" : ${made}`;
        failures.push({message, volume: spec.name});
      }
    }
    return failures;
  }

  /** The pod's own fields changed: what shows them follows at once. */
  refreshFields(): void {
    for (const volume of this.#volumes) if (sourcesOf(volume.spec).some(source => source.downwardAPI)) lay(this.#owner, volume);
  }

  /** May what they hold change while the pod lives? */
  get canChange(): boolean {
    return this.#volumes.some(({spec, isDisk}) => isDisk || canChange(spec));
  }

  /** Fetches again what may have changed. What is gone stays as it was. */
  *refresh(): Task {
    const {parts, pod} = this.#owner;
    for (const volume of this.#volumes) {
      if (volume.isDisk) yield* findClaimed(parts, pod, {volume: volume.spec.name, claim: claimNameOf(volume.spec, pod) ?? ''});
      if (!canChange(volume.spec)) continue;
      const found: (Data | undefined)[] = [];
      let failed: string | undefined;
      for (const source of sourcesOf(volume.spec)) {
        const result = yield* fetchSource(parts.references, pod, source);
        if (typeof result === 'string') failed = result;
        else found.push(result);
      }
      if (failed !== undefined) continue;
      volume.found = found;
      lay(this.#owner, volume);
    }
  }

  /** What lies in the folders of its own that are on the node's disk. */
  get usedBytes(): number {
    let total = 0;
    for (const {spec, tree} of this.#volumes)
      if (spec.emptyDir && spec.emptyDir.medium !== 'Memory') total += tree?.usedBytes ?? 0;
    return total;
  }

  /** Why the pod may not stay, where a folder of its own holds more than it may. */
  whyTooLarge(): string | undefined {
    for (const {spec, tree} of this.#volumes) {
      const limit = spec.emptyDir?.medium === 'Memory' ? undefined : spec.emptyDir?.sizeLimit;
      if (limit === undefined || !tree || tree.usedBytes <= unitValue(limit)) continue;
      return `Usage of EmptyDir volume ${JSON.stringify(spec.name)} exceeds the limit ${JSON.stringify(String(limit))}. `;
    }
    return undefined;
  }

  /** Asks for the tokens that are still missing. */
  *fetchTokens(): Task<MountFailure | undefined> {
    for (const volume of this.#volumes) {
      for (const {serviceAccountToken: wish} of volume.spec.projected?.sources ?? []) {
        if (!wish || volume.tokens?.has(wish.path)) continue;
        const token = yield* askForToken(this.#owner, wish);
        if (typeof token !== 'string') return {volume: volume.spec.name, message: token.error};
        (volume.tokens ??= new Map()).set(wish.path, token);
        lay(this.#owner, volume);
      }
    }
    return undefined;
  }

  /** The text of a file in a volume. */
  read(name: string, path: string): string | undefined {
    const volume = this.#find(name);
    return volume && treeOf(this.#owner, volume, '').read(`${volume.path === '/' ? '' : volume.path}/${path}`);
  }

  /** Where a container finds its volumes, and the file for its last words. */
  mounts(container: Container | EphemeralContainer, values: ReadonlyMap<string, string>): readonly Mount[] {
    const mounts: Mount[] = (container.volumeMounts ?? []).map((mount, at) => {
      const volume = this.#find(mount.name);
      const base = volume?.path ?? '/';
      const below = mount.subPathExpr ? expand(mount.subPathExpr, name => values.get(name)) : (mount.subPath ?? '');
      return {
        source: sourceOf(this.#owner.pod, {volume: volume?.spec, below, container: container.name, at}),
        path: mount.mountPath.replace(/\/+$/, '') || '/',
        readOnly:
          mount.readOnly === true || (volume !== undefined && (isAlwaysReadOnly(volume.spec) || volume.spec.image !== undefined)),
        files: lookAt(this.#owner, volume, below),
        from: below === '' ? base : `${base === '/' ? '' : base}/${below}`,
        ...(volume?.spec.image?.reference ? {image: volume.spec.image.reference} : {}),
        ...(volume ? memoryOf(volume.spec, this.#owner.parts) : {}),
      };
    });
    const {terminationMessagePath = '/dev/termination-log', name} = container;
    mounts.push({
      source: `/var/lib/kubelet/pods/${this.#owner.pod.metadata.uid}/containers/${name}`,
      path: terminationMessagePath,
      readOnly: false,
      files: () => this.#lastWordFiles(name),
      from: `/${name}`,
    });
    return mounts;
  }

  /** What a container wrote as its last words, and takes them away for its next life. */
  takeLastWords(container: string): string {
    const text = this.#words?.read(`/${container}`) ?? '';
    if (text !== '') this.#words?.write(`/${container}`, '');
    return text.slice(0, MOST_WORDS);
  }

  #find(name: string): PodVolume | undefined {
    for (const volume of this.#volumes) if (volume.spec.name === name) return volume;
    return undefined;
  }

  #lastWordFiles(container: string): Files {
    const files = (this.#words ??= new Files(this.#owner.parts.daemon.wall));
    if (files.info(`/${container}`) === undefined) files.place(`/${container}`, '');
    return files;
  }
}

/** A volume in memory is as large as it may be, or as the node's memory. */
function memoryOf({emptyDir, secret, projected}: Volume, {config}: KubeletParts): {memoryBytes?: number} {
  if (emptyDir?.medium === 'Memory') return {memoryBytes: unitValue(emptyDir.sizeLimit ?? config.allocatable['memory'] ?? '0')};
  return secret || projected ? {memoryBytes: unitValue(config.allocatable['memory'] ?? '0')} : {};
}

const NONE: readonly never[] = Object.freeze([]);
const NO_VOLUMES: readonly Volume[] = Object.freeze([]);

/** Could what a volume holds change while the pod lives? */
function canChange(volume: Volume): boolean {
  if (volume.configMap ?? volume.secret ?? volume.downwardAPI) return true;
  for (const {configMap, secret} of volume.projected?.sources ?? [])
    if (secret || (configMap && configMap.name !== 'kube-root-ca.crt')) return true;
  return false;
}
