// Requests that make no sense, and what is said of them: bodies of no kind, wrong options, verbs where there is nothing to write.
import {expect, test} from 'vitest';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Answer, Method} from '../../../api/wire/http.ts';
import {ServerRoom} from '../testing/server-room.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const NO_MAP = 'the object provided is unrecognized (must be of type ConfigMap)';
const STRUCT = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function ask(method: Method, path: string, body?: string): Answer {
  const [plain = '', words = ''] = path.split('?');
  const query = Object.fromEntries(new URLSearchParams(words));
  const headers = {'content-type': 'application/json'};
  return new ServerRoom().ask({method, path: plain, query, headers, ...(body === undefined ? {} : {body})});
}

const message = ({body}: Answer): string => (body as {message: string}).message;

test.each([
  ['[]', `json: cannot unmarshal array into Go value of type ${STRUCT} (5b5d)`],
  ['"x"', `json: cannot unmarshal string into Go value of type ${STRUCT} (227822)`],
  ['{"apiVersion":5}', 'json: cannot unmarshal number into Go struct field .apiVersion of type string ({"apiVersion":5})'],
  ['{"kind":[]}', 'json: cannot unmarshal array into Go struct field .kind of type string ({"kind":[]})'],
  ['{"kind":', 'unexpected end of JSON input ({"kind":)'],
])('a body of no kind: %s', (body, why) => {
  const answer = ask('POST', MAPS, body);
  expect(answer.status).toBe(400);
  expect(message(answer)).toBe(`${NO_MAP}: couldn't get version/kind; json parse error: ${why}`);
});

test.each(['null', '{}', '{"kind":null}'])('an object of which nothing is said: %s', body => {
  const answer = ask('POST', MAPS, body);
  expect(answer.status).toBe(422);
  expect(message(answer)).toBe('ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required');
});

const POLICIES = 'supported values: "Foreground", "Background", "Orphan", "nil"';
const invalid = (why: string) => `DeleteOptions.meta.k8s.io "" is invalid: ${why}`;

test.each([
  ['?propagationPolicy=Slow', undefined, 422, invalid(`propagationPolicy: Unsupported value: "Slow": ${POLICIES}`)],
  ['', '{"propagationPolicy":""}', 422, invalid(`propagationPolicy: Unsupported value: "": ${POLICIES}`)],
  [
    '',
    '{"propagationPolicy":"Orphan","orphanDependents":true}',
    422,
    invalid('propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set'),
  ],
  ['', '{"dryRun":["Some"]}', 422, invalid('dryRun: Unsupported value: ["Some"]: supported values: "All"')],
  ['?gracePeriodSeconds=x', undefined, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ['?orphanDependents=maybe', undefined, 404, 'configmaps "none" not found'],
])('a delete with the options %s %s', (query, body, code, words) => {
  const answer = ask('DELETE', `${MAPS}/none${query}`, body);
  expect(answer.status).toBe(code);
  expect(message(answer)).toBe(words);
});

test.each<[Method, string]>([
  ['POST', '/api/v1/configmaps'],
  ['DELETE', '/api/v1/pods'],
  ['POST', '/apis/apps/v1/deployments'],
  ['PUT', '/api/v1/secrets'],
])('nothing is written across all namespaces: %s %s', (method, path) => {
  expect(ask(method, path, '{"metadata":{"name":"x"}}').status).toBe(405);
});

test('a list says what is wrong with its options', () => {
  expect(message(ask('GET', `${MAPS}?timeoutSeconds=x`))).toBe('strconv.ParseInt: parsing "x": invalid syntax');
});

test('an owner that stands twice counts once', () => {
  const room = new ServerRoom();
  const owner = {apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'u'};
  const metadata = {name: 'a', ownerReferences: [owner, {...owner}, {...owner, name: 'y'}]};
  const words = (when: string) =>
    `299 - ".metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u"`;
  const made = room.post(MAPS, {apiVersion: 'v1', kind: 'ConfigMap', metadata});
  expect((made.body as AnyObject).metadata.ownerReferences).toEqual([owner, {...owner, name: 'y'}]);
  expect(made.headers?.['warning']).toBe(words(''));
  expect(room.put(`${MAPS}/a`, {apiVersion: 'v1', kind: 'ConfigMap', metadata}).headers?.['warning']).toBe(words(''));
  const patch = {metadata: {ownerReferences: [owner, owner]}};
  const patched = room.patch(`${MAPS}/a`, 'application/merge-patch+json', patch);
  expect(patched.headers?.['warning']).toBe(words(' after mutating admission happens'));
  expect((patched.body as AnyObject).metadata.ownerReferences).toEqual([owner]);
});
