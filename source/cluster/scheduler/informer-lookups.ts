// The scheduler's lookups, answered from informers.
import type {PersistentVolume, PersistentVolumeClaim, ReplicationController, Service} from '../../api/kinds/core-v1.ts';
import type {ReplicaSet, StatefulSet} from '../../api/kinds/apps-v1.ts';
import type {LabelSelector, OwnerReference} from '../../api/kinds/meta.ts';
import type {PodDisruptionBudget} from '../../api/kinds/policy-v1.ts';
import type {DeviceClass, ResourceClaim} from '../../api/kinds/resource-v1.ts';
import type {StorageClass} from '../../api/kinds/storage-v1.ts';
import type {KubeObject} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {Informer, Informers} from '../../client/informer.ts';
import type {Lookups} from './lookups.ts';

/** Where news about claims, volumes and devices goes. */
export type Hear = (about: 'storage' | 'devices') => void;

/** Lookups over a component's informers. */
export function informerLookups(informers: Informers, hear: Hear): Lookups {
  const replicaSets = informers.of<ReplicaSet>(builtin('apps', 'replicasets'));
  const statefulSets = informers.of<StatefulSet>(builtin('apps', 'statefulsets'));
  const replicationControllers = informers.of<ReplicationController>(builtin('replicationcontrollers'));
  const budgets = informers.of<PodDisruptionBudget>(builtin('policy', 'poddisruptionbudgets')).index(namespaceOf);
  const claims = heard(informers.of<PersistentVolumeClaim>(builtin('persistentvolumeclaims')), () => hear('storage'));
  const volumes = heard(informers.of<PersistentVolume>(builtin('persistentvolumes')), () => hear('storage'));
  const classes = heard(informers.of<StorageClass>(builtin('storage.k8s.io', 'storageclasses')), () => hear('storage'));
  const resourceClaims = heard(informers.of<ResourceClaim>(builtin('resource.k8s.io', 'resourceclaims')), () => hear('devices'));
  const deviceClasses = heard(informers.of<DeviceClass>(builtin('resource.k8s.io', 'deviceclasses')), () => hear('devices'));
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
    claim: (namespace, name) => claims.get(`${namespace}/${name}`),
    volume: name => volumes.get(name),
    storageClass: name => classes.get(name),
    resourceClaim: (namespace, name) => resourceClaims.get(`${namespace}/${name}`),
    hasDeviceClass: name => deviceClasses.get(name) !== undefined,
  };
}

function namespaceOf(object: KubeObject): readonly string[] {
  return [object.metadata.namespace ?? ''];
}

function heard<T extends KubeObject>(informer: Informer<T>, hear: () => void): Informer<T> {
  informer.on({added: hear, updated: hear, deleted: hear});
  return informer;
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
