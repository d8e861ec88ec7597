// Pods: a new one is Pending and gets its class of service; a deleted one that runs somewhere has its grace period.
import type {DeleteOptions} from '../../../api/kinds/meta.ts';
import type {Pod, PodSpec, PodStatus} from '../../../api/kinds/core-v1.ts';
import {qosClass} from '../../../api/meta/pod-resources.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {withoutGated} from './gated-fields.ts';
import {withMatchedKeys} from './match-label-keys.ts';
import type {Strategy} from './strategy.ts';

const newStatuses = new Map<string, PodStatus>();

export const pods: Strategy = {
  generation: true,
  returnsDeleted: true,
  fields: {
    'spec.nodeName': object => specOf(object).nodeName ?? '',
    'spec.restartPolicy': object => specOf(object).restartPolicy ?? '',
    'spec.schedulerName': object => specOf(object).schedulerName ?? '',
    'spec.serviceAccountName': object => specOf(object).serviceAccountName ?? '',
    'spec.hostNetwork': object => String(specOf(object).hostNetwork ?? false),
    'status.phase': object => statusOf(object).phase ?? '',
    'status.podIP': object => statusOf(object).podIP ?? '',
    'status.podIPs': object => statusOf(object).podIP ?? '',
    'status.nominatedNodeName': object => statusOf(object).nominatedNodeName ?? '',
  },
  create(object, write) {
    const spec = withGrace(withMatchedKeys(withoutGated(specOf(object)), object.metadata.labels ?? {}));
    const gated = (spec.schedulingGates?.length ?? 0) > 0;
    return {...object, spec, status: gated ? gatedStatus(spec, write.core.daemon.now()) : newStatus(spec)};
  },
  update(object, old, write) {
    if (write.subresource === 'ephemeralcontainers')
      return {...object, spec: withEphemeral(specOf(old), specOf(object)), ...statusPart(old)};
    if (write.subresource === 'resize') return {...object, spec: resized(specOf(object), specOf(old)), ...statusPart(old)};
    const spec = object.spec === old.spec ? specOf(old) : withoutGated(specOf(object), specOf(old));
    return spec === object.spec ? object : {...object, spec};
  },
  updateStatus(object, old) {
    const {status: _status, ...rest} = old;
    const {qosClass} = statusOf(old);
    const status = statusOf(object);
    const kept = qosClass === undefined || status.qosClass === qosClass ? status : {...status, qosClass};
    return {...rest, metadata: object.metadata, status: kept};
  },
  grace,
};

/** A negative grace period was allowed once; it means the shortest. */
function withGrace(spec: PodSpec): PodSpec {
  return (spec.terminationGracePeriodSeconds ?? 0) < 0 ? Object.freeze({...spec, terminationGracePeriodSeconds: 1}) : spec;
}

/** The old spec with the containers that look into the pod as they are asked for, which may be none. */
function withEphemeral({ephemeralContainers: _old, ...spec}: PodSpec, {ephemeralContainers}: PodSpec): PodSpec {
  return ephemeralContainers ? {...spec, ephemeralContainers} : spec;
}

function statusPart(old: AnyObject): Partial<AnyObject> {
  return old.status === undefined ? {} : {status: old.status};
}

/** A resize changes what containers ask for, and nothing else. */
function resized(spec: PodSpec, old: PodSpec): PodSpec {
  const change = <C extends {readonly name: string; readonly resources?: unknown}>(
    list: readonly C[],
    from: readonly C[] | undefined,
  ): C[] =>
    list.map(each => {
      const resources = from?.find(other => other.name === each.name)?.resources;
      return resources === undefined || resources === each.resources ? each : {...each, resources};
    });
  return {
    ...old,
    containers: change(old.containers, spec.containers),
    ...(old.initContainers ? {initContainers: change(old.initContainers, spec.initContainers)} : {}),
  };
}

function grace(object: AnyObject, options: DeleteOptions): number {
  const spec = specOf(object);
  const {phase} = statusOf(object);
  const wanted = options.gracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30;
  if (!spec.nodeName || phase === 'Succeeded' || phase === 'Failed') return 0;
  return wanted < 0 ? 1 : wanted;
}

/** All new pods of a class share one status. */
function newStatus(spec: PodSpec): PodStatus {
  const quality = qosClass(spec);
  const known = newStatuses.get(quality);
  if (known) return known;
  const made: PodStatus = Object.freeze({phase: 'Pending', qosClass: quality});
  newStatuses.set(quality, made);
  return made;
}

function gatedStatus(spec: PodSpec, now: string): PodStatus {
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastTransitionTime: now,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return {...newStatus(spec), conditions: [condition]};
}

function specOf(object: AnyObject): PodSpec {
  return (object as unknown as Pod).spec ?? ({containers: []} as PodSpec);
}

function statusOf(object: AnyObject): PodStatus {
  return (object as unknown as Pod).status ?? {};
}
