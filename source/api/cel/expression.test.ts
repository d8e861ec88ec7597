import {expect, test} from 'vitest';
import {ADMISSION_VARIABLES, compileExpression} from './expression.ts';

const pod = Object.freeze({
  metadata: {name: 'web', labels: {team: 'shop'}},
  spec: {replicas: 3, containers: [{name: 'a'}, {name: 'b'}]},
});

function run(source: string, object: unknown = pod): unknown {
  const made = compileExpression(source, ADMISSION_VARIABLES);
  if ('error' in made) return made.error;
  const outcome = made.expression.evaluate({object, oldObject: null, request: {operation: 'CREATE', userInfo: {groups: ['a']}}});
  return 'error' in outcome ? `error: ${outcome.error}` : outcome.value;
}

test.for<[string, unknown]>([
  ["object.metadata.name.startsWith('w')", true],
  ['object.spec.replicas > 2 && object.spec.replicas == 3', true],
  ["object.spec.containers.all(c, c.name != 'c')", true],
  ["'a' in request.userInfo.groups", true],
  ['oldObject == null', true],
  ["has(object.metadata.labels) && 'team' in object.metadata.labels", true],
  ['size(object.spec.containers)', 2n],
  ["object.metadata.annotations.x == 'y'", 'error: no such key: annotations'],
])('%s', ([source, value]) => {
  expect(run(source)).toEqual(value);
});

test('a text that is no expression is said with its place', () => {
  expect(run('object.x +')).toBe(
    "ERROR: <input>:1:11: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | object.x +\n | ..........^",
  );
});

test('a name that nobody declared is said with its place', () => {
  expect(run('objekt.x == 1')).toBe(
    "ERROR: <input>:1:1: undeclared reference to 'objekt' (in container '')\n | objekt.x == 1\n | ^",
  );
});
