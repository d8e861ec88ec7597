import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseJson, parseSlowly} from './parse-json.ts';

/** What was read, with the keys that stood twice beside each object. */
function told(text: string, read = parseJson(text)): unknown {
  if ('error' in read) return read;
  const twice = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(twice);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, part]) => [key, twice(part)]);
    return [read.duplicates.get(value) ?? [], entries];
  };
  return twice(read.value);
}

const word = fc.constantFrom('a', 'b', '__proto__', '1', '0', 'é', '"', '\\', '\\"', 'a:b', '\ud83d\ude00', '\\u0061', '');
const text = fc.letrec<{node: string}>(tie => ({
  node: fc.oneof(
    {depthSize: 'small'},
    word.map(each => JSON.stringify(each)),
    fc.constantFrom(
      '1',
      '-0',
      '1e400',
      '12345678901234567890',
      'true',
      'null',
      '"\\ud800"',
      '"\\ud83d\\ude00"',
      '01',
      '"\t"',
      ' 7 ',
    ),
    fc.array(tie('node'), {maxLength: 3}).map(items => `[${items.join(' ,')}]`),
    fc
      .array(fc.tuple(word, tie('node')), {maxLength: 4})
      .map(pairs => `{${pairs.map(([key, part]) => `${JSON.stringify(key)} : ${part}`).join(',')}}`),
  ),
})).node;

test('the quick reader and the slow one read the same, and note the same keys that stand twice', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        fc.json(),
        fc.string(),
        text.map(each => each.slice(1)),
        text.map(each => `${each}}`),
      ),
      each => {
        expect(told(each)).toEqual(told(each, parseSlowly(each)));
      },
    ),
    {numRuns: 3000, seed: 11},
  );
});

test.each([999, 1000, 1001, 100_000])('brackets %s deep are read alike', depth => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const nested = `${open.repeat(depth)}1${close.repeat(depth)}`;
    const quick = parseJson(nested);
    const slow = parseSlowly(nested);
    expect('error' in quick ? quick.error : 'read').toBe('error' in slow ? slow.error : 'read');
  }
});
