// Dates in UTC, as `date` and `printf %(…)T` print them. The machines of the game keep UTC.

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const DAY_MS = 86_400_000;

/** Formats milliseconds since 1970 after `%Y-%m-%d` and the like. */
export function strftime(format: string, ms: number): string {
  return format.replace(
    /%([-_0^#]?)(\d*)(:{0,2})([A-Za-z%+])/g,
    (whole, flag: string, width: string, colons: string, letter: string) => {
      const text = field(letter, ms, colons);
      if (text === undefined) return whole;
      return shaped(text, flag, Number(width || 0));
    },
  );
}

function shaped(text: string, flag: string, width: number): string {
  if (flag === '-') return text.replace(/^[0 ]+(?=.)/, '');
  if (flag === '_') return text.replace(/^0+(?=.)/, zeros => ' '.repeat(zeros.length)).padStart(width, ' ');
  if (flag === '^') return text.toUpperCase();
  return text.padStart(width, '0');
}

function two(value: number, fill = '0'): string {
  return String(value).padStart(2, fill);
}

type Field = (date: Date) => string;

const FIELDS: Readonly<Record<string, Field>> = {
  Y: date => String(date.getUTCFullYear()),
  C: date => two(Math.floor(date.getUTCFullYear() / 100)),
  y: date => two(date.getUTCFullYear() % 100),
  m: date => two(date.getUTCMonth() + 1),
  d: date => two(date.getUTCDate()),
  e: date => two(date.getUTCDate(), ' '),
  H: date => two(date.getUTCHours()),
  k: date => two(date.getUTCHours(), ' '),
  I: date => two(date.getUTCHours() % 12 || 12),
  l: date => two(date.getUTCHours() % 12 || 12, ' '),
  M: date => two(date.getUTCMinutes()),
  S: date => two(date.getUTCSeconds()),
  s: date => String(Math.floor(date.getTime() / 1000)),
  a: date => (DAYS[date.getUTCDay()] ?? '').slice(0, 3),
  A: date => DAYS[date.getUTCDay()] ?? '',
  b: date => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
  h: date => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
  B: date => MONTHS[date.getUTCMonth()] ?? '',
  p: date => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  P: date => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  j: date => String(dayOfYear(date)).padStart(3, '0'),
  u: date => String(date.getUTCDay() || 7),
  w: date => String(date.getUTCDay()),
  U: date => two(Math.floor((dayOfYear(date) + 6 - date.getUTCDay()) / 7)),
  V: date => two(isoWeek(date)),
  Z: () => 'UTC',
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
};

/** Letters that stand for several others. */
const TOGETHER: Readonly<Record<string, string>> = {
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  R: '%H:%M',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  c: '%a %b %e %H:%M:%S %Y',
  r: '%I:%M:%S %p',
  '+': '%a %b %e %H:%M:%S %Z %Y',
};

function field(letter: string, ms: number, colons: string): string | undefined {
  if (letter === 'z') return colons === '::' ? '+00:00:00' : colons === ':' ? '+00:00' : '+0000';
  if (letter === 'N') return String(Math.floor((((ms % 1000) + 1000) % 1000) * 1_000_000)).padStart(9, '0');
  const together = TOGETHER[letter];
  return together === undefined ? FIELDS[letter]?.(new Date(ms)) : strftime(together, ms);
}

function dayOfYear(date: Date): number {
  return (
    Math.floor(
      (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS,
    ) + 1
  );
}

function isoWeek(date: Date): number {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY_MS);
  return Math.floor((dayOfYear(thursday) - 1) / 7) + 1;
}
