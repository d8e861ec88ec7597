// DefaultStorageClass and DefaultIngressClass: what names no class gets the one that is marked as the default. Of several default
// storage classes the newest counts; several default ingress classes are refused.
import type {Ingress} from '../../../api/kinds/networking-v1.ts';
import type {PersistentVolumeClaim} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {forbidden} from '../../../api/meta/status.ts';
import type {ResourceCache} from '../cache/resource-cache.ts';
import {refuse} from '../http/refused.ts';
import type {Plugin} from './plugin.ts';
import {shownName} from './pod-object.ts';

const STORAGE = 'storageclass.kubernetes.io/is-default-class';
const OLD_STORAGE = 'storageclass.beta.kubernetes.io/is-default-class';
const INGRESS = 'ingressclass.kubernetes.io/is-default-class';

export const defaultStorageClass: Plugin = {
  name: 'DefaultStorageClass',
  resources: ['persistentvolumeclaims'],
  operations: ['CREATE'],
  mutate(object, {write}) {
    const {spec, metadata} = object as unknown as PersistentVolumeClaim;
    if (
      !spec ||
      spec.storageClassName !== undefined ||
      metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] !== undefined
    )
      return object;
    const {cache} = write.core.resources.of('storageclasses', 'storage.k8s.io');
    const [newest] = marked(cache, [STORAGE, OLD_STORAGE]);
    return newest ? {...object, spec: {...spec, storageClassName: newest.metadata.name}} : object;
  },
};

export const defaultIngressClass: Plugin = {
  name: 'DefaultIngressClass',
  resources: ['ingresses.networking.k8s.io'],
  operations: ['CREATE'],
  mutate(object, {write}) {
    const {spec, metadata} = object as unknown as Ingress;
    if (spec?.ingressClassName !== undefined || metadata.annotations?.['kubernetes.io/ingress.class'] !== undefined)
      return object;
    const {cache} = write.core.resources.of('ingressclasses', 'networking.k8s.io');
    const found = marked(cache, [INGRESS]);
    if (found.length > 1)
      return refuse(
        forbidden(write.served.facts, shownName(object), `${found.length} default IngressClasses were found, only 1 allowed`),
      );
    const [only] = found;
    return only ? {...object, spec: {...spec, ingressClassName: only.metadata.name}} : object;
  },
};

/** The objects with one of the annotations set to true, newest first, then by name. */
function marked(cache: ResourceCache, annotations: readonly string[]): readonly AnyObject[] {
  const found = cache.objects().filter(({metadata}) => annotations.some(name => metadata.annotations?.[name] === 'true'));
  return found.sort(
    (a, b) => order(b.metadata.creationTimestamp, a.metadata.creationTimestamp) || order(a.metadata.name, b.metadata.name),
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
