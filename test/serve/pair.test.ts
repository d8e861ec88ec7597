// The same lines typed into the real kubectl and into ours, at two clusters with the same seed and a clock that stands still. What they
// print, their exit codes and what they write to the server must be the same, byte for byte.
//
// The lines are in `lines/*.txt`: `> FILE` and what follows, up to a line with a dot, is a file; `@speed N LINE` lets time pass while
// the real one waits.
import {readdirSync, readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {readDescriptionsFrom} from '../../source/api/schema/descriptions.ts';
import {readDescriptions} from '../build/descriptions.ts';
import {oracle} from './oracle.ts';
import {Pair, type Said} from './pair.ts';

const folder = resolve(import.meta.dirname, 'lines');
const tools = oracle();
const SLOW_MS = 900_000;

/** Lines that differ still, and why. A line that no longer does is to be taken off. */
const KNOWN: Readonly<Record<string, string>> = {
  'kubectl create secret': 'the texts of help are our own words',
  'kubectl create -f d': 'a folder without manifests is named in the error',
  "kubectl create -f ''": 'an empty name counts as no file',
  'kubectl get cm --sort-by=.foo': 'the real one says that it found nothing when the field is nowhere in a table',
  'kubectl get deploy,svc --sort-by=.metadata.name': 'the real one cannot sort tables of several kinds',
  'kubectl get cm --server-print=false': 'tables are always those of the server',
};

/** The lines of a file, with the files that are laid out before them. */
function* steps(
  text: string,
): Generator<{readonly file: string; readonly text: string} | {readonly line: string; readonly speed: number}> {
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
    const [, speed = '0', rest = line] = /^@speed (\S+) (.*)$/.exec(line) ?? [];
    yield {line: rest, speed: Number(speed)};
  }
}

/** What was written: methods and paths; bodies differ in what Go leaves out. */
function writes({asked}: Said): readonly string[] {
  return asked.filter(one => !one.startsWith('GET ')).map(one => one.split(' ').slice(0, 2).join(' '));
}

const visible = (said: Said) => ({out: said.out, err: said.err, code: said.code, writes: writes(said)});

describe.skipIf(tools === undefined).each(readdirSync(folder))('%s', name => {
  let pair: Pair;

  beforeAll(async () => {
    readDescriptionsFrom(readDescriptions);
    pair = await Pair.open({tools: tools ?? ''});
  });

  afterAll(async () => {
    readDescriptionsFrom(() => ({}));
    await pair.close();
  });

  test(
    'ours says and does what the real one does',
    async () => {
      let count = 0;
      for (const step of steps(readFileSync(resolve(folder, name), 'utf8'))) {
        if ('file' in step) {
          pair.file(step.file, step.text);
          continue;
        }
        const {theirs, ours} = await pair.type(step.line, {speed: step.speed});
        count++;
        if (step.line in KNOWN) expect(visible(ours), `${step.line} is known to differ`).not.toEqual(visible(theirs));
        else expect({line: step.line, ...visible(ours)}).toEqual({line: step.line, ...visible(theirs)});
      }
      expect(count).toBeGreaterThan(20);
    },
    SLOW_MS,
  );
});
