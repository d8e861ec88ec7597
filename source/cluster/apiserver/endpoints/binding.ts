// Binding a pod to a node: what the scheduler writes in the end. A pod is bound once.
import type {Binding, Pod, PodCondition} from '../../../api/kinds/core-v1.ts';
import {boundSpec} from '../../../api/meta/bound-spec.ts';
import {withCondition} from '../../../api/meta/conditions.ts';
import {type FieldError, fieldErrorText, notSupported, required} from '../../../api/meta/field-error.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {badRequest, conflict, plainError} from '../../../api/meta/status.ts';
import {admitByWebhooks} from '../admission/chain.ts';
import {topologyLabels, withTopology} from '../admission/pod-topology-labels.ts';
import {json} from '../http/reply.ts';
import {refuse, Refused} from '../http/refused.ts';
import {decodeBody} from '../registry/body.ts';
import {updateObject} from '../registry/update-internal.ts';
import type {Write} from '../registry/write.ts';
import {writeOf, type Handler} from './asked.ts';

const BINDING = {group: '', version: 'v1', kind: 'Binding'};
const DONE = json(
  201,
  Object.freeze({kind: 'Status', apiVersion: 'v1', metadata: Object.freeze({}), status: 'Success', code: 201}),
);

/** POST pods/NAME/binding, and POST bindings, where the body names the pod. */
export const bind: Handler = function* (asked) {
  const {core, info} = asked;
  const write: Write = {...writeOf(asked), served: core.resources.of('pods')};
  const decoded = decodeBody(write, asked.request, BINDING);
  if (decoded instanceof Refused) return decoded;
  const hooked: Write = write.subresource === 'binding' ? write : {...write, subresource: 'binding'};
  const body = yield* admitByWebhooks({operation: 'CREATE', write: hooked, object: decoded, old: undefined});
  if (body instanceof Refused) return body;
  const binding = body as unknown as Binding;
  const name = info.name || binding.metadata.name;
  if (info.name !== '' && binding.metadata.name && binding.metadata.name !== info.name) {
    return refuse(badRequest('name in URL does not match name in Binding object'));
  }
  const wrong = targetErrors(binding.target);
  if (wrong.length > 0) return refuse(plainError(wrong.length === 1 ? (wrong[0] ?? '') : `[${wrong.join(', ')}]`));
  const updated = yield* updateObject(write, {name, namespace: info.namespace, change: old => bound(old, binding, write)});
  return updated instanceof Refused ? updated : DONE;
};

/** A pod is bound to a node, and that by its name. */
function targetErrors(target: Binding['target'] | undefined): readonly string[] {
  const {kind = '', name = ''} = target ?? {};
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') errors.push(notSupported('target.kind', kind, ['Node', '<empty>']));
  if (name === '') errors.push(required('target.name', ''));
  return errors.map(fieldErrorText);
}

const PODS_BINDING = {group: '', resource: 'pods/binding'};

function bound(old: AnyObject, binding: Binding, write: Write): AnyObject | Refused {
  const {metadata, spec, status} = old as unknown as Pod;
  const {name} = metadata;
  if (binding.metadata.uid && binding.metadata.uid !== metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${binding.metadata.uid}, UID in object meta: ${metadata.uid}`;
    return refuse(conflict(PODS_BINDING, name, why));
  }
  if (metadata.deletionTimestamp !== undefined)
    return refuse(conflict(PODS_BINDING, name, `pod ${name} is being deleted, cannot be assigned to a host`));
  if (spec?.nodeName)
    return refuse(conflict(PODS_BINDING, name, `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`));
  if ((spec?.schedulingGates?.length ?? 0) > 0)
    return refuse(conflict(PODS_BINDING, name, `pod ${name} has non-empty .spec.schedulingGates`));
  const node = binding.target.name ?? '';
  const labels = topologyLabels(write.core, node);
  const {annotations} = binding.metadata;
  // A promise of a node is over with the binding.
  const {nominatedNodeName: _promised, ...kept} = status ?? {};
  const condition: PodCondition = {type: 'PodScheduled', status: 'True', lastTransitionTime: write.core.daemon.now()};
  return {
    ...old,
    metadata:
      labels || annotations
        ? {
            ...metadata,
            ...(labels ? {labels: withTopology(metadata.labels, labels)} : {}),
            ...(annotations ? {annotations: {...metadata.annotations, ...annotations}} : {}),
          }
        : metadata,
    spec: boundSpec(spec, node),
    status: Object.freeze({...kept, conditions: Object.freeze(withCondition(status?.conditions, Object.freeze(condition)))}),
  };
}
