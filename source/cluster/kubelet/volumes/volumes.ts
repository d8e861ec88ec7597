// The volumes of one pod. What they hold is fetched before the sandbox is made, so that a missing ConfigMap holds the pod up; the
// files themselves are laid out only when a container looks at them, which those of most pods never do. For the same reason a
// token is asked for only when a container could read it.
//
// Not modelled: most kinds that need a server elsewhere. They count as mounted and empty. An emptyDir in memory has
// its size; any other may grow until the pod is evicted.
import type {TokenRequest} from '../../../api/kinds/authentication-v1.ts';
import type {Container, EphemeralContainer, Pod, Volume} from '../../../api/kinds/core-v1.ts';
import {unitValue} from '../../../api/meta/quantity.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Mount} from '../../../api/wire/cri.ts';
import {create} from '../../../client/verbs.ts';
import {Files} from '../../../sim/files.ts';
import type {Task} from '../../../sim/task.ts';
import {expand} from '../containers/environment.ts';
import {claimNameOf, findClaimed} from './claimed-volumes.ts';
import {checkHostPath} from './host-path.ts';
import type {Data} from '../references.ts';
import type {KubeletParts} from '../surroundings.ts';
import {layAtOnce, placeIn} from './volume-folder.ts';
import {whyNotHere} from './not-here.ts';
import {sourceOf} from './mount-source.ts';
import {giveToGroup} from './ownership.ts';
import {fetchSource, isAlwaysReadOnly, keptSources, layOut, sourcesOf, type Laid} from './volume-sources.ts';

const serviceAccounts = builtin('serviceaccounts');
const MOST_WORDS = 4096;

/** The pod whose volumes these are. */
export interface VolumeOwner {
  readonly parts: KubeletParts;
  readonly pod: Pod;
  readonly podIP: string;
}

/** Why a volume is not there. */
export interface MountFailure {
  readonly volume: string;
  /** The whole sentence; of a token that is not to be had, its end. */
  readonly message: string;
  /** It is still to be attached to the node, which is no failure for a while. */
  readonly attaching?: boolean;
}

/** One volume: what was fetched for it, and its files once somebody has looked. */
class PodVolume {
  readonly spec: Volume;
  /** What each source holds; undefined for those that need no fetching. */
  found: readonly (Data | undefined)[];
  tree: Files | undefined;
  tokens: Map<string, string> | undefined;
  /** It lies on a disk that may grow. */
  isDisk = false;
  readonly #folder: string | undefined;

  constructor(spec: Volume, found: readonly (Data | undefined)[], tree: Files | undefined, folder?: string) {
    this.spec = spec;
    this.found = found;
    this.tree = tree;
    this.#folder = folder;
  }

