// Admission: rules about objects that look beyond the object. Mutating plugins may change what is written, validating ones see
// what came of that and say yes or no.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Task} from '../../../sim/task.ts';
import type {Refused} from '../http/refused.ts';
import type {Attributes} from '../registry/write.ts';

/** What a plugin looks at: resources as `pods` or `deployments.apps`, `*` for all. */
export interface Scope {
  readonly resources: readonly string[];
  readonly operations: readonly Attributes['operation'][];
  /** Subresources that it looks at; by default only the object itself. `*` for all. */
  readonly subresources?: readonly string[];
}

/** One plugin. */
export interface Plugin extends Scope {
  readonly name: string;
  /** It runs only where a flag of the server names it. */
  readonly optional?: true;
  /** Changes the object, or refuses it; a task where it must wait for something. */
  mutate?(object: AnyObject, attributes: Attributes): AnyObject | Refused | Task<AnyObject | Refused>;
  /** Refuses, or says nothing. */
  validate?(attributes: Attributes): Refused | undefined | Task<Refused | undefined>;
}
