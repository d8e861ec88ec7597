// The external attacher: carries out what VolumeAttachments ask for. An attachment whose disk another node has waits, and says why.
import type {PersistentVolume} from '../../api/kinds/core-v1.ts';
import type {CSINode, VolumeAttachment} from '../../api/kinds/storage-v1.ts';
import {DISK_DRIVER} from '../../api/meta/disk-driver.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {Informer} from '../../client/informer.ts';
import {update} from '../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../client/work-queue.ts';
import {sleep, type Task} from '../../sim/task.ts';
import {Patience, refusalText, startPart, type Part, type PartOptions} from './context.ts';

const attachments = builtin('storage.k8s.io', 'volumeattachments');
const volumes = builtin('persistentvolumes');
const FINALIZER = `external-attacher/${DISK_DRIVER.replaceAll('.', '-')}`;
const NODE_ID = 'csi.alpha.kubernetes.io/node-id';
const ATTACHING_MS = 900;
const DETACHING_MS = 600;

/** Starts the attacher. */
export function startAttacher(options: PartOptions): void {
  startPart(options, {name: 'csi-attacher', component: 'csi-attacher'}, part => new Attacher(part).start());
}

class Attacher {
  readonly #part: Part;
  readonly #attachments: Informer<VolumeAttachment>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #nodes: Informer<CSINode>;
  readonly #patience = new Patience();

  constructor(part: Part) {
    const {informers} = part;
    this.#part = part;
    this.#attachments = informers.of(attachments);
    this.#volumes = informers.of(volumes);
    this.#nodes = informers.of(builtin('storage.k8s.io', 'csinodes'));
  }

  /** Begins to listen. */
  start(): void {
    const {queue} = this.#part;
    const attachmentQueue = queue({reconcile: key => this.#look(key), workers: 10});
    const volumeQueue = queue({reconcile: key => this.#letVolumeGo(key)});
    const look = ({metadata, spec}: VolumeAttachment): void => {
      if (spec.attacher === DISK_DRIVER) attachmentQueue.add(metadata.name);
    };
    const release = ({metadata}: PersistentVolume): void => {
      if (metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(FINALIZER)) volumeQueue.add(metadata.name);
    };
    const again = (now: VolumeAttachment, before: VolumeAttachment): void => {
      if (!isOwnComplaint(now, before)) look(now);
    };
    this.#attachments.on({added: look, updated: again, deleted: ({spec}) => this.#wakeVolume(volumeQueue, spec.source)});
    this.#volumes.on({added: release, updated: release});
    this.#nodes.on({added: () => [...this.#attachments.store.values()].forEach(look)});
  }

  #wakeVolume(queue: WorkQueue, {persistentVolumeName}: VolumeAttachment['spec']['source']): void {
    if (persistentVolumeName) queue.add(persistentVolumeName);
  }

  *#look(name: string): Task<Outcome> {
    const attachment = this.#attachments.get(name);
    if (!attachment) return undefined;
    if (attachment.metadata.deletionTimestamp !== undefined) return yield* this.#detach(attachment);
    if (attachment.status?.attached) return undefined;
    const why = yield* this.#attach(attachment);
    if (why === 'again') return 'again';
    if (why === undefined) {
      this.#patience.forget(name);
      return undefined;
    }
    const latest = this.#attachments.get(name) ?? attachment;
    const attachError = {message: why, time: this.#part.daemon.now()};
    yield* this.#part.client.ask(update(attachments, {...latest, status: {attached: false, attachError}}, 'status'));
    return this.#patience.failed(name);
  }

  /** Why not? */
  *#attach(attachment: VolumeAttachment): Task<string | undefined> {
    const {client, disks} = this.#part;
    const {spec} = attachment;
    const volume = this.#volumes.get(spec.source.persistentVolumeName ?? '');
    if (!volume) return `persistentvolume ${JSON.stringify(spec.source.persistentVolumeName ?? '')} not found`;
    const known = this.#nodes.get(spec.nodeName)?.spec.drivers.find(each => each.name === DISK_DRIVER);
    if (!known) return `CSINode ${spec.nodeName} does not contain driver ${DISK_DRIVER}`;
    if (!volume.metadata.finalizers?.includes(FINALIZER)) {
      const finalizers = [...(volume.metadata.finalizers ?? []), FINALIZER];
      const kept = yield* client.ask(update(volumes, {...volume, metadata: {...volume.metadata, finalizers}}));
      if (!kept.ok) return 'again';
    }
    let marked = attachment;
    if (!attachment.metadata.finalizers?.includes(FINALIZER)) {
      const {metadata} = attachment;
      const annotations = {...metadata.annotations, [NODE_ID]: known.nodeID};
      const next = {...attachment, metadata: {...metadata, annotations, finalizers: [...(metadata.finalizers ?? []), FINALIZER]}};
      const result = yield* client.ask<VolumeAttachment>(update(attachments, next));
      if (!result.ok) return 'again';
      marked = result.value;
    }
    yield* sleep(ATTACHING_MS);
    const handle = volume.spec?.csi?.volumeHandle ?? '';
    const refused = disks.attach(handle, spec.nodeName);
    if (refused) return refusalText(refused, handle);
    const told = yield* client.ask(update(attachments, {...marked, status: {attached: true}}, 'status'));
    return told.ok || told.status.code === 404 ? undefined : 'again';
  }

  *#detach(attachment: VolumeAttachment): Task<Outcome> {
    const {metadata, spec} = attachment;
    if (!metadata.finalizers?.includes(FINALIZER)) return undefined;
    yield* sleep(DETACHING_MS);
    const handle = this.#volumes.get(spec.source.persistentVolumeName ?? '')?.spec?.csi?.volumeHandle;
    if (handle !== undefined) this.#part.disks.detach(handle, spec.nodeName);
    const finalizers = metadata.finalizers.filter(each => each !== FINALIZER);
    const result = yield* this.#part.client.ask(update(attachments, {...attachment, metadata: {...metadata, finalizers}}));
    return result.ok || result.status.code === 404 ? undefined : 'again';
  }

  /** A volume that is to go is held while an attachment names it. */
  *#letVolumeGo(name: string): Task<Outcome> {
    const volume = this.#volumes.get(name);
    if (!volume?.metadata.finalizers?.includes(FINALIZER) || volume.metadata.deletionTimestamp === undefined) return undefined;
    for (const {spec} of this.#attachments.store.values()) if (spec.source.persistentVolumeName === name) return undefined;
    const finalizers = volume.metadata.finalizers.filter(each => each !== FINALIZER);
    const result = yield* this.#part.client.ask(update(volumes, {...volume, metadata: {...volume.metadata, finalizers}}));
    return result.ok || result.status.code === 404 ? undefined : 'again';
  }
}

/** Has nothing changed but the error that was written here? To look at once would be to wait for nothing between tries. */
function isOwnComplaint(now: VolumeAttachment, before: VolumeAttachment): boolean {
  const {resourceVersion: _now, managedFields: _owners, ...metadata} = now.metadata;
  const {resourceVersion: _before, managedFields: _former, ...earlier} = before.metadata;
  const isAttached = ({status}: VolumeAttachment): boolean => status?.attached === true;
  return isAttached(now) === isAttached(before) && JSON.stringify(metadata) === JSON.stringify(earlier);
}
