// Manifests of static pods: what they become, and what is said of those that are none.
import {expect, test} from 'vitest';
import {isMirror, isStatic, mirrorOf, mirrors, podOfManifest} from './manifest-pod.ts';

const facts = {path: '/etc/kubernetes/manifests/a.yaml', node: 'cp-1', seen: '2026-11-30T09:00:00.000000000Z'};
const good = 'apiVersion: v1\nkind: Pod\nmetadata: {name: beacon}\nspec:\n  containers: [{name: web, image: "nginx:1.27"}]\n';

function podOf(text: string, path = facts.path) {
  const read = podOfManifest(text, {...facts, path});
  if (!read.ok) throw new Error(read.why);
  return read.pod;
}

test('a manifest becomes a pod of its node, with defaults and annotations', () => {
  const pod = podOf(good);
  expect(pod.metadata).toMatchObject({name: 'beacon-cp-1', namespace: 'default'});
  expect(pod.metadata.annotations).toEqual({
    'kubernetes.io/config.hash': pod.metadata.uid,
    'kubernetes.io/config.seen': facts.seen,
    'kubernetes.io/config.source': 'file',
  });
  expect(pod.spec).toMatchObject({nodeName: 'cp-1', restartPolicy: 'Always', dnsPolicy: 'ClusterFirst'});
  expect(pod.spec.tolerations).toEqual([{effect: 'NoExecute', operator: 'Exists'}]);
  expect(isStatic(pod)).toBe(true);
});

test('it is known by what it says and where it lies', () => {
  const {uid} = podOf(good).metadata;
  expect(uid).toMatch(/^[0-9a-f]{32}$/);
  expect(podOf(`${good}\n`).metadata.uid).toBe(uid);
  expect(podOf(good.replace('1.27', '1.28')).metadata.uid).not.toBe(uid);
  expect(podOf(good, '/etc/kubernetes/manifests/b.yaml').metadata.uid).not.toBe(uid);
});

test('its mirror belongs to the node and tells which pod it shows', () => {
  const pod = podOf(good);
  const mirror = mirrorOf(pod, {name: 'cp-1', uid: 'node-uid'}) as unknown as typeof pod;
  expect(isMirror(mirror)).toBe(true);
  expect(mirror.metadata.uid).toBeUndefined();
  expect(mirror.metadata.ownerReferences).toEqual([
    {apiVersion: 'v1', kind: 'Node', name: 'cp-1', uid: 'node-uid', controller: true},
  ]);
  expect(mirrors(mirror, pod)).toBe(true);
  expect(mirrors(mirror, podOf(good.replace('1.27', '1.28')))).toBe(false);
});

test.each([
  ['', "couldn't parse as pod(Object 'Kind' is missing in 'null'), please check config file"],
  ['a: [', "couldn't parse as pod(yaml: "],
  ['apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n labels: {}\n', 'yaml: line 4: did not find expected key'],
  ['hello', 'cannot unmarshal string into Go value'],
  ['a: 1', `Object 'Kind' is missing in '{"a":1}'`],
  ['kind: Foo\napiVersion: v1', 'no kind "Foo" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"'],
  ['kind: Service\napiVersion: v1\nmetadata: {name: x}', 'invalid pod: Service'],
  ['apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {containers: []}', 'invalid pod: spec.containers: Required value'],
])('%j is no pod', (text, why) => {
  const read = podOfManifest(text, facts);
  expect(read.ok ? '' : read.why).toContain(why);
});
