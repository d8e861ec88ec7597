// Writes the revisions that plans of revisions.ts ask for.
import type {ControllerRevision} from '../../api/kinds/apps-v1.ts';
import {controllerOf} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {Index, Informers} from '../../client/informer.ts';
import {create, get, remove, update} from '../../client/verbs.ts';
import type {Client} from '../../client/client.ts';
import type {Task} from '../../sim/task.ts';
import {claim, settleClaim, type OwnerKind} from './ownership.ts';
import {controllerUid} from './pod-index.ts';
import type {LabelSelector} from '../../api/kinds/meta.ts';
import {newRevision, planHistory, revisionData, superfluousRevisions, type Revised} from './revisions.ts';
import {isSameValue} from './same-value.ts';
import {sendAll} from './send-all.ts';
import {OwnWrites} from './own-writes.ts';

const revisions = builtin('apps', 'controllerrevisions');

/** What a look at the history came to. */
export interface Kept {
  readonly current: ControllerRevision;
  readonly old: readonly ControllerRevision[];
}

/** `collision`: the hash is taken by another template, and has to be counted in the object's status. */
export type Keeping = Kept | 'collision' | 'failed';

/** Keeps the revisions of one kind. */
export class RevisionKeeper {
  readonly #client: Client;
  readonly #kind: OwnerKind;
  readonly #byOwner: Index<ControllerRevision>;
  readonly #orphans: Index<ControllerRevision>;
  readonly #writes: OwnWrites<ControllerRevision>;

  constructor(client: Client, informers: Informers, kind: OwnerKind) {
    this.#client = client;
    this.#kind = kind;
    this.#writes = new OwnWrites(client.daemon.clock);
    const informer = informers.of<ControllerRevision>(revisions);
    this.#byOwner = informer.index(controllerUid);
    this.#orphans = informer.index(each => (controllerOf(each) ? [] : [each.metadata.namespace ?? '']));
  }

  /** Sees to it that the object's template has a revision, with the highest number. */
  *keep(object: Revised, selector: LabelSelector, annotations: Readonly<Record<string, string>> | undefined): Task<Keeping> {
    const {uid, namespace = ''} = object.metadata;
    const heard = [...this.#byOwner.of(uid).values(), ...this.#orphans.of(namespace).values()];
    const claimed = claim(object, selector, this.#writes.merge(uid, heard));
    const own = yield* settleClaim(this.#client, claimed, {resource: revisions, owner: object, kind: this.#kind});
    const {current, old, number} = planHistory(object, own);
    if (!current) return yield* this.#create(object, old, {number, annotations});
    if (current.revision >= number) return {current, old};
    const result = yield* this.#client.ask<ControllerRevision>(
      update(revisions, {...current, revision: number} as ControllerRevision),
    );
    if (!result.ok) return 'failed';
    this.#writes.wrote(uid, result.value);
    return {current: result.value, old};
  }

  *#create(
    object: Revised,
    old: readonly ControllerRevision[],
    how: {readonly number: number; readonly annotations: Readonly<Record<string, string>> | undefined},
  ): Task<Keeping> {
    const draft = newRevision(object, this.#kind, how);
    const result = yield* this.#client.ask<ControllerRevision>(create(revisions, draft));
    if (result.ok) {
      this.#writes.wrote(object.metadata.uid, result.value);
      return {current: result.value, old};
    }
    if (result.status.reason !== 'AlreadyExists') return 'failed';
    const {name, namespace} = draft.metadata;
    const found = yield* this.#client.ask<ControllerRevision>(get(revisions, {name, namespace}));
    if (!found.ok) return 'failed';
    return isSameValue(found.value.data, revisionData(object.spec.template)) ? {current: found.value, old} : 'collision';
  }

  /** Removes old revisions beyond the limit that no pod carries. */
  *trim(object: Revised, old: readonly ControllerRevision[], alive: ReadonlySet<string>): Task {
    const surplus = superfluousRevisions(old, object.spec.revisionHistoryLimit ?? 10, alive);
    yield* sendAll(
      this.#client,
      surplus.map(({metadata: {name, namespace}}) => remove(revisions, {name, namespace})),
    );
    for (const each of surplus) this.#writes.removed(object.metadata.uid, each);
  }

  /** The object is gone. */
  forget(uid: string): void {
    this.#writes.forget(uid);
  }
}
