import {expect, test} from 'vitest';
import {WELL_KNOWN} from '../cluster/runtime/catalogue.ts';
import {programsFor} from './programs.ts';

test.each([
  ['busybox', ['sh', 'wget', 'vi', 'nslookup'], ['bash', 'curl']],
  ['debian', ['bash', 'sh', 'cat'], ['curl', 'wget', 'ps', 'vi']],
  ['nginx', ['bash', 'curl', 'wget'], ['kubectl', 'ssh']],
  ['curl', ['sh', 'curl', '/entrypoint.sh'], []],
  ['none', [], ['sh', 'cat']],
])('an image with the tools of %s has some programs and lacks others', (tools, has, lacks) => {
  const {program} = programsFor(tools);
  expect(has.filter(name => program(name) === undefined)).toEqual([]);
  expect(lacks.filter(name => program(name) !== undefined)).toEqual([]);
});

/** Languages that the world cannot run: their images are there for commands such as `sleep`. */
const INTERPRETERS = new Set(['python3', 'node', 'perl']);

test('well-known images start with a program that they have', () => {
  const cannot = WELL_KNOWN.filter(({program, entrypoint, command, tools}) => {
    const first = (entrypoint ?? command ?? [])[0] ?? '';
    if (program || INTERPRETERS.has(first)) return false;
    return programsFor(tools).program(first) === undefined;
  });
  expect(cannot.map(({image}) => image)).toEqual([]);
});
