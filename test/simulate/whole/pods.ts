// Random pod templates: what they need, where they want to be, how they live and end.
import type {Chance} from './chance.ts';
import {imageOf} from './programs.ts';

type Part = Record<string, unknown>;

/** A pod spec of something that serves. */
export function serverSpec(chance: Chance, app: string): Part {
  const program = chance.of('web', 'web', 'web', 'late', 'slow', 'busy');
  const container = {
    name: 'main',
    image: imageOf(program, program === 'web' ? chance.of('v1', 'v2') : 'v1'),
    ports: [{containerPort: 80}],
    resources: {requests: {cpu: chance.of('50m', '100m', '250m', '700m'), memory: chance.of('32Mi', '128Mi', '512Mi')}},
    ...chance.maybe(60, () => ({readinessProbe: {httpGet: {path: '/', port: 80}, periodSeconds: chance.of(1, 3, 10)}})),
    ...chance.maybe(15, () => ({startupProbe: {httpGet: {path: '/', port: 80}, periodSeconds: 1}})),
    ...chance.maybe(15, () => ({livenessProbe: {httpGet: {path: '/', port: 80}, periodSeconds: 5, initialDelaySeconds: 5}})),
    ...chance.maybe(10, () => ({lifecycle: {preStop: {sleep: {seconds: 1}}}})),
  };
  return {
    containers: [container],
    terminationGracePeriodSeconds: chance.of(2, 5, 30),
    ...chance.maybe(10, () => ({initContainers: [{...container, name: 'first', image: imageOf('done'), ports: []}].map(plain)})),
    ...chance.maybe(8, () => ({
      initContainers: [{...plain(container), name: 'side', restartPolicy: 'Always', image: imageOf('helper')}],
    })),
    ...placement(chance, app),
  };
}

/** A container without what only a server has. */
function plain({name, image, resources}: Part): Part {
  return {name, image, resources};
}

/** A pod spec of something that ends. */
export function workerSpec(chance: Chance, program: string): Part {
  return {
    restartPolicy: chance.of('Never', 'OnFailure'),
    containers: [{name: 'main', image: imageOf(program), resources: {requests: {cpu: chance.of('50m', '200m'), memory: '32Mi'}}}],
    terminationGracePeriodSeconds: 1,
  };
}

const spread = (chance: Chance, app: string): Part => ({
  topologySpreadConstraints: [
    {
      maxSkew: chance.of(1, 1, 2),
      topologyKey: chance.of('topology.kubernetes.io/zone', 'kubernetes.io/hostname'),
      whenUnsatisfiable: chance.of('DoNotSchedule', 'DoNotSchedule', 'ScheduleAnyway'),
      labelSelector: {matchLabels: {app}},
      ...chance.maybe(20, () => ({minDomains: undefined, nodeTaintsPolicy: 'Honor'})),
    },
  ],
});

function affinity(chance: Chance, app: string): Part {
  const term = {
    labelSelector: {matchLabels: {app: chance.of(app, app, 'web-0', 'web-1')}},
    topologyKey: chance.of('kubernetes.io/hostname', 'topology.kubernetes.io/zone'),
  };
  const required = {requiredDuringSchedulingIgnoredDuringExecution: [term]};
  if (chance.percent(70)) return {affinity: {podAntiAffinity: required}};
  return {affinity: {podAffinity: required}};
}

function placement(chance: Chance, app: string): Part {
  return {
    ...chance.maybe(12, () => ({nodeSelector: {'topology.kubernetes.io/zone': chance.of('a', 'b', 'c')}})),
    ...chance.maybe(18, () => spread(chance, app)),
    ...chance.maybe(14, () => affinity(chance, app)),
    ...chance.maybe(12, () => ({
      tolerations: [
        {key: 'broken', operator: 'Exists', ...chance.maybe(50, () => ({effect: 'NoExecute', tolerationSeconds: 6}))},
      ],
    })),
    ...chance.maybe(25, () => ({priorityClassName: chance.of('low', 'high')})),
  };
}
