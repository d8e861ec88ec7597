// The scale subresource: how many replicas, in one shape for all kinds that have some.
import type {ReplicaSet} from '../../../api/kinds/apps-v1.ts';
import type {Scale} from '../../../api/kinds/autoscaling-v1.ts';
import type {ReplicationController} from '../../../api/kinds/core-v1.ts';
import {invalid} from '../../../api/meta/field-error.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {selectorText} from '../../../api/meta/selector.ts';
import {conflict, invalidObject, methodNotSupported} from '../../../api/meta/status.ts';
import type {Answer} from '../../../api/wire/http.ts';
import type {Task} from '../../../sim/task.ts';
import {admitByWebhooks} from '../admission/chain.ts';
import type {ScalePaths} from '../crd/scale-paths.ts';
import {json} from '../http/reply.ts';
import {refuse, Refused} from '../http/refused.ts';
import {decodeBody} from '../registry/body.ts';
import {changeOfPatch} from '../registry/patch.ts';
import type {Served} from '../registry/served.ts';
import {updateObject, type Change} from '../registry/update.ts';
import {writeOf, type AskedResource, type Handler} from './asked.ts';
import {findObject} from './verbs.ts';

const SCALE = {group: 'autoscaling', version: 'v1', kind: 'Scale'};

export const scale: Handler = function* (asked) {
  const {verb} = asked.info;
  if (verb === 'get') {
    const found = yield* findObject(asked);
    return found instanceof Refused ? found : json(200, scaleOf(asked.served, found));
  }
  const write = writeOf(asked);
  if (verb === 'patch') {
    const wanted = changeOfPatch(write, asked.request, SCALE);
    return wanted instanceof Refused ? wanted : yield* rescale(asked, old => wanted(old));
  }
  if (verb !== 'update') return refuse(methodNotSupported(asked.served.facts, verb));
  const body = decodeBody(write, asked.request, SCALE);
  return body instanceof Refused ? body : yield* rescale(asked, () => body);
};

/** Changes the replicas of an object as its scale is changed. Webhooks hear of the scale, not of the object that it is part of. */
function* rescale(asked: AskedResource, given: Change): Task<Answer | Refused> {
  const {info, served} = asked;
  const how = yield* admitted(asked, given);
  const change: Change = old => {
    const next = how instanceof Refused ? how : how(scaleOf(served, old));
    if (next instanceof Refused) return next;
    const {metadata, spec} = next as unknown as Scale;
    const replicas = spec?.replicas ?? 0;
    if (metadata.resourceVersion && metadata.resourceVersion !== old.metadata.resourceVersion)
      return refuse(conflict(served.facts, info.name));
    if (replicas < 0) {
      return refuse(invalidObject(SCALE, info.name, [invalid('spec.replicas', replicas, 'must be greater than or equal to 0')]));
    }
    const {custom} = served.facts;
    if (custom?.scale) return custom.scale.withReplicas(old, replicas);
    return {...old, spec: {...(old.spec as object | undefined), replicas}};
  };
  const updated = yield* updateObject(
    {...writeOf(asked, ''), withoutWebhooks: true, trackedAs: 'scale'},
    {name: info.name, namespace: info.namespace, change},
  );
  return updated instanceof Refused ? updated : json(200, scaleOf(served, updated.object));
}

/** The change as the webhooks leave it. */
function* admitted(asked: AskedResource, given: Change): Task<Change | Refused> {
  const {core, info, served} = asked;
  const present =
    core.webhooks.any || core.policies.bound.length > 0 ? served.cache.get(`${info.namespace}/${info.name}`) : undefined;
  const wanted = present && given(scaleOf(served, present));
  if (!present || !wanted || wanted instanceof Refused) return given;
  const scaled = yield* admitByWebhooks({
    operation: 'UPDATE',
    write: writeOf(asked),
    object: wanted,
    old: scaleOf(served, present),
  });
  return scaled instanceof Refused || scaled === wanted ? (scaled instanceof Refused ? scaled : given) : () => scaled;
}

function scaleOf({facts: {custom}}: Served, object: AnyObject): AnyObject {
  const {name, namespace, uid, resourceVersion, creationTimestamp} = object.metadata;
  const {replicas, current, selector} = custom?.scale ? customFigures(custom.scale, custom.read(object)) : figuresOf(object);
  return Object.freeze({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {name, ...(namespace === undefined ? {} : {namespace}), uid, resourceVersion, creationTimestamp},
    spec: replicas ? {replicas} : {},
    status: {replicas: current, ...(selector === undefined ? {} : {selector})},
  }) as unknown as AnyObject;
}

interface Figures {
  readonly replicas: number | undefined;
  readonly current: number;
  readonly selector: string | undefined;
}

function customFigures(paths: ScalePaths, object: AnyObject): Figures {
  return {replicas: paths.replicas(object), current: paths.current(object), selector: paths.selector(object) || undefined};
}

function figuresOf(object: AnyObject): Figures {
  const {spec, status} = object as unknown as ReplicaSet | ReplicationController;
  const selector =
    object.kind === 'ReplicationController'
      ? Object.entries((spec as ReplicationController['spec'])?.selector ?? {})
          .map(([key, value]) => `${key}=${value}`)
          .sort()
          .join(',')
      : selectorText((spec as ReplicaSet['spec'])?.selector);
  return {replicas: spec?.replicas, current: status?.replicas ?? 0, selector};
}
