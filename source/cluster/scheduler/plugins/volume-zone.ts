// Volumes that say by labels where they are: in a zone or region (or several, with `__` between them). A node that has none of
// these labels at all takes any.
import {isDelayedClass, classOfClaim} from '../../../api/meta/volume-match.ts';
import type {Context, Plugin, Verdict} from '../framework.ts';
import type {NodeInfo} from '../state/node-info.ts';

/** Labels of volumes, and what a node may call the same today. */
const TOPOLOGY: Readonly<Record<string, string>> = {
  'topology.kubernetes.io/zone': 'failure-domain.beta.kubernetes.io/zone',
  'topology.kubernetes.io/region': 'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
};

type State = readonly {readonly key: string; readonly values: readonly string[]}[];

const ELSEWHERE: Verdict = {code: 'unresolvable', reasons: ['node(s) had no available volume zone']};

export const volumeZone: Plugin<State> = {
  name: 'VolumeZone',
  preFilter(context) {
    const places = context.pod.claims.length === 0 ? [] : placesOf(context);
    return places.length === 0 ? 'skip' : {state: places};
  },
  filter(places, _pod, node) {
    if (!Object.keys(TOPOLOGY).some(key => key in node.labels)) return undefined;
    return places.every(({key, values}) => values.includes(labelOf(node, key) ?? '')) ? undefined : ELSEWHERE;
  },
  worthRetry(event, pod) {
    if (event.about === 'node') return event.after !== undefined;
    if (event.about !== 'storage' || !event.after) return false;
    if (event.kind === 'class') return event.before === undefined;
    if (event.kind === 'volume')
      return event.before === undefined || event.before.metadata.labels !== event.after.metadata.labels;
    return (
      event.kind === 'claim' && event.after.metadata.namespace === pod.namespace && pod.claims.includes(event.after.metadata.name)
    );
  },
};

function labelOf(node: NodeInfo, key: string): string | undefined {
  return node.labels[key] ?? node.labels[TOPOLOGY[key] ?? ''];
}

function placesOf({cluster, pod}: Context): State {
  return pod.claims.flatMap(name => {
    const claim = cluster.lookups.claim(pod.namespace, name);
    if (!claim || (!claim.spec?.volumeName && isDelayedClass(cluster.lookups.storageClass(classOfClaim(claim))))) return [];
    const labels = cluster.lookups.volume(claim.spec?.volumeName ?? '')?.metadata.labels ?? {};
    return Object.keys(TOPOLOGY)
      .filter(key => labels[key] !== undefined)
      .map(key => ({key, values: (labels[key] ?? '').split('__').map(value => value.trim())}));
  });
}
