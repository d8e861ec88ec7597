// Pods made from a template. The pod shares the template's frozen parts, so that what others derive from a spec is derived once
// for all pods of the template.
import type {Pod, PodSpec, PodTemplateSpec} from '../../api/kinds/core-v1.ts';
import type {OwnerReference} from '../../api/kinds/meta.ts';
import type {Draft} from '../../api/meta/object.ts';

/** A pod of a template, with a name that the server makes up from the owner's. */
export function podFromTemplate(
  template: PodTemplateSpec,
  place: {readonly namespace: string; readonly owner: string},
  reference: OwnerReference,
): Draft<Pod> {
  const {labels, annotations, finalizers} = template.metadata ?? NO_METADATA;
  return Object.freeze({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: Object.freeze({
      generateName: `${place.owner}-`,
      namespace: place.namespace,
      ...(labels ? {labels} : {}),
      ...(annotations ? {annotations} : {}),
      ...(finalizers ? {finalizers} : {}),
      ownerReferences: Object.freeze([reference]),
    }),
    spec: template.spec ?? NO_SPEC,
  });
}

const NO_METADATA: NonNullable<PodTemplateSpec['metadata']> = Object.freeze({
  creationTimestamp: '',
  name: '',
  resourceVersion: '',
  uid: '',
});
const NO_SPEC: PodSpec = Object.freeze({containers: Object.freeze([])});
