import {expect, test} from 'vitest';
import {warningsOf} from './strategy/warnings.ts';
import type {AnyObject} from '../../api/meta/object.ts';

// As recorded in golden/security/warnings-pods.yaml.
const app = {name: 'app', image: 'nginx:1.27'};
const warnings = (resource: string, object: object) =>
  warningsOf(resource, {apiVersion: 'v1', kind: 'X', ...object} as unknown as AnyObject);
const pod = (spec: object, annotations?: Record<string, string>) => ({
  metadata: {name: 'p', annotations},
  spec: {containers: [app], ...spec},
});

test.each<[string, object, readonly string[]]>([
  [
    'an old label',
    pod({nodeSelector: {'beta.kubernetes.io/arch': 'amd64'}}),
    ['spec.nodeSelector[beta.kubernetes.io/arch]: deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ],
  [
    'an old label in affinity',
    pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{matchExpressions: [{key: 'beta.kubernetes.io/os', operator: 'In', values: ['linux']}]}],
          },
        },
      },
    }),
    [
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
    ],
  ],
  [
    'an old zone',
    pod({
      topologySpreadConstraints: [
        {maxSkew: 1, topologyKey: 'failure-domain.beta.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway'},
      ],
    }),
    [
      'spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    ],
  ],
  [
    'things said twice',
    pod({
      containers: [
        {
          ...app,
          env: [
            {name: 'A', value: 'x'},
            {name: 'A', value: 'z'},
          ],
          ports: [{containerPort: 80}, {containerPort: 80}],
        },
      ],
    }),
    [
      'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
      'spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]',
    ],
  ],
  ['aliases', pod({hostAliases: [{ip: '10.0.0.1'}, {ip: '10.0.0.1'}]}), ['spec.hostAliases[1].ip: duplicate ip "10.0.0.1"']],
  [
    'a git volume',
    pod({volumes: [{name: 'g', gitRepo: {repository: 'x'}}]}),
    ['spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+'],
  ],
  [
    'pull secrets',
    pod({imagePullSecrets: [{name: 'a'}, {name: 'a'}, {name: ''}]}),
    ['spec.imagePullSecrets[1].name: duplicate name "a"', 'spec.imagePullSecrets[2].name: invalid empty name ""'],
  ],
  [
    'parts of a byte',
    pod({containers: [{...app, resources: {limits: {memory: '128m'}, requests: {memory: '128m'}}}]}),
    [
      'spec.containers[0].resources.limits[memory]: fractional byte value "128m" is invalid, must be an integer',
      'spec.containers[0].resources.requests[memory]: fractional byte value "128m" is invalid, must be an integer',
    ],
  ],
  [
    'an old annotation',
    pod({}, {'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default'}),
    [
      'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
    ],
  ],
  [
    'an address with zeros',
    pod({dnsConfig: {nameservers: ['010.0.0.1']}}),
    [
      'spec.dnsConfig.nameservers[0]: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
    ],
  ],
  [
    'nothing',
    pod({
      containers: [
        {
          ...app,
          ports: [
            {containerPort: 80, hostPort: 80},
            {containerPort: 80, hostPort: 81},
          ],
        },
      ],
    }),
    [],
  ],
])('a pod with %s', (_name, object, expected) => {
  expect(warnings('pods', object)).toEqual(expected);
});

test('templates are looked through under their own path', () => {
  const template = {spec: {containers: [app], imagePullSecrets: [{name: ''}]}};
  expect(warnings('deployments.apps', {metadata: {}, spec: {template}})).toEqual([
    'spec.template.spec.imagePullSecrets[0].name: invalid empty name ""',
  ]);
  expect(warnings('cronjobs.batch', {metadata: {}, spec: {jobTemplate: {spec: {template}}}})).toEqual([
    'spec.jobTemplate.spec.template.spec.imagePullSecrets[0].name: invalid empty name ""',
  ]);
  expect(warnings('persistentvolumes', {metadata: {}, spec: {persistentVolumeReclaimPolicy: 'Recycle'}})).toHaveLength(1);
});
