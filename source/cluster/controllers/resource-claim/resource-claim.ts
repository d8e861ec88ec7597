// The resource claim controller: makes claims from the templates that pods name, and gives devices back that no pod needs.
// A pod that was bound by hand gets its claims reserved here: no scheduler did.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {ResourceClaim, ResourceClaimTemplate} from '../../../api/kinds/resource-v1.ts';
import {controllerOf, keyOf} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Index, Informer} from '../../../client/informer.ts';
import {create, patch, remove, update} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {podIndexes} from '../pod-index.ts';
import {claimFrom, FINALIZER, isPodDone, madeFor, planClaim} from './plan.ts';

const claims = builtin('resource.k8s.io', 'resourceclaims');
const templates = builtin('resource.k8s.io', 'resourceclaimtemplates');
const pods = builtin('pods');
const MOST_CONSUMERS = 256;

/** Keeps claims for devices. */
export const resourceClaimController: Controller = {
  name: 'resourceclaim-controller',
  account: 'resource-claim-controller',
  component: 'resource_claim',
  start: context => {
    new Claims(context).start();
  },
};

class Claims {
  readonly #context: Context;
  readonly #claims: Informer<ResourceClaim>;
  readonly #templates: Informer<ResourceClaimTemplate>;
  readonly #byOwner: Index<ResourceClaim>;
  readonly #byUser: Index<ResourceClaim>;
  readonly #podQueue: WorkQueue;
  readonly #claimQueue: WorkQueue;

  constructor(context: Context) {
    this.#context = context;
    this.#claims = context.informers.of<ResourceClaim>(claims);
    this.#templates = context.informers.of<ResourceClaimTemplate>(templates);
    this.#byOwner = this.#claims.index(claim => [controllerOf(claim)?.uid ?? '']);
    this.#byUser = this.#claims.index(({status}) => (status?.reservedFor ?? []).map(({uid}) => uid));
    this.#podQueue = context.queue({reconcile: key => this.#lookAtPod(key)});
    this.#claimQueue = context.queue({reconcile: key => this.#lookAtClaim(key)});
  }

  /** Begins to listen. */
  start(): void {
    const {informers} = this.#context;
    const look = (pod: Pod): void => {
      if (!pod.spec.resourceClaims) return;
      if (isPodDone(pod)) this.#wakeClaims(pod);
      else this.#podQueue.add(keyOf(pod));
    };
    podIndexes(informers).pods.on({
      added: look,
      updated: look,
      deleted: pod => {
        if (pod.spec.resourceClaims) this.#wakeClaims(pod);
      },
    });
    const claim = (object: ResourceClaim): void => this.#claimQueue.add(keyOf(object));
    this.#claims.on({added: claim, updated: claim});
    this.#templates.on({added: template => this.#wakeUsers(template)});
  }

  #wakeClaims({metadata}: Pod): void {
    for (const key of this.#byUser.of(metadata.uid).keys()) this.#claimQueue.add(key);
    for (const key of this.#byOwner.of(metadata.uid).keys()) this.#claimQueue.add(key);
  }

  /** Pods that were waiting for a template. */
  #wakeUsers({metadata}: ResourceClaimTemplate): void {
    for (const [key, {metadata: of, spec}] of podIndexes(this.#context.informers).pods.store) {
      if (of.namespace !== metadata.namespace) continue;
      if (spec.resourceClaims?.some(each => each.resourceClaimTemplateName === metadata.name)) this.#podQueue.add(key);
    }
  }

  *#lookAtPod(key: string): Task<Outcome> {
    const {client, recorder, informers} = this.#context;
    const pod = podIndexes(informers).pods.get(key);
    if (!pod || isPodDone(pod)) return undefined;
    const made = new Map((pod.status?.resourceClaimStatuses ?? []).map(each => [each.name, each.resourceClaimName]));
    const before = made.size;
    for (const entry of pod.spec.resourceClaims ?? []) {
      const {name, resourceClaimTemplateName: template} = entry;
      if (template === undefined || made.has(name)) continue;
      const result = yield* this.#make(pod, entry, template);
      if ('name' in result) {
        made.set(name, result.name);
        continue;
      }
      const message = `PodResourceClaim ${name}: ${result.why}`;
      recorder.record(pod, {type: 'Warning', reason: 'FailedResourceClaimCreation', message});
      return 'again';
    }
    if (made.size === before) return pod.spec.nodeName ? yield* this.#reserve(pod) : undefined;
    const statuses = [...made].map(([name, resourceClaimName]) => ({name, ...(resourceClaimName ? {resourceClaimName} : {})}));
    const place = {namespace: pod.metadata.namespace, name: pod.metadata.name, subresource: 'status'};
    const result = yield* client.ask(patch(pods, place, 'strategic', {status: {resourceClaimStatuses: statuses}}));
    return result.ok || result.status.code === 404 ? undefined : 'again';
  }

