// The cluster that stands where no level is asked for: with machines of somebody's list, a bare one, in which nothing runs but what a
// fresh API server has; else three workers and a control plane as kubeadm lays them out, with what nearly every tutorial expects to
// find there: static pods, DNS, metrics, and a class of storage.
import type {NodeDescription, PlayerDescription, WorldDescription} from '../world/description.ts';
import {PRESETS} from '../world/presets.ts';

export interface OwnCluster {
  readonly seed: number;
  readonly startMs: number;
  readonly nodes?: readonly NodeDescription[] | undefined;
  /** The kubelets run the control plane of a bare cluster too. */
  readonly staticPods?: boolean;
  readonly player: Pick<PlayerDescription, 'groups' | 'environment' | 'hostEnvironment'>;
}

/** Its description. */
export function ownCluster({seed, startMs, nodes, staticPods = false, player}: OwnCluster): WorldDescription {
  const isOurs = nodes === undefined;
  return {
    seed,
    startMs,
    nodes: nodes ?? PRESETS.trio,
    kubeadm: isOurs,
    metricsServer: isOurs,
    ...(isOurs ? {storage: {}} : {}),
    staticPods: isOurs || staticPods,
    images: [],
    programs: {},
    objects: [],
    player: {user: 'kubernetes-admin', namespace: '', files: {}, allowed: [], ...player},
  };
}
