import {strftime} from '../text/dates.ts';
import {makeProgram} from './arguments.ts';
import {complain} from './output.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  sec: 1000,
  second: 1000,
  min: 60_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  fortnight: 1_209_600_000,
};

/** `date [-u] [-d text] [-I[unit]] [-R] [+format]`: the machine's own idea of the time, in UTC. */
export const date = makeProgram(
  {
    name: 'date',
    synopsis: '[OPTION]... [+FORMAT]',
    summary: 'Display the current time in the given FORMAT.',
    letters: 'd:I::r:Rus:3::',
    long: {date: 'd', 'iso-8601': 'I', reference: 'r', 'rfc-email': 'R', utc: 'u', universal: 'u', set: 's', 'rfc-3339': '3'},
  },
  async (process, given) => {
    const now = process.machine.wall();
    const text = given.value('d');
    const file = given.value('r');
    const info = file === undefined ? undefined : process.machine.files.info(process.path(file));
    if (file !== undefined && !info) return complain(process, `date: ${file}: No such file or directory`);
    if (given.has('s')) return complain(process, 'date: cannot set date: Operation not permitted');
    const ms = info?.modified ?? (text === undefined ? now : parseDate(text, now));
    if (ms === undefined) return complain(process, `date: invalid date '${text}'`);
    const [operand, extra] = given.operands;
    if (extra !== undefined) return complain(process, `date: extra operand '${extra}'\nTry 'date --help' for more information.`);
    if (operand !== undefined && !operand.startsWith('+')) return complain(process, `date: invalid date '${operand}'`);
    await process.out(`${strftime(operand?.slice(1) ?? formatOf(given), ms)}\n`);
    return 0;
  },
);

function formatOf(given: {has(letter: string): boolean; value(letter: string): string | undefined}): string {
  if (given.has('R')) return '%a, %d %b %Y %H:%M:%S %z';
  if (given.has('3')) return given.value('3') === 'date' ? '%F' : given.value('3') === 'ns' ? '%F %T.%N%:z' : '%F %T%:z';
  if (!given.has('I')) return '%a %b %e %H:%M:%S %Z %Y';
  const unit = given.value('I') ?? 'date';
  if (unit.startsWith('h')) return '%Y-%m-%dT%H%:z';
  if (unit.startsWith('m')) return '%Y-%m-%dT%H:%M%:z';
  if (unit.startsWith('s')) return '%Y-%m-%dT%H:%M:%S%:z';
  return unit.startsWith('n') ? '%Y-%m-%dT%H:%M:%S,%N%:z' : '%Y-%m-%d';
}

/** Reads `@seconds`, dates as ISO writes them, `now`, `yesterday`, and `… + 5 minutes`, `2 hours ago`. */
export function parseDate(text: string, now: number): number | undefined {
  let rest = text.trim();
  let shift = 0;
  const relative = /(?:^|\s*)([-+]?\s*\d+|next|last)\s*(sec|second|min|minute|hour|day|week|fortnight)s?(\s+ago)?/gi;
  if (!/^@|^\d{4}-\d\d-\d\d$/.test(rest)) {
    rest = rest
      .replace(relative, (_, amount: string, unit: string, ago: string | undefined) => {
        const count = amount === 'next' ? 1 : amount === 'last' ? -1 : Number(amount.replace(/\s/g, ''));
        shift += count * (UNIT_MS[unit.toLowerCase()] ?? 0) * (ago === undefined ? 1 : -1);
        return '';
      })
      .trim();
  }
  const base = parseMoment(rest, now);
  return base === undefined ? undefined : base + shift;
}

function parseMoment(text: string, now: number): number | undefined {
  if (text === '' || text === 'now') return now;
  const midnight = Math.floor(now / 86_400_000) * 86_400_000;
  if (text === 'today') return now;
  if (text === 'yesterday') return now - 86_400_000;
  if (text === 'tomorrow') return now + 86_400_000;
  if (/^@-?\d+(\.\d+)?$/.test(text)) return Number(text.slice(1)) * 1000;
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?\s*(Z|UTC|GMT|[-+]\d\d:?\d\d)?$/i.exec(
    text,
  );
  if (iso) {
    const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', zone = 'Z'] = iso;
    const offset = /^[-+]/.test(zone)
      ? (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))) * (zone.startsWith('-') ? -60_000 : 60_000)
      : 0;
    return (
      Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) +
      Number(`0.${fraction}`) * 1000 -
      offset
    );
  }
  const clock = /^(\d\d?):(\d\d)(?::(\d\d))?$/.exec(text);
  if (clock) return midnight + Number(clock[1]) * 3_600_000 + Number(clock[2]) * 60_000 + Number(clock[3] ?? 0) * 1000;
  const parsed = /[A-Za-z]{3}/.test(text) ? Date.parse(/(UTC|GMT|Z|[-+]\d{4})$/.test(text) ? text : `${text} UTC`) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
}
