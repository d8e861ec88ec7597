// `-o kyaml`: YAML that says how everything is meant: maps and lists in braces and brackets, texts in quotes, a comma after each.
import {compareStrings} from '../../api/meta/go-text.ts';
import {formatNumber} from '../../api/yaml/number-form.ts';

/** Words that a reader of YAML may take for something else than a text. */
const AMBIGUOUS = /^(y|yes|n|no|t|true|f|false|on|off|null|nil|~|\.nan|\.inf)$/i;
const NUMBER = /^[-+]?(0b[01_]+|0o?[0-7_]+|0x[\da-f_]+|[\d_]*\.?[\d_]+(e[-+]?\d+)?|\d[\d_]*\.)$/i;
const DATE = /^\d{4}-\d{1,2}-\d{1,2}/;
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}_./-]*$/u;

/** One document, keys in their order by name. */
export function printKyaml(value: unknown): string {
  return `---\n${valueText(value, '')}\n`;
}

function valueText(value: unknown, indent: string): string {
  if (Array.isArray(value)) return listText(value, indent);
  if (typeof value === 'object' && value !== null) return mapText(value as Readonly<Record<string, unknown>>, indent);
  if (typeof value === 'string') return quotedText(value, indent);
  return typeof value === 'number' ? formatNumber(value) : String(value as boolean | null);
}

function mapText(map: Readonly<Record<string, unknown>>, indent: string): string {
  const keys = Object.keys(map).toSorted(compareStrings);
  if (keys.length === 0) return '{}';
  const inner = `${indent}  `;
  return `{\n${keys.map(key => `${inner}${keyText(key)}: ${valueText(map[key], inner)},\n`).join('')}${indent}}`;
}

function keyText(key: string): string {
  const isPlain = PLAIN.test(key) && !AMBIGUOUS.test(key) && !NUMBER.test(key) && !DATE.test(key);
  return isPlain ? key : quotedText(key, '');
}

/** A list of nothing but maps and lists has its brackets next to theirs. */
function listText(list: readonly unknown[], indent: string): string {
  if (list.length === 0) return '[]';
  if (list.every(item => typeof item === 'object' && item !== null))
    return `[${list.map(item => valueText(item, indent)).join(', ')}]`;
  const inner = `${indent}  `;
  return `[\n${list.map(item => `${inner}${valueText(item, inner)},\n`).join('')}${indent}]`;
}

/** A text of several lines goes on line for line, each line's end written out. */
function quotedText(text: string, indent: string): string {
  if (!text.includes('\n')) return `"${escaped(text)}"`;
  const inner = `${indent}  `;
  const lines = text.split('\n');
  const shown = lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    if (isLast && line === '') return '';
    return `${inner}${/^[ \t]/.test(line) ? '\\' : ' '}${escaped(line)}${isLast ? '' : '\\n'}\\\n`;
  });
  return `"\\\n${shown.join('')}${inner}"`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\x07': '\\a',
  '\x1b': '\\e',
  '\0': '\\0',
};

function escaped(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is escaped
  return text.replaceAll(
    /["\\\x00-\x08\x0b-\x1f\x7f]/g,
    letter => ESCAPES[letter] ?? `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
}
