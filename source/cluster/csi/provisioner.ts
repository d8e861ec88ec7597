// The external provisioner: makes a disk for each claim that names one of the driver's classes, and takes it away when the claim is
// gone and the volume's policy says so.
//
// Not modelled: copies of other claims and of snapshots, storage capacities, several provisioners of one driver with a lease among them.
import type {Node, PersistentVolume, PersistentVolumeClaim} from '../../api/kinds/core-v1.ts';
import type {StorageClass, VolumeAttachment} from '../../api/kinds/storage-v1.ts';
import {DISK_DRIVER} from '../../api/meta/disk-driver.ts';
import {keyOf} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import {classOfClaim, SELECTED_NODE} from '../../api/meta/volume-match.ts';
import type {Informer} from '../../client/informer.ts';
import {create, remove, update} from '../../client/verbs.ts';
import type {Outcome} from '../../client/work-queue.ts';
import {sleep, type Task} from '../../sim/task.ts';
import {Patience, refusalText, startPart, type Part, type PartOptions} from './context.ts';
import {DISK_FINALIZER, planCare, planDisk, volumeOf, wantsDisk} from './provisioning.ts';

const claims = builtin('persistentvolumeclaims');
const volumes = builtin('persistentvolumes');
const MAKING_MS = 700;
const TAKING_MS = 400;

/** Starts the provisioner. */
export function startProvisioner(options: PartOptions): void {
  const {daemon, pod} = options;
  const digits = daemon.dice.hex(32);
  const uuid = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join('-');
  const identity = `${Math.floor(daemon.wall())}-${1000 + daemon.dice.below(9000)}-${DISK_DRIVER}`;
  const component = `${DISK_DRIVER}_${pod}_${uuid}`;
  startPart(options, {name: 'csi-provisioner', component}, part => new Provisioner(part, identity).start());
}

class Provisioner {
  readonly #part: Part;
  readonly #identity: string;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #classes: Informer<StorageClass>;
  readonly #nodes: Informer<Node>;
  readonly #attachments: Informer<VolumeAttachment>;
  readonly #patience = new Patience();

  constructor(part: Part, identity: string) {
    const {informers} = part;
    this.#part = part;
    this.#identity = identity;
    this.#claims = informers.of(claims);
    this.#volumes = informers.of(volumes);
    this.#classes = informers.of(builtin('storage.k8s.io', 'storageclasses'));
    this.#nodes = informers.of(builtin('nodes'));
    this.#attachments = informers.of(builtin('storage.k8s.io', 'volumeattachments'));
  }

