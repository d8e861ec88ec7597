// The claims of a StatefulSet's members: made before the pod, and owned as the retention policy wants it, so that the garbage
// collector takes them when their pod, or the set, is gone.
import type {StatefulSet} from '../../../api/kinds/apps-v1.ts';
import type {PersistentVolumeClaim, Pod} from '../../../api/kinds/core-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Informer} from '../../../client/informer.ts';
import {create, update} from '../../../client/verbs.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context} from '../context.ts';
import {claimOwners, isStale, isWanted, memberClaims, ordinalOf} from './identity.ts';
import {tell, tellFailure} from './telling.ts';

const claims = builtin('persistentvolumeclaims');

/** Keeps the claims of all sets' members. */
export class MemberClaims {
  readonly #context: Context;
  readonly #claims: Informer<PersistentVolumeClaim>;

  constructor(context: Context) {
    this.#context = context;
    this.#claims = context.informers.of<PersistentVolumeClaim>(claims);
  }

  /** Are there claims that go with an earlier pod of that ordinal? */
  areStale(set: StatefulSet, ordinal: number): boolean {
    return memberClaims(set, ordinal).some(({metadata}) => {
      const found = this.#claims.get(`${metadata.namespace}/${metadata.name}`);
      return found && isStale(set, found, `${set.metadata.name}-${ordinal}`);
    });
  }

  /** Makes the claims of a member that are missing; what went wrong with each. */
  *make(set: StatefulSet, pod: string): Task<readonly string[]> {
    const wrong: string[] = [];
    for (const draft of memberClaims(set, Number(pod.slice(pod.lastIndexOf('-') + 1)))) {
      const {name, namespace} = draft.metadata;
      const found = this.#claims.get(`${namespace}/${name}`);
      if (found) {
        // It is on its way out: a pod that used it would lose it.
        if (found.metadata.deletionTimestamp !== undefined) wrong.push(`pvc ${name} is being deleted`);
        continue;
      }
      const result = yield* this.#context.client.ask(create(claims, draft));
      const place = `Pod ${pod} in StatefulSet ${set.metadata.name}`;
      if (result.ok) tell(this.#context, set, 'Create', `Create Claim ${name} ${place} success`);
      else {
        const {message, reason} = result.status;
        wrong.push(`failed to create PVC ${name}: ${message}`);
        if (reason !== 'AlreadyExists')
          tellFailure(this.#context, set, 'Create', `Create Claim ${name} for ${place} failed error: ${message}`);
      }
    }
    return wrong;
  }

  /** Gives the claims of a pod the owners that the policy wants. */
  *settle(set: StatefulSet, pod: Pod): Task<'fine' | 'changed' | 'failed'> {
    const ordinal = ordinalOf(set, pod);
    let outcome: 'fine' | 'changed' | 'failed' = 'fine';
    if (ordinal === undefined) return outcome;
    for (const draft of memberClaims(set, ordinal)) {
      const found = this.#claims.get(`${draft.metadata.namespace}/${draft.metadata.name}`);
      const {name, uid} = pod.metadata;
      const owners = found && claimOwners(set, found, {name, uid, leaves: !isWanted(set, ordinal)});
      if (!found || !owners) continue;
      const next = {...found, metadata: {...found.metadata, ownerReferences: owners}};
      const result = yield* this.#context.client.ask(update(claims, next));
      if (result.ok) outcome = 'changed';
      else if (result.status.code !== 404) return 'failed';
    }
    return outcome;
  }
}
