// `printf`: the verbs of Go's fmt that make sense for what templates hold.
import {goQuote} from '../meta/go-text.ts';
import {GoInt, typeName, valueText, wholeOf} from './values.ts';

/** The text that a format and its values make. */
export function sprintf(format: string, values: readonly unknown[]): string {
  let next = 0;
  const text = format.replaceAll(
    /%([-+ 0#]*)(\d+|\*)?(?:\.(\d+))?([a-zA-Z%])?/g,
    (all: string, flags: string, width: string | undefined, precision: string | undefined, verb: string | undefined) => {
      if (verb === '%') return '%';
      if (verb === undefined) return '%!(NOVERB)';
      if (next >= values.length) return `%!${verb}(MISSING)`;
      const value = values[next++];
      return padded(verbText(verb, value, {flags, precision}), flags, Number(width ?? 0));
    },
  );
  const extra = values.slice(next).map(value => `${typeName(value)}=${valueText(value)}`);
  return extra.length > 0 ? `${text}%!(EXTRA ${extra.join(', ')})` : text;
}

interface Modifiers {
  readonly flags: string;
  readonly precision: string | undefined;
}

function verbText(verb: string, value: unknown, {flags, precision}: Modifiers): string {
  const whole = wholeOf(value);
  const wrong = `%!${verb}(${typeName(value)}=${valueText(value)})`;
  switch (verb) {
    case 'v':
      return valueText(value);
    case 's':
      if (value === null || value === undefined) return `%!s(<nil>)`;
      return typeof value === 'string'
        ? cut(value, precision)
        : typeof value === 'object' && !(value instanceof GoInt)
          ? insideText(verb, value)
          : wrong;
    case 'q':
      return typeof value === 'string'
        ? goQuote(cut(value, precision))
        : value instanceof GoInt
          ? `'${String.fromCodePoint(value.value)}'`
          : wrong;
    case 'd':
      return whole === undefined ? wrong : signed(String(whole), flags);
    case 't':
      return typeof value === 'boolean' ? String(value) : wrong;
    case 'f':
    case 'F':
      return typeof value === 'number' && whole === undefined
        ? signed(value.toFixed(precision === undefined ? 6 : Number(precision)), flags)
        : wrong;
    case 'g':
      return typeof value === 'number' && whole === undefined ? signed(valueText(value), flags) : wrong;
    case 'x':
    case 'X': {
      const text =
        value instanceof GoInt
          ? value.value.toString(16)
          : typeof value === 'string'
            ? Buffer.from(value, 'utf8').toString('hex')
            : undefined;
      return text === undefined ? wrong : verb === 'X' ? text.toUpperCase() : text;
    }
    case 'T':
      return typeName(value);
    default:
      return wrong;
  }
}

/** Inside a list or a map every part is printed by the verb. */
function insideText(verb: string, value: object): string {
  const part = (one: unknown) => verbText(verb, one, {flags: '', precision: undefined});
  if (Array.isArray(value)) return `[${value.map(part).join(' ')}]`;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, one]) => `${key}:${part(one)}`).join(' ')}]`;
}

function cut(text: string, precision: string | undefined): string {
  return precision === undefined ? text : text.slice(0, Number(precision));
}

function signed(text: string, flags: string): string {
  return flags.includes('+') && !text.startsWith('-') ? `+${text}` : text;
}

function padded(text: string, flags: string, width: number): string {
  if (flags.includes('-')) return text.padEnd(width);
  if (!flags.includes('0')) return text.padStart(width);
  return text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0');
}
