// Devices by claim. Modelled: a pod whose ResourceClaim is missing waits before the queue; a class that does not exist refuses
// the pod; and the words that this plugin has when no node is left, which stand in every FailedScheduling text. Not modelled yet:
// allocation of devices from slices, which comes with its controller; until then no driver publishes any, so a pod with claims
// is told by every node that they cannot be allocated.
import type {Plugin, Verdict} from '../framework.ts';
import type {ClusterState} from '../cluster-state.ts';
import type {PodInfo} from '../pod-info.ts';

const REFUSED: Verdict = {code: 'unresolvable', reasons: ['cannot allocate all claims']};

export const dynamicResources: Plugin<undefined> = {
  name: 'DynamicResources',
  preEnqueue({cluster, pod}) {
    for (const name of claimNames(pod)) {
      if (name === undefined || !cluster.lookups.resourceClaim(pod.namespace, name)) return 'waiting for resource claim';
    }
    return undefined;
  },
  preFilter({cluster, pod}) {
    const names = claimNames(pod);
    if (names.length === 0) return 'skip';
    const unknown = unknownClass(cluster, pod, names);
    return unknown === undefined ? {state: undefined} : {refused: {code: 'unresolvable', reasons: [unknown]}};
  },
  filter: () => REFUSED,
  postFilter({pod, profile, diagnosis}) {
    const order = profile.filters.map(plugin => plugin.name);
    const before = diagnosis.refusedBefore;
    if (before && order.indexOf(before.plugin) < order.indexOf('DynamicResources')) return {message: 'not found', final: true};
    const refusedHere = before?.plugin === 'DynamicResources';
    return {message: claimNames(pod).length > 0 && !refusedHere ? 'still not schedulable' : 'no new claims to deallocate'};
  },
  worthRetry: event => event.about === 'devices' || event.about === 'itself' || (event.about === 'node' && !event.before),
};

/** The claims that a pod uses; undefined for one that is still to be made from its template. */
function claimNames({pod}: PodInfo): readonly (string | undefined)[] {
  return (pod.spec.resourceClaims ?? []).map(({name, resourceClaimName}) => {
    return resourceClaimName ?? pod.status?.resourceClaimStatuses?.find(status => status.name === name)?.resourceClaimName;
  });
}

function unknownClass(cluster: ClusterState, pod: PodInfo, names: readonly (string | undefined)[]): string | undefined {
  for (const name of names) {
    const claim = name === undefined ? undefined : cluster.lookups.resourceClaim(pod.namespace, name);
    for (const request of claim?.spec.devices?.requests ?? []) {
      const deviceClass = request.exactly?.deviceClassName;
      if (deviceClass !== undefined && !cluster.lookups.hasDeviceClass(deviceClass))
        return `request ${request.name}: device class ${deviceClass} does not exist`;
    }
  }
  return undefined;
}
