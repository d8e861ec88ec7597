// One volume of a pod: what was fetched for it, and its files once somebody has looked at it.
import type {Pod, Volume} from '../../../api/kinds/core-v1.ts';
import {Files} from '../../../sim/files.ts';
import type {Data} from '../references.ts';
import type {KubeletParts} from '../surroundings.ts';
import {giveToGroup} from './ownership.ts';
import {layAtOnce, placeIn} from './volume-folder.ts';
import {isAlwaysReadOnly, layOut, type Laid} from './volume-sources.ts';

/** The pod whose volumes these are. */
export interface VolumeOwner {
  readonly parts: KubeletParts;
  readonly pod: Pod;
  readonly podIP: string;
}

/** One volume: what was fetched for it, and its files once somebody has looked. */
export class PodVolume {
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

/** Writes what a volume holds now, once somebody has looked at it. */
export function lay(owner: VolumeOwner, volume: PodVolume): void {
  if (!volume.tree) return;
  layAtOnce(volume.tree, laid(owner, volume), owner.parts.daemon.wall());
  giveToGroup(volume.tree, '/', owner.pod, true);
}

function laid({parts, podIP, pod}: VolumeOwner, volume: PodVolume): Laid {
  const fields = {podIP, hostIP: parts.hostIP, allocatable: parts.config.allocatable};
  return layOut(volume.spec, {found: volume.found, tokens: volume.tokens, pod, fields});
}

/** A part of a volume that the cluster fills is mounted as it is at the start, and stays so. */
export function lookAt(owner: VolumeOwner, volume: PodVolume | undefined, below: string): () => Files {
  if (!volume || below === '' || !isAlwaysReadOnly(volume.spec)) return () => treeOf(owner, volume, below);
  let copy: Files | undefined;
  return () => {
    if (copy) return copy;
    const tree = treeOf(owner, volume, below);
    const place = placeIn(tree, `/${below}`);
    const text = tree.read(place);
    if (text === undefined) return tree;
    copy = new Files(owner.parts.daemon.wall);
    copy.place(`/${below}`, text, tree.info(place)?.mode ?? 0o644);
    return copy;
  };
}

/** A volume's files, made at the first look. */
export function treeOf(owner: VolumeOwner, volume: PodVolume | undefined, below: string): Files {
  const {wall} = owner.parts.daemon;
  if (!volume) return new Files(wall);
  if (!volume.tree) {
    volume.tree = new Files(wall);
    volume.tree.setMode('/', liesInMemory(volume.spec) ? 0o1777 : 0o777);
    if (isAlwaysReadOnly(volume.spec)) lay(owner, volume);
    giveToGroup(volume.tree, '/', owner.pod, true);
  }
  const place = `${volume.path === '/' ? '' : volume.path}/${below}`;
  if (below !== '' && volume.tree.info(place) === undefined) volume.tree.makeFolder(place);
  return volume.tree;
}

/** Folders in memory are everybody's as /tmp is. */
function liesInMemory({secret, projected, downwardAPI, emptyDir}: Volume): boolean {
  return (secret ?? projected ?? downwardAPI) !== undefined || emptyDir?.medium === 'Memory';
}
