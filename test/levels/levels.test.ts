// Every level proves itself: the same proof as `crashloop check`.
import {readdirSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readCourse} from '../../source/game/course.ts';
import {proveLevel} from '../../source/game/proof/prove.ts';

const folder = resolve(import.meta.dirname, '../../levels');
const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter(path => path.endsWith('.yaml'));
const course = readCourse(paths.map(path => ({path, text: readFileSync(join(folder, path), 'utf8')})));

test('every file of the course can be opened', () => {
  expect(course.broken).toEqual([]);
  expect(course.entries.length).toBeGreaterThanOrEqual(2);
});

describe.each(course.entries)('$number $level.id', ({level, path}) => {
  test('lies where its world and order say', () => {
    expect(path).toBe(`w${level.world}/${String(level.order).padStart(2, '0')}-${level.id}.yaml`);
  });

  test('proves itself', async () => {
    const clauses = await proveLevel(level, () => performance.now());
    expect(clauses.length).toBeGreaterThan(3);
    expect(clauses.filter(clause => clause.problem !== undefined)).toEqual([]);
  });
});
