// Writes of the server itself, such as the counts of a quota: no admission, no validation, no rules of the kind. It stands apart from
// update.ts because admission, which that calls, needs it.
import type {AnyObject} from '../../../api/meta/object.ts';
import {conflict, notFound} from '../../../api/meta/status.ts';
import type {Task} from '../../../sim/task.ts';
import {refuse, Refused} from '../http/refused.ts';
import {commit, currentState, freshState, type Committed, type State} from './commit.ts';
import type {Write} from './write.ts';

const TRIES = 100;

export interface InternalChange {
  readonly name: string;
  readonly namespace: string;
  readonly change: (old: AnyObject) => AnyObject | Refused;
}

/** Carries a change of the server's own out; nothing is written when the change gives back the same object. */
export function* updateObject(write: Write, options: InternalChange): Task<AnyObject | Refused> {
  const {name, namespace, change} = options;
  let state: State | Refused = yield* currentState(write, namespace, name);
  for (let tries = 0; tries < TRIES; tries++) {
    if (state instanceof Refused) return state;
    const old = state.object;
    const next = old ? change(old) : refuse(notFound(write.served.facts, name));
    if (next instanceof Refused || next === old) {
      // The cache may be behind: what is refused on its word is looked at once more.
      if (state.fresh) return next;
      const fresh: State | Refused = yield* freshState(write, namespace, name);
      if (fresh instanceof Refused || fresh.revision === state.revision) return fresh instanceof Refused ? fresh : next;
      state = fresh;
      continue;
    }
    const committed: Committed | Refused = yield* commit(write, next, {revision: state.revision});
    if (committed instanceof Refused) return committed;
    if ('done' in committed) return committed.done;
    if ('lost' in committed) state = committed.lost;
  }
  return refuse(conflict(write.served.facts, name));
}
