// `crashloop check`: proves levels.
import {existsSync, readFileSync} from 'node:fs';
import {readCourse} from '../game/course.ts';
import {lineOf} from '../game/level/locate.ts';
import {proveLevel, type Clause} from '../game/proof/prove.ts';
import type {Command} from './command.ts';
import {filesBelow, levelsFolder} from './level-folder.ts';

export const check: Command = {
  name: 'check',
  usage: 'check [PATH…] [--json]',
  summary: 'proves levels: broken at the start, won by the solution and the last hint, not by the wrong fixes, stable after',
  flags: [{name: 'json', says: 'prints one JSON object a level'}],
  words: {least: 0, most: 1000},
  examples: ['crashloop check', 'crashloop check levels/w2 my-level.yaml'],
  async run({flags, words}) {
    const files = (words.length > 0 ? words : [levelsFolder()]).flatMap(filesBelow);
    const {entries, broken} = readCourse(files);
    const json = flags['json'] === true;
    let failed = broken.length;
    for (const {path, problems} of broken) report(json, {path, problems});
    for (const {path, number, level} of entries) {
      if (!json) process.stdout.write(`${number} ${level.id}\n`);
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const clauses = await proveLevel(
        level,
        () => performance.now(),
        clause => {
          if (!json) process.stdout.write(lineFor(clause, path, text));
        },
      );
      const wrong = clauses.filter(clause => clause.problem !== undefined);
      if (wrong.length > 0) failed++;
      if (json) report(json, {path, id: level.id, clauses});
    }
    const passed = entries.length + broken.length - failed;
    if (!json) process.stdout.write(`${passed} passed, ${failed} failed\n`);
    return failed > 0 || passed === 0 ? 1 : 0;
  },
};

function lineFor({says, path, problem}: Clause, file: string, text: string): string {
  return problem === undefined ? `  ok   ${says}\n` : `  FAIL ${says}\n    ${file}:${lineOf(text, path)}: ${path}: ${problem}\n`;
}

function report(
  json: boolean,
  value: {readonly path: string; readonly problems?: readonly string[]; readonly [more: string]: unknown},
): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${value.problems?.join('\n') ?? ''}\n`);
}
