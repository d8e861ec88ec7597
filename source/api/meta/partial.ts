// Objects of which only the metadata is wanted: rows of tables carry them, and informers that need no more ask for them.
import type {ObjectMeta} from '../kinds/meta.ts';
import type {KubeObject} from './object.ts';

/** The metadata of an object, as an object of its own. */
export interface PartialObjectMetadata extends KubeObject {
  readonly kind: 'PartialObjectMetadata';
  readonly apiVersion: 'meta.k8s.io/v1';
  readonly metadata: ObjectMeta;
}

const known = new WeakMap<KubeObject, PartialObjectMetadata>();

/** The partial form of an object, made once. */
export function partialMetadata(object: KubeObject): PartialObjectMetadata {
  const before = known.get(object);
  if (before) return before;
  const made = Object.freeze({
    kind: 'PartialObjectMetadata' as const,
    apiVersion: 'meta.k8s.io/v1' as const,
    metadata: object.metadata,
  });
  known.set(object, made);
  return made;
}
