// Does a command say what a level's symptom promises?
import type {Level} from '../level/level.ts';
import type {Outcome} from '../../world/player.ts';

type Expectation = Level['symptom'][number]['expect'];

/** What differs; undefined where all is as expected. */
export function expectationProblem(expect: Expectation, {out, err}: Outcome): string | undefined {
  const both = out + err;
  const missing = expect.contains?.find(words => !both.includes(words));
  if (missing !== undefined) return `it does not say ${JSON.stringify(missing)}${shown(both)}`;
  if (expect.stdout && !expect.stdout.some(words => same(out, words))) return `it prints something else${shown(out)}`;
  if (expect.stderr && !complains(err, expect.stderr)) return `it complains of something else${shown(err)}`;
  if (expect.oneOf && !expect.oneOf.some(words => both.includes(words))) return `it says none of what it might${shown(both)}`;
  return expect.column || expect.rows !== undefined ? tableProblem(expect, out) : undefined;
}

/** All of the lines, among whatever else a command logs; or one of several texts. */
function complains(err: string, wanted: NonNullable<Expectation['stderr']>): boolean {
  if ('oneOf' in wanted) return wanted.oneOf.some(words => err.includes(words));
  const lines = err.trimEnd().split('\n');
  return wanted.all.every(words => lines.includes(words.trimEnd()) || same(err, words));
}

function same(text: string, wanted: string): boolean {
  return text.trimEnd() === wanted.trimEnd();
}

function shown(text: string): string {
  const lines = text.trimEnd().split('\n');
  return text.trim() === ''
    ? '; it says nothing'
    : `; it says\n${lines
        .slice(-12)
        .map(line => `      ${line}`)
        .join('\n')}`;
}

/** Columns are found by their head: a cell reaches from there to the next head. */
function tableProblem({column = {}, rows}: Expectation, out: string): string | undefined {
  const [head = '', ...body] = out.trimEnd().split('\n');
  if (rows !== undefined && body.length !== rows) return `it has ${body.length} rows, not ${rows}${shown(out)}`;
  const heads = [...head.matchAll(/\S+(?: \S+)*/g)].map(match => ({name: match[0], at: match.index}));
  for (const [name, wanted] of Object.entries(column)) {
    const index = heads.findIndex(each => each.name === name);
    const found = heads[index];
    if (!found) return `there is no column ${name}${shown(out)}`;
    const odd = body.find(row => row.slice(found.at, heads[index + 1]?.at).trim() !== wanted);
    if (odd !== undefined)
      return `in the column ${name} there is ${JSON.stringify(odd.slice(found.at, heads[index + 1]?.at).trim())}, not ${JSON.stringify(wanted)}${shown(out)}`;
  }
  return undefined;
}
