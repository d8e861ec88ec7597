// Namespaces: `kubernetes` in spec.finalizers holds a deleted one until the namespace controller has emptied it and takes the word
// away by the finalize subresource; nobody else can. Every namespace carries its own name as a label.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Strategy} from './strategy.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';

export const namespaces: Strategy = {
  fields: {'status.phase': object => (object.status as {phase?: string} | undefined)?.phase ?? ''},
  create(object) {
    const {finalizers = []} = (object.spec ?? {}) as {finalizers?: readonly string[]};
    const kept = finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'];
    return {...labelled(object), spec: {finalizers: kept}, status: {phase: 'Active'}};
  },
  update(object, old, write) {
    if (write.subresource === 'finalize') return {...old, metadata: object.metadata, spec: object.spec};
    return {...labelled(object), ...(old.spec === undefined ? {} : {spec: old.spec})};
  },
  isHeld: object => ((object.spec as {finalizers?: readonly string[]} | undefined)?.finalizers?.length ?? 0) > 0,
  markDeleted(object) {
    // A namespace has no grace period, not even one of 0.
    const {deletionGracePeriodSeconds: _none, ...metadata} = object.metadata;
    return {...object, metadata, status: {...(object.status as object | undefined), phase: 'Terminating'}};
  },
};

function labelled(object: AnyObject): AnyObject {
  const {labels, name} = object.metadata;
  if (labels?.[NAME_LABEL] === name) return object;
  return {...object, metadata: {...object.metadata, labels: {...labels, [NAME_LABEL]: name}}};
}
