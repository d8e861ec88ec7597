// Random objects, by kind. Names are few, so that what is made meets what is there.
import type {AnyObject} from '../../../source/api/meta/object.ts';
import type {Chance} from './chance.ts';
import {serverSpec, workerSpec} from './pods.ts';

type Maker = (chance: Chance, namespace: string, n: number) => AnyObject;

export const NAMESPACES: readonly string[] = ['shop', 'bank'];
const NAMES = 4;

function object(
  apiVersion: string,
  kind: string,
  {namespace, name}: {namespace?: string; name: string},
  rest: object,
): AnyObject {
  const metadata = {name, ...(namespace === undefined ? {} : {namespace})};
  return {apiVersion, kind, metadata, ...rest} as unknown as AnyObject;
}

const deployment: Maker = (chance, namespace, n) => {
  const app = `web-${n}`;
  const rolling = () => ({
    type: 'RollingUpdate',
    rollingUpdate: chance.of(
      {maxSurge: 1, maxUnavailable: 0},
      {maxSurge: 0, maxUnavailable: 1},
      {maxSurge: '25%', maxUnavailable: '25%'},
      {maxSurge: '100%', maxUnavailable: 0},
      {maxSurge: 2, maxUnavailable: '50%'},
    ),
  });
  return object(
    'apps/v1',
    'Deployment',
    {namespace, name: app},
    {
      spec: {
        replicas: chance.below(7),
        strategy: chance.percent(15) ? {type: 'Recreate'} : rolling(),
        minReadySeconds: chance.of(0, 0, 5),
        revisionHistoryLimit: chance.of(0, 2, 10),
        selector: {matchLabels: {app}},
        template: {metadata: {labels: {app, kind: 'deployment'}}, spec: serverSpec(chance, app)},
      },
    },
  );
};

const claimTemplate = {metadata: {name: 'data'}, spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}}};

const statefulSet: Maker = (chance, namespace, n) => {
  const app = `db-${n}`;
  const spec = serverSpec(chance, app) as {containers: object[]};
  const [main] = spec.containers;
  const withClaims = chance.percent(50);
  const mounted = withClaims ? {...spec, containers: [{...main, volumeMounts: [{name: 'data', mountPath: '/data'}]}]} : spec;
  return object(
    'apps/v1',
    'StatefulSet',
    {namespace, name: app},
    {
      spec: {
        replicas: chance.below(5),
        serviceName: app,
        podManagementPolicy: chance.of('OrderedReady', 'Parallel'),
        minReadySeconds: chance.of(0, 0, 4),
        selector: {matchLabels: {app}},
        updateStrategy: chance.of(
          {type: 'RollingUpdate'},
          {type: 'RollingUpdate', rollingUpdate: {partition: 1}},
          {type: 'OnDelete'},
        ),
        ...chance.maybe(40, () => ({
          persistentVolumeClaimRetentionPolicy: {
            whenScaled: chance.of('Retain', 'Delete'),
            whenDeleted: chance.of('Retain', 'Delete'),
          },
        })),
        template: {metadata: {labels: {app, kind: 'statefulset'}}, spec: mounted},
        ...(withClaims ? {volumeClaimTemplates: [claimTemplate]} : {}),
      },
    },
  );
};

const daemonSet: Maker = (chance, namespace, n) => {
  const app = `agent-${n}`;
  const {affinity: _a, topologySpreadConstraints: _t, ...spec} = serverSpec(chance, app);
  return object(
    'apps/v1',
    'DaemonSet',
    {namespace, name: app},
    {
      spec: {
        selector: {matchLabels: {app}},
        minReadySeconds: chance.of(0, 0, 3),
        updateStrategy: chance.of(
          {type: 'RollingUpdate'},
          {type: 'RollingUpdate', rollingUpdate: {maxUnavailable: 2}},
          {type: 'RollingUpdate', rollingUpdate: {maxSurge: 1, maxUnavailable: 0}},
          {type: 'OnDelete'},
        ),
        template: {metadata: {labels: {app, kind: 'daemonset'}}, spec},
      },
    },
  );
};

function jobSpec(chance: Chance): object {
  const program = chance.of('done', 'done', 'long', 'fails', 'refuses');
  const indexed = chance.percent(40);
  const completions = chance.of(1, 2, 3, 5);
  const worker = workerSpec(chance, program);
  const policy = chance.percent(20)
    ? {
        podFailurePolicy: {
          rules: [{action: chance.of('FailJob', 'Ignore', 'Count'), onExitCodes: {operator: 'In', values: [42]}}],
        },
      }
    : {};
  const isIgnored = JSON.stringify(policy).includes('Ignore') && program === 'refuses';
  return {
    completions,
    parallelism: chance.of(1, 2, 3),
    backoffLimit: chance.of(0, 1, 2),
    ...(indexed ? {completionMode: 'Indexed'} : {}),
    ...(indexed && chance.percent(40) ? {backoffLimitPerIndex: 1, backoffLimit: 6} : {}),
    ...(indexed && chance.percent(20) ? {successPolicy: {rules: [{succeededCount: 1}]}} : {}),
    ...chance.maybe(20, () => ({ttlSecondsAfterFinished: chance.of(0, 20)})),
    ...chance.maybe(15, () => ({activeDeadlineSeconds: 15})),
    ...chance.maybe(10, () => ({suspend: true})),
    ...(isIgnored ? {} : policy),
    template: {
      metadata: {labels: {kind: 'job'}},
      spec:
        'podFailurePolicy' in policy || (indexed && chance.percent(50))
          ? {...worker, restartPolicy: 'Never'}
          : {...worker, ...(indexed ? {restartPolicy: 'Never'} : {})},
    },
  };
}

