// The same lines typed into the real kubectl and into ours, at two clusters with the same seed and a clock that stands still. What they
// print, their exit codes and what they write to the server must be the same, byte for byte.
//
// The lines are in `lines/*.txt`: `> FILE` and what follows, up to a line with a dot, is a file; `@advance N` lets N seconds pass in
// both; `@speed N LINE` lets time pass while the real one waits. Files are played at once, each at a pair of its own.
import {readdirSync, readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {readBooksFrom} from '../../source/api/words/books.ts';
import {readBooks} from '../build/books.ts';
import {oracle} from './oracle.ts';
import {Pair, type Said} from './pair.ts';

const folder = resolve(import.meta.dirname, 'lines');
const tools = oracle();
const SLOW_MS = 300_000;

type Step =
  | {readonly file: string; readonly text: string}
  | {readonly advance: number}
  | {readonly line: string; readonly speed: number};

/** The lines of a file, with the files that are laid out before them. */
function* steps(text: string): Generator<Step> {
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith('> ')) {
      const end = lines.indexOf('.', i);
      yield {file: line.slice(2), text: `${lines.slice(i + 1, end).join('\n')}\n`};
      i = end;
      continue;
    }
    const [, seconds] = /^@advance (\S+)$/.exec(line) ?? [];
    const [, speed = '0', rest = line] = /^@speed (\S+) (.*)$/.exec(line) ?? [];
    yield seconds === undefined ? {line: rest, speed: Number(speed)} : {advance: Number(seconds)};
  }
}

/** What was written: methods and paths; bodies differ in what Go leaves out. */
function writes({asked}: Said): readonly string[] {
  const sent = asked.filter(one => !one.startsWith('GET ')).map(one => one.split(' ').slice(0, 2).join(' '));
  // Streams that are refused are asked for once more in the old way.
  return sent.filter((one, i) => one !== sent[i - 1] || !/\/(exec|attach)\b/.test(one));
}

const visible = (said: Said) => ({out: said.out, err: said.err, code: said.code, writes: writes(said)});

/** Types the lines of a file; how many there were. */
async function play(pair: Pair, text: string): Promise<number> {
  let count = 0;
  for (const step of steps(text)) {
    if ('file' in step) pair.file(step.file, step.text);
    else if ('advance' in step) await pair.advance(step.advance * 1000);
    else {
      const {theirs, ours} = await pair.type(step.line, {speed: step.speed});
      count++;
      expect({line: step.line, ...visible(ours)}).toEqual({line: step.line, ...visible(theirs)});
    }
  }
  return count;
}

describe.skipIf(tools === undefined)('ours says and does what the real one does', () => {
  beforeAll(async () => {
    // Read beforehand: it takes seconds, in which nobody would be answered.
    const books = await readBooks();
    readBooksFrom(name => books[name]);
  });
  afterAll(() => readBooksFrom(() => ({})));

  test.concurrent.each(readdirSync(folder))(
    '%s',
    // The real kubectl goes through Go's maps, whose order is another each time; and it reads the host's clock. What differs for long differs again.
    {timeout: SLOW_MS, retry: 2},
    async name => {
      const pair = await Pair.open({tools: tools ?? ''});
      try {
        expect(await play(pair, readFileSync(resolve(folder, name), 'utf8'))).toBeGreaterThan(20);
      } finally {
        await pair.close();
      }
    },
  );
});
