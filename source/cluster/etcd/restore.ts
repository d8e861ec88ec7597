// Snapshots as etcdutl treats them: what one holds, whether it is whole, and a data directory made from it. A restored member
// founds a new cluster: keys and history come from the snapshot, who the members are from the flags.
import {type HardState, NOBODY} from '../raft/entry.ts';
import {Backend, type BackendImage} from './backend.ts';
import {foundersOf} from './bootstrap.ts';
import {Disk} from './disk.ts';
import {hashOf} from './hash.ts';
import {parseInitialCluster} from './identity.ts';
import {Membership} from './membership.ts';
import {STORAGE_VERSION} from './options.ts';
import {refuseSeeds} from './seeds.ts';
import {hashOfImage, type SnapshotFile, unsealed} from './snapshot.ts';

/** What `etcdutl snapshot status` prints. */
export interface SnapshotStatus {
  readonly hash: number;
  readonly revision: number;
  readonly totalKey: number;
  readonly totalSizeBytes: number;
  readonly version: string;
}

/** Is this value one of our snapshot files? */
export function isSnapshotFile(value: unknown): value is SnapshotFile {
  return typeof value === 'object' && value !== null && (value as {form?: unknown}).form === 'crashloop-etcd-snapshot';
}

/** The database file of a data directory, as `cp` would take it: a snapshot without a hash; undefined when there is none. */
export function databaseFile({backend}: Disk): SnapshotFile | undefined {
  return backend && unsealed(backend.image());
}

/** What a snapshot holds. */
export function snapshotStatus({image}: SnapshotFile): SnapshotStatus {
  const totalKey = image.keys.reduce((sum, values) => sum + values.length, 0);
  const {revision} = image;
  const totalSizeBytes = Backend.from(image).ledger.fileBytes;
  return {hash: hashOfImage(image), revision, totalKey, totalSizeBytes, version: STORAGE_VERSION};
}

/** The flags of `etcdutl snapshot restore`. */
export interface RestoreOptions {
  readonly name: string;
  readonly initialCluster: string;
  readonly initialAdvertisePeerUrls: readonly string[];
  readonly initialClusterToken?: string;
  readonly skipHashCheck?: boolean;
  readonly bumpRevision?: number;
  readonly markCompacted?: boolean;
}

/** What came of it: a data directory and who is in it, or etcdutl's words. */
export type Restored =
  | {readonly disk: Disk; readonly clusterId: string; readonly members: Membership['all']; readonly revision: number}
  | {readonly error: string};

/** What is wrong with the flags, whatever the snapshot holds. */
export function refuseFlags(options: RestoreOptions): string | undefined {
  return refuseSeeds(options, parseInitialCluster(options.initialCluster));
}

/** Makes a data directory from a snapshot. */
export function restoreSnapshot(file: SnapshotFile, options: RestoreOptions): Restored {
  if ((options.bumpRevision ?? 0) > 0 !== (options.markCompacted ?? false)) {
    return {error: '--mark-compacted required if --revision-bump > 0'};
  }
  const seeds = parseInitialCluster(options.initialCluster);
  const problem = refuseFlags(options) ?? refuseHash(file, options);
  if (problem) return {error: problem};
  const {members, cluster} = foundersOf(seeds, options.initialClusterToken);
  const own = members.find(member => member.name === options.name);
  const image = foundAgain(bumped(file.image, options.bumpRevision ?? 0), {clusterId: cluster, members});
  const disk = new Disk();
  const start = {index: image.appliedIndex, term: image.appliedTerm};
  const hardState: HardState = {term: 1, vote: NOBODY, commit: start.index};
  disk.found({memberId: own?.id ?? '', clusterId: cluster}, Backend.from(image));
  disk.write({start, hardState});
  disk.synced(disk.mark);
  return {disk, clusterId: cluster, members, revision: image.revision};
}

function refuseHash({hash, image}: SnapshotFile, {skipHashCheck}: RestoreOptions): string | undefined {
  if (skipHashCheck) return undefined;
  if (hash === undefined) return 'snapshot missing hash but --skip-hash-check=false';
  const got = hashOfImage(image);
  return got === hash ? undefined : `expected sha256 [${bytesOf(hash)}], got [${bytesOf(got)}]`;
}

function bytesOf(hash: number): string {
  return [24, 16, 8, 0].map(shift => (hash >>> shift) & 255).join(' ');
}

// All revisions up to the new one count as compacted, so that every watch from before the restore must list anew.
function bumped(image: BackendImage, by: number): BackendImage {
  if (by === 0) return image;
  const revision = image.revision + by;
  return {...image, revision, compacted: revision, events: []};
}

// The log of the new cluster begins after the entries that would have added its founders.
function foundAgain(image: BackendImage, {clusterId, members}: Pick<BackendImage, 'clusterId' | 'members'>): BackendImage {
  return {...image, clusterId, members, removed: [], alarms: [], appliedIndex: members.length, appliedTerm: 1};
}

/** The hash over the history in a snapshot, as `endpoint hashkv` counts it. */
export function fileHash({image}: SnapshotFile): {
  readonly hash: number;
  readonly hashRevision: number;
  readonly compactRevision: number;
} {
  const {revision, compacted} = image;
  return {hash: hashOf(Backend.from(image).store, revision), hashRevision: revision, compactRevision: compacted || -1};
}