  /** Reserves for a pod that has its node what it uses, and what has its devices. */
  *#reserve(pod: Pod): Task<Outcome> {
    const {name, uid} = pod.metadata;
    for (const key of claimKeys(pod)) {
      const claim = this.#claims.get(key);
      const {allocation, reservedFor = []} = claim?.status ?? {};
      if (!claim || !allocation || reservedFor.length >= MOST_CONSUMERS || reservedFor.some(each => each.uid === uid)) continue;
      const owner = controllerOf(claim);
      if (owner?.kind === 'Pod' && owner.uid !== uid) continue;
      const status = {...claim.status, reservedFor: [...reservedFor, {resource: 'pods', name, uid}]};
      const result = yield* this.#context.client.ask(update(claims, {...claim, status}, 'status'));
      if (result.ok) continue;
      const message = `PodResourceClaim ${JSON.stringify(claim.metadata.name)}: reserve claim for pod: ${result.status.message}`;
      this.#context.recorder.record(pod, {type: 'Warning', reason: 'FailedResourceClaimCreation', message});
      if (result.status.code !== 404) return 'again';
    }
    return undefined;
  }

  *#make(
    pod: Pod,
    entry: NonNullable<Pod['spec']['resourceClaims']>[number],
    templateName: string,
  ): Task<{readonly name: string} | {readonly why: string}> {
    const known = madeFor(pod, entry, this.#byOwner.of(pod.metadata.uid).values());
    if (known) return {name: known.metadata.name};
    const template = this.#templates.get(`${pod.metadata.namespace}/${templateName}`);
    const quoted = JSON.stringify(templateName);
    if (!template) return {why: `resource claim template ${quoted}: resourceclaimtemplate.resource.k8s.io ${quoted} not found`};
    const result = yield* this.#context.client.ask<ResourceClaim>(create(claims, claimFrom(pod, entry, template)));
    return result.ok ? {name: result.value.metadata.name} : {why: `create ResourceClaim : ${result.status.message}`};
  }

  *#lookAtClaim(key: string): Task<Outcome> {
    const {client, informers} = this.#context;
    const claim = this.#claims.get(key);
    if (!claim) return undefined;
    const {pods: known} = podIndexes(informers);
    const plan = planClaim(claim, (uid, name) => {
      const pod = known.get(`${claim.metadata.namespace}/${name}`);
      return pod?.metadata.uid === uid ? pod : undefined;
    });
    if (plan === 'keep') return undefined;
    if (plan === 'remove') {
      const place = {namespace: claim.metadata.namespace, name: claim.metadata.name};
      const gone = yield* client.ask(remove(claims, place, {preconditions: {uid: claim.metadata.uid}}));
      return gone.ok || gone.status.code === 404 ? undefined : 'again';
    }
    const result = yield* client.ask<ResourceClaim>(update(claims, {...claim, status: plan.status}, 'status'));
    if (!result.ok) return result.status.code === 404 ? undefined : 'again';
    if (!plan.release) return undefined;
    const finalizers = (result.value.metadata.finalizers ?? []).filter(each => each !== FINALIZER);
    const freed = yield* client.ask(update(claims, {...result.value, metadata: {...result.value.metadata, finalizers}}));
    return freed.ok || freed.status.code === 404 ? undefined : 'again';
  }
}

/** The claims of a pod that there are by name: its own, and those made from templates. */
function claimKeys({metadata, spec, status}: Pod): readonly string[] {
  return (spec.resourceClaims ?? []).flatMap(({name, resourceClaimName}) => {
    const made = status?.resourceClaimStatuses?.find(each => each.name === name)?.resourceClaimName;
    const claim = resourceClaimName ?? made;
    return claim === undefined ? [] : [`${metadata.namespace}/${claim}`];
  });
}
