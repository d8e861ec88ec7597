// The verbs that every stored resource has.
import type {Fields} from '../../../api/meta/fields.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {badRequest, conflict, forbidden, methodNotSupported, notFound, success} from '../../../api/meta/status.ts';
import {PATCH_TYPES, type Answer} from '../../../api/wire/http.ts';
import type {Task} from '../../../sim/task.ts';
import {formOf} from '../http/form.ts';
import {endPiece} from '../http/large.ts';
import {json} from '../http/reply.ts';
import {refuse, Refused} from '../http/refused.ts';
import {readSelection} from '../http/selection.ts';
import {showList, showObject, type Showing} from '../http/show.ts';
import {refusalText} from '../rbac/access.ts';
import {applyLarge, applyTo, configOf} from '../registry/apply.ts';
import {decodeBody} from '../registry/body.ts';
import {freshState} from '../registry/commit.ts';
import {createObject} from '../registry/create.ts';
import {awaitVersion, listObjects} from '../registry/list.ts';
import {changeOfPatch, patchType} from '../registry/patch.ts';
import {removeObject} from '../registry/remove.ts';
import {cacheKey, type Served} from '../registry/served.ts';
import {updateObject, type Change} from '../registry/update.ts';
import {openWatch} from '../registry/watch.ts';
import type {Write} from '../registry/write.ts';
import {writeOf, type AskedResource, type Handler} from './asked.ts';
import {deleteOptions, isDryRun} from './delete-options.ts';
import {checkWriteOptions} from './write-options.ts';

/** How the answer is to look. */
export function showingOf(asked: AskedResource): Showing | Refused {
  const form = formOf(asked.request.headers?.['accept']);
  if (form instanceof Refused) return form;
  const {core, request, info, served} = asked;
  const include = info.query['includeObject'] || 'Metadata';
  return {served, form, nowMs: core.daemon.wall(), include, isWritten: request.readsHeaders === true};
}

/** Waits until stored objects can be shown in the version that is served. */
export function* prepared({converter}: Served, objects: readonly AnyObject[]): Task<Refused | undefined> {
  return converter ? yield* converter.prepare(objects) : undefined;
}

function* shown(showing: Showing, status: number, object: AnyObject): Task<Answer | Refused> {
  const problem = yield* prepared(showing.served, [object]);
  return problem ?? showObject(showing, status, object);
}

const get: Handler = function* (asked) {
  const showing = showingOf(asked);
  if (showing instanceof Refused) return showing;
  const found = yield* findObject(asked);
  return found instanceof Refused ? found : yield* shown(showing, 200, found);
};

/** The object that a path names, as new as the request wants it. */
export function* findObject(asked: AskedResource): Task<AnyObject | Refused> {
  const {core, info, served} = asked;
  const version = info.query['resourceVersion'] ?? '';
  if (version !== '') {
    const ready = yield* awaitVersion(core, version);
    if (ready) return ready;
    return served.cache.get(cacheKey(served, info.namespace, info.name)) ?? missing(asked);
  }
  const state = yield* freshState({core, served}, info.namespace, info.name);
  if (state instanceof Refused) return state;
  return state.object ?? missing(asked);
}

/** In a namespace that is not there, it is the namespace that is missing. */
function missing({core, info, served}: AskedResource): Refused {
  const namespaces = core.resources.of('namespaces');
  if (served.facts.namespaced && !namespaces.cache.get(info.namespace)) return refuse(notFound(namespaces.facts, info.namespace));
  return refuse(notFound(served.facts, info.name));
}

/** These say only that a field cannot be selected by, not which ones can. */
function isTerse({facts}: Served): boolean {
  return facts.group === '' || facts.custom !== undefined;
}

const list: Handler = function* (asked) {
  const showing = showingOf(asked);
  if (showing instanceof Refused) return showing;
  const {core, info, served} = asked;
  const selection = readSelection(info.query, served.strategy.fields ?? {}, isTerse(served));
  if (selection instanceof Refused) return selection;
  const listed = yield* listObjects(core, served, {namespace: info.namespace, selection, query: info.query});
  if (listed instanceof Refused) return listed;
  const problem = yield* prepared(served, listed.items);
  if (problem) return problem;
  return showList(showing, listed.items, {
    resourceVersion: String(listed.revision),
    ...(listed.continue === undefined ? {} : {continue: listed.continue}),
    ...(listed.remaining === undefined ? {} : {remainingItemCount: listed.remaining}),
  });
};

