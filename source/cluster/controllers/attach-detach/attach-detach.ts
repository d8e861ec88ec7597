// The attach-detach controller: attaches the volumes of CSI drivers to the nodes whose pods use them, and detaches them afterwards. It
// acts for nodes that say so by an annotation, as kubelets set it.
//
// A volume that its node still has mounted is not taken away, unless the node is not heard of for six minutes, or somebody has marked
// it as out of service.
//
// Not modelled: drivers that were moved out of tree, volumes in a pod's own spec.
import type {Node, PersistentVolume, PersistentVolumeClaim, Pod} from '../../../api/kinds/core-v1.ts';
import type {CSIDriver, VolumeAttachment} from '../../../api/kinds/storage-v1.ts';
import {isTerminal} from '../../../api/meta/pod.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Index, Informer} from '../../../client/informer.ts';
import {create, patch, remove} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {podIndexes} from '../pod-index.ts';
import {claimIndex, claimsOf} from '../volume/claim-index.ts';
import {attachmentOf, isManaged, isOwn, multiAttachText, planAttachments, planDetaching, uniqueName, type Users} from './plan.ts';

const attachments = builtin('storage.k8s.io', 'volumeattachments');
const nodes = builtin('nodes');
/** How long one waits for an attacher, and how often one looks at its refusal. */
const PATIENCE_MS = 120_000;
const FIRST_RETRY_MS = 500;

/** Attaches and detaches. */
export const attachDetachController: Controller = {
  name: 'persistentvolume-attach-detach-controller',
  account: 'attachdetach-controller',
  component: 'attachdetach-controller',
  start: context => {
    new Attacher(context).start();
  },
};

/** How far one attachment has come. */
interface Progress {
  since: number;
  told: boolean;
  retryMs: number;
  retryAt: number;
}

class Attacher {
  readonly #context: Context;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #nodes: Informer<Node>;
  readonly #drivers: Informer<CSIDriver>;
  readonly #byVolume: Index<VolumeAttachment>;
  readonly #byNode: Index<VolumeAttachment>;
  readonly #podsByClaim: Index<Pod>;
  readonly #queue: WorkQueue;
  readonly #progress = new Map<string, Progress>();
  /** Attachments that are to end: since when, and whether their node had the volume mounted when it was last heard of. */
  readonly #ending = new Map<string, {readonly since: number; mounted: boolean}>();
  /** Pods that were told that they must wait. */
  readonly #refused = new Set<string>();

  constructor(context: Context) {
    const {informers} = context;
    this.#context = context;
    this.#volumes = informers.of(builtin('persistentvolumes'));
    this.#claims = informers.of(builtin('persistentvolumeclaims'));
    this.#nodes = informers.of(nodes);
    this.#drivers = informers.of(builtin('storage.k8s.io', 'csidrivers'));
    const all = informers.of<VolumeAttachment>(attachments);
    this.#byVolume = all.index(({spec}) => [spec.source.persistentVolumeName ?? '']);
    this.#byNode = all.index(({spec}) => [spec.nodeName]);
    this.#podsByClaim = claimIndex(informers);
    this.#queue = context.queue({reconcile: key => this.#look(key), workers: 10});
  }

