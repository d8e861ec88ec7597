import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {readCourse} from '../course.ts';
import {levelReader} from './level.ts';
import {readText} from './text.ts';

const folder = new URL('../../../levels/', import.meta.url);
const good = readFileSync(new URL('w1/13-wrong-crate.yaml', folder), 'utf8');

function problemsOf(text: string): readonly string[] {
  const read = readText(text, 'level.yaml', levelReader);
  return read.ok ? [] : read.problems;
}

test.each(['w1/13-wrong-crate.yaml', 'w2/01-nine-nodes-no-room.yaml'])('%s is a level', name => {
  expect(problemsOf(readFileSync(new URL(name, folder), 'utf8'))).toEqual([]);
});

test.each([
  [
    'a wrong type',
    good.replace('difficulty: 1', 'difficulty: easy'),
    /^level\.yaml:8:13: difficulty: a number is wanted here, not a text\n {4}difficulty: easy\n {4} {12}\^+$/,
  ],
  ['an unknown field', good.replace('minutes: 4', 'minuets: 4'), /there is no field "minuets" here; do you mean "minutes"\?/],
  ['a missing field', good.replace(/^briefing:.*\n/m, ''), /the field "briefing" is missing/],
  [
    'an unknown check',
    good.replace('{ready: {kind', '{redy: {kind'),
    /objectives\[0\]\.check: there is no check "redy"; known are ready/,
  ],
  [
    'a check without its argument',
    good.replace('name: web, replicas: 3}}\n    for', 'replicas: 3}}\n    for'),
    /objectives\[0\]\.check\.ready: the field "name" is missing/,
  ],
  [
    'an unknown kind in a check',
    good.replace('{same: {object: svc/shop/web}}', '{same: {object: swc/shop/web}}'),
    /there is no kind "swc"/,
  ],
  ['an unknown kind of object', good.replace('kind: Service\n', 'kind: Servise\n'), /the API server has no kind Servise in v1/],
  [
    'an object that a file stands for and that is missing',
    good.replace('@object:deploy/shop/web svc', '@object:deploy/shop/wob svc'),
    /the file web\.yaml stands for deploy\/shop\/wob/,
  ],
  ['a program that is missing', good.replace('program: toolbox}', 'program: toolbax}'), /names the program "toolbax"/],
  [
    'a constraint that a cheat names and that is missing',
    good.replace('expect: {breach: probe}', 'expect: {breach: prope}'),
    /the cheat no-probe names "prope"/,
  ],
  ['text that is no YAML', good.replace('idea: The', 'idea: "The'), /^level\.yaml:\d+:\d+: .+\n {4}.+\n {4} *\^/],
  ['a key that stands twice', good.replace('world: 1', 'world: 1\nworld: 2'), /Map keys must be unique/],
  ['an empty file', '', /the file is empty|a map is wanted here/],
  ['a list', '- 1\n', /a map is wanted here, not a list/],
])('%s is told with its place', (_, text, words) => {
  expect(problemsOf(text).join('\n')).toMatch(words);
});

test('ten megabytes are refused by their length', () => {
  expect(problemsOf('x'.repeat(10_000_000))).toEqual([expect.stringContaining('at most 1 MiB')]);
});

test.each([
  ['flow lists', `a: ${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['maps', Array.from({length: 200}, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
])('deeply nested %s are refused', (_, text) => {
  expect(problemsOf(text).join()).toMatch(/nested|deep/i);
});

test('aliases that multiply are refused', () => {
  const bomb = [
    'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
    ...Array.from({length: 9}, (_, i) => `a${i + 1}: &a${i + 1} [${Array.from({length: 10}, () => `*a${i}`).join(', ')}]`),
  ].join('\n');
  expect(problemsOf(bomb).join()).toMatch(/aliases/);
});

test.each(['__proto__', 'constructor', '10'])('the key %s is a key like any other', key => {
  expect(problemsOf(`${good}\n${key}: 1\n`).join()).toContain(`there is no field ${JSON.stringify(key)} here`);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a broken file is kept with its problems, and never opens', () => {
  const course = readCourse([
    {path: 'good.yaml', text: good},
    {path: 'bad.yaml', text: 'format: 2\n'},
  ]);
  expect(course.entries.map(entry => entry.number)).toEqual(['1.7a']);
  expect(course.broken).toEqual([{path: 'bad.yaml', problems: expect.arrayContaining([expect.stringContaining('bad.yaml:1:')])}]);
});
