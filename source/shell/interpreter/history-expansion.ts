// `!!`, `!$`, `!kubectl`, `^old^new`: earlier lines and their words in the line that is typed now, as bash's history expansion puts
// them there before the line is read. Not modelled: `!#`, and `!` within here-documents.

/** The line with earlier ones put in; `shown` when something was, `onlyShown` after `:p`. Or the event that is not there. */
export type Expanded =
  | {readonly text: string; readonly shown: boolean; readonly onlyShown: boolean}
  | {readonly missing: string; readonly because: string};

/** An event, a designator of words, and modifiers: `!!`, `!-2:1-3`, `!kubectl:$:h`. */
const EVENT = /^!(?:(!)|(-?\d+)|\?([^?\n]+)\??|(?=[$^*:])|([^\s!:=("'$^*;&|<>)]+))?/;
const WORDS = /^(?::?([$^*])|:(\d+)-(\d+|\$)|:(\d+)(\*?))/;
const MODIFIER = /^:(?:([htrepq])|(g?)s(.)((?:(?!\3).)*)\3((?:(?!\3).)*)(?:\3|(?=\n|$))|(&))/;

class Missing extends Error {
  readonly event: string;
  constructor(event: string, because: string) {
    super(because);
    this.event = event;
  }
}

/** Puts earlier lines, the oldest first, into a line. */
export function expandHistory(line: string, history: readonly string[]): Expanded {
  try {
    const quick = /^\^([^^\n]+)\^([^^\n]*)\^?/.exec(line);
    if (quick) return {text: quickly(quick, history) + line.slice(quick[0].length), shown: true, onlyShown: false};
    return expandAll(line, history);
  } catch (error) {
    if (error instanceof Missing) return {missing: error.event, because: error.message};
    throw error;
  }
}

function quickly([whole, from = '', to = '']: RegExpExecArray, history: readonly string[]): string {
  const last = history.at(-1);
  if (last === undefined || !last.includes(from)) throw new Missing(`:s${whole.replace(/\n$/, '')}`, 'substitution failed');
  return last.replace(from, () => to);
}

function expandAll(line: string, history: readonly string[]): Expanded {
  let [text, quote, shown, onlyShown] = ['', '', false, false];
  for (let at = 0; at < line.length;) {
    const letter = line[at] ?? '';
    if (letter === '\\' && quote !== "'") {
      text += line.slice(at, at + 2);
      at += 2;
    } else if (letter === '!' && quote !== "'" && startsEvent(line[at + 1], quote)) {
      const {put, length, isShown} = expandOne(line.slice(at), history);
      text += put;
      at += length;
      shown = true;
      onlyShown ||= isShown;
    } else {
      if (letter === quote) quote = '';
      else if (quote === '' && (letter === '"' || letter === "'")) quote = letter;
      text += letter;
      at++;
    }
  }
  return {text, shown, onlyShown};
}

function startsEvent(next: string | undefined, quote: string): boolean {
  return next !== undefined && !/[\s=(]/.test(next) && !(quote === '"' && next === '"');
}

interface One {
  readonly put: string;
  readonly length: number;
  readonly isShown: boolean;
}

function expandOne(rest: string, history: readonly string[]): One {
  const match = EVENT.exec(rest);
  const event = match?.[0] ?? '!';
  const line = match && eventOf(match, history);
  if (line === undefined || line === null || (event === '!' && !/^![$^*:]/.test(rest)))
    throw new Missing(event, 'event not found');
  let length = event.length;
  const words = WORDS.exec(rest.slice(length));
  let put = line;
  if (words) {
    put = wordsOf(line, words) ?? '';
    length += words[0].length;
  }
  let isShown = false;
  for (let modifier = MODIFIER.exec(rest.slice(length)); modifier; modifier = MODIFIER.exec(rest.slice(length))) {
    if (modifier[1] === 'p') isShown = true;
    else put = modified(put, modifier);
    length += modifier[0].length;
  }
  return {put, length, isShown};
}

function eventOf([, , number, within, start]: RegExpExecArray, history: readonly string[]): string | undefined {
  if (number !== undefined) return Number(number) < 0 ? history.at(Number(number)) : history[Number(number) - 1];
  if (within !== undefined) return history.findLast(line => line.includes(within));
  return start === undefined ? history.at(-1) : history.findLast(line => line.startsWith(start));
}

/** Words as the shell parts them: quotes hold together, operators stand alone. */
function split(line: string): readonly string[] {
  return line.match(/(?:[^\s"'\\;&|<>()]|\\.|"(?:[^"\\]|\\.)*"?|'[^']*'?)+|[;&|<>()]+/g) ?? [];
}

function wordsOf(line: string, [whole, sign, from, to, one, star]: RegExpExecArray): string | undefined {
  const words = split(line);
  const last = words.length - 1;
  if (sign === '$') return words[last];
  if (sign === '*') return words.slice(1).join(' ');
  const [first, end] =
    sign === '^'
      ? [1, 1]
      : from === undefined
        ? [Number(one), star === '*' ? last : Number(one)]
        : [Number(from), to === '$' ? last : Number(to)];
  if (first > last || end > last) throw new Missing(whole, 'bad word specifier');
  return words.slice(first, end + 1).join(' ');
}

function modified(text: string, [whole, letter, everywhere, , from = '', to = '']: RegExpExecArray): string {
  switch (letter) {
    case 'h':
      return text.replace(/\/[^/]*$/, '');
    case 't':
      return text.replace(/^.*\//, '');
    case 'r':
      return text.replace(/\.[^./]*$/, '');
    case 'e':
      return /\.[^./]*$/.exec(text)?.[0] ?? text;
    case 'q':
      return `'${text.replaceAll("'", String.raw`'\''`)}'`;
    default:
      if (!text.includes(from)) throw new Missing(whole, 'substitution failed');
      return everywhere === 'g' ? text.replaceAll(from, () => to) : text.replace(from, () => to);
  }
}
