// Patches that are none: what the server says of a body that it cannot read, of keys that stand twice, and of unknown fields.
import {expect, test} from 'vitest';
import {PATCH_TYPES, type Answer} from '../../../api/wire/http.ts';
import {ServerRoom} from '../testing/server-room.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

type Kind = keyof typeof PATCH_TYPES;

function patched(kind: Kind, body: string, fieldValidation = 'Warn'): Answer {
  const room = new ServerRoom();
  room.post(MAPS, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'conf'}, data: {a: '1'}});
  const headers = {'content-type': PATCH_TYPES[kind]};
  return room.ask({method: 'PATCH', path: `${MAPS}/conf`, query: {fieldManager: 'me', fieldValidation}, headers, body});
}

const MAP = 'into Go value of type map[string]interface {}';
const STEPS = 'into Go value of type []handlers.jsonPatchOp';

test.each<[Kind, string, number, string]>([
  ['merge', '{', 400, 'error decoding patch: unexpected end of JSON input'],
  ['merge', '', 400, 'error decoding patch: unexpected end of JSON input'],
  ['merge', '"x"', 400, `error decoding patch: json: cannot unmarshal string ${MAP}`],
  ['merge', '[]', 400, `error decoding patch: json: cannot unmarshal array ${MAP}`],
  ['merge', 'null', 400, 'Invalid JSON Patch'],
  ['strategic', '{', 400, 'unexpected end of JSON input'],
  ['strategic', '5', 400, `json: cannot unmarshal number ${MAP}`],
  ['strategic', 'true', 400, `json: cannot unmarshal bool ${MAP}`],
  ['strategic', '[1]', 400, `json: cannot unmarshal array ${MAP}`],
  ['json', '{', 400, 'error decoding patch: unexpected end of JSON input'],
  ['json', '"x"', 400, `error decoding patch: json: cannot unmarshal string ${STEPS}`],
  ['json', '[1]', 400, 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
  ['json', '[null]', 422, 'the server rejected our request due to an error in our request'],
  [
    'json',
    `[${'{"op":"test","path":"/a"},'.repeat(10_000)}{}]`,
    413,
    'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
  ],
  ['apply', '', 400, 'incorrect version specified in apply patch. Specified patch version: , expected: v1'],
  [
    'apply',
    '"x"',
    400,
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal string ${MAP}`,
  ],
])('a %s patch of %s is refused', (kind, body, code, message) => {
  const answer = patched(kind, body);
  expect(answer).toMatchObject({status: code, body: {message}});
});

test.each<[Kind, string]>([
  ['strategic', 'null'],
  ['json', 'null'],
  ['json', '[]'],
  ['merge', '{}'],
])('a %s patch of %s changes nothing', (kind, body) => {
  expect(patched(kind, body)).toMatchObject({status: 200, body: {data: {a: '1'}}});
});

test.each<[Kind, string, string]>([
  ['merge', '{"data":{"a":"2","a":"3"}}', 'duplicate field "data.a"'],
  ['strategic', '{"data":{"a":"2","a":"3"}}', 'duplicate field "data.a"'],
  ['merge', '{"dota":1}', 'unknown field "dota"'],
  ['json', '[{"op":"add","path":"/dota","value":1}]', 'unknown field "dota"'],
  ['merge', '{"dota":1,"data":{"a":"2","a":"3"}}', 'duplicate field "data.a", unknown field "dota"'],
])('a %s patch of %s is warned of, or refused where that is wished', (kind, body, problems) => {
  const warned = patched(kind, body);
  expect(warned.status).toBe(200);
  expect(warned.headers?.['warning']).toBe(
    problems
      .split(', ')
      .map(each => `299 - ${JSON.stringify(each)}`)
      .join('\n'),
  );
  expect(patched(kind, body, 'Ignore').headers).not.toHaveProperty('warning');
  const refused = patched(kind, body, 'Strict');
  expect(refused.status).toBe(422);
  const {message} = refused.body as {message: string};
  expect(message).toContain(`: strict decoding error: ${problems}`);
  const [, value = ''] = /patch: Invalid value: ("(?:[^"\\]|\\.)*")/.exec(message) ?? [];
  const shown = JSON.parse(value) as string;
  if (kind === 'strategic') expect(shown).toBe('map[data:map[a:3]]');
  else expect(JSON.parse(shown)).toMatchObject({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'conf'}});
});
