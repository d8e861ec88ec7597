import fc from 'fast-check';
import {expect, test} from 'vitest';
import {deepFreeze} from '../../meta/object.ts';
import {schemaOf} from '../types.ts';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  checkJsonPatch,
  createMergePatch,
  createThreeWayMergePatch,
  createThreeWayPatch,
  createTwoWayPatch,
} from './index.ts';

const DEPLOYMENT = schemaOf('io.k8s.api.apps.v1.Deployment');

const web = deepFreeze({
  metadata: {name: 'web', finalizers: ['a', 'b']},
  spec: {
    replicas: 0,
    strategy: {type: 'RollingUpdate', rollingUpdate: {maxSurge: 1}},
    template: {
      spec: {
        containers: [
          {
            name: 'nginx',
            image: 'nginx:1.27',
            env: [
              {name: 'A', value: '1'},
              {name: 'B', value: '2'},
            ],
          },
        ],
        volumes: [{name: 'tmp', emptyDir: {}}],
      },
    },
  },
});

function patchPod(podSpec: object): {containers: {name: string; env?: unknown}[]; volumes: unknown} {
  const result = applyStrategicPatch(web, {spec: {template: {spec: podSpec}}}, DEPLOYMENT);
  if ('error' in result) throw new Error(result.error);
  return (result.value as {spec: {template: {spec: never}}}).spec.template.spec;
}

test('an item with a new merge key is added before the live ones, one with a known key is merged', () => {
  const {containers} = patchPod({containers: [{name: 'side', image: 'busybox:1.36'}]});
  expect(containers.map(({name}) => name)).toEqual(['side', 'nginx']);
  expect(patchPod({containers: [{name: 'nginx', image: 'nginx:1.28'}]}).containers).toMatchObject([
    {name: 'nginx', image: 'nginx:1.28', env: [{name: 'A'}, {name: 'B'}]},
  ]);
});

test('directives delete items and replace lists', () => {
  const {containers} = patchPod({
    containers: [
      {
        name: 'nginx',
        env: [
          {name: 'A', $patch: 'delete'},
          {name: 'C', value: '3'},
        ],
      },
    ],
  });
  expect(containers[0]?.env).toEqual([
    {name: 'C', value: '3'},
    {name: 'B', value: '2'},
  ]);
  expect(patchPod({volumes: [{$patch: 'replace'}, {name: 'new', emptyDir: {medium: 'Memory'}}]}).volumes).toEqual([
    {name: 'new', emptyDir: {medium: 'Memory'}},
  ]);
});