const watch: Handler = function* (asked) {
  const {core, info, served, stream} = asked;
  const showing = showingOf(asked);
  if (showing instanceof Refused) return showing;
  if (!stream) return refuse(badRequest('a watch needs a connection that takes frames'));
  const one = info.name !== '' ? {...info.query, fieldSelector: `metadata.name=${info.name}`} : info.query;
  const selection = readSelection(one, served.strategy.fields ?? {}, isTerse(served));
  if (selection instanceof Refused) return selection;
  return yield* openWatch(core, stream, {
    namespace: served.facts.namespaced ? info.namespace : '',
    selection,
    query: info.query,
    showing,
  });
};

const create: Handler = function* (asked) {
  const showing = showingOf(asked);
  if (showing instanceof Refused) return showing;
  const write = writeOf(asked);
  const problem = checkWriteOptions(write, 'CreateOptions');
  if (problem) return problem;
  const body = decodeBody(write, asked.request, asked.served.facts);
  if (body instanceof Refused) return body;
  const created = yield* createObject(write, stored(asked.served, body, undefined));
  return created instanceof Refused ? created : yield* shown(showing, 201, created);
};

const update: Handler = function* (asked) {
  const write = writeOf(asked);
  const problem = checkWriteOptions(write, 'UpdateOptions');
  if (problem) return problem;
  const {served, info} = asked;
  const body = decodeBody(write, asked.request, served.facts);
  if (body instanceof Refused) return body;
  if (body.metadata.name !== info.name) {
    return refuse(
      badRequest(
        body.metadata.name
          ? `the name of the object (${body.metadata.name}) does not match the name on the URL (${info.name})`
          : 'name must be provided',
      ),
    );
  }
  const answer = yield* change(asked, write, old => stored(served, body, old));
  if (!(answer instanceof Refused) || answer.status.reason !== 'NotFound' || !served.strategy.upsert || write.subresource !== '')
    return answer;
  const showing = showingOf(asked);
  if (showing instanceof Refused) return showing;
  const access = {...info, verb: 'create', name: ''};
  if (!asked.core.authorize(asked.user, access).allowed) return answer;
  const created = yield* createObject(write, stored(served, body, undefined));
  return created instanceof Refused ? created : yield* shown(showing, 201, created);
};

const patch: Handler = function* (asked) {
  const write = writeOf(asked);
  const problem = checkWriteOptions(write, 'PatchOptions', patchType(asked.request) === PATCH_TYPES.apply);
  if (problem) return problem;
  if (patchType(asked.request) === PATCH_TYPES.apply) return yield* apply(asked, {...write, applies: true});
  const {served} = asked;
  const wanted = changeOfPatch(write, asked.request, served.facts);
  if (wanted instanceof Refused) return wanted;
  return yield* change(asked, write, old => {
    const next = wanted(served.conversion ? served.conversion.read(old) : old);
    return next instanceof Refused ? next : stored(served, next, old);
  });
};

/** Server-side apply: the object is made if it is not there. */
function* apply(asked: AskedResource, write: Write): Task<Answer | Refused> {
  const {served, info} = asked;
  const config = configOf(write, asked.request);
  if (write.isLarge) yield* endPiece(asked.core.daemon);
  if (config instanceof Refused) return config;
  const read = (old: AnyObject): AnyObject => (served.conversion ? served.conversion.read(old) : old);
  const kept = (next: AnyObject | Refused, old: AnyObject) => (next instanceof Refused ? next : stored(served, next, old));
  const how: Change = write.isLarge
    ? function* (old) {
        return kept(yield* applyLarge(write, config, read(old)), old);
      }
    : old => kept(applyTo(write, config, read(old)), old);
  for (let tries = 0; tries < 2; tries++) {
    const answer = yield* change(asked, write, how);
    const isThere = !(answer instanceof Refused) || answer.status.reason !== 'NotFound' || write.subresource !== '';
    if (isThere) return answer;
    const made = yield* applyNew(asked, write, config);
    if (!(made instanceof Refused) || made.status.reason !== 'AlreadyExists') return made;
  }
  return refuse(conflict(served.facts, info.name));
}

