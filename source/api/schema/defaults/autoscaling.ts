// What HorizontalPodAutoscalers get.
import type {HorizontalPodAutoscaler as OldAutoscaler} from '../../kinds/autoscaling-v1.ts';
import type {HorizontalPodAutoscaler, HPAScalingRules, MetricSpec} from '../../kinds/autoscaling-v2.ts';
import {deepFreeze} from '../../meta/object.ts';
import {change, fill} from './fill.ts';

const CPU: readonly MetricSpec[] = deepFreeze([
  {type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 80}}},
]);
const UP: HPAScalingRules = deepFreeze({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    {type: 'Pods', value: 4, periodSeconds: 15},
    {type: 'Percent', value: 100, periodSeconds: 15},
  ],
});
const DOWN: HPAScalingRules = deepFreeze({selectPolicy: 'Max', policies: [{type: 'Percent', value: 100, periodSeconds: 15}]});
const NOTHING = Object.freeze({});

export function defaultAutoscaler(autoscaler: HorizontalPodAutoscaler): HorizontalPodAutoscaler {
  return change(autoscaler, 'spec', spec => {
    const out = fill(spec, {minReplicas: 1, metrics: CPU});
    return change(out, 'behavior', behavior => {
      const both = fill(behavior, {scaleUp: NOTHING, scaleDown: NOTHING});
      return change(
        change(both, 'scaleUp', rules => fill(rules, UP)),
        'scaleDown',
        rules => fill(rules, DOWN),
      );
    });
  });
}

export function defaultOldAutoscaler(autoscaler: OldAutoscaler): OldAutoscaler {
  return change(autoscaler, 'spec', spec => fill(spec, {minReplicas: 1}));
}
