import {unescapeAnsi} from '../expansion/escapes.ts';
import {makeProgram} from './arguments.ts';
import {chunks} from './input.ts';
import {complain, missingOperand} from './output.ts';

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\u0000-\u001f\u007f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** Virtual CPU milliseconds that a character costs, beside its reading. */
const CHARACTER_COST_MS = 0.0001;

/** `tr [-cdst] set1 [set2]` */
export const tr = makeProgram(
  {
    name: 'tr',
    synopsis: '[OPTION]... STRING1 [STRING2]',
    summary: 'Translate, squeeze, or delete characters from standard input.',
    letters: 'cCdst',
    long: {complement: 'c', delete: 'd', 'squeeze-repeats': 's', 'truncate-set1': 't'},
    inOrder: true,
  },
  async (process, given) => {
    const [first, second, extra] = given.operands;
    const help = "\nTry 'tr --help' for more information.";
    if (first === undefined) return missingOperand(process, 'tr');
    const isDelete = given.has('d');
    const isSqueeze = given.has('s');
    if (second === undefined && !isDelete && !isSqueeze) {
      return complain(process, `tr: missing operand after '${first}'\nTwo strings must be given when translating.${help}`);
    }
    const beyond = isDelete && !isSqueeze ? second : extra;
    if (beyond !== undefined) {
      const why =
        beyond === second && extra === undefined ? '\nOnly one string may be given when deleting without squeezing repeats.' : '';
      return complain(process, `tr: extra operand '${beyond}'${why}${help}`);
    }
    for (const set of [first, second ?? '']) {
      const range = reversedRange(set);
      if (range !== undefined)
        return complain(process, `tr: range-endpoints of '${range}' are in reverse collating sequence order`);
    }
    const from = expand(first);
    const to = second === undefined ? [] : expand(second);
    const complement = given.has('c') || given.has('C');
    const members = new Set(from);
    const isMember = (char: string): boolean => members.has(char) !== complement;
    const last = to.at(-1) ?? '';
    const table = new Map<string, string>();
    if (!complement)
      for (const [index, char] of from.entries()) if (index < to.length || !given.has('t')) table.set(char, to[index] ?? last);
    const translates = second !== undefined && !isDelete;
    const squeezed = second === undefined ? isMember : (char: string): boolean => to.includes(char);
    let previous = '';
    for await (const text of chunks(process, 0)) {
      let result = '';
      for (const char of text) {
        if (isDelete && isMember(char)) continue;
        const next = translates && isMember(char) ? (complement ? last : (table.get(char) ?? char)) : char;
        if (isSqueeze && next === previous && squeezed(next)) continue;
        result += next;
        previous = next;
      }
      await process.cpu(text.length * CHARACTER_COST_MS);
      await process.out(result);
    }
    return 0;
  },
);

/** A range whose end comes before its beginning. */
function reversedRange(set: string): string | undefined {
  const ranges = set.replace(/\[:\w+:\]|\\./g, '').matchAll(/([^-])-([^-])/g);
  for (const [text, from = '', to = ''] of ranges) if (to < from) return text;
  return undefined;
}

/** The characters of a set, in order: ranges, classes and escapes taken apart. */
function expand(source: string): string[] {
  const text = unescapeAnsi(source.replace(/\\-/g, '\u0000-')).text;
  const all: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const named = /^\[:(\w+):\]/.exec(text.slice(at));
    const known = named ? CLASSES[named[1] ?? ''] : undefined;
    if (named && known) {
      for (let code = 0; code < 128; code++) if (known.test(String.fromCharCode(code))) all.push(String.fromCharCode(code));
      at += named[0].length - 1;
      continue;
    }
    const repeated = /^\[(.)\*(\d*)\]/.exec(text.slice(at));
    if (repeated) {
      for (let count = Number(repeated[2] || 256); count > 0; count--) all.push(repeated[1] ?? '');
      at += repeated[0].length - 1;
      continue;
    }
    const char = text[at] ?? '';
    if (char === '\u0000' && text[at + 1] === '-') {
      all.push('-');
      at++;
    } else if (text[at + 1] === '-' && text[at + 2] !== undefined && text[at + 2] !== '\u0000') {
      for (let code = char.charCodeAt(0); code <= text.charCodeAt(at + 2); code++) all.push(String.fromCharCode(code));
      at += 2;
    } else all.push(char);
  }
  return all;
}