const job: Maker = (chance, namespace, n) => object('batch/v1', 'Job', {namespace, name: `task-${n}`}, {spec: jobSpec(chance)});

const cronJob: Maker = (chance, namespace, n) =>
  object(
    'batch/v1',
    'CronJob',
    {namespace, name: `tick-${n}`},
    {
      spec: {
        schedule: chance.of('* * * * *', '*/2 * * * *'),
        concurrencyPolicy: chance.of('Allow', 'Forbid', 'Replace'),
        successfulJobsHistoryLimit: chance.of(0, 1, 3),
        failedJobsHistoryLimit: chance.of(0, 1),
        ...chance.maybe(20, () => ({startingDeadlineSeconds: 30})),
        jobTemplate: {
          spec: {
            backoffLimit: 1,
            template: {metadata: {labels: {kind: 'cron'}}, spec: workerSpec(chance, chance.of('done', 'long', 'fails'))},
          },
        },
      },
    },
  );

/** Labels that services, budgets and the like look for. */
function anApp(chance: Chance): string {
  return `${chance.of('web', 'web', 'db', 'agent')}-${chance.below(NAMES)}`;
}

const budget: Maker = (chance, namespace, n) =>
  object(
    'policy/v1',
    'PodDisruptionBudget',
    {namespace, name: `pdb-${n}`},
    {
      spec: {
        selector: {matchLabels: {app: anApp(chance)}},
        ...chance.of<object>({minAvailable: 1}, {maxUnavailable: 1}, {minAvailable: '50%'}, {maxUnavailable: 0}),
        ...chance.maybe(30, () => ({unhealthyPodEvictionPolicy: 'AlwaysAllow'})),
      },
    },
  );

const service: Maker = (chance, namespace) => {
  const app = anApp(chance);
  return object(
    'v1',
    'Service',
    {namespace, name: app},
    {
      spec: {
        selector: {app},
        ports: [{port: 80, ...chance.maybe(50, () => ({name: 'http', targetPort: 80}))}],
        ...chance.maybe(20, () => ({clusterIP: 'None'})),
        ...chance.maybe(20, () => ({publishNotReadyAddresses: true})),
        ...chance.maybe(15, () => ({type: 'NodePort'})),
      },
    },
  );
};

const quota: Maker = (chance, namespace) =>
  object(
    'v1',
    'ResourceQuota',
    {namespace, name: 'quota'},
    {
      spec: {
        hard: chance.of<object>(
          {pods: '12'},
          {'requests.cpu': '3', 'requests.memory': '4Gi', pods: '20'},
          {services: '3', 'count/jobs.batch': '4', persistentvolumeclaims: '4'},
        ),
      },
    },
  );

const autoscaler: Maker = (chance, namespace, n) =>
  object(
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    {namespace, name: `hpa-${n}`},
    {
      spec: {
        scaleTargetRef: {apiVersion: 'apps/v1', kind: 'Deployment', name: `web-${n}`},
        minReplicas: chance.of(1, 2),
        maxReplicas: chance.of(3, 5),
        metrics: [
          {type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: chance.of(30, 80)}}},
        ],
        behavior: {scaleDown: {stabilizationWindowSeconds: chance.of(0, 30)}},
      },
    },
  );

const claim: Maker = (chance, namespace, n) =>
  object(
    'v1',
    'PersistentVolumeClaim',
    {namespace, name: `disk-${n}`},
    {spec: {accessModes: [chance.of('ReadWriteOnce', 'ReadWriteOncePod')], resources: {requests: {storage: '1Gi'}}}},
  );

const pod: Maker = (chance, namespace, n) => {
  const spec = serverSpec(chance, `web-${n}`) as {containers: object[]};
  const [main] = spec.containers;
  const withClaim = chance.percent(40)
    ? {
        containers: [{...main, volumeMounts: [{name: 'disk', mountPath: '/disk'}]}],
        volumes: [{name: 'disk', persistentVolumeClaim: {claimName: `disk-${chance.below(NAMES)}`}}],
      }
    : {};
  return object(
    'v1',
    'Pod',
    {namespace, name: `lone-${n}`},
    {
      metadata: {name: `lone-${n}`, namespace, labels: {kind: 'lone', ...chance.maybe(30, () => ({app: `web-${n}`}))}},
      spec: {...spec, ...withClaim, ...chance.maybe(10, () => ({schedulingGates: [{name: 'example.com/wait'}]}))},
    },
  );
};

/** How often each is made. */
const MAKERS: readonly (readonly [number, Maker])[] = [
  [10, deployment],
  [6, statefulSet],
  [3, daemonSet],
  [6, job],
  [2, cronJob],
  [4, budget],
  [6, service],
  [2, quota],
  [2, autoscaler],
  [2, claim],
  [4, pod],
];
const TOTAL = MAKERS.reduce((sum, [weight]) => sum + weight, 0);

/** Something new. */
export function anyThing(chance: Chance): AnyObject {
  let at = chance.below(TOTAL);
  const [, make] = MAKERS.find(([weight]) => (at -= weight) < 0) ?? [0, deployment];
  return make(chance, chance.of(...NAMESPACES), chance.below(NAMES));
}

/** What there is from the beginning. */
export const FOUNDATIONS: readonly AnyObject[] = [
  ...NAMESPACES.map(name => object('v1', 'Namespace', {name}, {})),
  object('scheduling.k8s.io/v1', 'PriorityClass', {name: 'low'}, {value: -10}),
  object('scheduling.k8s.io/v1', 'PriorityClass', {name: 'high'}, {value: 1000}),
];
