// Setting a volume up: a claim's disk, a folder of the node, or what has to be fetched first.
import type {Pod, Volume} from '../../../api/kinds/core-v1.ts';
import {unitValue} from '../../../api/meta/quantity.ts';
import {Files} from '../../../sim/files.ts';
import type {Task} from '../../../sim/task.ts';
import type {Data} from '../references.ts';
import {claimNameOf, findClaimed} from './claimed-volumes.ts';
import {checkHostPath} from './host-path.ts';
import {whyNotHere} from './not-here.ts';
import {PodVolume, type VolumeOwner} from './one-volume.ts';
import {giveToGroup} from './ownership.ts';
import {fetchSource, sourcesOf} from './volume-sources.ts';

/** It is still to be attached to the node. */
export const ATTACHING = Symbol('attaching');

const NONE: readonly never[] = Object.freeze([]);

/** The volume, or the words for why it cannot be had. */
export function* setUpVolume({parts, pod}: VolumeOwner, spec: Volume): Task<PodVolume | string | typeof ATTACHING> {
  const {hostPath, emptyDir} = spec;
  const claimName = claimNameOf(spec, pod);
  if (claimName !== undefined) {
    const claimed = yield* findClaimed(parts, pod, {volume: spec.name, claim: claimName});
    if ('attaching' in claimed) return ATTACHING;
    if ('failed' in claimed) return claimed.failed;
    const made = new PodVolume(spec, NONE, claimed.files, claimed.path);
    made.isDisk = claimed.isDisk === true;
    if (claimed.isDisk) giveToGroup(claimed.files, claimed.path, pod);
    return made;
  }
  const absent = whyNotHere(parts, pod, spec);
  if (absent !== undefined) return absent;
  if (hostPath) {
    const failed = checkHostPath(parts.files, hostPath.path, hostPath.type ?? '');
    return failed ?? new PodVolume(spec, NONE, parts.files);
  }
  const limit = emptyDir?.medium === 'Memory' && emptyDir.sizeLimit !== undefined ? unitValue(emptyDir.sizeLimit) : undefined;
  const found: (Data | undefined)[] = [];
  for (const source of sourcesOf(spec)) {
    const result = yield* fetchSource(parts.references, pod, source);
    if (typeof result === 'string') return result;
    found.push(result);
  }
  return new PodVolume(
    spec,
    found.length === 0 ? NONE : found,
    limit === undefined ? undefined : inMemory(parts.daemon.wall, limit, pod),
  );
}

function inMemory(wall: () => number, limit: number, pod: Pod): Files {
  const tree = new Files(wall, limit);
  tree.setMode('/', 0o1777);
  giveToGroup(tree, '/', pod);
  return tree;
}
