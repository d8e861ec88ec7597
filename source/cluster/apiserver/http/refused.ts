// A request that is refused travels through the request line as a value of this class, so that one `instanceof` tells it from
// an object at any stage, whatever the object's own fields are.
import type {Failure} from '../../../api/meta/status.ts';

/** A refusal: the Status that the client gets. */
export class Refused {
  readonly status: Failure;

  constructor(status: Failure) {
    this.status = status;
  }
}

/** Shorthand for `new Refused(status)`. */
export function refuse(status: Failure): Refused {
  return new Refused(status);
}
