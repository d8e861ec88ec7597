import {expect, test} from 'vitest';
import {errorsOf, errorsOfChange, type Draft} from './testing/drafts.ts';

const service = (spec: object, metadata: object = {}): Draft => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: {ports: [{port: 80}], ...spec},
});
const both = {clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7', 'fd00::7'], ipFamilies: ['IPv4', 'IPv6']};
const one = {clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7'], ipFamilies: ['IPv4']};

test.each<[string[], Draft]>([
  [[], service({...both, ipFamilyPolicy: 'PreferDualStack'})],
  [
    ['spec.clusterIPs: Invalid value: ["10.96.0.7","10.96.0.8"]: may specify no more than one IP for each IP family'],
    service({clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7', '10.96.0.8']}),
  ],
  [
    ['spec.clusterIPs: Invalid value: ["None","10.96.0.8"]: \'None\' must be the first and only value'],
    service({clusterIP: 'None', clusterIPs: ['None', '10.96.0.8']}),
  ],
  [
    [
      "metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Forbidden: may only be used when `type` is 'LoadBalancer'",
      'metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
    service({}, {annotations: {'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8, x'}}),
  ],
  [
    ['spec.healthCheckNodePort: Invalid value: 70000: must be between 1 and 65535, inclusive'],
    service({type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 70_000}),
  ],
  [[], service({type: 'LoadBalancer', ports: [{port: 10_250}]})],
])('%j', (errors, draft) => {
  expect(errorsOf(draft)).toEqual(errors);
});

test.each<[string[], Draft, Draft]>([
  [[], service({...both, ipFamilyPolicy: 'PreferDualStack'}), service(one)],
  [[], service({...one, ipFamilyPolicy: 'SingleStack'}), service(both)],
  [
    [
      'spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be set to \'SingleStack\' when releasing the secondary clusterIP',
      'spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be set to \'SingleStack\' when releasing the secondary ipFamily',
    ],
    service({...one, ipFamilyPolicy: 'PreferDualStack'}),
    service(both),
  ],
  [
    ['spec.clusterIPs[0]: Invalid value: ["10.96.0.9"]: may not change once set'],
    service({clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9']}),
    service({clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7']}),
  ],
  [[], service({type: 'ExternalName', externalName: 'db.example.com', ports: []}), service(one)],
  [
    ['spec.loadBalancerClass: Invalid value: "b.example.com/x": may not change once set'],
    service({type: 'LoadBalancer', loadBalancerClass: 'b.example.com/x'}),
    service({type: 'LoadBalancer', loadBalancerClass: 'a.example.com/x'}),
  ],
])('a change gives %j', (errors, draft, before) => {
  expect(errorsOf(draft, before)).toEqual(errors);
});

const listening = (type: string, ingress: object): Draft => ({...service({type}), status: {loadBalancer: {ingress: [ingress]}}});

test.each<[string, Draft]>([
  [
    "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    listening('NodePort', {ip: '192.0.2.1'}),
  ],
  [
    'status.loadBalancer.ingress[0].hostname: Invalid value: "192.0.2.1": must be a DNS name, not an IP address',
    listening('LoadBalancer', {hostname: '192.0.2.1'}),
  ],
  [
    'status.loadBalancer.ingress[0].ipMode: Forbidden: may not be specified when `ip` is not set',
    listening('LoadBalancer', {hostname: 'a.example.com', ipMode: 'VIP'}),
  ],
])('a status gives %s', (error, draft) => {
  expect(errorsOfChange('status', draft, draft)).toEqual([error]);
});
