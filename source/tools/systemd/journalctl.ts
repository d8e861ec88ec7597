// `journalctl`: what the services of this machine, and systemd itself, have said.
//
// Modelled: units, identifiers, boots, priorities, times, patterns, the number of lines, order, forms, following, FIELD=VALUE
// matches. Not modelled: the kernel's messages (there are none), cursors, other machines' journals, the catalogue of -x.
import type {JournalEntry} from '../../api/wire/journal.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {getOpt, optionsOf} from '../flags/getopt.ts';
import {fieldsOf, FORMS, type OutputForm} from './journal-line.ts';
import {journalTime} from './journal-time.ts';
import {bareName, longTime, type ServiceMachine} from './services.ts';

const OPTIONS = optionsOf({
  letters:
    'u=unit f=follow n=lines b=boot p=priority o=output r=reverse x=catalog e=pager-end S=since U=until t=identifier T=exclude-identifier g=grep k=dmesg a=all l=full q=quiet m=merge h=help',
  none: 'follow reverse catalog pager-end dmesg all full no-full quiet merge no-pager no-hostname utc no-tail list-boots disk-usage system help',
  needed: 'unit priority output since until identifier exclude-identifier grep',
  optional: 'lines boot case-sensitive',
});
const LEVELS = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'];
const END_LINES = 1000;
const TAIL_LINES = 10;

interface Asked {
  readonly fits: (line: JournalEntry) => boolean;
  readonly lines: number;
  readonly reverse: boolean;
  readonly follow: boolean;
  readonly form: OutputForm;
  readonly host: string;
  readonly quiet: boolean;
}

/** Makes the program of a machine. */
export function makeJournalctl(machine: ServiceMachine): Program {
  return async process => {
    const read = getOpt('journalctl', process.argv.slice(1), OPTIONS);
    if (!read.ok) return fail(process, read.message);
    if (read.given.has('help')) return show(process, 'journalctl [OPTIONS...] [MATCHES...]\n\nQuery the journal.\n');
    if (read.given.has('list-boots')) return listBoots(process, machine);
    if (read.given.has('disk-usage')) return show(process, 'Archived and active journals take up 8M in the file system.\n');
    const asked = askedOf(process, machine, read);
    return typeof asked === 'string' ? fail(process, asked) : print(process, machine, asked);
  };
}

async function fail(process: Process, message: string): Promise<number> {
  await process.err(`${message}\n`);
  return 1;
}

async function show(process: Process, text: string): Promise<number> {
  await process.out(text);
  return 0;
}

type Test = (line: JournalEntry) => boolean;

interface Typed {
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly words: readonly string[];
}

function askedOf(process: Process, {name, journal}: ServiceMachine, {given, words}: Typed): Asked | string {
  const last = (option: string) => given.get(option)?.at(-1);
  const tests: Test[] = namesTests(given);
  const more = [
    bootTest(last('boot'), journal.boot),
    priorityTest(last('priority')),
    timeTest(last('since'), process.machine.wall(), (at, mark) => at >= mark),
    timeTest(last('until'), process.machine.wall(), (at, mark) => at <= mark),
    patternTest(last('grep')),
    matchTest(words, name),
  ];
  for (const test of more) {
    if (typeof test === 'string') return test;
    if (test) tests.push(test);
  }
  const form = FORMS[last('output') ?? 'short'];
  if (!form) return `Unknown output format '${last('output')}'.`;
  const lines = linesOf(given);
  if (Number.isNaN(lines)) return `Failed to parse lines: ${last('lines')}`;
  return {
    fits: line => tests.every(test => test(line)),
    lines,
    reverse: given.has('reverse'),
    follow: given.has('follow'),
    form,
    host: given.has('no-hostname') ? '' : name,
    quiet: given.has('quiet'),
  };
}

function namesTests(given: Typed['given']): Test[] {
  const tests: Test[] = [];
  const units = given.get('unit')?.map(bareName);
  if (units) tests.push(line => units.some(unit => fitsName(unit, bareName(line.unit))));
  const identifiers = given.get('identifier');
  if (identifiers) tests.push(line => identifiers.includes(line.identifier));
  const without = given.get('exclude-identifier');
  if (without) tests.push(line => !without.includes(line.identifier));
  if (given.has('dmesg')) tests.push(() => false);
  return tests;
}

function bootTest(boot: string | undefined, current: number): Test | string | undefined {
  if (boot === undefined) return undefined;
  const wanted = Number(boot || 0);
  if (Number.isNaN(wanted)) return `Failed to parse boot ID descriptor: ${boot}`;
  const index = wanted > 0 ? wanted - 1 : current + wanted;
  if (index < 0 || index > current) return `No boot ID matching the boot offset ${wanted} found`;
  return line => line.boot === index;
}

