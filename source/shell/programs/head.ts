import type {Process} from '../../sim/process/process.ts';
import {makeProgram} from './arguments.ts';
import type {Given} from './arguments.ts';
import {chunks, closeInput, openQuoted, readWhole} from './input.ts';

/** `head [-n count] [-c bytes] [file …]` */
export const head = makeProgram(
  {
    name: 'head',
    synopsis: '[OPTION]... [FILE]...',
    summary: 'Print the first 10 lines of each FILE to standard output.',
    letters: 'c:n:qvz',
    long: {lines: 'n', bytes: 'c', quiet: 'q', silent: 'q', verbose: 'v'},
    countLetter: 'n',
  },
  async (process, given) => {
    const count = countOf(given);
    if (typeof count === 'string') {
      await process.err(`head: ${count}\n`);
      return 1;
    }
    const names = given.operands.length === 0 ? ['-'] : given.operands;
    const withTitles = given.has('v') || (names.length > 1 && !given.has('q'));
    let status = 0;
    let isFirst = true;
    for (const name of names) {
      const input = await openQuoted(process, name, 'head');
      if (!input) {
        status = 1;
        continue;
      }
      if (withTitles) await process.out(`${isFirst ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n`);
      isFirst = false;
      await copyHead(process, input.fd, count);
      closeInput(process, input);
    }
    return status;
  },
);

/** How much: lines or characters, from the start, or (negative) all but the last. */
export interface Count {
  readonly unit: 'lines' | 'bytes';
  readonly number: number;
  readonly sign: '+' | '-' | '';
}

/** Reads `-n` and `-c`; words when they are wrong. */
export function countOf(given: Given, usual = '10'): Count | string {
  const unit = given.has('c') ? 'bytes' : 'lines';
  const text = given.value(unit === 'bytes' ? 'c' : 'n') ?? usual;
  const match = /^([-+]?)(\d+)(b|kB|[kKmMgG]B?|[kKMG]iB)?$/.exec(text);
  if (!match) return `invalid number of ${unit}: '${text}'`;
  const factor =
    {b: 512, kB: 1000, K: 1024, k: 1024, m: 1_048_576, M: 1_048_576, g: 1_073_741_824, G: 1_073_741_824}[
      match[3]?.replace(/i?B$/, '') ?? ''
    ] ?? 1;
  return {unit, number: Number(match[2]) * factor, sign: match[1] === '-' ? '-' : match[1] === '+' ? '+' : ''};
}

async function copyHead(process: Process, fd: number, count: Count): Promise<void> {
  if (count.sign === '-') {
    const text = await readWhole(process, fd);
    await process.out(
      count.unit === 'bytes' ? text.slice(0, Math.max(0, text.length - count.number)) : withoutLast(text, count.number),
    );
    return;
  }
  let left = count.number;
  if (left === 0) return;
  for await (const text of chunks(process, fd)) {
    const end = count.unit === 'bytes' ? Math.min(left, text.length) : endOfLines(text, left);
    await process.out(text.slice(0, end));
    left -= count.unit === 'bytes' ? end : linesIn(text, end);
    if (left > 0) continue;
    process.streams.get(fd)?.unread(text.slice(end));
    return;
  }
}

/** Where so many lines end. */
function endOfLines(text: string, lines: number): number {
  let end = 0;
  for (let left = lines; left > 0; left--) {
    const next = text.indexOf('\n', end);
    if (next < 0) return text.length;
    end = next + 1;
  }
  return end;
}

function linesIn(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function withoutLast(text: string, lines: number): string {
  const all = text.split('\n');
  const isWhole = all.at(-1) === '';
  if (isWhole) all.pop();
  return all
    .slice(0, Math.max(0, all.length - lines))
    .map(line => `${line}\n`)
    .join('');
}
