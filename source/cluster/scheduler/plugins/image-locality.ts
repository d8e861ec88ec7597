// Images: a node that has the pod's images is liked better, by their size; but an image that is on few nodes counts less, lest
// all pods pile up there. Per container 23 MiB count nothing and 1000 MiB count full.
import type {ClusterState} from '../state/cluster-state.ts';
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
    const images = pod.shape.images.filter(image => cluster.images.has(image));
    return images.length === 0 ? {same: 0} : {state: {cluster, images}};
  },
  score({cluster, images}, pod, nodes, scores) {
    const total = cluster.nodes.length;
    const most = MOST * pod.shape.containerCount;
    for (const [index, {facts}] of nodes.entries()) {
      let sum = 0;
      for (const image of images) {
        const known = facts.images.has(image) ? cluster.images.get(image) : undefined;
        if (known) sum += Math.trunc(known.size * (known.nodes / total));
      }
      const counted = Math.max(LEAST, Math.min(most, sum)) - LEAST;
      scores[index] = Math.trunc((HIGHEST_SCORE * counted) / (most - LEAST));
    }
  },
};
