import {expect, test} from 'vitest';
import {ServerRoom} from '../../testing/server-room.ts';

const ROOT = '/apis/admissionregistration.k8s.io/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';
const RULES = [{apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['configmaps']}];

interface Given {
  readonly spec: object;
  readonly binding?: object;
}

/** A server with one policy about config maps, and its binding. */
function aServer({spec, binding = {}}: Given): ServerRoom {
  const room = new ServerRoom();
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: {name: 'p'},
    spec: {matchConstraints: {resourceRules: RULES}, ...spec},
  };
  const bound = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: {name: 'b'},
    spec: {policyName: 'p', validationActions: ['Deny'], ...binding},
  };
  expect(room.post(`${ROOT}/validatingadmissionpolicies`, policy).status).toBe(201);
  expect(room.post(`${ROOT}/validatingadmissionpolicybindings`, bound).status).toBe(201);
  room.pass(5);
  return room;
}

const configMap = (name: string, data: object = {}): object => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, data});
const HEAD = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ";

test.each<[string, object, string | undefined]>([
  ['what holds passes', {validations: [{expression: "object.metadata.name != 'b'"}]}, undefined],
  [
    'a rule without a message tells itself',
    {validations: [{expression: "object.metadata.name == 'b'"}]},
    "failed expression: object.metadata.name == 'b'",
  ],
  [
    'a message may be made',
    {validations: [{expression: 'false', message: 'plain', messageExpression: "'no ' + object.metadata.name"}]},
    'no a',
  ],
  [
    'variables are evaluated when they are named',
    {
      variables: [
        {name: 'bad', expression: 'object.x.y'},
        {name: 'n', expression: 'size(object.metadata.name)'},
      ],
      validations: [{expression: 'variables.n > 3', message: 'short'}],
    },
    'short',
  ],
  [
    'an error denies',
    {validations: [{expression: 'object.data.missing == 1'}]},
    "expression 'object.data.missing == 1' resulted in error: no such key: missing",
  ],
  [
    'or is ignored, where that is wanted',
    {failurePolicy: 'Ignore', validations: [{expression: 'object.data.missing == 1'}]},
    undefined,
  ],
  [
    'a condition keeps a policy from looking',
    {
      matchConditions: [{name: 'not-admin', expression: "request.userInfo.username != 'kubernetes-admin'"}],
      validations: [{expression: 'false'}],
    },
    undefined,
  ],
  [
    'the authorizer may be asked',
    {validations: [{expression: "authorizer.group('').resource('pods').namespace('default').check('delete').allowed()"}]},
    undefined,
  ],
])('%s', (_name, spec, denial) => {
  const answer = aServer({spec}).post(MAPS, configMap('a', {k: 'v'}));
  if (denial === undefined) expect(answer.status).toBe(201);
  else expect(answer.body).toMatchObject({code: 422, reason: 'Invalid', details: {causes: [{message: HEAD + denial}]}});
});

test('a binding may warn instead', () => {
  const room = aServer({
    spec: {validations: [{expression: 'false', message: 'careful'}]},
    binding: {validationActions: ['Warn']},
  });
  const {status, headers} = room.post(MAPS, configMap('a'));
  expect(status).toBe(201);
  expect(headers?.['warning']).toContain("Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': careful");
});

test('parameters: missing, found, chosen by labels', () => {
  const room = aServer({
    spec: {
      paramKind: {apiVersion: 'v1', kind: 'Secret'},
      validations: [{expression: 'params == null || object.metadata.name in params.stringData', message: 'not listed'}],
    },
    binding: {paramRef: {name: 'names', parameterNotFoundAction: 'Deny'}},
  });
  expect(room.post(MAPS, configMap('a')).body).toMatchObject({
    message: expect.stringContaining('no params found for policy binding with `Deny` parameterNotFoundAction') as string,
  });
});

test('a delete shows the old object alone', () => {
  const room = aServer({
    spec: {validations: [{expression: "object != null || oldObject.metadata.name != 'kept'", message: 'kept'}]},
  });
  expect(room.post(MAPS, configMap('kept')).status).toBe(201);
  expect(room.ask({method: 'DELETE', path: `${MAPS}/kept`}).body).toMatchObject({reason: 'Invalid'});
});
