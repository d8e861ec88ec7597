import {expect, test} from 'vitest';
import {printYaml} from './print.ts';

const WORDS = (count: number) => Array.from({length: count}, () => '0123456789').join(' ');
const NUMBERS = WORDS(9);

// Each text is what kubectl 1.35 prints.
test.each([
  [{long: NUMBERS}, `long: ${WORDS(7)}\n  ${WORDS(2)}\n`],
  [{a: {quoted: `x: ${NUMBERS}`}}, `a:\n  quoted: 'x: ${WORDS(7)}\n    ${WORDS(2)}'\n`],
  [{list: [NUMBERS]}, `list:\n- ${WORDS(8)}\n  0123456789\n`],
  [{one: 'x'.repeat(200)}, `one: ${'x'.repeat(200)}\n`],
])('a text that is too long goes over several lines', (value, text) => {
  expect(printYaml(value)).toBe(text);
});
