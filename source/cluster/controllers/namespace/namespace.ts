// The namespace controller. It waits five seconds after each change of a namespace that is being deleted, so that every API
// server knows of the deletion and lets nothing new in.
//
// Resources of extension servers are not emptied, but one that cannot be reached holds the end up: nobody knows what it has.
import type {APIService} from '../../../api/kinds/apiregistration-v1.ts';
import type {Namespace, Pod} from '../../../api/kinds/core-v1.ts';
import {findCondition} from '../../../api/meta/conditions.ts';
import type {KubeObject} from '../../../api/meta/object.ts';
import {builtin, type ResourceFacts} from '../../../api/meta/resources.ts';
import {get, list, remove, removeAll, update} from '../../../client/verbs.ts';
import type {Outcome} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {sendAll} from '../send-all.ts';
import {estimateSeconds, planConditions, waitSeconds, type Content, type Remains} from './plan.ts';

const namespaces = builtin('namespaces');
const pods = builtin('pods');
const apiServices = builtin('apiregistration.k8s.io', 'apiservices');
const GRACE_MS = 5000;
/** Empties and ends namespaces. */
export const namespaceController: Controller = {
  name: 'namespace-controller',
  account: 'namespace-controller',
  start: context => {
    const queue = context.queue({reconcile: key => sync(context, key), workers: 10});
    const look = (namespace: Namespace) => {
      if (namespace.metadata.deletionTimestamp !== undefined) queue.addAfter(namespace.metadata.name, GRACE_MS);
    };
    context.informers.of<APIService>(apiServices);
    context.informers.of<Namespace>(namespaces).on({added: look, updated: look});
  },
};

function* sync(context: Context, name: string): Task<Outcome> {
  const {client} = context;
  const found = yield* client.ask<Namespace>(get(namespaces, {name}));
  if (!found.ok) return found.status.code === 404 ? undefined : 'again';
  const namespace = found.value;
  const own = namespace.spec?.finalizers ?? [];
  if (namespace.metadata.deletionTimestamp === undefined || !own.includes('kubernetes')) return undefined;
  const {content, seconds} = yield* removeContent(context, namespace);
  const unreachable = unreachableVersions(context);
  const conditions = planConditions(namespace, {...content, unreachable}, context.daemon.now());
  let latest = namespace;
  if (conditions !== namespace.status?.conditions) {
    const status = {...namespace.status, phase: 'Terminating' as const, conditions};
    const written = yield* client.ask<Namespace>(update(namespaces, {...namespace, status}, 'status'));
    if (!written.ok) return written.status.code === 404 ? undefined : 'again';
    latest = written.value;
  }
  if (content.errors.length > 0 || unreachable.length > 0) return 'again';
  if (seconds > 0) return {afterMs: (Math.floor(seconds / 2) + 1) * 1000};
  const finalizers = own.filter(each => each !== 'kubernetes');
  const finalized = yield* client.ask(update(namespaces, {...latest, spec: {...latest.spec, finalizers}}, 'finalize'));
  return finalized.ok || finalized.status.code === 404 ? undefined : 'again';
}

/** Versions whose extension server does not answer. */
function unreachableVersions({informers}: Context): readonly string[] {
  const services = informers.of<APIService>(apiServices).store.values();
  const broken = [...services].filter(
    ({spec, status}) => spec?.service && findCondition(status?.conditions, 'Available')?.status !== 'True',
  );
  return broken.map(({spec}) => `${spec?.group}/${spec?.version}`);
}

function* removeContent(context: Context, namespace: Namespace): Task<{content: Omit<Content, 'unreachable'>; seconds: number}> {
  const errors: string[] = [];
  const {name} = namespace.metadata;
  const before = yield* context.client.ask<{items: readonly Pod[]}>(list(pods, {namespace: name}));
  const grace = before.ok ? estimateSeconds(namespace, before.value.items, context.daemon.wall()) : 0;
  const left = yield* removeOne(context, pods, {namespace: name, graceSeconds: grace, errors});
  if (left.remains.items.length > 0) {
    return {content: {onlyPods: true, remains: [left.remains], errors}, seconds: left.seconds};
  }
  const remains: Remains[] = [];
  let {seconds} = left;
  const all = context.kinds.all.filter(({namespaced, verbs}) => namespaced && verbs.includes('delete') && verbs.includes('list'));
  for (const resource of all) {
    if (resource.resource === 'pods' && resource.group === '') continue;
    const one = yield* removeOne(context, resource, {namespace: name, graceSeconds: 0, errors});
    remains.push(one.remains);
    seconds = Math.max(seconds, one.seconds);
  }
  return {content: {onlyPods: false, remains, errors}, seconds};
}

interface Removal {
  readonly namespace: string;
  readonly graceSeconds: number;
  /** Gets what went wrong. */
  readonly errors: string[];
}

/** Deletes all of one resource and looks at what is left. */
function* removeOne(context: Context, resource: ResourceFacts, how: Removal): Task<{remains: Remains; seconds: number}> {
  const {client} = context;
  const {namespace, errors} = how;
  const failed = (message: string | undefined): {remains: Remains; seconds: number} => {
    errors.push(message ?? '');
    return {remains: {resource, items: []}, seconds: 0};
  };
  if (resource.verbs.includes('deletecollection')) {
    const removed = yield* client.ask(removeAll(resource, {namespace}, {propagationPolicy: 'Background'}));
    if (!removed.ok && removed.status.code !== 404 && removed.status.code !== 405) return failed(removed.status.message);
  }
  let found = yield* client.ask<{items: readonly KubeObject[]}>(list(resource, {namespace}));
  if (found.ok && found.value.items.length > 0 && !resource.verbs.includes('deletecollection')) {
    const each = found.value.items.map(item =>
      remove(resource, {namespace, name: item.metadata.name}, {propagationPolicy: 'Background'}),
    );
    yield* sendAll(client, each);
    found = yield* client.ask<{items: readonly KubeObject[]}>(list(resource, {namespace}));
  }
  if (!found.ok) return found.status.code === 404 ? {remains: {resource, items: []}, seconds: 0} : failed(found.status.message);
  const remains = {resource, items: found.value.items};
  const seconds = waitSeconds(remains, how.graceSeconds);
  if (seconds !== undefined) return {remains, seconds};
  const {group, version, resource: plural} = resource;
  errors.push(`unexpected items still remain in namespace: ${namespace} for gvr: ${group}/${version}, Resource=${plural}`);
  return {remains, seconds: 0};
}
