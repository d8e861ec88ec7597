// The scheduler's lookups, answered from informers.
import type {PersistentVolume, PersistentVolumeClaim, ReplicationController, Service} from '../../api/kinds/core-v1.ts';
import type {ReplicaSet, StatefulSet} from '../../api/kinds/apps-v1.ts';
import type {LabelSelector, OwnerReference} from '../../api/kinds/meta.ts';
import type {PodDisruptionBudget} from '../../api/kinds/policy-v1.ts';
import type {DeviceClass, ResourceClaim, ResourceSlice} from '../../api/kinds/resource-v1.ts';
import type {CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment} from '../../api/kinds/storage-v1.ts';
import type {KubeObject} from '../../api/meta/object.ts';
import {builtin, type ResourceFacts} from '../../api/meta/resources.ts';
import {classOfVolume} from '../../api/meta/volume-match.ts';
import type {Informer, Informers} from '../../client/informer.ts';
import type {ClusterEvent, StorageKind} from './cluster-event.ts';
import type {Lookups} from './lookups.ts';

/** Where news about claims, volumes and devices goes. */
export type Hear = (event: ClusterEvent) => void;

/** Lookups over a component's informers. */
export function informerLookups(informers: Informers, hear: Hear): Lookups {
  const replicaSets = informers.of<ReplicaSet>(builtin('apps', 'replicasets'));
  const statefulSets = informers.of<StatefulSet>(builtin('apps', 'statefulsets'));
  const replicationControllers = informers.of<ReplicationController>(builtin('replicationcontrollers'));
  const budgets = informers.of<PodDisruptionBudget>(builtin('policy', 'poddisruptionbudgets')).index(namespaceOf);
  const storage = storageLookups(informers, hear);
  // What goes makes nothing possible: the devices of a claim are given back before.
  const resourceClaims = informers.of<ResourceClaim>(builtin('resource.k8s.io', 'resourceclaims'));
  resourceClaims.on({
    added: after => hear({about: 'device claim', after}),
    updated: (after, before) => hear({about: 'device claim', before, after}),
  });
  const news = () => hear({about: 'devices'});
  const deviceClasses = informers.of<DeviceClass>(builtin('resource.k8s.io', 'deviceclasses'));
  deviceClasses.on({added: news, updated: news});
  const slices = informers.of<ResourceSlice>(builtin('resource.k8s.io', 'resourceslices'));
  slices.on({added: news, updated: news});
  const slicesOf = slices.index(({spec}) => [spec.nodeName ?? '']);
  const services = informers.of<Service>(builtin('services'));
  const servicesOf = services.index(namespaceOf);
  const version = countSelections(services);
  return {
    services: namespace => servicesOf.of(namespace).values(),
    get servicesVersion() {
      return version.count;
    },
    selectorOf: (namespace, owner) =>
      selectorOf({replicaSets, statefulSets, replicationControllers}, `${namespace}/${owner.name}`, owner),
    budgets: namespace => budgets.of(namespace).values(),
    ...storage,
    resourceClaim: (namespace, name) => resourceClaims.get(`${namespace}/${name}`),
    resourceClaims: () => resourceClaims.store.values(),
    deviceClass: name => deviceClasses.get(name),
    *slices(node) {
      yield* slicesOf.of(node).values();
      yield* slicesOf.of('').values();
    },
  };
}

type StorageLookups = Pick<
  Lookups,
  'claim' | 'volume' | 'volumesOf' | 'storageClass' | 'csiNode' | 'csiDriver' | 'capacities' | 'attachments'
>;

function storageLookups(informers: Informers, hear: Hear): StorageLookups {
  const watch = <T extends KubeObject>(resource: ResourceFacts, kind: StorageKind): Informer<T> => {
    const informer = informers.of<T>(resource);
    informer.on({
      added: after => hear({about: 'storage', kind, after}),
      updated: (after, before) => hear({about: 'storage', kind, before, after}),
      deleted: before => hear({about: 'storage', kind, before}),
    });
    return informer;
  };
  const ofStorage = <T extends KubeObject>(name: string, kind: StorageKind) => watch<T>(builtin('storage.k8s.io', name), kind);
  const claims = watch<PersistentVolumeClaim>(builtin('persistentvolumeclaims'), 'claim');
  const volumes = watch<PersistentVolume>(builtin('persistentvolumes'), 'volume');
  const byClass = volumes.index(volume => [classOfVolume(volume)]);
  const classes = ofStorage<StorageClass>('storageclasses', 'class');
  const csiNodes = ofStorage<CSINode>('csinodes', 'node limits');
  const drivers = ofStorage<CSIDriver>('csidrivers', 'driver');
  const capacities = ofStorage<CSIStorageCapacity>('csistoragecapacities', 'capacity').index(each => [each.storageClassName]);
  const attachments = ofStorage<VolumeAttachment>('volumeattachments', 'attachment').index(each => [each.spec.nodeName]);
  return {
    claim: (namespace, name) => claims.get(`${namespace}/${name}`),
    volume: name => volumes.get(name),
    volumesOf: className => byClass.of(className).values(),
    storageClass: name => classes.get(name),
    csiNode: name => csiNodes.get(name),
    csiDriver: name => drivers.get(name),
    capacities: className => capacities.of(className).values(),
    attachments: node => attachments.of(node).values(),
  };
}

function namespaceOf(object: KubeObject): readonly string[] {
  return [object.metadata.namespace ?? ''];
}

function countSelections(services: Informer<Service>): {readonly count: number} {
  const version = {count: 0};
  services.on({
    added: () => version.count++,
    updated: (service, old) => {
      if (service.spec?.selector !== old.spec?.selector) version.count++;
    },
    deleted: () => version.count++,
  });
  return version;
}

interface Owners {
  readonly replicaSets: Informer<ReplicaSet>;
  readonly statefulSets: Informer<StatefulSet>;
  readonly replicationControllers: Informer<ReplicationController>;
}

function selectorOf(owners: Owners, key: string, owner: OwnerReference): LabelSelector | undefined {
  if (owner.kind === 'ReplicaSet') return owners.replicaSets.get(key)?.spec?.selector;
  if (owner.kind === 'StatefulSet') return owners.statefulSets.get(key)?.spec?.selector;
  if (owner.kind !== 'ReplicationController') return undefined;
  const matchLabels = owners.replicationControllers.get(key)?.spec?.selector;
  return matchLabels ? {matchLabels} : undefined;
}
