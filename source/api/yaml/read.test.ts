import {expect, test} from 'vitest';
import {readYaml} from './read.ts';

const HEAD = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

// Each sentence is what kubectl 1.35 says of the same text.
test.each([
  ['data: {a: b\n', "line 4: did not find expected ',' or '}'"],
  ['data: [a, b\nc: 1\n', "line 4: did not find expected ',' or ']'"],
  ['a: @foo\n', 'line 4: found character that cannot start any token'],
  ['foo\nbar: x\n', "line 5: could not find expected ':'"],
  ['a: *x\n', "unknown anchor 'x' referenced"],
  ['a:\n- x\n y: 1\n', 'line 6: mapping values are not allowed in this context'],
  ['a:\n- b: [\n', 'line 5: did not find expected node content'],
  ['a: [b, # more\n', 'line 4: did not find expected node content'],
  ['a: {b:\n', 'line 4: did not find expected node content'],
  ['a:\n  - x\n - y\n', 'line 5: did not find expected key'],
  ['a: b: c\n', 'line 4: mapping values are not allowed in this context'],
  ["a: 'x' y\n", 'line 3: did not find expected key'],
  ['- b\n', 'line 3: did not find expected key'],
  ['a:\n  b: 1\n\tc: 2\n', 'line 6: found a tab character that violates indentation'],
  ['a:\n  - b:\n\t  c: 2\n', 'line 6: found character that cannot start any token'],
  ['a: "\\q"\n', 'line 4: found unknown escape character'],
  ['spec:\n  replicas 2\n  x: 1\n', 'line 6: mapping values are not allowed in this context'],
  ['a: |x\n b\n', 'line 4: did not find expected comment or line break'],
  ['a: ]\n', 'line 3: did not find expected node content'],
  ['a: &\n', 'line 4: did not find expected alphabetic or numeric character'],
  ['a: {b: c}}\n', 'line 3: did not find expected key'],
  ['image: nginx:1.27 : x\n', 'line 4: mapping values are not allowed in this context'],
  ['a: b\n  c: d\n', 'line 5: mapping values are not allowed in this context'],
  ['a: "x\n', 'line 5: found unexpected end of stream'],
  ['  labels:\n    x: z\n', 'line 3: did not find expected key'],
  ['a:\n    x: z\n  y: z\n', 'line 5: did not find expected key'],
  ['a:\n- x: 1\n  - y\n', 'line 5: did not find expected key'],
  ['a: "\u0001"\n', 'control characters are not allowed'],
])('kubectl says of %j: %s', (text, words) => {
  expect(readYaml(HEAD + text).error?.message).toBe(`error converting YAML to JSON: yaml: ${words}`);
});

test('YAML 1.1 is read as kubectl reads it', () => {
  const {documents} = readYaml(
    'b: 0644\na: on\nc: 12:30\nd: 1e3\ne: 2001-01-01\nn: no\n10: x\nyes: z\nf: 1_000\ng: 0x1f\n.: .5\nz: 08\nzz: 1.5\nzzz: 5.\nzzzz: 1.2.3\nh: ~\ni: ""\n',
  );
  const named = {10: 'x', '.': 0.5, z: 8, zz: 1.5, zzz: 5, zzzz: '1.2.3', h: null, i: '', false: false, true: 'z'};
  expect(documents).toEqual([
    {line: 1, value: {...named, a: true, b: 420, c: '12:30', d: 1000, e: '2001-01-01', f: 1000, g: 31}},
  ]);
  expect(Object.keys(documents[0]?.value as object).slice(1, 5)).toEqual(['.', 'a', 'b', 'c']);
});

test('documents are divided, empty ones left out, lines counted in the whole text', () => {
  const {documents, error} = readYaml('# nothing\n---\na: 1\n--- # next\n{"b": 2}\n{"c": 3}\n---\nd: [\n');
  expect(documents).toEqual([
    {value: {a: 1}, line: 3},
    {value: {b: 2}, line: 5, json: '{"b": 2}'},
    {value: {c: 3}, line: 5, json: '{"c": 3}'},
  ]);
  expect(error).toMatchObject({
    line: 9,
    column: 1,
    message: expect.stringContaining('line 1: did not find expected node content'),
  });
});

test('a place is shown with its line and a caret', () => {
  expect(readYaml('a: 1\nb: "x\\q"\n').error).toEqual({
    message: 'error converting YAML to JSON: yaml: line 2: found unknown escape character',
    sentence: String.raw`Invalid escape sequence \q`,
    line: 2,
    column: 6,
    excerpt: 'b: "x\\q"\n     ^',
  });
});

test('JSON with a fault that YAML forgives is read, other faults are told as of JSON', () => {
  expect(readYaml('{"a": 1,}').documents).toEqual([{value: {a: 1}, line: 1}]);
  expect(readYaml('{"apiVersion": "v1", "kind" "ConfigMap"}').error?.message).toBe(
    `json: offset 29: invalid character '"' after object key`,
  );
  expect(readYaml('{"a":{"name":"a"').error?.message).toBe('unexpected EOF');
});

test('double keys: the last counts, or it is an error', () => {
  expect(readYaml('a: 1\na: 2\n').documents).toEqual([{value: {a: 2}, line: 1}]);
  expect(readYaml('a: 1\na: 2\n', {uniqueKeys: true}).error).toMatchObject({
    sentence: 'Map keys must be unique',
    line: 2,
    column: 1,
  });
});

test('keys that mean something to JavaScript are plain keys', () => {
  const [document] = readYaml('__proto__: {x: 1}\nconstructor: 2\n').documents;
  expect(JSON.stringify(document?.value)).toBe('{"__proto__":{"x":1},"constructor":2}');
  expect(({} as {x?: number}).x).toBeUndefined();
});

test('bombs, depths and sizes are refused with one sentence', () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
    .split('')
    .map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`)
    .join('\n')}\n`;
  expect(readYaml(bomb).error?.message).toBe('error converting YAML to JSON: yaml: document contains excessive aliasing');
  expect(readYaml('['.repeat(100_000)).error?.sentence).toBe('This is nested more than 500 levels deep');
  expect(readYaml(`{"a":${'['.repeat(100_000)}`).error?.sentence).toBe('This is no JSON: exceeded max depth');
  expect(readYaml(Array.from({length: 2000}, (_, i) => `${' '.repeat(i)}a:`).join('\n')).error?.sentence).toBe(
    'This is nested more than 500 levels deep',
  );
  expect(readYaml('- '.repeat(100_000)).error?.sentence).toBe('This is nested more than 500 levels deep');
  expect(readYaml(`a: ${'x'.repeat(11 * 1024 * 1024)}`).error?.sentence).toBe('the text is larger than 10 MB');
  expect(readYaml('a: .inf').error?.message).toBe('error converting YAML to JSON: json: unsupported value: +Inf');
  expect(readYaml('['.repeat(2000)).error).toBeDefined();
  expect(readYaml(`a: |\n${'  {[\n'.repeat(3000)}`).documents).toHaveLength(1);
  expect(readYaml('<<: 1').error?.message).toContain('map merge requires map');
  expect(readYaml('a: &a [*a]').error?.message).toContain('yaml:');
});
