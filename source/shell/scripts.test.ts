// Scripts and what real bash and GNU's programs say of them: the tables in testing/scripts.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {Laptop} from './testing/laptop.ts';
import {readScripts} from './testing/scripts.ts';

const folder = join(import.meta.dirname, 'testing/scripts');
/** Virtual time that a script gets. */
const LIMIT_MS = 60_000;
/** Fewer scripts than this mean that the tables were not read. */
const FEWEST = 500;

const tables = readdirSync(folder)
  .filter(name => name.endsWith('.txt'))
  .map(name => ({name, scripts: readScripts(readFileSync(join(folder, name), 'utf8'))}));

test('the tables are there', () => {
  expect(tables.reduce((sum, table) => sum + table.scripts.length, 0)).toBeGreaterThan(FEWEST);
});

describe.each(tables)('$name', ({scripts}) => {
  test.each(scripts)('$script', async ({script, out, err, code}) => {
    const laptop = new Laptop();
    laptop.environment.set('LC_ALL', 'C.UTF-8').set('TZ', 'UTC');
    const outcome = await laptop.bash(script, LIMIT_MS);
    expect({out: outcome.out, err: outcome.err, code: outcome.code}).toEqual({out, err, code});
  });
});
