// TaintNodesByCondition: a new node takes no pods until somebody has seen it Ready and taken this taint away.
import type {Node, NodeSpec} from '../../../api/kinds/core-v1.ts';
import type {Plugin} from './plugin.ts';

const NOT_READY = 'node.kubernetes.io/not-ready';

export const taintNodes: Plugin = {
  name: 'TaintNodesByCondition',
  resources: ['nodes'],
  operations: ['CREATE'],
  mutate(object) {
    const spec: NodeSpec = (object as unknown as Node).spec ?? {};
    if (spec.taints?.some(taint => taint.key === NOT_READY && taint.effect === 'NoSchedule')) return object;
    return {...object, spec: {...spec, taints: [...(spec.taints ?? []), {key: NOT_READY, effect: 'NoSchedule'}]}};
  },
};
