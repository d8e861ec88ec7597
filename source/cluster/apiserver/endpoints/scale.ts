// The scale subresource: how many replicas, in one shape for all kinds that have some. It is read and written as an object of its
// own; what is stored is the replicas of the object that it is part of, and who owns them.
import type {ReplicaSet} from '../../../api/kinds/apps-v1.ts';
import type {Scale} from '../../../api/kinds/autoscaling-v1.ts';
import type {ReplicationController} from '../../../api/kinds/core-v1.ts';
import {invalid} from '../../../api/meta/field-error.ts';
import {isFields, type Fields} from '../../../api/meta/fields.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {selectorText} from '../../../api/meta/selector.ts';
import {failure, invalidObject, methodNotSupported} from '../../../api/meta/status.ts';
import {PATCH_TYPES, type Answer} from '../../../api/wire/http.ts';
import type {Task} from '../../../sim/task.ts';
import {admitByWebhooks} from '../admission/chain.ts';
import type {ScalePaths} from '../crd/scale-paths.ts';
import {refuse, Refused} from '../http/refused.ts';
import {showObject, type Showing} from '../http/show.ts';
import {applyTo, configOf} from '../registry/apply.ts';
import {decodeBody} from '../registry/body.ts';
import {changeOfPatch, patchType} from '../registry/patch.ts';
import {apiVersionOf} from '../registry/schema.ts';
import type {Served, ServedFacts} from '../registry/served.ts';
import {updateObject, type QuickChange} from '../registry/update.ts';
import {writeOf, type AskedResource, type Handler} from './asked.ts';
import {findObject, prepared, showingOf} from './verbs.ts';
import {checkWriteOptions} from './write-options.ts';

const SCALE = {group: 'autoscaling', version: 'v1', kind: 'Scale'};

export const scale: Handler = function* (asked) {
  const {verb} = asked.info;
  const showing = showingOf(asked);
  if (showing instanceof Refused) return showing;
  if (verb === 'get') {
    const found = yield* findObject(asked);
    return found instanceof Refused ? found : yield* shown(asked.served, showing, found);
  }
  if (verb !== 'update' && verb !== 'patch') return refuse(methodNotSupported(asked.served.facts, verb));
  const given = verb === 'update' ? replaced(asked) : patched(asked);
  return given instanceof Refused ? given : yield* rescale(asked, showing, given);
};

/** A change of a scale, and how the replicas that it comes to are put into the object. */
interface Rescaling {
  readonly change: QuickChange;
  readonly put: (object: AnyObject, replicas: number) => AnyObject | Refused;
  readonly applies?: boolean;
}

function replaced(asked: AskedResource): Rescaling | Refused {
  const write = writeOf(asked);
  const problem = checkWriteOptions(write, 'UpdateOptions');
  if (problem) return problem;
  const body = decodeBody(write, asked.request, SCALE);
  return body instanceof Refused ? body : {change: () => body, put: putInto(asked.served)};
}

function patched(asked: AskedResource): Rescaling | Refused {
  const write = writeOf(asked);
  const applies = patchType(asked.request) === PATCH_TYPES.apply;
  const problem = checkWriteOptions(write, 'PatchOptions', applies);
  if (problem) return problem;
  if (applies) return appliedTo(asked);
  const change = changeOfPatch(write, asked.request, SCALE);
  return change instanceof Refused ? change : {change, put: putInto(asked.served)};
}

/** Server-side apply of a Scale is one of the replicas alone to the object that has them. */
function appliedTo(asked: AskedResource): Rescaling | Refused {
  const {served} = asked;
  const config = configOf({...writeOf(asked), served: {...served, facts: scaleFacts(served.facts)}}, asked.request);
  if (config instanceof Refused) return config;
  const {metadata, spec} = config;
  const named = isFields(metadata) ? {uid: metadata['uid'], resourceVersion: metadata['resourceVersion']} : {};
  const replicas = isFields(spec) ? spec['replicas'] : undefined;
  const own = {...writeOf(asked, ''), applies: true, trackedAs: 'scale'};
  const {facts} = served;
  const bare = {apiVersion: apiVersionOf(facts), kind: facts.kind, metadata: {name: asked.info.name}} as unknown as AnyObject;
  return {
    applies: true,
    change: old => {
      const {metadata: before, spec: present} = old as unknown as Scale;
      return {
        ...old,
        metadata: {...before, ...named},
        spec: {...present, replicas: replicas ?? present?.replicas ?? 0},
      } as AnyObject;
    },
    put: (object, wanted) => {
      const applied = replicas === undefined ? bare : putInto(served)(bare, wanted);
      return applyTo(own, applied as unknown as Fields, object);
    },
  };
}

function putInto({facts: {custom}}: Served): (object: AnyObject, replicas: number) => AnyObject {
  const {scale: paths} = custom ?? {};
  if (paths) return (object, replicas) => paths.withReplicas(object, replicas);
  return (object, replicas) => ({...object, spec: {...(object.spec as object | undefined), replicas}});
}

/** Changes the replicas of an object as its scale is changed. Webhooks hear of the scale, not of the object that it is part of. */
function* rescale(asked: AskedResource, showing: Showing, {change: given, put, applies}: Rescaling): Task<Answer | Refused> {
  const {info, served} = asked;
  const how = yield* admitted(asked, given);
  const change: QuickChange = old => {
    const next = how instanceof Refused ? how : how(scaleOf(served, old));
    if (next instanceof Refused) return next;
    const {metadata, spec} = next as unknown as Scale;
    const replicas = spec?.replicas ?? 0;
    if (replicas < 0) {
      return refuse(invalidObject(SCALE, info.name, [invalid('spec.replicas', replicas, 'must be greater than or equal to 0')]));
    }
    if (metadata.uid && metadata.uid !== old.metadata.uid) return refuse(otherUid(served, metadata.uid, old));
    const changed = put(old, replicas);
    if (changed instanceof Refused) return changed;
    const {resourceVersion} = metadata;
    return resourceVersion ? {...changed, metadata: {...changed.metadata, resourceVersion}} : changed;
  };
  const write = {...writeOf(asked, ''), withoutWebhooks: true, trackedAs: 'scale', ...(applies ? {applies} : {})};
  const updated = yield* updateObject(write, {name: info.name, namespace: info.namespace, change});
  return updated instanceof Refused ? updated : yield* shown(served, showing, updated.object);
}

function otherUid({facts: {group, resource}}: Served, uid: string, {metadata}: AnyObject) {
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
  const what = `${resource}/scale${group === '' ? '' : `.${group}`}`;
  return failure(409, 'Conflict', {
    message: `Operation cannot be fulfilled on ${what} ${JSON.stringify(metadata.name)}: ${why}`,
    details: {name: metadata.name, ...(group === '' ? {} : {group}), kind: `${resource}/scale`},
  });
}

/** The change as the webhooks leave it. */
function* admitted(asked: AskedResource, given: QuickChange): Task<QuickChange | Refused> {
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

/** A scale in the form that was asked for. That of a custom resource has the columns of a kind that says nothing of them. */
function* shown(served: Served, showing: Showing, object: AnyObject): Task<Answer | Refused> {
  const problem = yield* prepared(served, [object]);
  if (problem) return problem;
  const own = {...served, facts: scaleFacts(served.facts), conversion: undefined};
  return showObject({...showing, served: own}, 200, scaleOf(served, object));
}

function scaleFacts({custom, ...facts}: ServedFacts): ServedFacts {
  return {...facts, ...SCALE, resource: custom ? `${facts.resource}/scale` : 'scales'};
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
