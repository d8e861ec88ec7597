// One change of one object, as watchers hear of it. All watchers of the same shape get the same frame.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {WatchEvent} from '../../../api/wire/http.ts';

/** A change that was seen in etcd. */
export class CacheEvent {
  readonly revision: number;
  readonly key: string;
  /** Undefined when it was deleted. */
  readonly object: AnyObject | undefined;
  readonly previous: AnyObject | undefined;
  /** The last state under the revision of the deletion, when it was deleted. */
  readonly last: AnyObject | undefined;
  readonly cause: number;
  readonly at: number;
  #plain: WatchEvent<AnyObject> | undefined;

  constructor(
    facts: {revision: number; key: string; object: AnyObject | undefined; cause: number; at: number},
    previous: AnyObject | undefined,
  ) {
    this.revision = facts.revision;
    this.key = facts.key;
    this.object = facts.object;
    this.previous = previous;
    this.cause = facts.cause;
    this.at = facts.at;
    this.last = facts.object || !previous ? undefined : atRevision(previous, facts.revision);
  }

  /** The frame for those who see the object before and after: the same one for all of them. */
  plain(): WatchEvent<AnyObject> | undefined {
    if (this.#plain) return this.#plain;
    const object = this.object ?? this.last;
    if (!object) return undefined;
    const type = this.object === undefined ? 'DELETED' : this.previous ? 'MODIFIED' : 'ADDED';
    this.#plain = Object.freeze({type, object, cause: this.cause});
    return this.#plain;
  }

  /** The frame for a watcher that selects: what leaves its selection is deleted for it, what enters is added. */
  selected(matches: (object: AnyObject) => boolean): WatchEvent<AnyObject> | undefined {
    const is = this.object !== undefined && matches(this.object);
    const was = this.previous !== undefined && matches(this.previous);
    if (is && (was || !this.previous)) return this.plain();
    if (is && this.object) return {type: 'ADDED', object: this.object, cause: this.cause};
    if (!was || !this.previous) return undefined;
    return this.object ? {type: 'DELETED', object: atRevision(this.previous, this.revision), cause: this.cause} : this.plain();
  }
}

function atRevision(object: AnyObject, revision: number): AnyObject {
  return Object.freeze({...object, metadata: Object.freeze({...object.metadata, resourceVersion: String(revision)})});
}
