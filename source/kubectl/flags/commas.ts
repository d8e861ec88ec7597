// A flag's value that is a list: one record of CSV, so that a value with a comma can be quoted.

/** The parts of the text, or why it is no record. */
export function splitCommas(text: string): {readonly values: readonly string[]} | {readonly error: string} {
  if (text === '') return {values: []};
  const values: string[] = [];
  let at = 0;
  while (at <= text.length) {
    if (text[at] === '"') {
      const quoted = /^"((?:[^"]|"")*)"(?=,|$)/.exec(text.slice(at));
      if (!quoted) return {error: quoteError(text, at)};
      values.push((quoted[1] ?? '').replaceAll('""', '"'));
      at += quoted[0].length + 1;
      continue;
    }
    const end = text.indexOf(',', at);
    const part = text.slice(at, end < 0 ? text.length : end);
    const stray = part.indexOf('"');
    if (stray >= 0) return {error: `parse error on line 1, column ${at + stray + 1}: bare " in non-quoted-field`};
    values.push(part);
    at = end < 0 ? text.length + 1 : end + 1;
  }
  return {values};
}

/** Pairs of a key and a value: one as it stands, or several with commas between them. */
export function splitPairs(text: string): ReturnType<typeof splitCommas> {
  const signs = text.split('=').length - 1;
  const parts = signs > 1 ? splitCommas(text) : {values: [text.replaceAll(/^"+|"+$/g, '')]};
  if ('error' in parts) return parts;
  const wrong = signs === 0 ? text : parts.values.find(part => !part.includes('='));
  return wrong === undefined ? parts : {error: `${wrong} must be formatted as key=value`};
}

function quoteError(text: string, at: number): string {
  const inner = /^"(?:[^"]|"")*"(?!,|$)/.exec(text.slice(at));
  const column = inner ? at + inner[0].length : text.length + 1;
  return `parse error on line 1, column ${column}: extraneous or missing " in quoted-field`;
}
