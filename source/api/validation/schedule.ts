// The schedule of a CronJob: five fields or a word such as `@hourly`, with the parser's words for what it cannot read.

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly names?: Readonly<Record<string, number>>;
}

const MONTHS = Object.fromEntries(
  ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].map((name, i) => [name, i + 1]),
);
const DAYS = Object.fromEntries(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map((name, i) => [name, i]));
const FIELDS: readonly Bounds[] = [
  {least: 0, most: 59},
  {least: 0, most: 23},
  {least: 1, most: 31},
  {least: 1, most: 12, names: MONTHS},
  {least: 0, most: 6, names: DAYS},
];
const WORDS = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);

/** What is wrong with a schedule; undefined when it can be read. */
export function checkSchedule(schedule: string): string | undefined {
  if (/^(CRON_)?TZ=/.test(schedule)) return 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  if (schedule.startsWith('@')) return checkWord(schedule);
  const fields = schedule.split(/\s+/).filter(field => field !== '');
  if (fields.length !== FIELDS.length) return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  for (const [i, field] of fields.entries()) {
    const bounds = FIELDS[i];
    for (const part of field.split(',').filter(one => one !== '')) {
      const wrong = bounds && checkPart(part, bounds);
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}

function checkWord(schedule: string): string | undefined {
  if (WORDS.has(schedule)) return undefined;
  if (!schedule.startsWith('@every ')) return `unrecognized descriptor: ${schedule}`;
  const span = schedule.slice('@every '.length);
  const good = /^(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/.test(span);
  return good ? undefined : `failed to parse duration ${schedule}: time: invalid duration ${JSON.stringify(span)}`;
}

function checkPart(part: string, bounds: Bounds): string | undefined {
  const [range = '', step, ...moreSteps] = part.split('/');
  const [low = '', high, ...moreHyphens] = range.split('-');
  const any = low === '*' || low === '?';
  const start = any ? bounds.least : readNumber(low, bounds);
  if (typeof start === 'string') return start;
  if (!any && moreHyphens.length > 0) return `too many hyphens: ${part}`;
  const end = any || high === undefined ? undefined : readNumber(high, bounds);
  if (typeof end === 'string') return end;
  if (moreSteps.length > 0) return `too many slashes: ${part}`;
  const width = step === undefined ? 1 : readNumber(step, {least: 0, most: Number.MAX_SAFE_INTEGER});
  if (typeof width === 'string') return width;
  const open = any || (high === undefined && step !== undefined);
  return checkRange({start, end: end ?? (open ? bounds.most : start), width}, {part, bounds});
}

function checkRange(
  range: {start: number; end: number; width: number},
  {part, bounds}: {part: string; bounds: Bounds},
): string | undefined {
  const {start, end, width} = range;
  if (start < bounds.least) return `beginning of range (${start}) below minimum (${bounds.least}): ${part}`;
  if (end > bounds.most) return `end of range (${end}) above maximum (${bounds.most}): ${part}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${part}`;
  return width === 0 ? `step of range should be a positive number: ${part}` : undefined;
}

/** The number, or what is wrong with it. */
function readNumber(text: string, bounds: Bounds): number | string {
  const named = bounds.names?.[text.toLowerCase()];
  if (named !== undefined) return named;
  if (/^[-+]?\d+$/.test(text)) {
    const value = Number(text);
    return value < 0 ? `negative number (${value}) not allowed: ${text}` : value;
  }
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}
