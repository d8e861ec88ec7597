import fc from 'fast-check';
import {expect, test} from 'vitest';
import {decodeKind, strictError} from './decode.ts';
import {parseJson} from './parse-json.ts';

const DEPLOYMENT = {apiVersion: 'apps/v1', kind: 'Deployment'};
const POD = {apiVersion: 'v1', kind: 'Pod'};
const CONFIG_MAP = {apiVersion: 'v1', kind: 'ConfigMap'};

function decoded(value: {apiVersion: string; kind: string}) {
  const result = decodeKind(value, value);
  if (!result) throw new Error('no such kind');
  return result;
}

function errorOf(value: {apiVersion: string; kind: string}): string {
  const result = decoded(value);
  return result.ok ? strictError(result.problems) : result.error;
}

function valueOf(value: {apiVersion: string; kind: string}): unknown {
  const result = decoded(value);
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

const container = (more: object) => ({
  ...POD,
  metadata: {name: 'a'},
  spec: {containers: [{name: 'app', image: 'nginx:1.27', ...more}]},
});

test.each<[string, {apiVersion: string; kind: string}]>([
  [
    'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    {...DEPLOYMENT, spec: {replicas: 'two'}} as never,
  ],
  [
    'json: cannot unmarshal number 2.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
    {...DEPLOYMENT, spec: {replicas: 2.5}} as never,
  ],
  [
    'json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32',
    {...DEPLOYMENT, spec: {replicas: 3e9}} as never,
  ],
  [
    'json: cannot unmarshal number 100000000000000000000 into Go struct field DeploymentSpec.spec.replicas of type int32',
    {...DEPLOYMENT, spec: {replicas: 1e20}} as never,
  ],
  [
    'json: cannot unmarshal bool into Go struct field DeploymentSpec.spec.replicas of type int32',
    {...DEPLOYMENT, spec: {replicas: true}} as never,
  ],
  [
    'json: cannot unmarshal array into Go struct field DeploymentSpec.spec.selector of type v1.LabelSelector',
    {...DEPLOYMENT, spec: {selector: ['app']}} as never,
  ],
  [
    'json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container',
    {...DEPLOYMENT, spec: {template: {spec: {containers: {name: 'app'}}}}} as never,
  ],
  [
    'json: cannot unmarshal string into Go struct field Container.spec.containers.command of type []string',
    container({command: 'sleep 1d'}),
  ],
  [
    'json: cannot unmarshal number into Go struct field Container.spec.containers.command of type string',
    container({command: ['sleep', 3600]}),
  ],
  ['json: cannot unmarshal number into Go struct field ConfigMap.data of type string', {...CONFIG_MAP, data: {k: 5}} as never],
  [
    'json: cannot unmarshal array into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList',
    container({resources: {limits: []}}),
  ],
  [
    'json: cannot unmarshal array into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32',
    container({livenessProbe: {httpGet: {port: []}}}),
  ],
  [
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    container({resources: {limits: {memory: '1Zb'}}}),
  ],
  ['illegal base64 data at input byte 3', {...CONFIG_MAP, binaryData: {a: 'abc!'}} as never],
  [
    'parsing time "12:00" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "12:00" as "2006"',
    {apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', spec: {renewTime: '12:00'}} as never,
  ],
])('%s', (error, value) => {
  expect(errorOf(value)).toBe(error);
});

test('a value that reads itself stops the decoder, whatever was wrong before', () => {
  expect(errorOf(container({command: 5, resources: {limits: {cpu: 'x'}}}))).toContain('quantities must match');
});

test('after a strategic merge patch wrong types have other names', () => {
  const wrong = {...DEPLOYMENT, spec: {replicas: 'two'}};
  expect(decodeKind(wrong, wrong, {converter: true})).toEqual({ok: false, error: 'unrecognized type: int32'});
});

test('the first value of a wrong type is reported, and unknown fields then not', () => {
  expect(errorOf({...DEPLOYMENT, spec: {minReadySeconds: 'ten', replicas: 'two', replica: 2}} as never)).toContain(
    'minReadySeconds',
  );
});

test('unknown fields are listed in the order of the body and left out', () => {
  const value = container({imagePullPolcy: 'Always', env: [{name: 'A', val: '1'}]});
  expect(errorOf({...value, extra: 1} as never)).toBe(
    'strict decoding error: unknown field "spec.containers[0].imagePullPolcy", unknown field "spec.containers[0].env[0].val", unknown field "extra"',
  );
  expect(valueOf(value)).toMatchObject({spec: {containers: [{env: [{name: 'A'}]}]}});
});

test('what Go leaves out is left out, what it always prints is there', () => {
  expect(valueOf({...container({env: [], stdin: false, command: null}), status: {phase: ''}} as never)).toEqual({
    ...POD,
    metadata: {name: 'a'},
    spec: {containers: [{name: 'app', image: 'nginx:1.27', resources: {}}]},
    status: {},
  });
  expect(valueOf({...DEPLOYMENT, metadata: {name: 'a'}, spec: {replicas: 0, paused: false}} as never)).toEqual({
    ...DEPLOYMENT,
    metadata: {name: 'a'},
    spec: {replicas: 0, template: {metadata: {}, spec: {containers: []}}, strategy: {}},
    status: {},
  });
});

test('quantities become canonical, null values of maps become empty ones', () => {
  expect(valueOf(container({resources: {limits: {memory: '0.5Gi', cpu: 1}}}))).toMatchObject({
    spec: {containers: [{resources: {limits: {memory: '512Mi', cpu: '1'}}}]},
  });
  expect(valueOf({...CONFIG_MAP, data: {a: null, b: ''}} as never)).toEqual({...CONFIG_MAP, metadata: {}, data: {a: '', b: ''}});
});

test('an object that needs no change comes back itself, frozen, and its parts are known', () => {
  const once = valueOf(container({resources: {limits: {cpu: '1'}}})) as {spec: object; apiVersion: string; kind: string};
  expect(valueOf(once)).toBe(once);
  const next = valueOf({...once, status: {phase: 'Running'}} as never) as {spec: object};
  expect(next.spec).toBe(once.spec);
  expect(Object.isFrozen(next)).toBe(true);
});

test('keys that mean something to JavaScript are keys like others', () => {
  const parsed = parseJson('{"apiVersion":"v1","kind":"ConfigMap","data":{"__proto__":"a","constructor":"b","10":"c"}}');
  if ('error' in parsed) throw new Error(parsed.error);
  const value = valueOf(parsed.value as never) as {data: Record<string, string>};
  expect(Object.entries(value.data).toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
    ['10', 'c'],
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  expect(Object.getPrototypeOf(value.data)).toBe(Object.prototype);
});

test('double keys of a text are told in their place', () => {
  const parsed = parseJson(
    '{"apiVersion":"v1","kind":"ConfigMap","dota":1,"data":{"a":"1","a":"2"},"immutable":false,"immutable":true}',
  );
  if ('error' in parsed) throw new Error(parsed.error);
  const result = decodeKind(CONFIG_MAP, parsed.value, {duplicates: parsed.duplicates});
  expect(result).toMatchObject({
    problems: ['unknown field "dota"', 'duplicate field "data.a"', 'duplicate field "immutable"'],
    value: {data: {a: '2'}, immutable: true},
  });
});

test.each([
  ['{"a":1,', 'unexpected end of JSON input'],
  ['', 'unexpected end of JSON input'],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
  ['[1 2]', "invalid character '2' after array element"],
  ['nope', "invalid character 'o' in literal null (expecting 'u')"],
])('Go says of %j: %s', (text, error) => {
  expect(parseJson(text)).toEqual({error});
});

test('what JSON can say is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json(), text => {
      const parsed = parseJson(text);
      expect('value' in parsed ? parsed.value : parsed.error).toEqual(JSON.parse(text));
    }),
  );
});
