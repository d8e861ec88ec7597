// NamespaceLifecycle: nothing is created in a namespace that is not there or is going, and three namespaces stay.
import {failure, forbidden, notFound} from '../../../api/meta/status.ts';
import {refuse, type Refused} from '../http/refused.ts';
import type {Attributes} from '../registry/write.ts';
import type {Plugin} from './plugin.ts';

const PROTECTED = new Set(['default', 'kube-system', 'kube-public']);
const NAMESPACES = {group: '', resource: 'namespaces'};

/** Access reviews may ask about any namespace. */
const ANYWHERE = new Set(['localsubjectaccessreviews']);

export const namespaceLifecycle: Plugin = {
  name: 'NamespaceLifecycle',
  resources: ['*'],
  operations: ['CREATE', 'DELETE'],
  subresources: ['*'],
  mutate(object, attributes) {
    return checkCreate(attributes, object.metadata.name ?? '') ?? object;
  },
  validate({write, operation, old}) {
    if (operation !== 'DELETE' || write.served.facts.resource !== 'namespaces' || !old || !PROTECTED.has(old.metadata.name))
      return undefined;
    return refuse(forbidden(NAMESPACES, old.metadata.name, 'this namespace may not be deleted'));
  },
};

function checkCreate({write}: Attributes, name: string): Refused | undefined {
  const {
    served: {facts},
    core,
    info: {namespace},
  } = write;
  if (!facts.namespaced || ANYWHERE.has(facts.resource)) return undefined;
  const found = core.resources.of('namespaces').cache.get(namespace);
  if (!found) return refuse(notFound(NAMESPACES, namespace));
  if (write.subresource !== '' || found.metadata.deletionTimestamp === undefined) return undefined;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const status = forbidden(facts, name, why);
  const causes = [
    {reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace'},
  ];
  return refuse(failure(403, 'Forbidden', {message: status.message, details: {...status.details, causes}}));
}
