// What is special about a kind when it is written. Everything that is not said here is the same for all kinds: uid and times,
// status as a subresource, generations, finalizers, conflicts.
import type {DeleteOptions} from '../../../api/kinds/meta.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {SelectableFields} from '../http/selection.ts';
import type {Refused} from '../http/refused.ts';
import type {Also} from '../registry/commit.ts';
import type {Write} from '../registry/write.ts';

/** The ways of one kind. */
export interface Strategy {
  /** Counts changes of the spec in metadata.generation. */
  readonly generation?: boolean;
  /** The creator may give a status. */
  readonly keepsStatus?: boolean;
  /** PUT creates what is not there. */
  readonly upsert?: boolean;
  /** PUT needs a resourceVersion. */
  readonly conditional?: boolean;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeleted?: boolean;
  /** A sentence for every request that names this kind. */
  readonly deprecation?: string;
  /** What can be selected by beside name and namespace. */
  readonly fields?: SelectableFields;
  /** Prepares a new object: what clients may not set is cleared, what the server gives is given. */
  create?(object: AnyObject, write: Write): AnyObject | Refused;
  /** Prepares a changed object. */
  update?(object: AnyObject, old: AnyObject, write: Write): AnyObject | Refused;
  /** Prepares a changed status; by default all but metadata and status stays as it was. */
  updateStatus?(object: AnyObject, old: AnyObject, write: Write): AnyObject | Refused;
  /** How many seconds a delete waits for somebody to finish the object; undefined: it goes at once. */
  grace?(object: AnyObject, options: DeleteOptions): number | undefined;
  /** Changes an object that is marked as deleted, beside its metadata. */
  markDeleted?(object: AnyObject): AnyObject;
  /** Is there, beside finalizers, something that holds the object? */
  isHeld?(object: AnyObject): boolean;
  /** Gives what is to be had from a common stock, addresses and ports. It comes before validation, as its errors do. */
  allocate?(object: AnyObject, old: AnyObject | undefined, write: Write): AnyObject | Refused;
  /** Other keys that are written in the same transaction; without an object when it is being deleted. */
  also?(object: AnyObject | undefined, old: AnyObject | undefined, write: Write): readonly Also[];
}

export const PLAIN: Strategy = Object.freeze({});
