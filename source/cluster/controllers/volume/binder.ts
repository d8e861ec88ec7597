// The persistent volume controller: brings claims and volumes together. One worker for claims and one for volumes, so that no two
// claims run for the same volume. What waits is looked at again every fifteen seconds, which is when its events are repeated.
//
// Not modelled: provisioning or deleting by plugins inside the control plane, of which hostPath below /tmp is the only one left.
import type {ObjectReference, PersistentVolume, PersistentVolumeClaim, Pod} from '../../../api/kinds/core-v1.ts';
import type {StorageClass} from '../../../api/kinds/storage-v1.ts';
import {keyOf} from '../../../api/meta/object.ts';
import {isTerminal} from '../../../api/meta/pod.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {bestVolume, BOUND_BY, boundVolume, classOfClaim, classOfVolume} from '../../../api/meta/volume-match.ts';
import type {Index, Informer} from '../../../client/informer.ts';
import {remove, update} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {isSameValue} from '../same-value.ts';
import {claimIndex} from './claim-index.ts';
import {boundClaim, boundStatus, planClaim, planVolume, type VolumeStep} from './plan.ts';
import {sweep} from './recycling.ts';
import {defaultClass, isDelayed, planProvisioning} from './provisioning.ts';

const volumes = builtin('persistentvolumes');
const claims = builtin('persistentvolumeclaims');
const classes = builtin('storage.k8s.io', 'storageclasses');
const PERIOD_MS = 15_000;

/** Binds claims and volumes. */
export const volumeBinderController: Controller = {
  name: 'persistentvolume-binder-controller',
  account: 'persistent-volume-binder',
  component: 'persistentvolume-controller',
  start: context => {
    new Binder(context).start();
  },
};

class Binder {
  readonly #context: Context;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #classes: Informer<StorageClass>;
  /** Volumes without a claim, by class; those with one, by the claim's key. */
  readonly #free: Index<PersistentVolume>;
  readonly #reserved: Index<PersistentVolume>;
  readonly #podsByClaim: Index<Pod>;
  readonly #claimQueue: WorkQueue;
  readonly #volumeQueue: WorkQueue;
  /** The uids of volumes that are being swept. */
  readonly #swept = new Set<string>();

  constructor(context: Context) {
    this.#context = context;
    this.#volumes = context.informers.of<PersistentVolume>(volumes);
    this.#claims = context.informers.of<PersistentVolumeClaim>(claims);
    this.#classes = context.informers.of<StorageClass>(classes);
    this.#free = this.#volumes.index(volume => (volume.spec?.claimRef ? [] : [classOfVolume(volume)]));
    this.#reserved = this.#volumes.index(volume => (volume.spec?.claimRef ? [keyOfReference(volume.spec.claimRef)] : []));
    this.#podsByClaim = claimIndex(context.informers);
    this.#claimQueue = context.queue({reconcile: key => this.#lookAtClaim(key), workers: 1});
    this.#volumeQueue = context.queue({reconcile: key => this.#lookAtVolume(key), workers: 1});
  }

  /** Begins to listen. */
  start(): void {
    const claim = (object: PersistentVolumeClaim): void => this.#claimQueue.add(keyOf(object));
    const volumeOf = (object: PersistentVolumeClaim): void => {
      if (object.spec?.volumeName) this.#volumeQueue.add(object.spec.volumeName);
    };
    this.#claims.on({added: claim, updated: claim, deleted: volumeOf});
    const volume = (object: PersistentVolume): void => this.#volumeQueue.add(object.metadata.name);
    const claimOf = (object: PersistentVolume): void => {
      if (object.spec?.claimRef) this.#claimQueue.add(keyOfReference(object.spec.claimRef));
    };
    const changed = (object: PersistentVolume, old: PersistentVolume): void => {
      volume(object);
      const reference = object.spec?.claimRef;
      // What a bound volume says of itself reaches its claim with the next of the looks that all claims get.
      if (reference && object.spec !== old.spec) this.#claimQueue.addAfter(keyOfReference(reference), PERIOD_MS);
    };
    this.#volumes.on({added: volume, updated: changed, deleted: claimOf});
    this.#classes.on({added: () => this.#wakeClassless(), updated: () => this.#wakeClassless()});
  }

  /** A new default class is for claims that name none. */
  #wakeClassless(): void {
    for (const [key, claim] of this.#claims.store) if (claim.spec?.storageClassName === undefined) this.#claimQueue.add(key);
  }

