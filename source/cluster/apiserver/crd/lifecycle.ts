// The life of a definition, carried out by each API server: its names are accepted or not, it is established, and when it is deleted
// its objects go first. Several servers may do this at once; whoever comes second finds it done.
import type {CustomResourceDefinition, CustomResourceDefinitionCondition} from '../../../api/kinds/apiextensions-v1.ts';
import {findCondition, isConditionTrue, withCondition} from '../../../api/meta/conditions.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {sleep, type Task} from '../../../sim/task.ts';
import type {Core} from '../core.ts';
import {Refused} from '../http/refused.ts';
import {ownWrite} from '../registry/own-write.ts';
import {removeObject} from '../registry/remove.ts';
import type {Served} from '../registry/served.ts';
import {updateObject} from '../registry/update.ts';
import {planApproval} from './approval.ts';
import {CLEANUP} from './definition-strategy.ts';
import {planEstablished, planNames} from './naming.ts';

type Condition = Omit<CustomResourceDefinitionCondition, 'lastTransitionTime'>;
type Status = NonNullable<CustomResourceDefinition['status']>;

const GROUP = 'apiextensions.k8s.io';
/** When a deletion is heard of here, as by any client that watches: who deletes a file with a definition and its objects finds both. */
const HEARD_MS = 30;
const POLL_MS = 5000;
const PATIENCE_MS = 60_000;

/** Leads definitions through their life. */
export class DefinitionLife {
  readonly #core: Core;
  readonly #served: Served;
  readonly #due = new Set<string>();
  readonly #cleaning = new Set<string>();
  #running = false;

  constructor(core: Core) {
    this.#core = core;
    this.#served = core.resources.of('customresourcedefinitions', GROUP);
  }

  /** Begins to follow, once the caches are filled. */
  follow(): void {
    this.#served.cache.on((now, before, name) => {
      if (now) this.#wake(name);
      const old = before as unknown as CustomResourceDefinition | undefined;
      const next = now as unknown as CustomResourceDefinition | undefined;
      // Names that became free may be another's.
      if (old && old.status?.acceptedNames !== next?.status?.acceptedNames) this.#wakeGroup(old.spec.group, name);
    });
  }

  #wakeGroup(group: string, except: string): void {
    for (const {metadata, spec} of this.#core.definitions.all)
      if (spec.group === group && metadata.name !== except) this.#wake(metadata.name);
  }

  #wake(name: string): void {
    this.#due.add(name);
    if (this.#running) return;
    this.#running = true;
    const {scope} = this.#core.daemon;
    scope.soon(() =>
      scope.run(this.#work(), () => {
        this.#running = false;
      }),
    );
  }

  *#work(): Task {
    for (let name = this.#next(); name !== undefined; name = this.#next()) yield* this.#look(name);
  }

  #next(): string | undefined {
    const [name] = this.#due;
    if (name !== undefined) this.#due.delete(name);
    return name;
  }

  *#look(name: string): Task {
    const definition = this.#served.cache.get(name) as unknown as CustomResourceDefinition | undefined;
    if (!definition) return;
    const {spec, metadata} = definition;
    if (metadata.deletionTimestamp !== undefined) {
      if (metadata.finalizers?.includes(CLEANUP) && !this.#cleaning.has(name)) {
        this.#cleaning.add(name);
        this.#core.daemon.scope.run(this.#cleanUp(name), () => this.#cleaning.delete(name));
      }
      return;
    }
    const group = this.#core.definitions.all.filter(each => each.spec.group === spec.group);
    const naming = planNames(definition, group);
    if (naming) {
      yield* this.#put(name, status => ({...status, acceptedNames: naming.acceptedNames}), naming.conditions);
      return;
    }
    const next = planEstablished(definition) ?? planApproval(definition);
    if (next) yield* this.#put(name, status => status, [next]);
  }

  *#cleanUp(name: string): Task {
    const {definitions, resources} = this.#core;
    yield* sleep(HEARD_MS);
    const condition = (status: string, reason: string, message: string): Condition => ({
      type: 'Terminating',
      status,
      reason,
      message,
    });
    yield* this.#put(name, status => status, [
      condition('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress'),
    ]);
    const definition = definitions.all.find(each => each.metadata.name === name);
    if (!definition) return;
    const served = resources.custom.find(each => each.facts.custom?.definition === name);
    const established = isConditionTrue(definition.status?.conditions, 'Established');
    let last = condition('False', 'NeverEstablished', 'resource was never established');
    if (established && served) {
      while (!(yield* this.#removeAll(served))) {
        const why = 'could not confirm zero CustomResources remaining: timed out waiting for the condition';
        yield* this.#put(name, status => status, [condition('True', 'InstanceDeletionCheck', why)]);
        yield* sleep(POLL_MS);
      }
      last = condition('False', 'InstanceDeletionCompleted', 'removed all instances');
    }
    yield* this.#put(name, status => status, [last], true);
  }

  /** Deletes all objects and waits, for a while, until they are gone. */
  *#removeAll(served: Served): Task<boolean> {
    for (const {metadata} of served.cache.objects()) {
      const write = ownWrite(this.#core, served);
      yield* removeObject(write, {namespace: metadata.namespace ?? '', name: metadata.name}, {});
    }
    for (let waited = 0; waited <= PATIENCE_MS; waited += POLL_MS) {
      if (served.cache.size === 0) return true;
      yield* sleep(POLL_MS);
    }
    return false;
  }

  *#put(name: string, change: (status: Status) => Status, conditions: readonly Condition[], last = false): Task {
    const now = this.#core.daemon.now();
    const write = {...ownWrite(this.#core, this.#served), subresource: 'status', withoutWebhooks: true};
    const done = yield* updateObject(write, {
      name,
      namespace: '',
      change: old => {
        const definition = old as unknown as CustomResourceDefinition;
        const changed = change(definition.status ?? {});
        const status = conditions.reduce<Status>((sum, each) => {
          const before = findCondition(sum.conditions, each.type);
          const same = before?.status === each.status && before.reason === each.reason && before.message === each.message;
          return same ? sum : {...sum, conditions: withCondition(sum.conditions, {...each, lastTransitionTime: now})};
        }, changed);
        const finalizers = last ? old.metadata.finalizers?.filter(each => each !== CLEANUP) : old.metadata.finalizers;
        return {...old, metadata: last ? {...old.metadata, finalizers} : old.metadata, status} as AnyObject;
      },
    });
    if (done instanceof Refused && done.status.reason !== 'NotFound')
      this.#core.daemon.print(
        `E "status of CustomResourceDefinition could not be written" name=${JSON.stringify(name)} err=${JSON.stringify(done.status.message)}`,
      );
  }
}