function priorityTest(priority: string | undefined): Test | string | undefined {
  if (priority === undefined) return undefined;
  const [from = '', to] = priority.split('..');
  const [least = -1, most = -1] = [to === undefined ? '0' : from, to ?? from].map(levelOf);
  if (least < 0 || most < 0) return `Unknown log level ${priority}`;
  return line => line.priority >= Math.min(least, most) && line.priority <= Math.max(least, most);
}

function timeTest(text: string | undefined, now: number, keep: (at: number, mark: number) => boolean): Test | string | undefined {
  if (text === undefined) return undefined;
  const mark = journalTime(text, now);
  return mark === undefined ? `Failed to parse timestamp: ${text}` : line => keep(line.at, mark);
}

function patternTest(pattern: string | undefined): Test | string | undefined {
  if (pattern === undefined) return undefined;
  const regex = regexOf(pattern);
  return regex ? line => regex.test(line.text) : `Bad pattern "${pattern}": missing closing parenthesis`;
}

function matchTest(words: readonly string[], name: string): Test | string | undefined {
  const matches = matchesOf(words);
  if (typeof matches === 'string') return matches;
  if (matches.size === 0) return undefined;
  return line => {
    const fields = fieldsOf(line, name);
    return [...matches].every(([field, values]) => values.includes(fields[field] ?? ''));
  };
}

function linesOf(given: Typed['given']): number {
  const count = given.get('lines')?.at(-1);
  if (count !== undefined) return count === 'all' ? Infinity : Number(count || TAIL_LINES);
  if (given.has('pager-end')) return END_LINES;
  return given.has('follow') && !given.has('no-tail') ? TAIL_LINES : Infinity;
}

function levelOf(word: string): number {
  if (/^[0-7]$/.test(word)) return Number(word);
  return LEVELS.indexOf(word === 'error' ? 'err' : word === 'warn' ? 'warning' : word);
}

/** A pattern without capitals does not care for them. */
function regexOf(pattern: string): RegExp | undefined {
  if (pattern.length > 200) return undefined;
  try {
    return new RegExp(pattern, /[A-Z]/.test(pattern) ? '' : 'i');
  } catch {
    return undefined;
  }
}

function fitsName(pattern: string, unit: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === unit;
  const parts = pattern.split('*').map(part => part.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('?', '.'));
  return new RegExp(`^${parts.join('.*')}$`).test(unit);
}

function matchesOf(words: readonly string[]): Map<string, string[]> | string {
  const matches = new Map<string, string[]>();
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) return `Failed to add match '${word}': Invalid argument`;
    const field = word.slice(0, at);
    matches.set(field, [...(matches.get(field) ?? []), word.slice(at + 1)]);
  }
  return matches;
}

async function print(process: Process, {journal}: ServiceMachine, asked: Asked): Promise<number> {
  const {fits, lines, form, host, follow} = asked;
  const found = journal.entries.filter(fits);
  const shown = lines === Infinity ? found : lines <= 0 ? [] : found.slice(-lines);
  if (asked.reverse) shown.reverse();
  if (shown.length === 0 && !follow && !asked.quiet) await process.out('-- No entries --\n');
  let boot = shown[0]?.boot;
  let text = '';
  for (const line of shown) {
    if (line.boot !== boot) text += `-- Boot ${bootId(host, line.boot)} --\n`;
    boot = line.boot;
    text += `${form(line, host)}\n`;
  }
  await process.out(text);
  if (follow) await keepUp(process, journal, asked);
  return 0;
}

/** Prints what comes, until it is interrupted. */
async function keepUp(process: Process, journal: ServiceMachine['journal'], {fits, form, host}: Asked): Promise<void> {
  const waiting: JournalEntry[] = [];
  let wake: (() => void) | undefined;
  const forget = journal.follow(line => {
    if (!fits(line)) return;
    waiting.push(line);
    wake?.();
  });
  process.onEnd(forget);
  for (;;) {
    if (waiting.length === 0 && !(await process.block(woken => (wake = woken)))) break;
    wake = undefined;
    await process.out(
      waiting
        .splice(0)
        .map(line => `${form(line, host)}\n`)
        .join(''),
    );
  }
  forget();
}

async function listBoots(process: Process, {name, journal}: ServiceMachine): Promise<number> {
  const rows = ['IDX BOOT ID                          FIRST ENTRY             LAST ENTRY'];
  for (let boot = 0; boot <= journal.boot; boot++) {
    const lines = journal.entries.filter(line => line.boot === boot);
    const [first, last] = [lines[0], lines.at(-1)];
    if (!first || !last) continue;
    const index = String(boot - journal.boot).padStart(3);
    rows.push(`${index} ${bootId(name, boot)} ${longTime(first.at)} ${longTime(last.at)}`);
  }
  return show(process, `${rows.join('\n')}\n`);
}

/** 32 hexadecimal digits that stand for one start of one machine. */
function bootId(host: string, boot: number): string {
  let hash = 2_166_136_261;
  let id = '';
  for (let i = 0; i < 4; i++) {
    for (const letter of `${host} ${boot} ${i}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
    id += hash.toString(16).padStart(8, '0');
  }
  return id;
}