  /** Begins to listen. */
  start(): void {
    const {queue} = this.#part;
    const claimQueue = queue({reconcile: key => this.#lookAtClaim(key)});
    const volumeQueue = queue({reconcile: key => this.#lookAtVolume(key)});
    const claim = (object: PersistentVolumeClaim): void => {
      if (wantsDisk(object, this.#classOf(object))) claimQueue.add(keyOf(object));
    };
    this.#claims.on({added: claim, updated: claim});
    this.#classes.on({added: () => [...this.#claims.store.values()].forEach(claim)});
    const volume = (object: PersistentVolume): void => {
      if (planCare(object)) volumeQueue.add(object.metadata.name);
    };
    this.#volumes.on({added: volume, updated: volume});
  }

  #classOf(claim: PersistentVolumeClaim): StorageClass | undefined {
    return this.#classes.get(classOfClaim(claim));
  }

  *#lookAtClaim(key: string): Task<Outcome> {
    const claim = this.#claims.get(key);
    const storageClass = claim && this.#classOf(claim);
    if (!claim || !storageClass || !wantsDisk(claim, storageClass)) return undefined;
    const {client, recorder, disks} = this.#part;
    if (this.#volumes.get(`pvc-${claim.metadata.uid}`)) return undefined;
    const message = `External provisioner is provisioning volume for claim "${key}"`;
    recorder.record(claim, {type: 'Normal', reason: 'Provisioning', message});
    const plan = planDisk(claim, storageClass, this.#nodes.store);
    if ('error' in plan) return this.#failed(claim, storageClass, plan.error);
    yield* sleep(MAKING_MS);
    const name = `disk-${claim.metadata.uid}`;
    const disk = disks.make(name, {...plan, owner: key});
    if (typeof disk === 'string') {
      const outcome = this.#failed(claim, storageClass, refusalText(disk, name));
      // Where one zone has no room another may: the scheduler chooses anew.
      yield* this.#reschedule(claim);
      return outcome;
    }
    const made = yield* client.ask(
      create(volumes, volumeOf(claim, storageClass, {...plan, disk: name, identity: this.#identity})),
    );
    if (!made.ok && made.status.reason !== 'AlreadyExists') return 'again';
    this.#patience.forget(key);
    recorder.record(claim, {
      type: 'Normal',
      reason: 'ProvisioningSucceeded',
      message: `Successfully provisioned volume pvc-${claim.metadata.uid}`,
    });
    return undefined;
  }

  #failed(claim: PersistentVolumeClaim, {metadata}: StorageClass, why: string): Outcome {
    const message = `failed to provision volume with StorageClass "${metadata.name}": ${why}`;
    this.#part.recorder.record(claim, {type: 'Warning', reason: 'ProvisioningFailed', message});
    return this.#patience.failed(keyOf(claim));
  }

  *#reschedule(claim: PersistentVolumeClaim): Task {
    const {[SELECTED_NODE]: chosen, ...annotations} = claim.metadata.annotations ?? {};
    if (chosen !== undefined)
      yield* this.#part.client.ask(update(claims, {...claim, metadata: {...claim.metadata, annotations}}));
  }

  *#lookAtVolume(name: string): Task<Outcome> {
    const volume = this.#volumes.get(name);
    const care = volume && planCare(volume);
    if (!volume || !care) return undefined;
    if (care === 'remove') return yield* this.#remove(volume);
    const {finalizers = []} = volume.metadata;
    const next = care === 'hold' ? [...finalizers, DISK_FINALIZER] : finalizers.filter(each => each !== DISK_FINALIZER);
    return yield* this.#write({...volume, metadata: {...volume.metadata, finalizers: next}});
  }

  /** The disk goes first, then the object. */
  *#remove(volume: PersistentVolume): Task<Outcome> {
    const {client, recorder, disks} = this.#part;
    const {name} = volume.metadata;
    const handle = volume.spec?.csi?.volumeHandle ?? '';
    const attached = [...this.#attachments.store.values()].find(({spec}) => spec.source.persistentVolumeName === name);
    const refused = attached ? undefined : disks.drop(handle);
    if (attached || refused) {
      const message = attached
        ? `persistentvolume ${name} is still attached to node ${attached.spec.nodeName}`
        : refusalText(refused ?? 'elsewhere', handle);
      recorder.record(volume, {type: 'Warning', reason: 'VolumeFailedDelete', message});
      return this.#patience.failed(name);
    }
    this.#patience.forget(name);
    yield* sleep(TAKING_MS);
    if (volume.metadata.deletionTimestamp === undefined) {
      const removed = yield* client.ask<PersistentVolume>(remove(volumes, {name}));
      if (!removed.ok) return removed.status.code === 404 ? undefined : 'again';
    }
    const latest = this.#volumes.get(name) ?? volume;
    const finalizers = (latest.metadata.finalizers ?? []).filter(each => each !== DISK_FINALIZER);
    return yield* this.#write({...latest, metadata: {...latest.metadata, finalizers}});
  }

  *#write(volume: PersistentVolume): Task<Outcome> {
    const result = yield* this.#part.client.ask(update(volumes, volume));
    return result.ok || result.status.code === 404 ? undefined : 'again';
  }
}