  /** The path in its tree. */
  get path(): string {
    return this.#folder ?? this.spec.hostPath?.path ?? '/';
  }
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
      const failed = yield* this.#setUpOne(spec);
      if (failed === ATTACHING) failures.push({volume: spec.name, message: '', attaching: true});
      else if (failed !== undefined) {
        const isWhole = claimNameOf(spec, this.#owner.pod) !== undefined;
        const message = isWhole ? failed : `MountVolume.SetUp failed for volume "${spec.name}" : ${failed}`;
        failures.push({message, volume: spec.name});
      }
    }
    return failures;
  }

  /** The pod's own fields changed: what shows them follows at once. */
  refreshFields(): void {
    for (const volume of this.#volumes) if (sourcesOf(volume.spec).some(source => source.downwardAPI)) this.#lay(volume);
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
      this.#lay(volume);
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
        const token = yield* this.#askForToken(wish.audience, wish.expirationSeconds ?? 3600);
        if (typeof token !== 'string') return {volume: volume.spec.name, message: token.error};
        (volume.tokens ??= new Map()).set(wish.path, token);
        this.#lay(volume);
      }
    }
    return undefined;
  }

  /** The text of a file in a volume. */
  read(name: string, path: string): string | undefined {
    const volume = this.#find(name);
    return volume && this.#tree(volume, '').read(`${volume.path === '/' ? '' : volume.path}/${path}`);
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
        files: this.#lookAt(volume, below),
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

  *#setUpOne(spec: Volume): Task<string | typeof ATTACHING | undefined> {
    const {parts, pod} = this.#owner;
    const {hostPath, emptyDir} = spec;
    const claimName = claimNameOf(spec, pod);
    if (claimName !== undefined) {
      const claimed = yield* findClaimed(parts, pod, {volume: spec.name, claim: claimName});
      if ('attaching' in claimed) return ATTACHING;
      if ('failed' in claimed) return claimed.failed;
      const made = new PodVolume(spec, NONE, claimed.files, claimed.path);
      made.isDisk = claimed.isDisk === true;
      if (claimed.isDisk) giveToGroup(claimed.files, claimed.path, pod);
      this.#volumes = [...this.#volumes, made];
      return undefined;
    }
    const absent = whyNotHere(parts, pod, spec);
    if (absent !== undefined) return absent;
    if (hostPath) {
      const failed = checkHostPath(parts.files, hostPath.path, hostPath.type ?? '');
      if (failed === undefined) this.#volumes = [...this.#volumes, new PodVolume(spec, NONE, parts.files)];
      return failed;
    }
    const limit = emptyDir?.medium === 'Memory' && emptyDir.sizeLimit !== undefined ? unitValue(emptyDir.sizeLimit) : undefined;
    const found: (Data | undefined)[] = [];
    for (const source of sourcesOf(spec)) {
      const result = yield* fetchSource(parts.references, pod, source);
      if (typeof result === 'string') return result;
      found.push(result);
    }
    const volume = new PodVolume(
      spec,
      found.length === 0 ? NONE : found,
      limit === undefined ? undefined : inMemory(parts.daemon.wall, limit, pod),
    );
    this.#volumes = [...this.#volumes, volume];
    return undefined;
  }

  *#askForToken(audience: string | undefined, expirationSeconds: number): Task<string | {readonly error: string}> {
    const {parts, pod} = this.#owner;
    const {namespace, name, uid} = pod.metadata;
    const boundObjectRef = {apiVersion: 'v1', kind: 'Pod', name, uid};
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: namespace ? {namespace} : {},
      spec: {audiences: audience ? [audience] : [], expirationSeconds, boundObjectRef},
    };
    const place = {namespace, name: pod.spec.serviceAccountName ?? 'default', subresource: 'token'};
    const result = yield* parts.client.ask<TokenRequest>(create(serviceAccounts, request, place));
    return result.ok ? (result.value.status?.token ?? '') : {error: `failed to fetch token: ${result.status.message}`};
  }

  /** Writes what a volume holds now, once somebody has looked at it. */
  #lay(volume: PodVolume): void {
    if (!volume.tree) return;
    layAtOnce(volume.tree, this.#laid(volume), this.#owner.parts.daemon.wall());
    giveToGroup(volume.tree, '/', this.#owner.pod, true);
  }

  #laid(volume: PodVolume): Laid {
    const {parts, podIP, pod} = this.#owner;
    const fields = {podIP, hostIP: parts.hostIP, allocatable: parts.config.allocatable};
    return layOut(volume.spec, {found: volume.found, tokens: volume.tokens, pod, fields});
  }

  /** A part of a volume that the cluster fills is mounted as it is at the start, and stays so. */
  #lookAt(volume: PodVolume | undefined, below: string): () => Files {
    if (!volume || below === '' || !isAlwaysReadOnly(volume.spec)) return () => this.#tree(volume, below);
    let copy: Files | undefined;
    return () => {
      if (copy) return copy;
      const tree = this.#tree(volume, below);
      const place = placeIn(tree, `/${below}`);
      const text = tree.read(place);
      if (text === undefined) return tree;
      copy = new Files(this.#owner.parts.daemon.wall);
      copy.place(`/${below}`, text, tree.info(place)?.mode ?? 0o644);
      return copy;
    };
  }

  /** A volume's files, made at the first look. */
  #tree(volume: PodVolume | undefined, below: string): Files {
    const {wall} = this.#owner.parts.daemon;
    if (!volume) return new Files(wall);
    if (!volume.tree) {
      volume.tree = new Files(wall);
      volume.tree.setMode('/', liesInMemory(volume.spec) ? 0o1777 : 0o777);
      if (isAlwaysReadOnly(volume.spec)) this.#lay(volume);
      giveToGroup(volume.tree, '/', this.#owner.pod, true);
    }
    const place = `${volume.path === '/' ? '' : volume.path}/${below}`;
    if (below !== '' && volume.tree.info(place) === undefined) volume.tree.makeFolder(place);
    return volume.tree;
  }

  #lastWordFiles(container: string): Files {
    const files = (this.#words ??= new Files(this.#owner.parts.daemon.wall));
    if (files.info(`/${container}`) === undefined) files.place(`/${container}`, '');
    return files;
  }
}

const ATTACHING = Symbol('attaching');

function inMemory(wall: () => number, limit: number, pod: Pod): Files {
  const tree = new Files(wall, limit);
  tree.setMode('/', 0o1777);
  giveToGroup(tree, '/', pod);
  return tree;
}

/** A volume in memory is as large as it may be, or as the node's memory. */
function memoryOf({emptyDir, secret, projected}: Volume, {config}: KubeletParts): {memoryBytes?: number} {
  if (emptyDir?.medium === 'Memory') return {memoryBytes: unitValue(emptyDir.sizeLimit ?? config.allocatable['memory'] ?? '0')};
  return secret || projected ? {memoryBytes: unitValue(config.allocatable['memory'] ?? '0')} : {};
}

const NONE: readonly never[] = Object.freeze([]);
const NO_VOLUMES: readonly Volume[] = Object.freeze([]);

/** Folders in memory are everybody's as /tmp is. */
function liesInMemory({secret, projected, downwardAPI, emptyDir}: Volume): boolean {
  return (secret ?? projected ?? downwardAPI) !== undefined || emptyDir?.medium === 'Memory';
}

/** Could what a volume holds change while the pod lives? */
function canChange(volume: Volume): boolean {
  if (volume.configMap ?? volume.secret ?? volume.downwardAPI) return true;
  for (const {configMap, secret} of volume.projected?.sources ?? [])
    if (secret || (configMap && configMap.name !== 'kube-root-ca.crt')) return true;
  return false;
}
