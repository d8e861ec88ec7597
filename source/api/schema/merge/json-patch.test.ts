import fc from 'fast-check';
import {expect, test} from 'vitest';
import {deepFreeze} from '../../meta/object.ts';
import {applyJsonPatch} from './json-patch.ts';

const key = fc.constantFrom('a', 'b', '0', '1', '-', '__proto__');
const path = fc.array(key, {maxLength: 3}).map(keys => keys.map(each => `/${each}`).join(''));
const value = fc.letrec(tie => ({
  node: fc.oneof(
    {depthSize: 'small'},
    fc.integer({max: 3, min: 0}),
    fc.array(tie('node'), {maxLength: 3}),
    fc.dictionary(key, tie('node'), {maxKeys: 3}),
  ),
})).node;
const step = fc.record({op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'), path, from: path, value});

test('a patch of many steps gives what its steps give one by one, and leaves its document alone', () => {
  fc.assert(
    fc.property(value, fc.array(step, {maxLength: 8}), (document, steps) => {
      const before = JSON.stringify(document);
      let expected: ReturnType<typeof applyJsonPatch> = {value: document};
      // Each step sees a copy of its own: nothing that it changes is seen anywhere else.
      for (const each of steps)
        if ('value' in expected) expected = applyJsonPatch(structuredClone(expected.value), [structuredClone(each)]);
      expect(applyJsonPatch(deepFreeze(document), deepFreeze(steps))).toEqual(expected);
      expect(JSON.stringify(document)).toBe(before);
    }),
    {numRuns: 3000, seed: 5},
  );
});

test('ten thousand steps copy an object of thousands of keys once', () => {
  const data = Object.fromEntries(Array.from({length: 5000}, (_, n) => [`key-${n}`, 'v']));
  let reads = 0;
  const counted = new Proxy(data, {
    ownKeys: target => {
      reads++;
      return Reflect.ownKeys(target);
    },
  });
  const steps = Array.from({length: 10_000}, (_, n) => ({op: 'add', path: `/data/more-${n}`, value: 'v'}));
  const patched = applyJsonPatch({data: counted}, steps);
  expect('value' in patched && Object.keys((patched.value as {data: object}).data)).toHaveLength(15_000);
  expect(reads).toBe(1);
});

test('copies of copies end where they add three million letters', () => {
  const steps = Array.from({length: 40}, (_, n) => ({op: 'copy', from: '/data', path: `/data/k${n}`}));
  expect(applyJsonPatch({data: {a: 'x'}}, steps)).toEqual({
    error: expect.stringMatching(
      /^Unable to complete the copy, the accumulated size increase of copy is \d+, exceeding the limit 3145728$/,
    ),
  });
});
