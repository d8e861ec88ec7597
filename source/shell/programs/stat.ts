import {FILE_ERROR_TEXT} from '../../sim/files.ts';
import type {FileInfo} from '../../sim/files.ts';
import type {Process} from '../../sim/process/process.ts';
import {makeProgram} from './arguments.ts';
import {ownerOf} from './identity.ts';
import {modeText} from './ls.ts';
import {complain, missingOperand} from './output.ts';

/** `stat [-Lt] [-c format | --printf=format] file …` */
export const stat = makeProgram(
  {
    name: 'stat',
    synopsis: '[OPTION]... FILE...',
    summary: 'Display file status.',
    letters: 'c:fLt1:',
    long: {format: 'c', printf: '1', dereference: 'L', terse: 't'},
  },
  async (process, given) => {
    if (given.operands.length === 0) return missingOperand(process, 'stat');
    const format = given.value('1') ?? given.value('c') ?? (given.has('t') ? TERSE : undefined);
    let status = 0;
    for (const name of given.operands) {
      const path = given.has('L') ? process.path(name) : process.linkPath(name);
      const info = name === '' ? undefined : process.machine.files.info(path);
      if (!info) status = await complain(process, `stat: cannot statx '${name}': ${FILE_ERROR_TEXT.ENOENT}`);
      else if (format === undefined) await process.out(wholeText(fieldsOf(process, name, info), info));
      else {
        const text = formatted(format, fieldsOf(process, name, info));
        await process.out(given.has('1') ? unescaped(text) : `${text}\n`);
      }
    }
    return status;
  },
);

const TERSE = '%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o';
const BLOCK = 4096;

type Fields = Readonly<Record<string, string>>;

const KINDS = {folder: 'directory', link: 'symbolic link', file: 'regular file'};
const KIND_BITS = {folder: 0o40000, link: 0o120000, file: 0o100000};

function fieldsOf(process: Process, name: string, info: FileInfo): Fields {
  const owner = ownerOf(process, info);
  const when = `${new Date(Math.floor(info.modified)).toISOString().replace('T', ' ').replace('Z', '000000')} +0000`;
  const seconds = String(Math.floor(info.modified / 1000));
  const target = process.machine.files.linkAt(info.path);
  const blocks = info.kind === 'link' ? 0 : Math.ceil(info.size / BLOCK) * (BLOCK / 512);
  return {
    a: info.mode.toString(8),
    A: modeText(info),
    b: String(blocks),
    B: '512',
    d: '65025',
    D: 'fe01',
    f: (info.mode | KIND_BITS[info.kind]).toString(16),
    F: info.kind === 'file' && info.size === 0 ? 'regular empty file' : KINDS[info.kind],
    g: String(owner.gid),
    G: owner.group,
    h: String(info.links ?? 1),
    i: String(info.node ?? 0),
    m: '/',
    n: name,
    N: target === undefined ? `'${name}'` : `'${name}' -> '${target}'`,
    o: String(BLOCK),
    s: String(info.size),
    t: '0',
    T: '0',
    u: String(owner.uid),
    U: owner.user,
    w: when,
    W: seconds,
    x: when,
    X: seconds,
    y: when,
    Y: seconds,
    z: when,
    Z: seconds,
    '%': '%',
  };
}

/** `%s`, `%-10n`, `%04a`. */
function formatted(format: string, fields: Fields): string {
  return format.replace(/%([-0]?)(\d*)(?:\.\d+)?([A-Za-z%])/g, (_, flag: string, width: string, letter: string) => {
    const text = fields[letter] ?? '?';
    if (width === '') return text;
    return flag === '-' ? text.padEnd(Number(width)) : text.padStart(Number(width), flag === '0' ? '0' : ' ');
  });
}

function unescaped(text: string): string {
  return text.replace(/\\([nt\\])/g, (_, letter: string) => ({n: '\n', t: '\t'})[letter] ?? letter);
}

function wholeText(fields: Fields, info: FileInfo): string {
  const field = (letter: string): string => fields[letter] ?? '';
  const shown = field('N').includes(' -> ') ? field('N').replaceAll("'", '') : field('n');
  const owner = `Uid: (${field('u').padStart(5)}/${field('U').padStart(8)})   Gid: (${field('g').padStart(5)}/${field('G').padStart(8)})`;
  return (
    `  File: ${shown}\n` +
    `  Size: ${field('s').padEnd(10)}\tBlocks: ${field('b').padEnd(10)} IO Block: ${field('o').padEnd(6)} ${field('F')}\n` +
    `Device: 254,1\tInode: ${field('i').padEnd(11)} Links: ${field('h')}\n` +
    `Access: (${info.mode.toString(8).padStart(4, '0')}/${field('A')})  ${owner}\n` +
    `Access: ${field('x')}\nModify: ${field('y')}\nChange: ${field('z')}\n Birth: ${field('w')}\n`
  );
}
