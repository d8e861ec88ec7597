import {existsSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import type {Pod} from '../../kinds/core-v1.ts';
import type {AnyObject} from '../../meta/object.ts';
import {decodeKind} from '../decode.ts';
import {applyDefaults} from './index.ts';

interface Recording {
  readonly files: Readonly<Record<string, string>>;
  readonly steps: readonly {readonly run: string; readonly out?: string}[];
}

function complete(draft: {apiVersion: string; kind: string}): AnyObject {
  const decoded = decodeKind(draft, draft);
  if (!decoded?.ok) throw new Error(decoded?.error ?? 'no such kind');
  return applyDefaults(decoded.value as AnyObject);
}

const recording = '../shared/golden/api/defaults-workloads.yaml';

// What admission and the registry add is not the defaults' business.
function ofDefaults(object: {spec: Record<string, unknown>}): unknown {
  const {priority, preemptionPolicy, serviceAccount, serviceAccountName, tolerations, ...spec} = object.spec;
  void [priority, preemptionPolicy, serviceAccount, serviceAccountName, tolerations];
  return JSON.parse(JSON.stringify(spec), (key, value: unknown) => {
    if (key === 'volumes' || key === 'volumeMounts') {
      const left = (value as {name: string}[]).filter(({name}) => !name.startsWith('kube-api-access'));
      return left.length > 0 ? left : undefined;
    }
    if (typeof value === 'object' && value !== null && 'controller-uid' in value) return undefined;
    return key === 'selector' && JSON.stringify(value).includes('controller-uid') ? undefined : value;
  });
}

test.skipIf(!existsSync(recording))('what the real server filled in is filled in', () => {
  const {files, steps} = parse(readFileSync(recording, 'utf8')) as Recording;
  let compared = 0;
  for (const {run, out} of steps) {
    const file = /-f (\S+) -o yaml/.exec(run)?.[1];
    if (file === undefined || out === undefined) continue;
    const ours = complete(parse(files[file] ?? '') as never) as AnyObject & {spec: Record<string, unknown>};
    const theirs = parse(out) as {kind: string; spec: Record<string, unknown>};
    if (theirs.kind === 'Job') delete (theirs.spec['template'] as Record<string, unknown>)['metadata'];
    const mine =
      theirs.kind === 'Job'
        ? {...ours, spec: {...ours.spec, template: {...(ours.spec['template'] as object), metadata: undefined}}}
        : ours;
    expect(ofDefaults(mine), file).toEqual(ofDefaults(theirs));
    compared++;
  }
  expect(compared).toBe(7);
});

test('an object that has its defaults comes back itself, and the spec of a template is completed once', () => {
  const template = {metadata: {labels: {a: 'b'}}, spec: {containers: [{name: 'c', image: 'nginx:1.27'}]}};
  const first = complete({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name: 'd'},
    spec: {selector: {matchLabels: {a: 'b'}}, template},
  } as never);
  expect(applyDefaults(first)).toBe(first);
  const {spec} = (first as unknown as {spec: {template: {spec: object}}}).spec.template;
  const one = complete({apiVersion: 'v1', kind: 'Pod', metadata: {name: 'one'}, spec} as never) as unknown as Pod;
  const two = complete({apiVersion: 'v1', kind: 'Pod', metadata: {name: 'two'}, spec} as never) as unknown as Pod;
  expect(one.spec).toBe(two.spec);
});

test.each([
  [
    {spec: {ports: [{port: 80}]}},
    {
      sessionAffinity: 'None',
      type: 'ClusterIP',
      internalTrafficPolicy: 'Cluster',
      ports: [{port: 80, protocol: 'TCP', targetPort: 80}],
    },
  ],
  [
    {spec: {type: 'NodePort', ports: [{port: 80, targetPort: 'http'}]}},
    {externalTrafficPolicy: 'Cluster', ports: [{port: 80, targetPort: 'http'}]},
  ],
  [{spec: {sessionAffinity: 'ClientIP'}}, {sessionAffinityConfig: {clientIP: {timeoutSeconds: 10800}}}],
  [{spec: {type: 'LoadBalancer'}}, {allocateLoadBalancerNodePorts: true}],
  [{spec: {clusterIP: 'None'}}, {ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6']}],
])('a Service of %j gets %j', (draft, spec) => {
  expect(complete({apiVersion: 'v1', kind: 'Service', metadata: {name: 's'}, ...draft} as never)).toMatchObject({spec});
});

test('text of a Secret becomes bytes, a namespace carries its name', () => {
  expect(complete({apiVersion: 'v1', kind: 'Secret', metadata: {name: 's'}, stringData: {a: 'ä'}} as never)).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {name: 's'},
    type: 'Opaque',
    data: {a: 'w6Q='},
  });
  expect(complete({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'n'}} as never)).toMatchObject({
    metadata: {labels: {'kubernetes.io/metadata.name': 'n'}},
  });
});