  *#lookAtClaim(key: string): Task<Outcome> {
    const claim = this.#claims.get(key);
    if (!claim) return undefined;
    const named = this.#volumes.get(claim.spec?.volumeName ?? '');
    const plan = planClaim(claim, named);
    if (plan.step === 'bind') return yield* this.#bind(plan.volume, claim);
    if (plan.step === 'search') return yield* this.#search(claim);
    const {event} = plan;
    if (event && claim.status?.phase !== 'Lost') this.#context.recorder.record(claim, event);
    const fine = yield* this.#writeClaimPhase(claim, plan.step === 'lose' ? 'Lost' : 'Pending');
    return fine ? {afterMs: PERIOD_MS} : 'again';
  }

  *#search(claim: PersistentVolumeClaim): Task<Outcome> {
    const className = classOfClaim(claim);
    const storageClass = this.#classes.get(className);
    const delayed = isDelayed(claim, storageClass);
    const candidates = [...this.#free.of(className).values(), ...this.#reserved.of(keyOf(claim)).values()];
    const volume = bestVolume(claim, candidates, delayed);
    if (volume) return yield* this.#bind(volume, claim);
    if (claim.spec?.storageClassName === undefined && className === '') {
      const chosen = defaultClass(this.#classes.store.values());
      if (chosen) return yield* this.#giveClass(claim, chosen.metadata.name);
    }
    if (!(yield* this.#tellWhy(claim, {className, storageClass, delayed}))) return 'again';
    return (yield* this.#writeClaimPhase(claim, 'Pending')) ? {afterMs: PERIOD_MS} : 'again';
  }

  *#giveClass(claim: PersistentVolumeClaim, storageClassName: string): Task<Outcome> {
    const next = {...claim, spec: {...claim.spec, storageClassName}};
    const result = yield* this.#context.client.ask(update(claims, next));
    return result.ok || result.status.code === 404 ? undefined : 'again';
  }

  /** Says what the claim waits for; false when a write failed. */
  *#tellWhy(
    claim: PersistentVolumeClaim,
    how: {readonly className: string; readonly storageClass: StorageClass | undefined; readonly delayed: boolean},
  ): Task<boolean> {
    const {recorder, client} = this.#context;
    if (how.delayed) {
      const [pod] = this.#podsByClaim.of(keyOf(claim)).values();
      const message = pod
        ? `waiting for pod ${pod.metadata.name} to be scheduled`
        : 'waiting for first consumer to be created before binding';
      recorder.record(claim, {type: 'Normal', reason: pod ? 'WaitForPodScheduled' : 'WaitForFirstConsumer', message});
      return true;
    }
    if (how.className === '') {
      const message = 'no persistent volumes available for this claim and no storage class is set';
      recorder.record(claim, {type: 'Normal', reason: 'FailedBinding', message});
      return true;
    }
    const {event, annotations} = planProvisioning(how.className, how.storageClass);
    const missing = Object.entries(annotations).some(([name, value]) => claim.metadata.annotations?.[name] !== value);
    if (missing) {
      const metadata = {...claim.metadata, annotations: {...claim.metadata.annotations, ...annotations}};
      const result = yield* client.ask(update(claims, {...claim, metadata}));
      if (!result.ok) return result.status.code === 404;
    }
    recorder.record(claim, event);
    return true;
  }

  /** The four writes of a binding, as far as they are missing. */
  *#bind(volume: PersistentVolume, claim: PersistentVolumeClaim): Task<Outcome> {
    const {client} = this.#context;
    const wanted = boundVolume(volume, claim);
    let latest = volume;
    if (wanted !== volume) {
      const result = yield* client.ask<PersistentVolume>(update(volumes, wanted));
      if (!result.ok) return 'again';
      latest = result.value;
    }
    if (!(yield* this.#writeVolumePhase(latest, {phase: 'Bound'}))) return 'again';
    const named = boundClaim(claim, latest);
    let written = claim;
    if (named !== claim) {
      const result = yield* client.ask<PersistentVolumeClaim>(update(claims, named));
      if (!result.ok) return 'again';
      written = result.value;
    }
    return (yield* this.#writeClaimStatus(written, boundStatus(written, latest))) ? undefined : 'again';
  }

  *#lookAtVolume(name: string): Task<Outcome> {
    const {client, recorder} = this.#context;
    const volume = this.#volumes.get(name);
    if (!volume) return undefined;
    const reference = volume.spec?.claimRef;
    const claim = reference && this.#claims.get(keyOfReference(reference));
    const step = planVolume(volume, claim);
    if (step.wakeClaim && reference) this.#claimQueue.add(keyOfReference(reference));
    const told = volume.status?.phase === step.phase && volume.status.message === step.message;
    if (step.event && !told) recorder.record(volume, step.event);
    if (step.unbind) return (yield* this.#unbind(volume)) ? undefined : 'again';
    if (!(yield* this.#writeVolumePhase(volume, step))) return 'again';
    if (step.recycle) return this.#recycle(name);
    if (!step.remove || volume.metadata.deletionTimestamp !== undefined) return undefined;
    const result = yield* client.ask(remove(volumes, {name}));
    return result.ok || result.status.code === 404 ? undefined : 'again';
  }

  /** Begins to sweep a volume, unless that is under way. */
  #recycle(name: string): Outcome {
    const {daemon, recorder} = this.#context;
    const volume = this.#volumes.get(name);
    if (!volume || this.#swept.has(volume.metadata.uid)) return undefined;
    const users = this.#usersOf(volume);
    if (users.length > 0) {
      const message = `Volume is used by pods: ${users.join(',')}`;
      recorder.record(volume, {type: 'Normal', reason: 'VolumeFailedRecycle', message});
      return {afterMs: PERIOD_MS};
    }
    this.#swept.add(volume.metadata.uid);
    daemon.scope.run(this.#sweep(volume), () => {
      this.#swept.delete(volume.metadata.uid);
      this.#volumeQueue.addAfter(name, PERIOD_MS);
    });
    return undefined;
  }

  /** Pods that still use the volume through the claim that is gone. */
  #usersOf({spec}: PersistentVolume): readonly string[] {
    const key = spec?.claimRef ? keyOfReference(spec.claimRef) : '';
    if (this.#claims.get(key)) return [];
    return [...this.#podsByClaim.of(key).values()].filter(pod => !isTerminal(pod)).map(keyOf);
  }

  *#sweep(volume: PersistentVolume): Task {
    const {recorder} = this.#context;
    const wrong = yield* sweep(this.#context, volume);
    const latest = this.#volumes.get(volume.metadata.name);
    if (latest?.metadata.uid !== volume.metadata.uid) return;
    if (wrong === undefined) {
      recorder.record(volume, {type: 'Normal', reason: 'VolumeRecycled', message: 'Volume recycled'});
      yield* this.#unbind(latest);
      return;
    }
    const message = `Recycle failed: ${wrong}`;
    const isKnown = latest.status?.phase === 'Failed' && latest.status.message === message;
    if (!isKnown) recorder.record(volume, {type: 'Warning', reason: 'VolumeFailedRecycle', message});
    yield* this.#writeVolumePhase(latest, {phase: 'Failed', message});
  }

  /** Lets go of the claim: wholly where the controller chose it, else only of its uid. */
  *#unbind(volume: PersistentVolume): Task<boolean> {
    const {[BOUND_BY]: chosen, ...annotations} = volume.metadata.annotations ?? {};
    const {claimRef, ...spec} = volume.spec ?? {};
    const {uid: _uid, resourceVersion: _version, ...name} = claimRef ?? {};
    const next = {
      ...volume,
      metadata: {...volume.metadata, annotations},
      spec: chosen === undefined ? {...spec, claimRef: name} : spec,
    };
    const result = yield* this.#context.client.ask(update(volumes, next));
    return result.ok || result.status.code === 404;
  }

  *#writeVolumePhase(volume: PersistentVolume, {phase, message}: VolumeStep): Task<boolean> {
    const old = volume.status;
    if (old?.phase === phase && old.message === message) return true;
    const since = old?.phase === phase ? old.lastPhaseTransitionTime : this.#context.daemon.now();
    const status = {phase, ...(message === undefined ? {} : {message}), ...(since ? {lastPhaseTransitionTime: since} : {})};
    const result = yield* this.#context.client.ask(update(volumes, {...volume, status}, 'status'));
    return result.ok || result.status.code === 404;
  }

  *#writeClaimPhase(claim: PersistentVolumeClaim, phase: 'Pending' | 'Lost'): Task<boolean> {
    return yield* this.#writeClaimStatus(claim, phase === 'Lost' ? {phase} : {...claim.status, phase});
  }

  *#writeClaimStatus(claim: PersistentVolumeClaim, status: NonNullable<PersistentVolumeClaim['status']>): Task<boolean> {
    if (isSameValue(claim.status, status)) return true;
    const latest = this.#claims.get(keyOf(claim));
    const newer = latest && Number(latest.metadata.resourceVersion) > Number(claim.metadata.resourceVersion) ? latest : claim;
    const result = yield* this.#context.client.ask(update(claims, {...newer, status}, 'status'));
    return result.ok || result.status.code === 404;
  }
}

function keyOfReference({namespace, name}: ObjectReference): string {
  return `${namespace}/${name}`;
}
