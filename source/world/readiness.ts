// When a cluster that begins is ready for its player: its nodes are, and so are its add-ons.
import {builtin} from '../api/meta/resources.ts';
import type {Spectator} from './spectator.ts';

const NODES = builtin('nodes');
const DEPLOYMENTS = builtin('apps', 'deployments');

/** Have all kubelets registered their nodes? */
export function hasNodes(spectator: Spectator, count: number): boolean {
  return spectator.isReady && spectator.all(NODES).length >= count;
}

/** Are all nodes Ready, and all Deployments of the add-ons available? */
export function isReady(spectator: Spectator, count: number): boolean {
  if (!spectator.isReady) return false;
  const nodes = spectator.all(NODES) as readonly {status?: {conditions?: readonly {type: string; status: string}[]}}[];
  if (nodes.length < count) return false;
  const ready = nodes.every(node =>
    node.status?.conditions?.some(condition => condition.type === 'Ready' && condition.status === 'True'),
  );
  // metrics-server takes half a minute, and nobody needs it before the player looks.
  const addOns = spectator
    .all(DEPLOYMENTS, 'kube-system')
    .filter(({metadata}) => metadata.name !== 'metrics-server') as readonly {
    spec?: {replicas?: number};
    status?: {readyReplicas?: number};
  }[];
  return ready && addOns.every(({spec, status}) => (status?.readyReplicas ?? 0) >= (spec?.replicas ?? 1));
}
