// The resource quota controller: counts what a namespace uses when a quota is made or changed, and when something that counts has
// gone; every five minutes all quotas, in case admission counted what did not come. What comes is counted by admission.
import type {Pod, ResourceQuota} from '../../../api/kinds/core-v1.ts';
import {keyOf, type AnyObject} from '../../../api/meta/object.ts';
import {isTerminal} from '../../../api/meta/pod.ts';
import {plus, type Quantities} from '../../../api/meta/pod-resources.ts';
import {countedBy, isInScope, usageOf} from '../../../api/meta/quota.ts';
import {canonicalQuantity} from '../../../api/meta/quantity.ts';
import {builtin, type ResourceFacts} from '../../../api/meta/resources.ts';
import type {Index, Informer} from '../../../client/informer.ts';
import {update} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {isSameValue} from '../same-value.ts';

const quotas = builtin('resourcequotas');
const LIE_MS = 100;
const PERIOD_MS = 300_000;

/** Counts. */
export const resourceQuotaController: Controller = {
  name: 'resourcequota-controller',
  account: 'resourcequota-controller',
  start: context => {
    new QuotaLoop(context).start();
  },
};

class QuotaLoop {
  readonly #context: Context;
  readonly #quotas: Informer<ResourceQuota>;
  readonly #byNamespace: Index<ResourceQuota>;
  /** What is counted, by namespace; a kind is watched from the first quota on that names it. */
  readonly #watched = new Map<string, Index<AnyObject>>();
  readonly #queue: WorkQueue;

  constructor(context: Context) {
    this.#context = context;
    this.#quotas = context.informers.of<ResourceQuota>(quotas);
    this.#byNamespace = this.#quotas.index(quota => [quota.metadata.namespace ?? '']);
    this.#queue = context.queue({reconcile: key => this.#reconcile(key), lieMs: LIE_MS});
  }

  /** Begins to listen. */
  start(): void {
    // A quota binds nobody before it is counted: a new one does not wait.
    const wake = (quota: ResourceQuota): void => {
      if (isCounted(quota)) this.#queue.add(keyOf(quota));
      else this.#queue.addNow(keyOf(quota));
    };
    this.#quotas.on({
      added: wake,
      updated: (quota, old) => {
        if (quota.spec !== old.spec) wake(quota);
      },
    });
    this.#context.whenSynced(() => {
      this.#context.daemon.scope.every(PERIOD_MS, () => {
        for (const key of this.#quotas.store.keys()) this.#queue.add(key);
      });
    });
  }

  #watch(resource: ResourceFacts): Index<AnyObject> {
    const name = `${resource.group}/${resource.resource}`;
    const known = this.#watched.get(name);
    if (known) return known;
    const informer = this.#context.informers.of<AnyObject>(resource);
    const index = informer.index(object => [object.metadata.namespace ?? '']);
    this.#watched.set(name, index);
    const wake = (object: AnyObject): void => {
      for (const key of this.#byNamespace.of(object.metadata.namespace ?? '').keys()) this.#queue.add(key);
    };
    informer.on({
      updated: (object, old) => {
        if (frees(resource, object, old)) wake(object);
      },
      deleted: wake,
    });
    informer.onSynced(() => {
      for (const key of this.#quotas.store.keys()) this.#queue.add(key);
    });
    return index;
  }

  *#reconcile(key: string): Task<Outcome> {
    const quota = this.#quotas.get(key);
    if (!quota) return undefined;
    const hard = Object.entries(quota.spec?.hard ?? {}).map(([name, quantity]) => [name, canonicalQuantity(quantity)] as const);
    const used = this.#count(
      quota,
      hard.map(([name]) => name),
    );
    const status = {hard: Object.fromEntries(hard), used};
    if (isSameValue(quota.status, status)) return undefined;
    const result = yield* this.#context.client.ask(update(quotas, {...quota, status}, 'status'));
    return result.ok || result.status.code === 404 ? undefined : 'again';
  }

  #count(quota: ResourceQuota, names: readonly string[]): Readonly<Record<string, string>> {
    const {namespace = ''} = quota.metadata;
    const kinds = new Set(names.flatMap(name => this.#resourceOf(name) ?? []));
    let sum: Quantities = {};
    for (const kind of kinds) {
      for (const object of this.#watch(kind).of(namespace).values())
        if (isInScope(quota, kind, object)) sum = plus(sum, usageOf(kind, object));
    }
    const known = names.filter(name => this.#resourceOf(name) !== undefined);
    return Object.fromEntries(known.map(name => [name, canonicalQuantity(sum[name] ?? '0')]));
  }

  #resourceOf(name: string): ResourceFacts | undefined {
    const counted = countedBy(name);
    return counted && this.#context.kinds.namespaced(counted.group, counted.resource);
  }
}

/** Does its status tell of every limit? */
function isCounted({spec, status}: ResourceQuota): boolean {
  return Object.keys(spec?.hard ?? {}).every(name => status?.hard?.[name] !== undefined);
}

/** Does a change give something back? A pod that ends, a Service or claim that asks for something else. */
function frees(resource: ResourceFacts, object: AnyObject, old: AnyObject): boolean {
  if (resource.group !== '') return false;
  if (resource.resource === 'pods') return isTerminal(object as unknown as Pod) && !isTerminal(old as unknown as Pod);
  return ['services', 'persistentvolumeclaims'].includes(resource.resource) && object.spec !== old.spec;
}
