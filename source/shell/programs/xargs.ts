import type {Process} from '../../sim/process/process.ts';
import {makeProgram} from './arguments.ts';
import type {Given} from './arguments.ts';
import {findByName} from './find-program.ts';
import {closeInput, openInput, readWhole} from './input.ts';
import {complain} from './output.ts';
import {nullStream} from '../../sim/process/streams.ts';

/** Characters that one command line may have. */
const LONGEST_LINE = 131_072;

/** `xargs [-0rt] [-n count] [-L lines] [-I text] [-P count] [-d char] [command …]` */
export const xargs = makeProgram(
  {
    name: 'xargs',
    synopsis: '[OPTION]... COMMAND [INITIAL-ARGS]...',
    summary: 'Run COMMAND with arguments INITIAL-ARGS and more arguments read from input.',
    letters: '0a:d:E:I:L:n:P:prs:tx',
    long: {
      null: '0',
      'arg-file': 'a',
      delimiter: 'd',
      replace: 'I',
      'max-lines': 'L',
      'max-args': 'n',
      'max-procs': 'P',
      'no-run-if-empty': 'r',
      verbose: 't',
    },
    inOrder: true,
  },
  async (process, given) => {
    const input = await openInput(process, given.value('a') ?? '-', 'xargs');
    if (!input) return 1;
    const text = await readWhole(process, input.fd);
    closeInput(process, input);
    const groups = given.has('L') ? lineGroups(text, Number(given.value('L'))) : [text];
    const parts = groups.map(group => split(group, given));
    const wrong = parts.find(part => typeof part === 'string');
    if (typeof wrong === 'string') return complain(process, `xargs: ${wrong}`);
    const items = parts.flatMap(part => (typeof part === 'string' ? [] : [part]));
    const command = given.operands.length === 0 ? ['echo'] : given.operands;
    const placeholder = given.value('I');
    const lines =
      placeholder === undefined
        ? items.flatMap(group => batches(group, given, command)).map(batch => [...command, ...batch])
        : items.flat().map(item => command.map(word => word.replaceAll(placeholder, item)));
    return runAll(process, given, lines);
  },
);

/** The lines that are not blank, so many at a time. */
function lineGroups(text: string, size: number): string[] {
  const lines = text.split('\n').filter(line => line.trim() !== '');
  const groups: string[] = [];
  for (let at = 0; at < lines.length; at += Math.max(1, size))
    groups.push(`${lines.slice(at, at + Math.max(1, size)).join('\n')}\n`);
  return groups.length > 0 ? groups : [''];
}

/** The items of the input; words when a quote is open. */
function split(text: string, given: Given): string[] | string {
  const delimiter = given.has('0') ? '\0' : given.value('d')?.replace('\\n', '\n').replace('\\t', '\t').replace('\\0', '\0');
  if (delimiter !== undefined) {
    const items = text.split(delimiter);
    if (items.at(-1) === '') items.pop();
    return items;
  }
  if (given.has('I'))
    return text
      .split('\n')
      .map(line => line.trimStart())
      .filter(line => line !== '');
  const items: string[] = [];
  let item: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === "'" || char === '"') {
      const end = text.indexOf(char, at + 1);
      const line = text.indexOf('\n', at + 1);
      if (end < 0 || (line >= 0 && line < end)) {
        return `unmatched ${char === '"' ? 'double' : 'single'} quote; by default quotes are special to xargs unless you use the -0 option`;
      }
      item = (item ?? '') + text.slice(at + 1, end);
      at = end;
    } else if (char === '\\') item = (item ?? '') + (text[++at] ?? '');
    else if (/\s/.test(char)) {
      if (item !== undefined) items.push(item);
      item = undefined;
    } else item = (item ?? '') + char;
  }
  if (item !== undefined) items.push(item);
  return items;
}

function batches(items: readonly string[], given: Given, command: readonly string[]): string[][] {
  if (items.length === 0) return given.has('r') ? [] : [[]];
  const most = Number(given.value('n') ?? Infinity);
  const head = command.join(' ').length;
  const all: string[][] = [];
  let batch: string[] = [];
  let length = head;
  for (const item of items) {
    if (batch.length >= most || (batch.length > 0 && length + item.length + 1 > LONGEST_LINE)) {
      all.push(batch);
      batch = [];
      length = head;
    }
    batch.push(item);
    length += item.length + 1;
  }
  all.push(batch);
  return all;
}

async function runAll(process: Process, given: Given, lines: readonly (readonly string[])[]): Promise<number> {
  const atOnce = Number(given.value('P') ?? 1) || Infinity;
  const running: Process[] = [];
  const state = {status: 0, stops: false};
  const settle = async (): Promise<void> => {
    const child = running.shift();
    const code = child ? await waitFor(process, child) : 0;
    if (code === 255) {
      await process.err(`xargs: ${child?.argv[0]}: exited with status 255; aborting\n`);
      state.stops = true;
      state.status = 124;
    } else if (code > 128 && code < 255) {
      state.stops = true;
      state.status = 125;
    } else if (code !== 0 && state.status === 0) state.status = 123;
  };
  for (const line of lines) {
    if (given.has('t')) await process.err(`${line.join(' ')}\n`);
    const found = findByName(process, line);
    if (!found.ok) return complain(process, `xargs: ${line[0]}: ${found.words}`, found.status);
    const child = process.spawn(found.program, {argv: found.argv, streams: new Map(process.streams).set(0, nullStream())});
    if (!child) return complain(process, 'xargs: cannot fork: Resource temporarily unavailable');
    running.push(child);
    await process.cpu(0);
    if (running.length >= atOnce) await settle();
    if (state.stops) break;
  }
  while (running.length > 0) await settle();
  return state.status;
}

async function waitFor(process: Process, child: Process): Promise<number> {
  for (;;) {
    const code = await process.wait(child);
    if (typeof code === 'number') return code;
  }
}
