import fc from 'fast-check';
import {expect, test} from 'vitest';
import {printJson} from './json-print.ts';
import {printYaml} from './print.ts';
import {readYaml} from './read.ts';

test('mappings, lists and empty ones', () => {
  const value = {
    spec: {containers: [{name: 'c', args: ['-a', ['x', 'y'], {}], resources: {}}], b: [], z: null},
    apiVersion: 'v1',
    10: true,
    replicas: 2,
    share: 0.5,
  };
  expect(printYaml(value)).toBe(`"10": true
apiVersion: v1
replicas: 2
share: 0.5
spec:
  b: []
  containers:
  - args:
    - -a
    - - x
      - "y"
    - {}
    name: c
    resources: {}
  z: null
`);
});

test.each([
  ['', '""'],
  ['true', '"true"'],
  ['yes', '"yes"'],
  ['y', '"y"'],
  ['no', '"no"'],
  ['null', '"null"'],
  ['~', '"~"'],
  ['1', '"1"'],
  ['1.27', '"1.27"'],
  ['0644', '"0644"'],
  ['0x1f', '"0x1f"'],
  ['1_000', '"1_000"'],
  ['1e3', '"1e3"'],
  ['12:30', '"12:30"'],
  ['2026-11-30T05:04:07Z', '"2026-11-30T05:04:07Z"'],
  ['2026-11-30', '"2026-11-30"'],
  ['<<', '<<'],
  ['100m', '100m'],
  ['10.0.0.1', '10.0.0.1'],
  ['nginx:1.27', 'nginx:1.27'],
  ['*/5 * * * *', "'*/5 * * * *'"],
  ['@hourly', "'@hourly'"],
  ['- x', "'- x'"],
  ['-', "'-'"],
  ['-x', '-x'],
  ['a: b', "'a: b'"],
  ['a #b', "'a #b'"],
  ['a#b', 'a#b'],
  ["it's", "it's"],
  ["'q'", "'''q'''"],
  ['{"a":1}', `'{"a":1}'`],
  [' lead', "' lead'"],
  ['trail ', "'trail '"],
  ['tab\there', '"tab\\there"'],
  ['ä € 漢', 'ä € 漢'],
  ['bell\x07', '"bell\\a"'],
  ['key:', "'key:'"],
  ['---', "'---'"],
  ['?', "'?'"],
  ['=', '='],
])('the string %j is written %s', (text, yaml) => {
  expect(printYaml({a: text})).toBe(`a: ${yaml}\n`);
});

test.each([
  ['x\n', 'a: |\n  x\n'],
  ['x', 'a: x\n'],
  ['x\ny', 'a: |-\n  x\n  y\n'],
  ['x\n\ny\n\n', 'a: |+\n  x\n\n  y\n\n'],
  ['  x\ny\n', 'a: |2\n    x\n  y\n'],
  ['x \ny\n', 'a: "x \\ny\\n"\n'],
  ['x\ty\n', 'a: "x\\ty\\n"\n'],
])('the text %j is written %j', (text, yaml) => {
  expect(printYaml({a: text})).toBe(yaml);
});

test('a literal block in a list is indented under the dash', () => {
  expect(printYaml({command: ['sh', '-c', 'a\nb\n'], more: [{text: 'x\ny\n'}]})).toBe(
    'command:\n- sh\n- -c\n- |\n  a\n  b\nmore:\n- text: |\n    x\n    y\n',
  );
});

test('keys are in natural order', () => {
  expect(printYaml({item10: 1, item2: 1, Item: 1, 'f:a': 1, '.': 1, a1b: 1, a1: 1})).toBe(
    '.: 1\nItem: 1\na1: 1\na1b: 1\nf:a: 1\nitem2: 1\nitem10: 1\n',
  );
});

test('JSON has four spaces, sorted keys and escaped signs', () => {
  expect(printJson({b: [1, {}], a: '<x> & "y"', c: []})).toBe(
    `{\n    "a": "\\u003cx\\u003e \\u0026 \\"y\\"",\n    "b": [\n        1,\n        {}\n    ],\n    "c": []\n}`,
  );
  expect(printJson({b: 1, a: '<'}, {indent: 0, escapeHtml: false, sorted: false})).toBe('{"b":1,"a":"<"}');
});

test('what is written reads back as it was', () => {
  const value = fc.letrec(tie => ({
    node: fc.oneof(
      {depthSize: 'small'},
      fc.string({unit: 'grapheme'}),
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('node'), {maxLength: 3}),
      tie('map'),
    ),
    map: fc.dictionary(
      fc.string({minLength: 1, maxLength: 12}).filter(key => key !== '<<'),
      tie('node'),
      {maxKeys: 4},
    ),
  })).map;
  fc.assert(
    fc.property(value, object => {
      const [document] = readYaml(printYaml({object})).documents;
      expect(document?.value).toEqual({object});
    }),
  );
});
