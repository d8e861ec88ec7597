// etcd's values carry no resourceVersion, because it is the revision that they were written at, which nobody knows before.
// It is put on when an object comes out: once, by whoever sees it first, be it the request that wrote it or a watch cache of
// any API server. The newest stamps are remembered in a ring, so that all of them hand out the same frozen object.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {ObjectMeta} from '../../../api/kinds/meta.ts';

interface Stamp {
  readonly value: AnyObject;
  readonly revision: number;
  readonly object: AnyObject;
}

const RING = 8192;
const ring: (Stamp | undefined)[] = Array.from({length: RING});

/** The object that a stored value stands for at a revision. */
export function stamped(value: AnyObject, revision: number): AnyObject {
  const slot = revision % RING;
  const known = ring[slot];
  if (known && known.value === value && known.revision === revision) return known.object;
  const metadata: ObjectMeta = Object.freeze({...value.metadata, resourceVersion: String(revision)});
  const object: AnyObject = Object.freeze({...value, metadata});
  ring[slot] = {value, revision, object};
  return object;
}

/** What is stored of an object: all but its resourceVersion. */
export function unstamped(object: AnyObject): AnyObject {
  const {metadata} = object;
  if (metadata.resourceVersion === undefined) return Object.isFrozen(object) ? object : Object.freeze(object);
  const {resourceVersion: _version, ...rest} = metadata;
  return Object.freeze({...object, metadata: Object.freeze(rest) as ObjectMeta});
}
