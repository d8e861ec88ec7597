// Under which keys etcd holds what. Mostly the plural name; some are older than their resource's name, and two groups write
// theirs in full.
import type {ResourceFacts} from '../../../api/meta/resources.ts';

export const ROOT = '/registry/';

const OWN_PREFIXES: Readonly<Record<string, string>> = {
  nodes: 'minions',
  services: 'services/specs',
  endpoints: 'services/endpoints',
  replicationcontrollers: 'controllers',
  ingresses: 'ingress',
  persistentvolumeclaims: 'persistentvolumeclaims',
  limitranges: 'limitranges',
};

const FULL_GROUPS = new Set(['apiregistration.k8s.io', 'apiextensions.k8s.io']);

/** Where a resource's objects are, with the slash at its end. */
export function prefixOf(facts: Pick<ResourceFacts, 'group' | 'resource'>): string {
  const full = FULL_GROUPS.has(facts.group) ? `${facts.group}/` : '';
  return `${ROOT}${full}${(full === '' && OWN_PREFIXES[facts.resource]) || facts.resource}/`;
}
