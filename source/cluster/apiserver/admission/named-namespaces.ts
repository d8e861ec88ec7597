// Two plugins that a flag may name. NamespaceAutoProvision makes the namespace that somebody writes into where it lacks. NamespaceExists
// refuses whatever is meant for one that is not there.
import type {AnyObject} from '../../../api/meta/object.ts';
import {notFound} from '../../../api/meta/status.ts';
import type {Task} from '../../../sim/task.ts';
import {refuse, Refused} from '../http/refused.ts';
import type {Attributes, Write} from '../registry/write.ts';
import type {Plugin} from './plugin.ts';

const NAMESPACES = {group: '', resource: 'namespaces'};
/** So long it is waited for to be seen. */
const SEEN_WITHIN_MS = 1000;

export const namespaceAutoProvision: Plugin = {
  name: 'NamespaceAutoProvision',
  optional: true,
  resources: ['*'],
  operations: ['CREATE'],
  subresources: ['*'],
  mutate(object, {write}) {
    return lacksNamespace(write) && !write.dryRun ? provide(object, write) : object;
  },
};

export const namespaceExists: Plugin = {
  name: 'NamespaceExists',
  optional: true,
  resources: ['*'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  subresources: ['*'],
  validate({write}: Attributes) {
    return lacksNamespace(write) ? refuse(notFound(NAMESPACES, write.info.namespace)) : undefined;
  },
};

function lacksNamespace({served: {facts}, core, info: {namespace}}: Write): boolean {
  return facts.namespaced && namespace !== '' && !core.resources.of('namespaces').cache.get(namespace);
}

function* provide(object: AnyObject, {core, info}: Write): Task<AnyObject | Refused> {
  const made = yield* core.createNamespace(info.namespace);
  if (made instanceof Refused) return made.status.reason === 'AlreadyExists' ? object : made;
  yield* core.feed.reach(Number(made.metadata.resourceVersion), SEEN_WITHIN_MS);
  return object;
}
