// What a fresh cluster has: namespaces, the bootstrap roles, priority classes and the rest, written when they are missing. Several
// servers may start at once: whoever comes second finds that the name is taken, and is content.
import objects from '../../../api/data/start-objects.json' with {type: 'json'};
import roles from '../../../api/data/rbac.json' with {type: 'json'};
import type {ObjectMeta} from '../../../api/kinds/meta.ts';
import {deepFreeze, type AnyObject} from '../../../api/meta/object.ts';
import {resourceOfKind} from '../../../api/meta/resources.ts';
import {sleep, type Task} from '../../../sim/task.ts';
import type {Core} from '../core.ts';
import {cacheKey, keyFor, type Served} from '../registry/served.ts';
import {EtcdFailure} from '../store/connection.ts';
import {joinEndpoints} from './server-keys.ts';
import {localObject} from './local-object.ts';
import {owned} from './first-owners.ts';

const AGAIN_MS = 1000;

/** Writes what is missing. */
export function* bootstrap(core: Core): Task {
  for (const raw of [...(objects as unknown as AnyObject[]), ...(roles as unknown as AnyObject[])]) {
    const object = localObject(core.settings, raw, core.daemon.now());
    const served = object && servedFor(core, object);
    if (!object || !served) continue;
    const {namespace = '', name} = object.metadata;
    if (served.cache.get(cacheKey(served, namespace, name))) continue;
    yield* write(core, served, object);
  }
  yield* joinEndpoints(core);
}

function servedFor(core: Core, object: AnyObject): Served | undefined {
  const facts = resourceOfKind(object.apiVersion, object.kind);
  return facts && core.resources.find(facts.group, facts.version, facts.resource);
}

function* write(core: Core, served: Served, object: AnyObject): Task {
  const {daemon, etcd} = core;
  const {name, namespace, uid: _uid, creationTimestamp: _created, ...rest} = object.metadata;
  const metadata = {
    name,
    ...(namespace === undefined ? {} : {namespace}),
    uid: daemon.dice.uuid(),
    ...rest,
    creationTimestamp: daemon.now(),
  } as ObjectMeta;
  const value = owned(core, served, deepFreeze({...object, metadata}));
  const key = keyFor(served, namespace ?? '', name);
  for (;;) {
    const answer = yield* etcd.transact({
      kind: 'txn',
      compare: [{key, target: 'mod', is: '=', value: 0}],
      success: [{kind: 'put', key, value}],
      failure: [],
    });
    if (!(answer instanceof EtcdFailure)) {
      if (answer.succeeded) yield* core.feed.reach(answer.header.revision, AGAIN_MS);
      return;
    }
    yield* sleep(AGAIN_MS);
  }
}