  /** Begins to listen. */
  start(): void {
    const {informers} = this.#context;
    const byPod = (pod: Pod): void => {
      for (const key of claimsOf(pod)) this.#wakeClaim(key);
    };
    podIndexes(informers).pods.on({
      added: byPod,
      updated: (pod, old) => {
        if (pod.spec.nodeName !== old.spec.nodeName || isTerminal(pod) !== isTerminal(old)) byPod(pod);
      },
      deleted: pod => {
        this.#refused.delete(pod.metadata.uid);
        byPod(pod);
      },
    });
    const claim = ({spec}: PersistentVolumeClaim): void => {
      if (spec?.volumeName) this.#queue.add(spec.volumeName);
    };
    this.#claims.on({added: claim, updated: claim});
    const volume = ({metadata}: PersistentVolume): void => this.#queue.add(metadata.name);
    this.#volumes.on({added: volume, updated: volume, deleted: volume});
    const attachment = ({spec}: VolumeAttachment): void => this.#queue.add(spec.source.persistentVolumeName ?? '');
    informers.of<VolumeAttachment>(attachments).on({added: attachment, updated: attachment, deleted: attachment});
    this.#nodes.on({
      updated: (node, old) => {
        if (isManaged(node) !== isManaged(old))
          for (const pod of podIndexes(informers).byNode.of(node.metadata.name).values()) byPod(pod);
        if (node.status?.volumesInUse !== old.status?.volumesInUse || node.spec.taints !== old.spec.taints)
          this.#byNode.of(node.metadata.name).forEach(attachment);
      },
    });
  }

  #wakeClaim(key: string): void {
    const name = this.#claims.get(key)?.spec?.volumeName;
    if (name) this.#queue.add(name);
  }

  *#look(name: string): Task<Outcome> {
    const {client} = this.#context;
    const volume = this.#volumes.get(name);
    const users = volume && this.#needsAttaching(volume) ? this.#usersOf(volume) : NOBODY;
    const plan = planAttachments(volume, users, [...this.#byVolume.of(name).values()]);
    let failed = false;
    let next = Infinity;
    for (const {spec, metadata} of plan.look) if (users.has(spec.nodeName)) this.#ending.delete(metadata.name);
    for (const each of plan.detach.filter(isOwn)) {
      const {metadata, spec} = each;
      const wait = volume ? this.#waitToDetach(volume, each) : 0;
      if (wait > 0) {
        next = Math.min(next, wait);
        continue;
      }
      this.#progress.delete(metadata.name);
      this.#ending.delete(metadata.name);
      if (!(yield* this.#tellNode(spec.nodeName, metadata.name))) failed = true;
      const result = yield* client.ask(remove(attachments, {name: metadata.name}));
      if (!result.ok && result.status.code !== 404) failed = true;
    }
    for (const node of volume ? plan.attach : []) {
      const result = yield* client.ask(create(attachments, attachmentOf(volume as PersistentVolume, node) as VolumeAttachment));
      if (!result.ok && result.status.code !== 409) failed = true;
    }
    if (volume) for (const pod of plan.refused) this.#refuse(volume, pod, users);
    for (const attachment of volume ? plan.look : []) {
      const pods = users.get(attachment.spec.nodeName) ?? [];
      const after = yield* this.#follow(volume as PersistentVolume, attachment, pods);
      if (after === 'again') failed = true;
      else next = Math.min(next, after);
    }
    if (failed) return 'again';
    return next === Infinity ? undefined : {afterMs: next};
  }

  /** How long an attachment that nobody wants is to stay, as its node may still have the volume mounted. */
  #waitToDetach(volume: PersistentVolume, {metadata, spec}: VolumeAttachment): number {
    const {now} = this.#context.daemon.clock;
    const ending = this.#ending.get(metadata.name) ?? {since: now, mounted: false};
    this.#ending.set(metadata.name, ending);
    const node = this.#nodes.get(spec.nodeName);
    if (node) ending.mounted = node.status?.volumesInUse?.includes(uniqueName(volume)) === true;
    return planDetaching(node, {mounted: ending.mounted, waitedMs: now - ending.since});
  }

  #needsAttaching({spec}: PersistentVolume): boolean {
    return spec?.csi !== undefined && this.#drivers.get(spec.csi.driver)?.spec.attachRequired !== false;
  }

  #usersOf({metadata, spec}: PersistentVolume): Users {
    const {claimRef} = spec ?? {};
    const key = `${claimRef?.namespace}/${claimRef?.name}`;
    if (!claimRef || this.#claims.get(key)?.spec?.volumeName !== metadata.name) return NOBODY;
    const users = new Map<string, Pod[]>();
    for (const pod of this.#podsByClaim.of(key).values()) {
      const {nodeName} = pod.spec;
      if (!nodeName || isTerminal(pod) || !isManaged(this.#nodes.get(nodeName))) continue;
      users.set(nodeName, [...(users.get(nodeName) ?? []), pod]);
    }
    return users;
  }

  #refuse(volume: PersistentVolume, pod: Pod, users: Users): void {
    if (this.#refused.has(pod.metadata.uid)) return;
    this.#refused.add(pod.metadata.uid);
    this.#tell([pod], 'FailedAttachVolume', multiAttachText(volume, pod, users));
  }

  /** What the attacher says. When is the next look due? */
  *#follow(volume: PersistentVolume, attachment: VolumeAttachment, pods: readonly Pod[]): Task<number | 'again'> {
    const {now} = this.#context.daemon.clock;
    const {name} = attachment.metadata;
    const progress = this.#progress.get(name) ?? {since: now, told: false, retryMs: FIRST_RETRY_MS, retryAt: 0};
    this.#progress.set(name, progress);
    if (attachment.status?.attached) {
      if (!progress.told)
        this.#tell(pods, 'SuccessfulAttachVolume', `AttachVolume.Attach succeeded for volume "${volume.metadata.name}" `);
      progress.told = true;
      return (yield* this.#tellNode(attachment.spec.nodeName)) ? Infinity : 'again';
    }
    progress.told = false;
    const error = attachment.status?.attachError?.message;
    if (error === undefined && now < progress.since + PATIENCE_MS) return progress.since + PATIENCE_MS - now;
    if (error !== undefined && now < progress.retryAt) return progress.retryAt - now;
    const {driver, volumeHandle} = volume.spec?.csi ?? {};
    const late = `timed out waiting for external-attacher of ${driver} CSI driver to attach volume ${volumeHandle}`;
    this.#tell(pods, 'FailedAttachVolume', `AttachVolume.Attach failed for volume "${volume.metadata.name}" : ${error ?? late}`);
    progress.since = now;
    progress.retryAt = now + progress.retryMs;
    progress.retryMs = Math.min(PATIENCE_MS, progress.retryMs * 2);
    return error === undefined ? PATIENCE_MS : progress.retryAt - now;
  }

  #tell(pods: readonly Pod[], reason: string, message: string): void {
    const type = reason === 'SuccessfulAttachVolume' ? 'Normal' : 'Warning';
    for (const pod of pods) this.#context.recorder.record(pod, {type, reason, message});
  }

  /** Writes what is attached into the Node, without an attachment that is about to go. */
  *#tellNode(name: string, without?: string): Task<boolean> {
    const node = this.#nodes.get(name);
    if (!node) return true;
    const attached = [...this.#byNode.of(name).values()]
      .filter(({metadata, status}) => status?.attached && metadata.name !== without && metadata.deletionTimestamp === undefined)
      .map(({spec}) => this.#volumes.get(spec.source.persistentVolumeName ?? ''))
      .flatMap(volume => (volume ? [{name: uniqueName(volume), devicePath: ''}] : []))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const known = node.status?.volumesAttached ?? [];
    if (known.map(each => each.name).join() === attached.map(each => each.name).join()) return true;
    const status = {volumesAttached: attached.length > 0 ? attached : null};
    const result = yield* this.#context.client.ask(patch(nodes, {name, subresource: 'status'}, 'merge', {status}));
    return result.ok || result.status.code === 404;
  }
}

const NOBODY: Users = new Map();
