// The flags of kube-controller-manager that set how patient its controllers are.
import type {Tuning} from '../../cluster/controllers/tuning.ts';
import {goMilliseconds} from './flag-values.ts';
import type {Flags} from './flags.ts';

/** Reads them. */
export function tuningOf(flags: Flags): Tuning {
  const ms = (name: string) => goMilliseconds(flags.text(name));
  const paceMs = (name: string) => (flags.number(name) > 0 ? 1000 / flags.number(name) : Infinity);
  const hpa = (name: string) => ms(`horizontal-pod-autoscaler-${name}`);
  return {
    nodes: {
      periodMs: ms('node-monitor-period'),
      graceMs: ms('node-monitor-grace-period'),
      startupGraceMs: ms('node-startup-grace-period'),
      paceMs: paceMs('node-eviction-rate'),
      slowPaceMs: paceMs('secondary-node-eviction-rate'),
      unhealthyShare: flags.number('unhealthy-zone-threshold'),
      largeZone: flags.number('large-cluster-size-threshold'),
    },
    autoscaler: {
      periodMs: hpa('sync-period'),
      tolerance: flags.number('horizontal-pod-autoscaler-tolerance'),
      downscaleMs: hpa('downscale-stabilization'),
      startingMs: hpa('cpu-initialization-period'),
      firstReadyMs: hpa('initial-readiness-delay'),
    },
    endedPods: flags.number('terminated-pod-gc-threshold'),
    signedMs: ms('cluster-signing-duration'),
  };
}
