import {expect, test} from 'vitest';
import {errorsOf, type Draft} from './testing/drafts.ts';

const policy = (spec: object): Draft => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  spec: {podSelector: {}, ...spec},
});
const storage = (kind: string, rest: object): Draft => ({apiVersion: 'storage.k8s.io/v1', kind, ...rest});
const ingressClass = (spec: object): Draft => ({apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', spec});
const flow = (kind: string, spec: object): Draft => ({apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind, spec});
const rule = {subjects: [{kind: 'User', user: {name: 'u'}}], nonResourceRules: [{verbs: ['get'], nonResourceURLs: ['/x']}]};
const schema = (spec: object): Draft =>
  flow('FlowSchema', {matchingPrecedence: 500, priorityLevelConfiguration: {name: 'p'}, rules: [rule], ...spec});

test.each<[string[], Draft]>([
  [[], policy({ingress: [{from: [{podSelector: {}}], ports: [{port: 80, endPort: 90}]}]})],
  [['spec.ingress[0].from[0]: Required value: must specify a peer'], policy({ingress: [{from: [{}]}]})],
  [
    ['spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer'],
    policy({egress: [{to: [{podSelector: {}, ipBlock: {cidr: '10.0.0.0/8'}}]}]}),
  ],
  [
    ['spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`'],
    policy({ingress: [{from: [{ipBlock: {cidr: '10.0.0.0/8', except: ['11.0.0.0/16', '10.1.0.0/16']}}]}]}),
  ],
  [
    ['spec.ingress[0].ports[0].endPort: Invalid value: 90: must be greater than or equal to `port`'],
    policy({ingress: [{ports: [{port: 90, endPort: 80}]}]}),
  ],
  [
    ['spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
    policy({ingress: [{from: [{ipBlock: {cidr: 'x', except: ['y']}}]}]}),
  ],
  [
    ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
    ingressClass({controller: 'example.com/x', parameters: {kind: 'Config', name: 'c', scope: 'Namespace'}}),
  ],
  [['spec.controller: Required value'], ingressClass({controller: ''})],
  [
    [
      "spec.controller: Invalid value: \"Example\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
    ingressClass({controller: 'Example/x'}),
  ],
  [
    ['annotations.kubernetes.io/ingress.class: Invalid value: "a": must match `ingressClassName` when both are specified'],
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: {annotations: {'kubernetes.io/ingress.class': 'a'}},
      spec: {ingressClassName: 'b', defaultBackend: {service: {name: 's', port: {number: 80}}}},
    },
  ],
  [
    ['spec.rules[0].http.paths[0].backend.resource.kind: Required value: kind is required'],
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      spec: {rules: [{http: {paths: [{path: '/', pathType: 'Prefix', backend: {resource: {kind: '', name: 'x'}}}]}}]},
    },
  ],
  [
    ['endpoints[0].addresses[0]: Invalid value: "db": should be a domain with at least two segments separated by dots'],
    {apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'FQDN', endpoints: [{addresses: ['db']}], ports: []},
  ],
  [
    [
      'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"b","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
      'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
      'status.allocatable.cpu: Invalid value: "-1": must be greater than or equal to 0',
    ],
    {
      apiVersion: 'v1',
      kind: 'Node',
      spec: {
        taints: [
          {key: 'a', value: 'b', effect: 'NoSchedule'},
          {key: 'a', value: 'b', effect: 'NoSchedule'},
        ],
      },
      status: {capacity: {cpu: '-1'}},
    },
  ],
  [['spec.policyTypes[0]: Unsupported value: "Both": supported values: "Egress", "Ingress"'], policy({policyTypes: ['Both']})],
  [
    ['spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName'],
    storage('VolumeAttachment', {spec: {attacher: 'csi.example.com', nodeName: 'n', source: {}}}),
  ],
  [
    ['spec.drivers[0].nodeID: Required value', 'spec.drivers[1].name: Duplicate value: "d"'],
    storage('CSINode', {
      spec: {
        drivers: [
          {name: 'd', nodeID: ''},
          {name: 'd', nodeID: 'x'},
        ],
      },
    }),
  ],
  [
    ['spec.volumeLifecycleModes: Unsupported value: "Always": supported values: "Persistent", "Ephemeral"'],
    storage('CSIDriver', {spec: {volumeLifecycleModes: ['Always']}}),
  ],
  [[], schema({})],
  [['spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000'], schema({matchingPrecedence: 10_001})],
  [
    ["spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'"],
    schema({rules: [{...rule, subjects: [{kind: 'User'}]}]}),
  ],
  [
    ['spec.limited: Required value: must not be empty when type is Limited'],
    flow('PriorityLevelConfiguration', {type: 'Limited'}),
  ],
  [
    ['metadata.name: Invalid value: "a": must be `spec.version+"."+spec.group`: "v1.x.example.com"'],
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      spec: {group: 'x.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1},
    },
  ],
  [
    ['spec.selectors[0].cel.expression: Invalid value: "device.driver": must evaluate to bool or the unknown type, not string'],
    {apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', spec: {selectors: [{cel: {expression: 'device.driver'}}]}},
  ],
  [['template.spec.containers: Required value'], {apiVersion: 'v1', kind: 'PodTemplate', template: {spec: {containers: []}}}],
  [
    ['revision: Invalid value: -1: must be greater than or equal to 0'],
    {apiVersion: 'apps/v1', kind: 'ControllerRevision', data: {}, revision: -1},
  ],
])('%j', (errors, draft) => {
  expect(errorsOf(draft)).toEqual(errors);
});

const attachment = storage('VolumeAttachment', {
  spec: {attacher: 'csi.example.com', nodeName: 'n', source: {persistentVolumeName: 'pv'}},
});
const revision: Draft = {apiVersion: 'apps/v1', kind: 'ControllerRevision', data: {a: 1}, revision: 1};

test.each<[string, Draft, Draft]>([
  ['spec', attachment, {...attachment, spec: {attacher: 'csi.example.com', nodeName: 'm', source: {persistentVolumeName: 'pv'}}}],
  ['data', revision, {...revision, data: {a: 2}}],
])('%s stays', (field, before, draft) => {
  expect(errorsOf(draft, before).map(text => text.split(':')[0])).toEqual([field]);
});
