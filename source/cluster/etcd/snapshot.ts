// A snapshot as a file: the state as a value, with the hash that shows whether it is whole. What a client saves carries the
// hash; the database file of a data directory, copied by hand, is the same without one.
import type {BackendImage} from './backend.ts';
import {mixText, mixValue} from './hash.ts';

/** What `etcdctl snapshot save` writes, and `etcdutl` reads. */
export interface SnapshotFile {
  readonly form: 'crashloop-etcd-snapshot';
  readonly image: BackendImage;
  /** Absent in a file that was copied from a data directory. */
  readonly hash?: number;
}

/** A file with its hash. */
export function sealed(image: BackendImage): SnapshotFile {
  return Object.freeze({form: 'crashloop-etcd-snapshot', image, hash: hashOfImage(image)});
}

/** A file as it lies in a data directory: without a hash. */
export function unsealed(image: BackendImage): SnapshotFile {
  return Object.freeze({form: 'crashloop-etcd-snapshot', image});
}

/** The hash over everything in an image. */
export function hashOfImage(image: BackendImage): number {
  const {keys, events, ...rest} = image;
  let hash = mixText(events.length, JSON.stringify(rest));
  for (const values of keys) for (const kv of values) hash = mixValue(hash, kv);
  return hash;
}
