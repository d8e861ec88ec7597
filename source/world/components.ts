// Images that are components of the cluster: what runs in their containers.
import type {ComponentContext} from '../cluster/runtime/surroundings.ts';
import type {Cluster} from './cluster.ts';

export function componentsFor(_cluster: Cluster): ReadonlyMap<string, (context: ComponentContext) => void> {
  return new Map();
}