function* applyNew(asked: AskedResource, write: Write, config: Fields): Task<Answer | Refused> {
  const {core, info, served, user} = asked;
  const access = {...info, verb: 'create'};
  const decision = core.authorize(user, access);
  if (!decision.allowed) return refuse(forbidden(info, info.name, refusalText(user.name, access, decision.reason)));
  const object = write.isLarge ? yield* applyLarge(write, config, undefined) : applyTo(write, config, undefined);
  if (object instanceof Refused) return object;
  const {name, uid} = object.metadata;
  if (uid) {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    return refuse(conflict(served.facts, info.name, why));
  }
  if (name !== info.name)
    return refuse(badRequest(`the name of the object (${name ?? ''}) does not match the name on the URL (${info.name})`));
  const created = yield* createObject(write, stored(served, object, undefined));
  if (created instanceof Refused) return created;
  const showing = showingOf(asked);
  return showing instanceof Refused ? showing : yield* shown(showing, 201, created);
}

/** Carries a change out and shows the object that came of it. */
export function* change(asked: AskedResource, write: Write, how: Change): Task<Answer | Refused> {
  const showing = showingOf(asked);
  if (showing instanceof Refused) return showing;
  const {info} = asked;
  const updated = yield* updateObject(write, {name: info.name, namespace: info.namespace, change: how});
  return updated instanceof Refused ? updated : yield* shown(showing, 200, updated.object);
}

/** The object in the version that is stored. */
function stored(served: Served, object: AnyObject, old: AnyObject | undefined): AnyObject {
  return served.conversion ? served.conversion.write(object, old) : object;
}

const remove: Handler = function* (asked) {
  const showing = showingOf(asked);
  if (showing instanceof Refused) return showing;
  const options = deleteOptions(asked);
  if (options instanceof Refused) return options;
  const {info, served} = asked;
  const write = {...writeOf(asked), dryRun: isDryRun(asked, options)};
  const removed = yield* removeObject(write, {namespace: info.namespace, name: info.name}, options);
  if (removed instanceof Refused) return removed;
  if (!removed.gone || served.strategy.returnsDeleted) return yield* shown(showing, 200, removed.object);
  return json(200, success(served.facts, info.name, removed.object.metadata.uid));
};

const removeMany: Handler = function* (asked) {
  const showing = showingOf(asked);
  if (showing instanceof Refused) return showing;
  const options = deleteOptions(asked);
  if (options instanceof Refused) return options;
  const {core, info, served} = asked;
  const selection = readSelection(info.query, served.strategy.fields ?? {}, isTerse(served));
  if (selection instanceof Refused) return selection;
  const listed = yield* listObjects(core, served, {namespace: info.namespace, selection, query: info.query});
  if (listed instanceof Refused) return listed;
  const write = {...writeOf(asked), dryRun: isDryRun(asked, options)};
  for (const object of listed.items) {
    const {name, namespace = ''} = object.metadata;
    const removed = yield* removeObject(write, {namespace, name}, options);
    if (removed instanceof Refused && removed.status.reason !== 'NotFound') return removed;
  }
  const problem = yield* prepared(served, listed.items);
  return problem ?? showList(showing, listed.items, {resourceVersion: String(listed.revision)});
};

const HANDLERS: Readonly<Record<string, Handler>> = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: remove,
  deletecollection: removeMany,
};

/** The handler of a verb on a resource or its status. */
export function verbHandler(asked: AskedResource): Handler | Refused {
  const {info, served} = asked;
  const handler = HANDLERS[info.verb];
  const verbs =
    info.subresource === ''
      ? served.facts.verbs
      : (served.facts.subresources.find(sub => sub.name === info.subresource)?.verbs ?? []);
  if (handler && verbs.includes(info.verb)) return handler;
  return refuse(methodNotSupported(served.facts, info.verb));
}
