// Field selectors: `status.phase=Running,spec.nodeName!=node-1`. Which fields a kind knows is the API server's business;
// here they are read, printed and compared with a set of fields.
import {compareStrings} from './go-text.ts';

/** One condition on a field of an object. */
export interface FieldRequirement {
  readonly field: string;
  readonly negated: boolean;
  readonly value: string;
}

/** What was read, or why it could not be. */
export type ParsedFieldSelector = {readonly requirements: readonly FieldRequirement[]} | {readonly error: string};

/** Reads a field selector. The empty text selects everything. */
export function parseFieldSelector(text: string): ParsedFieldSelector {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).toSorted(compareStrings)) {
    if (term === '') continue;
    const parts = /^((?:\\.|[^\\=!]|!(?!=))*)(!=|==|=)([\s\S]*)$/.exec(term);
    if (!parts) return {error: `invalid selector: '${text}'; can't understand '${term}'`};
    const [, field = '', sign = '', raw = ''] = parts;
    const value = unescapeValue(raw);
    if ('error' in value) return value;
    requirements.push({field, negated: sign === '!=', value: value.text});
  }
  return {requirements};
}

/** The text of a field selector. */
export function fieldSelectorText(requirements: readonly FieldRequirement[]): string {
  return requirements.map(({field, negated, value}) => `${field}${negated ? '!=' : '='}${escapeValue(value)}`).join(',');
}

/** Do the fields of an object fit? An unknown field is empty. */
export function matchFields(requirements: readonly FieldRequirement[], fieldOf: (field: string) => string): boolean {
  return requirements.every(({field, negated, value}) => (fieldOf(field) === value) !== negated);
}

/** Commas, equal signs and backslashes of a value need a backslash. */
function escapeValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, String.raw`\$&`);
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...terms, text.slice(start)];
}

function unescapeValue(raw: string): {text: string} | {error: string} {
  let text = '';
  for (let at = 0; at < raw.length; at++) {
    const letter = raw.charAt(at);
    if (letter === '\\') {
      const next = raw.charAt(++at);
      if (!['\\', ',', '='].includes(next) || next === '')
        return {error: `invalid field selector: invalid escape sequence: \\${next}`};
      text += next;
    } else if (letter === ',' || letter === '=')
      return {error: `invalid field selector: unescaped character in value: ${letter}`};
    else text += letter;
  }
  return {text};
}
