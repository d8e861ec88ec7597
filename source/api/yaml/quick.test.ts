// The quick reader reads as the whole one does, or says nothing.
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {printYaml} from './print.ts';
import {quickYaml} from './quick.ts';
import {readYaml} from './read.ts';
import {goScalars} from './tags.ts';

function quickly(text: string): {readonly value: unknown} | undefined {
  const steps = quickYaml(text, goScalars());
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
  }
}

/** By the whole reader: this sign is in no way plain, and in a comment it says nothing. */
function wholly(text: string): unknown {
  const {documents, error} = readYaml(`${text.replace(/\n?$/, '\n')}# \u2028`);
  return error ? {error: error.message} : documents.map(({value}) => value);
}

function agrees(text: string): boolean {
  const quick = quickly(text);
  if (!quick) return false;
  // Documents that are empty are left out by those who ask.
  const read = quick.value === null ? [] : [quick.value];
  expect({text, read}).toEqual({text, read: wholly(text)});
  expect(JSON.stringify(read)).toBe(JSON.stringify(wholly(text)));
  return true;
}

const WORDS = [
  'a',
  'b',
  'kind',
  'on',
  'y',
  'No',
  '~',
  'null',
  'True',
  '1',
  '0',
  '-1',
  '007',
  '08',
  '1e3',
  '1_000',
  '0x1F',
  '0b11',
  '.5',
  '5.',

  '1.5Gi',
  '10.0.0.1',
  '12:30:45',
  '2020-01-01',
  '.inf',
  '-.inf',
  '.nan',
  '+1',
  '--',
  '-',
  '- x',
  '"q"',
  '"a\\nb"',
  "'s'",
  "'it''s'",

  '[]',
  '{}',
  '[1, 2]',
  '["a", "b"]',
  '[a]',
  '{"a": 1}',
  '|',
  '|-',
  '>',
  '|+',
  '&x',
  '*x',
  '!!str 1',
  'a: b',
  'a:',
  'a #c',
  '#c',
  'a#b',

  'http://x:80/',
  'é',
  '12345678901234567890',
  '9007199254740993',
  '<<',
  '=',
  '%a',
  '@b',
  '`c',
  'a\tb',
  '?',
  '? a',
  ':',
  ':a',
  ',',
  '"',
  "'",
  '',
];
const word = fc.constantFrom(...WORDS);
const line = fc
  .tuple(
    fc.nat({max: 4}),
    fc.constantFrom('', '- ', '- - ', '-', '  ', '\t'),
    fc.option(fc.constantFrom('a', 'b', 'c', '"k"', 'n', '1', 'a.b/c', '__proto__', 'é')),
    word,
  )
  .map(
    ([pad, dash, key, value]) =>
      `${' '.repeat(2 * (pad % 3) + (pad > 3 ? 1 : 0))}${dash}${key === null ? '' : `${key}: `}${value}`,
  );

test('lines of all kinds', () => {
  let read = 0;
  fc.assert(
    fc.property(fc.array(line, {minLength: 1, maxLength: 7}), lines => {
      if (agrees(lines.join('\n'))) read++;
    }),
    {numRuns: 6000, seed: 5},
  );
  expect(read).toBeGreaterThan(150);
});

test('what we print ourselves', () => {
  const text = fc.oneof(
    word,
    fc.constantFrom('two\nlines', 'two\nlines\n', ' lead\n', 'a\n\nb\n', 'x\n\n', '\n'),
    fc.string({maxLength: 5}),
  );
  const value = fc.letrec(tie => ({
    node: fc.oneof(
      {depthSize: 'small'},
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('node'), {maxLength: 4}),
      fc.dictionary(fc.oneof(fc.constantFrom('a', 'kind', 'x.y/z', '8080', 'no'), fc.string({maxLength: 3})), tie('node'), {
        maxKeys: 4,
      }),
    ),
  })).node;
  let read = 0;
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), value, {minKeys: 1}), object => {
      if (agrees(printYaml(object))) read++;
    }),
    {numRuns: 4000, seed: 6},
  );
  expect(read).toBeGreaterThan(1000);
});

test('a manifest is plain', () => {
  const text = `# a comment
apiVersion: v1
kind: ConfigMap
metadata:
  name: web
  labels: {}
data:
  file: |
    one
      two

    three
  quoted: "a: b"
  number: '5'
list:
- name: a
  ports:
  - containerPort: 80
  args: ["-c", "sleep 1"]
- name: b
  replicas: 3
`;
  expect(quickly(text)).toBeDefined();
  agrees(text);
});
