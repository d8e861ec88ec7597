// What etcdutl can do to etcd's files: the operations of etcd's own room, on the files of a machine.
import {Disk} from '../cluster/etcd/disk.ts';
import {fileHash, isSnapshotFile, refuseFlags, restoreSnapshot, snapshotStatus} from '../cluster/etcd/restore.ts';
import type {Files} from '../sim/files.ts';
import type {EtcdFiles, RestoreRequest, RestoreResult} from '../tools/etcdutl/etcdutl.ts';
import {diskAt, layDisk} from './processes/data-directory.ts';

/** Reads a text as a snapshot; undefined for anything else. */
function snapshotOf(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    return isSnapshotFile(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const ETCD_FILES: EtcdFiles = {
  status(text) {
    const file = snapshotOf(text);
    return file && snapshotStatus(file);
  },
  hash(text) {
    const file = snapshotOf(text);
    return file && fileHash(file);
  },
  refuseFlags,
  restore,
  defragment(files, directory) {
    const disk = diskAt(files, directory);
    disk.backend?.ledger.defragment();
    return disk instanceof Disk && disk.backend !== undefined;
  },
};

function restore(files: Files, {directory, text}: {directory: string; text: string}, request: RestoreRequest): RestoreResult {
  const file = snapshotOf(text);
  if (!file)
    return {ok: false, why: request.skipHashCheck ? 'invalid database' : 'snapshot missing hash but --skip-hash-check=false'};
  const restored = restoreSnapshot(file, request);
  if ('error' in restored) return {ok: false, why: restored.error};
  const {disk, clusterId, members, revision} = restored;
  layDisk(files, directory, disk);
  const index = members.length.toString(16).padStart(16, '0');
  files.place(`${directory}/member/snap/0000000000000001-${index}.snap`, `${JSON.stringify({clusterId})}\n`, 0o600);
  return {ok: true, clusterId, members, revision};
}
