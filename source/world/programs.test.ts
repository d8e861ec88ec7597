import {expect, test} from 'vitest';
import {FAMILIES, imageOf} from '../cluster/runtime/catalogue/index.ts';
import {listedTags} from '../cluster/runtime/catalogue/tags.ts';
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
const INTERPRETERS = new Set(['node', 'php', 'irb']);

test('well-known images start with a program that they have', () => {
  const all = FAMILIES.flatMap(family => listedTags(family.tags).flatMap(tag => imageOf(family, tag) ?? []));
  const cannot = all.filter(({program, entrypoint = [], command = [], tools}) => {
    const first = [...entrypoint, ...command].filter(word => !word.startsWith('docker-'))[0] ?? '';
    // An artifact names nothing to run.
    if (program || INTERPRETERS.has(first) || (first === '' && tools === 'none')) return false;
    return programsFor(tools).program(first) === undefined;
  });
  expect(cannot.map(({image}) => image)).toEqual([]);
});
