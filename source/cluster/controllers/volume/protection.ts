// Storage in use is protected: a claim that pods use, a volume that is bound, and a class that either names, carry a finalizer, and stay until nothing holds
// them. The server puts the finalizers on; these controllers take them off.
import type {PersistentVolume, PersistentVolumeClaim, Pod} from '../../../api/kinds/core-v1.ts';
import type {VolumeAttributesClass} from '../../../api/kinds/storage-v1.ts';
import {keyOf, type KubeObject} from '../../../api/meta/object.ts';
import {builtin, type ResourceFacts} from '../../../api/meta/resources.ts';
import {update} from '../../../client/verbs.ts';
import type {Outcome} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {podIndexes} from '../pod-index.ts';
import {claimIndex, claimsOf} from './claim-index.ts';

const volumes = builtin('persistentvolumes');
const claims = builtin('persistentvolumeclaims');
const attributesClasses = builtin('storage.k8s.io', 'volumeattributesclasses');
const CLAIM = 'kubernetes.io/pvc-protection';
const VOLUME = 'kubernetes.io/pv-protection';
const ATTRIBUTES = 'kubernetes.io/vac-protection';

/** Lets claims go that no pod uses. */
export const claimProtectionController: Controller = {
  name: 'persistentvolumeclaim-protection-controller',
  account: 'pvc-protection-controller',
  start: context => {
    const index = claimIndex(context.informers);
    const informer = context.informers.of<PersistentVolumeClaim>(claims);
    const queue = context.queue({
      reconcile: key => letGo(context, claims, {finalizer: CLAIM, object: informer.get(key), held: isUsed(key)}),
    });
    const isUsed = (key: string): boolean =>
      [...index.of(key).values()].some(pod => pod.spec.nodeName !== undefined && pod.spec.nodeName !== '');
    const look = (claim: PersistentVolumeClaim): void => {
      if (claim.metadata.deletionTimestamp !== undefined) queue.add(keyOf(claim));
    };
    informer.on({added: look, updated: look});
    podIndexes(context.informers).pods.on({
      deleted: (pod: Pod) => {
        for (const key of claimsOf(pod)) {
          const claim = informer.get(key);
          if (claim) look(claim);
        }
      },
    });
  },
};

/** Lets volumes go that no claim is bound to. */
export const volumeProtectionController: Controller = {
  name: 'persistentvolume-protection-controller',
  account: 'pv-protection-controller',
  start: context => {
    const informer = context.informers.of<PersistentVolume>(volumes);
    const queue = context.queue({
      reconcile: key => {
        const object = informer.get(key);
        return letGo(context, volumes, {finalizer: VOLUME, object, held: object?.status?.phase === 'Bound'});
      },
    });
    const look = (volume: PersistentVolume): void => {
      if (volume.metadata.deletionTimestamp !== undefined) queue.add(volume.metadata.name);
    };
    informer.on({added: look, updated: look});
  },
};

/** Lets classes of attributes go that no claim and no volume names. */
export const attributesClassProtectionController: Controller = {
  name: 'volumeattributesclass-protection-controller',
  account: 'volumeattributesclass-protection-controller',
  start: context => {
    const {informers} = context;
    const informer = informers.of<VolumeAttributesClass>(attributesClasses);
    const volumesByClass = informers.of<PersistentVolume>(volumes).index(({spec}) => [spec?.volumeAttributesClassName ?? '']);
    const claimsByClass = informers.of<PersistentVolumeClaim>(claims).index(namedBy);
    const isHeld = (name: string) => volumesByClass.of(name).size + claimsByClass.of(name).size > 0;
    const queue = context.queue({
      reconcile: key => letGo(context, attributesClasses, {finalizer: ATTRIBUTES, object: informer.get(key), held: isHeld(key)}),
    });
    const look = (name: string | undefined): void => {
      if (name && informer.get(name)?.metadata.deletionTimestamp !== undefined) queue.add(name);
    };
    informer.on({added: ({metadata}) => look(metadata.name), updated: ({metadata}) => look(metadata.name)});
    const lookAll = (claim: PersistentVolumeClaim): void => namedBy(claim).forEach(look);
    informers.of<PersistentVolumeClaim>(claims).on({updated: (_claim, old) => lookAll(old), deleted: lookAll});
    informers
      .of<PersistentVolume>(volumes)
      .on({
        updated: (_volume, {spec}) => look(spec?.volumeAttributesClassName),
        deleted: ({spec}) => look(spec?.volumeAttributesClassName),
      });
  },
};

/** The classes that a claim asks for, has, or is on its way to. */
function namedBy({spec, status}: PersistentVolumeClaim): readonly string[] {
  const target = status?.modifyVolumeStatus?.targetVolumeAttributesClassName;
  return [...new Set([spec?.volumeAttributesClassName ?? '', status?.currentVolumeAttributesClassName ?? '', target ?? ''])];
}

function* letGo(
  {client}: Context,
  resource: ResourceFacts,
  how: {readonly finalizer: string; readonly object: KubeObject | undefined; readonly held: boolean},
): Task<Outcome> {
  const {finalizer, object, held} = how;
  const {finalizers = [], deletionTimestamp} = object?.metadata ?? {finalizers: []};
  if (!object || held || deletionTimestamp === undefined || !finalizers.includes(finalizer)) return undefined;
  const rest = finalizers.filter(each => each !== finalizer);
  const result = yield* client.ask(update(resource, {...object, metadata: {...object.metadata, finalizers: rest}}));
  return result.ok || result.status.code === 404 ? undefined : 'again';
}
