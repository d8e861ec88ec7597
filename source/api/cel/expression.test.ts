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
  ["object.spec.?missing.orValue('none')", 'none'],
  ['object.spec.containers.map(c, c.name)', ['a', 'b']],
  ["object.spec.containers.exists_one(c, c.name == 'a')", true],
  ['[1, 2, 3].filter(x, x > 1).map(x, x * 2)', [4n, 6n]],
  ["{'a': 1}.transformList(k, v, k + string(v))", ['a1']],
  ['[1, 2].all(i, v, i < v)', true],
  ['object.spec.missing == 1 || object.spec.replicas == 3', true],
  ['object.spec.replicas == 3 || object.spec.missing == 1', true],
  ['object.spec.replicas == 1 || object.spec.missing == 1', 'error: no such key: missing'],
  ["object.spec.containers[5].name == ''", 'error: index out of bounds: 5'],
  ['1 / 0 == 1', 'error: division by zero'],
  ["int('many') == 1", "error: type conversion error from 'string' to 'int'"],
  ['9223372036854775807 + 1 == 0', 'error: integer overflow'],
  ["quantity('1Gi').isGreaterThan(quantity('500Mi'))", true],
  ["quantity('1').add(quantity('500m')) == quantity('1500m')", true],
  ["cidr('10.0.0.0/8').containsIP('10.1.2.3')", true],
  ["ip('::1').isLoopback() && ip('10.0.0.1').family() == 4", true],
  ["isURL('https://a.b:80/c?d=e') && url('https://a.b:80/c?d=e').getPort() == '80'", true],
  ["semver('1.2.3').isLessThan(semver('1.10.0'))", true],
  ["'a-1, b-2'.findAll('[0-9]+')", ['1', '2']],
  ["'%s has %d'.format([dyn('x'), dyn(3)])", 'x has 3'],
  ["'%s has %d'.format([object.metadata.name, dyn(3)])", 'web has 3'],
  ['[3, 1, 2].max() == 3 && [1, 2].isSorted() && [1, 2].sum() == 3', true],
  ["'abc'.substring(1, 2) + 'x,y'.split(',')[1]", 'by'],
  ["duration('90m') > duration('1h') && timestamp('2020-01-01T00:00:00Z').getFullYear() == 2020", true],
  ['sets.contains([1, 2], [1])', true],
  ["format.dns1123Label().validate('A').hasValue()", true],
  ['optional.of(1).optMap(x, x + 1).value()', 2n],
  ['1u + 2u == 3u && 2 > 1.5', true],
  ["b'ab'.size() == 2 && r'\\d' == '\\\\d'", true],
  ["'a' in {'a': 1} && !('b' in {'a': 1})", true],
  ['type(1) == int', true],
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

test.for<[string, string]>([
  ['object.metadata.name.startWith("a")', "1:31: undeclared reference to 'startWith' (in container '')"],
  ["1 < 'a'", "1:3: found no matching overload for '_<_' applied to '(int, string)'"],
  ["'a'.startsWith(1)", "1:15: found no matching overload for 'startsWith' applied to 'string.(int)'"],
  ['size(1)', "1:5: found no matching overload for 'size' applied to '(int)'"],
  ['[1].map(2, 3)', '1:9: argument must be a simple name'],
  ['1.all(x, x)', "1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"],
  ['object.x object', "1:10: Syntax error: extraneous input 'object' expecting <EOF>"],
  ["size('a'", "1:9: Syntax error: missing ')' at '<EOF>'"],
  ["object.name.matches('[')", '1:21: invalid matches argument'],
  ["duration('1x') > duration('1s')", '1:10: invalid duration argument'],
  ["timestamp('noon').getHours() == 12", '1:11: invalid timestamp argument'],
  ["object.kind in ['a', 1]", "1:22: expected type 'string' but found 'int'"],
  ["{'a': 1, 2: 'b'}.size() == 2", "1:10: expected type 'string' but found 'int'"],
  ["object.kind in ['a', object.other]", "1:28: expected type 'string' but found 'dyn'"],
  ["{'a': 1, 'b': object.x}.size() == 2", "1:21: expected type 'int' but found 'dyn'"],
  ["'%s %d'.format(['x', 3]) == ''", "1:22: expected type 'string' but found 'int'"],
  ['x + y', "1:1: undeclared reference to 'x' (in container '')"],
])('%s does not compile', ([source, words]) => {
  expect(String(run(source)).split('\n')[0]).toBe(`ERROR: <input>:${words}`);
});
