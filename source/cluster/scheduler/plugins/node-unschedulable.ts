// A cordoned node takes no new pods, except those that tolerate the taint that a cordon brings.
import type {Taint} from '../../../api/kinds/core-v1.ts';
import type {Plugin, Verdict} from '../framework.ts';
import type {PodInfo} from '../state/pod-info.ts';
import {untolerated} from '../../../api/meta/taints.ts';

const TAINT: readonly Taint[] = [{key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule'}];
const REFUSED: Verdict = {code: 'unresolvable', reasons: ['node(s) were unschedulable']};

export const nodeUnschedulable: Plugin = {
  name: 'NodeUnschedulable',
  preFilter: ({cluster}) => (cluster.cordoned === 0 ? 'skip' : {state: undefined}),
  filter: (_state, pod, {facts}) => (facts.unschedulable && !isTolerated(pod) ? REFUSED : undefined),
  worthRetry(event) {
    if (event.about === 'itself') return !isTolerated(event.before) && isTolerated(event.after);
    return event.about === 'node' && event.after?.unschedulable === false && event.before?.unschedulable !== false;
  },
};

function isTolerated(pod: PodInfo): boolean {
  return untolerated(TAINT, pod.shape.tolerations) === undefined;
}
