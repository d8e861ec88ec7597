// Images: a node that has the pod's images is liked better, by their size; but an image that is on few nodes counts less, lest
// all pods pile up there. Per container 23 MiB count nothing and 1000 MiB count full.
import type {ClusterState} from '../cluster-state.ts';
import {HIGHEST_SCORE, type Plugin} from '../framework.ts';

const MIB = 1024 * 1024;
const LEAST = 23 * MIB;
const MOST = 1000 * MIB;

interface State {
  readonly cluster: ClusterState;
  readonly images: readonly string[];
}

export const imageLocality: Plugin<undefined, State> = {
  name: 'ImageLocality',
  preScore({cluster, pod}) {
    return {state: {cluster, images: pod.shape.images.filter(image => cluster.images.has(image))}};
  },
  score({cluster, images}, pod, node) {
    if (images.length === 0) return 0;
    let sum = 0;
    for (const image of images) {
      const known = node.facts.images.has(image) ? cluster.images.get(image) : undefined;
      if (known) sum += Math.trunc(known.size * (known.nodes / cluster.nodes.length));
    }
    const most = MOST * pod.shape.containerCount;
    return Math.trunc((HIGHEST_SCORE * (Math.max(LEAST, Math.min(most, sum)) - LEAST)) / (most - LEAST));
  },
};
