// A number that two stores share exactly when they hold the same history (`endpoint hashkv`), and that a snapshot carries to
// show that it is whole. FNV-1a over keys, revisions and values.
import type {KeyValue} from '../../api/wire/etcd.ts';
import {FROM_KEY} from './key-index.ts';
import type {Store} from './store.ts';

const BASIS = 0x811c9dc5;

/** The hash of all that a store keeps up to a revision. */
export function hashOf(store: Store, revision: number): number {
  let hash = mixNumber(BASIS, store.compacted);
  store.index.walk('', FROM_KEY, ({older, current}) => {
    for (const kv of older ?? []) if (kv.modRevision <= revision) hash = mixValue(hash, kv);
    if (current.modRevision <= revision) hash = mixValue(hash, current);
  });
  return hash;
}

/** Goes on with a text. */
export function mixText(start: number, text: string): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function mixNumber(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01000193) >>> 0;
}

/** Goes on with one value of a key. */
export function mixValue(start: number, kv: KeyValue): number {
  let hash = mixText(start, kv.key);
  for (const part of [kv.createRevision, kv.modRevision, kv.version, kv.lease % 4_294_967_296]) hash = mixNumber(hash, part);
  return kv.value === undefined ? hash : mixText(hash, JSON.stringify(kv.value));
}
