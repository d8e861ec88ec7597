import {certificatePem, keyPem} from '../../api/pki/certificate.ts';
import {selfSigned} from '../../api/pki/issue.ts';
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
        {
          maxSkew: 1,
          topologyKey: 'failure-domain.beta.kubernetes.io/zone',
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: {},
        },
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
  expect(warnings('deployments.apps', {metadata: {name: 'd'}, spec: {template}})).toEqual([
    'spec.template.spec.imagePullSecrets[0].name: invalid empty name ""',
  ]);
  expect(warnings('cronjobs.batch', {metadata: {name: 'c'}, spec: {jobTemplate: {spec: {template}}}})).toEqual([
    'spec.jobTemplate.spec.template.spec.imagePullSecrets[0].name: invalid empty name ""',
  ]);
  expect(warnings('persistentvolumes', {metadata: {}, spec: {persistentVolumeReclaimPolicy: 'Recycle'}})).toHaveLength(1);
});

const service = (spec: object) => ({metadata: {name: 's'}, spec: {type: 'ClusterIP', ...spec}});
const slice = (...addresses: readonly string[]) => ({metadata: {name: 'e'}, addressType: 'IPv6', endpoints: [{addresses}]});
const policy = (cidr: string) => ({metadata: {name: 'n'}, spec: {ingress: [{from: [{ipBlock: {cidr}}]}]}});
const volume = (source: object) => pod({volumes: [{name: 'v', ...source}]});
const ports = (...list: readonly object[]) => pod({containers: [{...app, ports: list}]});
const tls = (crt: string, key: string) => ({
  metadata: {name: 't'},
  type: 'kubernetes.io/tls',
  data: {'tls.crt': Buffer.from(crt).toString('base64'), 'tls.key': Buffer.from(key).toString('base64')},
});
const pem = (type: string) => `-----BEGIN ${type}-----\nYWJj\n-----END ${type}-----\n`;
const SHOP = certificatePem(selfSigned('shop', 'a-key', 0));
const FROM = 'spec.ingress[0].from[0].ipBlock.cidr';

test.each<[string, object, readonly string[]]>([
  [
    'pods',
    {...pod({}), metadata: {name: 'a.b'}},
    [
      "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
    ],
  ],
  [
    'jobs.batch',
    {metadata: {name: 'a.b'}, spec: {template: {}}},
    [
      'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    ],
  ],
  [
    'pods',
    pod({terminationGracePeriodSeconds: -1}),
    ['spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1'],
  ],
  [
    'pods',
    ports({containerPort: 80, hostIP: '1.2.3.4'}),
    ['spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.2.3.4}'],
  ],
  [
    'pods',
    ports({containerPort: 80, hostPort: 1}, {containerPort: 80}),
    ['spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]'],
  ],
  [
    'pods',
    pod({
      containers: [
        {
          ...app,
          env: [
            {name: 'A', value: 'x'},
            {name: 'A', value: '$(A)y'},
          ],
        },
      ],
    }),
    [],
  ],
  ['pods', volume({rbd: {}}), ['spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+']],
  [
    'pods',
    volume({
      configMap: {
        name: 'c',
        items: [
          {key: 'a', path: 'x'},
          {key: 'b', path: 'x/y'},
        ],
      },
    }),
    ['volume "v" (ConfigMap "c"): overlapping paths: "x/y" with "x"'],
  ],
  [
    'services',
    service({clusterIP: 'None', externalIPs: ['2001:db8:0:0::2']}),
    [
      'spec.externalIPs is ignored for headless services',
      'spec.externalIPs[0]: IPv6 address "2001:db8:0:0::2" should be in RFC 5952 canonical format ("2001:db8::2")',
    ],
  ],
  ['services', service({externalName: 'x.y'}), ['spec.externalName is ignored when spec.type is not "ExternalName"']],
  [
    'endpointslices.discovery.k8s.io',
    slice('::ffff:1.2.3.4'),
    [
      'endpoints[0].addresses[0]: non-standard IP address "::ffff:1.2.3.4" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
    ],
  ],
  [
    'networkpolicies.networking.k8s.io',
    policy('192.12.2.8/24'),
    [`${FROM}: CIDR value "192.12.2.8/24" is ambiguous in this context (should be "192.12.2.0/24" or "192.12.2.8/32"?)`],
  ],
  [
    'networkpolicies.networking.k8s.io',
    policy('010.0.0.0/8'),
    [
      `${FROM}: non-standard CIDR value "010.0.0.0/8" will be considered invalid in a future Kubernetes release: use "10.0.0.0/8"`,
    ],
  ],
  [
    'persistentvolumeclaims',
    {metadata: {annotations: {'volume.beta.kubernetes.io/storage-class': 'x'}}, spec: {}},
    [
      'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
    ],
  ],
  [
    'ingresses.networking.k8s.io',
    {metadata: {annotations: {'kubernetes.io/ingress.class': 'x'}}},
    [`annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`],
  ],
  ['secrets', tls('x', 'y'), ['tls: failed to find any PEM data in certificate input']],
  ['secrets', tls(pem('CERTIFICATE'), 'y'), ['tls: failed to find any PEM data in key input']],
  ['secrets', tls(pem('CERTIFICATE'), pem('EC PRIVATE KEY')), ['x509: malformed certificate']],
  ['secrets', tls(SHOP, pem('EC PRIVATE KEY')), ['tls: failed to parse private key']],
  ['secrets', tls(SHOP, keyPem('b-key')), ['tls: private key does not match public key']],
  ['secrets', tls(SHOP, keyPem('a-key')), []],
])('a warning about %s: %j', (resource, object, expected) => {
  expect(warnings(resource, object)).toEqual(expected);
});
