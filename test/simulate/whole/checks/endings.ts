// What is to end ends: at rest, with all machines well, nothing is on its way out, and what has a node runs or has run.
import type {Node, Pod} from '../../../../source/api/kinds/core-v1.ts';
import type {Check} from './check.ts';
import {listOf, nameOf, podsOf} from './reading.ts';

function ending(pod: Pod): readonly string[] {
  if (pod.metadata.deletionTimestamp)
    return [`${nameOf(pod)} does not go: ${JSON.stringify(pod.metadata.finalizers ?? pod.status?.phase)}`];
  if (pod.spec.nodeName && pod.status?.phase === 'Pending') {
    const [status] = pod.status.containerStatuses ?? [];
    return [
      `${nameOf(pod)} has ${pod.spec.nodeName} and does not run: ${JSON.stringify(status?.state ?? pod.status.conditions)}`,
    ];
  }
  const isFinal = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
  const ready = pod.status?.conditions?.find(({type}) => type === 'Ready');
  return !isFinal && pod.spec.nodeName && ready?.status !== 'True' && pod.spec.restartPolicy === 'Always'
    ? [
        `${nameOf(pod)} runs and is not ready: ${JSON.stringify(pod.status?.containerStatuses?.[0]?.state)} ${JSON.stringify(ready)}`,
      ]
    : [];
}

export const ENDINGS: Check = {
  rest(state) {
    const nodes = listOf<Node>(state, 'nodes');
    const names = new Set(nodes.map(({metadata}) => metadata.name));
    return [
      ...podsOf(state).flatMap(ending),
      ...podsOf(state)
        .filter(({spec}) => spec.nodeName && !names.has(spec.nodeName))
        .map(pod => `${nameOf(pod)} is on a node that is not there`),
      ...nodes
        .filter(({status}) => !status?.conditions?.some(({type, status: is}) => type === 'Ready' && is === 'True'))
        .map(node => `${nameOf(node)} is not ready`),
      ...nodes.flatMap(node =>
        (node.spec?.taints ?? [])
          .filter(({key}) => /unreachable|not-ready/.test(key))
          .map(({key}) => `${nameOf(node)} has the taint ${key}`),
      ),
      ...listOf<Node>(state, 'namespaces')
        .filter(({metadata}) => metadata.deletionTimestamp)
        .map(namespace => `${nameOf(namespace)} does not go`),
    ];
  },
};
