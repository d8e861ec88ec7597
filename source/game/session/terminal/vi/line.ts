// What is typed below the text in vi: `:` and a command, `/` or `?` and a pattern.
import {counted} from '../../../counted.ts';
import {compilePattern, findPattern, substitute} from './pattern.ts';
import {copy, shift, take} from './spans.ts';
import {at, says, withLines, type ViState, type ViText, type Wish} from './state.ts';

/** Does what the line says. */
export function runLine(document: ViText): ViText {
  const {typed} = document.vi;
  const plain: ViText = {...document, vi: {...document.vi, mode: 'normal', typed: ''}};
  return typed.startsWith(':') ? runCommand(plain, typed.slice(1).trim()) : search(plain, typed);
}

function search(document: ViText, typed: string): ViText {
  const searched = typed.length > 1 ? typed : typed + document.vi.searched.slice(1);
  const kept: ViText = {...document, vi: {...document.vi, searched}};
  const regex = compilePattern(searched.slice(1), kept.vi.options.ignorecase);
  const to = regex && findPattern(kept.text.lines, regex, kept.text, typed.startsWith('?') ? -1 : 1);
  return to ? at(kept, to) : says(kept, `E486: Pattern not found: ${searched.slice(1)}`);
}

const ADDRESS = String.raw`(?:\d+|[.$]|'[<>])(?:[+-]\d+)?`;
const COMMAND = new RegExp(`^(%|${ADDRESS})?(?:,(${ADDRESS}))?\\s*([a-z]+|[!<>]+)?(!)?(.*)$`, 'i');
const WISHES: Readonly<Record<string, Wish['wish']>> = {
  w: 'write',
  write: 'write',
  wa: 'write',
  wq: 'save',
  wqa: 'save',
  x: 'save',
  xa: 'save',
  xit: 'save',
  q: 'leave',
  qa: 'leave',
  quit: 'leave',
  e: 'reload',
  edit: 'reload',
};

interface Lines {
  readonly from: number;
  readonly to: number;
}

function runCommand(document: ViText, words: string): ViText {
  const [, first, second, name = '', bang, rest = ''] = COMMAND.exec(words) ?? [];
  const lines = linesOf(document, first, second);
  if (name === '')
    return rest === '' ? (first === undefined ? document : at(document, {row: lines.to, column: 0})) : unknown(document, words);
  if (/^s[^a-z\s]/i.test(`${name}${rest}`) && name === 's') return replaceAll(document, lines, rest);
  const wish = WISHES[name];
  if (wish !== undefined) {
    if (rest.trim() !== '') return says(document, `only this file is open here: :${name} without a name, please`);
    return {...document, wish: wish === 'reload' ? {wish} : {wish, force: bang !== undefined}};
  }
  const span = {from: {row: lines.from, column: 0}, to: {row: lines.to, column: 0}, byLines: true};
  switch (name) {
    case 'd':
    case 'delete':
      return take(document, span);
    case 'y':
    case 'yank':
      return copy(document, span);
    case '>':
    case '>>':
      return shift(document, span, '>', name.length);
    case '<':
    case '<<':
      return shift(document, span, '<', name.length);
    case 'set':
    case 'se':
      return set(document, rest.trim());
    case 'noh':
    case 'nohlsearch':
    case 'syntax':
    case 'syn':
      return document;
    default:
      return unknown(document, words);
  }
}

function unknown(document: ViText, words: string): ViText {
  return says(
    document,
    words.startsWith('!') ? 'the shell waits behind this file: :wq first' : `E492: Not an editor command: ${words}`,
  );
}

function linesOf(document: ViText, first: string | undefined, second: string | undefined): Lines {
  const {lines, row} = document.text;
  if (first === '%') return {from: 0, to: lines.length - 1};
  const from = first === undefined ? row : address(document, first);
  const to = second === undefined ? from : address(document, second);
  return {from: Math.min(from, to), to: Math.max(from, to)};
}

function address({text, vi}: ViText, written: string): number {
  const [, base = '.', by = '0'] = /^('?[<>]|[.$]|\d+)([+-]\d+)?$/.exec(written) ?? [];
  const marks = [vi.anchor.row, text.row].toSorted((a, b) => a - b);
  const places: Readonly<Record<string, number | undefined>> = {
    '.': text.row,
    $: text.lines.length - 1,
    "'<": marks[0],
    "'>": marks[1],
  };
  return Math.max(0, Math.min(text.lines.length - 1, (places[base] ?? Number(base) - 1) + Number(by)));
}

/** `:s/from/to/flags`, with any sign for `/`. */
function replaceAll(document: ViText, {from, to}: Lines, written: string): ViText {
  const [pattern = '', by = '', flags = ''] = partsOf(written);
  const looked = pattern === '' ? document.vi.searched.slice(1) : pattern;
  const regex = compilePattern(looked, document.vi.options.ignorecase || flags.includes('i'));
  let [times, rows, last] = [0, 0, document.text.row];
  const lines = document.text.lines.flatMap((line, row) => {
    const replaced = regex && row >= from && row <= to ? substitute(line, regex, by, flags.includes('g')) : {line, times: 0};
    if (replaced.times === 0) return [line];
    times += replaced.times;
    rows++;
    last = row;
    return replaced.line.split('\n');
  });
  const kept: ViText = {...document, vi: {...document.vi, searched: `/${looked}`}};
  if (times === 0) return flags.includes('e') ? kept : says(kept, `E486: Pattern not found: ${looked}`);
  const told = `${counted(times, 'substitution')} on ${counted(rows, 'line')}`;
  return says(withLines(kept, lines, {row: last, column: 0}), told);
}

/** The parts between the separator, which is a letter of a part where a backslash stands before it. */
function partsOf(written: string): readonly string[] {
  const [separator = '/', ...letters] = [...written];
  const parts = [''];
  for (let index = 0; index < letters.length; index++) {
    const letter = letters[index] ?? '';
    const next = letters[index + 1];
    if (letter === '\\' && next !== undefined) {
      parts[parts.length - 1] += next === separator ? next : `\\${next}`;
      index++;
    } else if (letter === separator && parts.length < 3) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

const OPTIONS: Readonly<Record<string, keyof ViState['options']>> = {
  paste: 'paste',
  ic: 'ignorecase',
  ignorecase: 'ignorecase',
  nu: 'number',
  number: 'number',
};
/** Options that change nothing here: blanks are always blanks, two to a step. */
const IDLE =
  /^(?:no)?(?:et|expandtab|ai|autoindent|si|smartindent|hls|hlsearch|is|incsearch|list|rnu|relativenumber|wrap|ruler|ru|cuc|cursorcolumn|cul|cursorline|smartcase|scs)$|^(?:sw|shiftwidth|ts|tabstop|sts|softtabstop|mouse|ft|filetype|scrolloff|so|syntax)(?:=\S*)?$/;

function set(document: ViText, words: string): ViText {
  let {options} = document.vi;
  for (const word of words.split(/\s+/).filter(each => each !== '')) {
    const name = OPTIONS[word.replace(/^no|!$/g, '')];
    if (name) options = {...options, [name]: word.endsWith('!') ? !options[name] : !word.startsWith('no')};
    else if (!IDLE.test(word)) return says(document, `E518: Unknown option: ${word}`);
  }
  return {...document, vi: {...document.vi, options}};
}