test('orders, primitive lists and kept keys', () => {
  const result = applyStrategicPatch(
    web,
    {
      metadata: {'$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['c']},
      spec: {
        strategy: {$retainKeys: ['type'], type: 'Recreate'},
        template: {
          spec: {'$setElementOrder/containers': [{name: 'nginx'}, {name: 'side'}], containers: [{name: 'side', image: 'x'}]},
        },
      },
    },
    DEPLOYMENT,
  );
  expect(result).toMatchObject({
    value: {
      metadata: {finalizers: ['c', 'b']},
      spec: {strategy: {type: 'Recreate'}, template: {spec: {containers: [{name: 'nginx'}, {name: 'side'}]}}},
    },
  });
});

test('an item without its merge key is refused', () => {
  expect(applyStrategicPatch(web, {spec: {template: {spec: {containers: [{image: 'x'}]}}}}, DEPLOYMENT)).toEqual({
    error: 'map: map[image:x] does not contain declared merge key: name',
  });
});

test('a two-way patch makes the one of the other', () => {
  const next = {
    ...web,
    spec: {
      ...web.spec,
      strategy: {type: 'Recreate'},
      template: {
        spec: {
          containers: [
            {name: 'side', image: 'b'},
            {name: 'nginx', image: 'nginx:1.28'},
          ],
        },
      },
    },
  };
  const patch = createTwoWayPatch(web, next, DEPLOYMENT);
  expect(patch).toEqual({
    spec: {
      strategy: {$retainKeys: ['type'], type: 'Recreate', rollingUpdate: null},
      template: {
        spec: {
          '$setElementOrder/containers': [{name: 'side'}, {name: 'nginx'}],
          containers: [
            {name: 'side', image: 'b'},
            {name: 'nginx', image: 'nginx:1.28', env: null},
          ],
          volumes: null,
        },
      },
    },
  });
  expect(applyStrategicPatch(web, patch, DEPLOYMENT)).toEqual({value: next});
});

test('apply changes what it wants, deletes what it once wanted, and leaves what others set', () => {
  const original = {metadata: {labels: {mine: '1', gone: '1'}}, spec: {replicas: 2}};
  const current = {metadata: {labels: {mine: '9', gone: '1', theirs: '1'}}, spec: {replicas: 5, paused: true}};
  const modified = {metadata: {labels: {mine: '2'}}, spec: {}};
  const patch = {metadata: {labels: {mine: '2', gone: null}}, spec: {replicas: null}};
  expect(createThreeWayPatch({original, modified, current}, DEPLOYMENT)).toEqual(patch);
  expect(createThreeWayMergePatch({original, modified, current})).toEqual(patch);
});

test('apply takes a container away that it once wanted', () => {
  const containers = (...names: string[]) => ({spec: {template: {spec: {containers: names.map(name => ({name, image: name}))}}}});
  const three = {original: containers('a', 'b'), modified: containers('a'), current: containers('a', 'b', 'injected')};
  const patch = createThreeWayPatch(three, DEPLOYMENT);
  expect(patch).toEqual({
    spec: {template: {spec: {'$setElementOrder/containers': [{name: 'a'}], containers: [{name: 'b', $patch: 'delete'}]}}},
  });
  expect(applyStrategicPatch(three.current, patch, DEPLOYMENT)).toEqual({value: containers('a', 'injected')});
});

test('JSON patches add, move, copy, test and remove', () => {
  const document = deepFreeze({metadata: {labels: {note: 'hi'}}, list: [1, 2]});
  const patch = [
    {op: 'test', path: '/list/0', value: 1},
    {op: 'copy', from: '/metadata/labels/note', path: '/metadata/labels/copy'},
    {op: 'move', from: '/metadata/labels/note', path: '/metadata/labels/a~1b'},
    {op: 'add', path: '/list/-', value: 3},
    {op: 'remove', path: '/list/0'},
    {op: 'add', path: '/__proto__', value: 1},
  ];
  const result = applyJsonPatch(document, patch);
  expect(JSON.stringify(result)).toBe('{"value":{"metadata":{"labels":{"copy":"hi","a/b":"hi"}},"list":[2,3],"__proto__":1}}');
});

test.each([
  [
    {op: 'replace', path: '/nowhere/x', value: 1},
    'replace operation does not apply: doc is missing path: /nowhere/x: missing value',
  ],
  [
    {op: 'remove', path: '/data/nope'},
    "error in remove for path: '/data/nope': Unable to remove nonexistent key: nope: missing value",
  ],
  [{op: 'test', path: '/data/a', value: 2}, 'testing value /data/a failed: test failed'],
  [{op: 'test', path: '/nowhere/a', value: 1}, 'test operation does not apply: is missing path: /nowhere/a: missing value'],
  [{op: 'add', path: '', value: {}}, 'add operation does not apply: doc is missing path: "": missing value'],
  [{op: 'replace', path: '', value: 1}, 'replace operation value must be object or array: %!w(<nil>)'],
  [
    {op: 'move', from: '/data/nope', path: '/data/b'},
    "error in move for path: 'nope': Unable to remove nonexistent key: nope: missing value",
  ],
  [
    {op: 'copy', from: '/nowhere/a', path: '/data/b'},
    'copy operation does not apply: doc is missing from path: /nowhere/a: missing value',
  ],
  [
    {op: 'copy', from: '/data/a', path: '/nowhere/b'},
    'copy operation does not apply: doc is missing destination path: /nowhere/b: missing value',
  ],
  [
    {op: 'copy', from: '/list/4', path: '/data/b'},
    "error in copy for from: '/list/4': Unable to access invalid index: 4: invalid index referenced",
  ],
  [{op: 'jump', path: '/data/a'}, 'Unexpected kind: jump'],
  [
    {op: 'add', path: '/list/9', value: 1},
    "error in add for path: '/list/9': Unable to access invalid index: 9: invalid index referenced",
  ],
  [
    {op: 'add', path: '/list/x', value: 1},
    "error in add for path: '/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
  ],
])('%j does not apply', (step, error) => {
  expect(applyJsonPatch({data: {a: 1}, list: []}, [step])).toEqual({error});
});

test.each([
  [
    {op: 'replace', path: '/data/nope', value: 2},
    {data: {a: 1, nope: 2}, list: []},
  ],
  [{op: 'replace', path: '', value: []}, []],
  [
    {op: 'copy', from: '/data/nope', path: '/data/b'},
    {data: {a: 1, b: null}, list: []},
  ],
  [
    {op: 'test', path: '/data/nope', value: null},
    {data: {a: 1}, list: []},
  ],
])('%j applies, though there is nothing', (step, value) => {
  expect(applyJsonPatch({data: {a: 1}, list: []}, [step])).toEqual({value});
});

test('a patch that is no list is no JSON patch', () => {
  expect(checkJsonPatch(null)).toBeUndefined();
  expect(checkJsonPatch([null])).toBeUndefined();
  expect(checkJsonPatch([true])).toBe('json: cannot unmarshal bool into Go value of type handlers.jsonPatchOp');
  expect(checkJsonPatch({})).toBe('json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp');
  expect(checkJsonPatch([])).toBeUndefined();
});

const json = fc.dictionary(
  fc.constantFrom('a', 'b', '__proto__', 'constructor', '10'),
  fc.oneof(fc.nat(3), fc.constant('x'), fc.dictionary(fc.string(), fc.nat(3))),
);

test('a merge patch makes the one of the other, and harms no prototype', () => {
  fc.assert(
    fc.property(json, json, (from, to) => {
      const result = applyMergePatch(from, createMergePatch(from, to)) as object;
      expect(Object.entries(result).length).toBe(Object.entries(to).length);
      expect(result).toEqual({...to});
      expect(({} as Record<string, unknown>)['a']).toBeUndefined();
    }),
  );
});

test('of two items of one name the last succeeds the old one, the first is new: so kubectl debug changes nothing twice', () => {
  const pod = schemaOf('io.k8s.api.core.v1.Pod');
  const old = {name: 'dbg', command: ['sleep'], image: 'busybox'};
  const again = {name: 'dbg', command: ['true'], image: 'busybox'};
  const patch = createTwoWayPatch({spec: {ephemeralContainers: [old]}}, {spec: {ephemeralContainers: [old, again]}}, pod);
  expect(patch).toEqual({
    spec: {
      '$setElementOrder/ephemeralContainers': [{name: 'dbg'}, {name: 'dbg'}],
      ephemeralContainers: [{name: 'dbg', command: ['true']}, old],
    },
  });
});
