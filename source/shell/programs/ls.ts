import {FILE_ERROR_TEXT, nameOf} from '../../sim/files.ts';
import type {FileInfo, Files} from '../../sim/files.ts';
import type {Process} from '../../sim/process/process.ts';
import {strftime} from '../text/dates.ts';
import {makeProgram} from './arguments.ts';
import type {Given} from './arguments.ts';
import {ownerOf} from './identity.ts';

const HALF_A_YEAR_MS = 15_778_476_000;

/** `ls [-1AaCdFhlRrSt] [file …]` */
export const ls = makeProgram(
  {
    name: 'ls',
    synopsis: '[OPTION]... [FILE]...',
    summary: 'List information about the FILEs (the current directory by default).',
    letters: '1AaCdFgGhHiklLnopRrsStTuUxX0::2:',
    long: {
      all: 'a',
      'almost-all': 'A',
      directory: 'd',
      classify: 'F',
      'human-readable': 'h',
      recursive: 'R',
      reverse: 'r',
      color: '0',
      'full-time': 'T',
      dereference: 'L',
      inode: 'i',
      'time-style': '2',
      'no-group': 'G',
    },
    failure: 2,
  },
  async (process, given) => {
    const lister = new Lister(process, given);
    const names = given.operands.length === 0 ? ['.'] : [...given.operands].sort();
    let status = 0;
    const files: Entry[] = [];
    const folders: Entry[] = [];
    for (const name of names) {
      const mustFollow = given.has('L');
      const follows = mustFollow || given.has('H') || !['l', 'g', 'o', 'n', 'd', 'F'].some(given.has);
      const info = infoOf(process, name, {follows, mustFollow});
      if (!info) {
        await process.err(`ls: cannot access '${name}': ${FILE_ERROR_TEXT.ENOENT}\n`);
        status = 2;
      } else if (info.kind === 'folder' && !given.has('d')) folders.push({name, info});
      else files.push({name, info});
    }
    if (files.length > 0) await process.out(lister.rows(lister.sorted(files)));
    const withTitles = names.length > 1 || given.has('R');
    for (const [index, folder] of lister.sorted(folders).entries()) {
      if (index > 0 || files.length > 0) await process.out('\n');
      await lister.folder(folder, withTitles);
    }
    return status;
  },
);

interface Entry {
  readonly name: string;
  readonly info: FileInfo;
}

function infoOf(
  process: Process,
  name: string,
  {follows, mustFollow}: {follows: boolean; mustFollow: boolean},
): FileInfo | undefined {
  const path = follows ? process.path(name) : process.linkPath(name);
  if (path === '/dev' || path.startsWith('/dev/')) {
    const known = /^\/dev\/(null|zero|full|random|urandom|tty|stdin|stdout|stderr)$/.test(path);
    if (known) return {path, kind: 'file', size: 0, modified: process.machine.wall(), mode: 0o666};
  }
  const info = process.machine.files.info(path) ?? (mustFollow ? undefined : process.machine.files.info(process.linkPath(name)));
  return name.endsWith('/') && info?.kind === 'file' ? undefined : info;
}

/** The signs of a mode, as in the first column of `ls -l`. */
export function modeText(info: {readonly kind: FileInfo['kind']; readonly mode: number}): string {
  let text = {folder: 'd', link: 'l', file: '-'}[info.kind];
  for (const shift of [6, 3, 0]) {
    const bits = (info.mode >> shift) & 7;
    const isSpecial = (info.mode & (shift === 6 ? 0o4000 : shift === 3 ? 0o2000 : 0o1000)) !== 0;
    const run = bits & 1 ? (isSpecial ? (shift === 0 ? 't' : 's') : 'x') : isSpecial ? (shift === 0 ? 'T' : 'S') : '-';
    text += (bits & 4 ? 'r' : '-') + (bits & 2 ? 'w' : '-') + run;
  }
  return text;
}

/** A size with a unit, as `-h` shows it. */
export function humanSize(bytes: number): string {
  if (bytes < 1024) return String(bytes);
  let size = bytes;
  let unit = -1;
  while (size >= 1024 && unit < 4) {
    size /= 1024;
    unit++;
  }
  const rounded = size < 10 ? (Math.ceil(size * 10) / 10).toFixed(1) : String(Math.ceil(size));
  return `${rounded}${'KMGTP'[unit] ?? ''}`;
}

class Lister {
  readonly #process: Process;
  readonly #given: Given;

  constructor(process: Process, given: Given) {
    this.#process = process;
    this.#given = given;
  }

  sorted(entries: readonly Entry[]): Entry[] {
    const given = this.#given;
    const sorted = [...entries].sort((a, b) => {
      if (given.has('S') && a.info.size !== b.info.size) return b.info.size - a.info.size;
      if (given.has('t') && a.info.modified !== b.info.modified) return b.info.modified - a.info.modified;
      return a.name < b.name ? -1 : 1;
    });
    return given.has('r') ? sorted.reverse() : sorted;
  }

  async folder(folder: Entry, withTitle: boolean): Promise<void> {
    const process = this.#process;
    const {files} = process.machine;
    const base = process.path(folder.name);
    const own = (name: string, path: string): Entry[] => {
      const info = (this.#given.has('L') && files.info(process.path(path))) || files.info(path);
      return info ? [{name, info}] : [];
    };
    const join = (name: string): string => (base === '/' ? `/${name}` : `${base}/${name}`);
    const names = (files.list(base) ?? []).filter(name => this.#given.has('a') || this.#given.has('A') || !name.startsWith('.'));
    const dots = this.#given.has('a') ? [...own('.', base), ...own('..', base.slice(0, base.lastIndexOf('/')) || '/')] : [];
    const entries = this.sorted([...dots, ...names.flatMap(name => own(name, join(name)))]);
    await process.cpu(entries.length * 0.002);
    if (withTitle) await process.out(`${folder.name}:\n`);
    if (this.#isLong()) await process.out(`total ${entries.reduce((sum, each) => sum + blocksOf(each.info), 0)}\n`);
    await process.out(this.rows(entries));
    if (!this.#given.has('R')) return;
    for (const entry of entries) {
      if (entry.info.kind !== 'folder' || entry.name === '.' || entry.name === '..') continue;
      await process.out('\n');
      await this.folder({name: `${folder.name.replace(/\/$/, '')}/${entry.name}`, info: entry.info}, true);
    }
  }

  #timeFormat(isRecent: boolean): string {
    const style = this.#given.value('2');
    if (style?.startsWith('+')) return style.slice(1);
    if (style === 'long-iso') return '%Y-%m-%d %H:%M';
    if (style === 'iso') return isRecent ? '%m-%d %H:%M' : '%Y-%m-%d ';
    if (this.#given.has('T') || style === 'full-iso') return '%Y-%m-%d %H:%M:%S.%N %z';
    return isRecent ? '%b %e %H:%M' : '%b %e  %Y';
  }

  #isLong(): boolean {
    return ['l', 'g', 'o', 'n', 'T'].some(letter => this.#given.has(letter));
  }

  rows(entries: readonly Entry[]): string {
    const shown = entries.map(entry => this.#marks(entry) + this.#nameOf(entry));
    if (this.#isLong()) return this.#long(entries, shown);
    const isTerminal = this.#process.streams.get(1)?.isTerminal === true;
    if (this.#given.has('1') || (!isTerminal && !this.#given.has('C'))) return shown.map(name => `${name}\n`).join('');
    return columns(shown, this.#process.streams.get(1)?.terminal?.columns ?? 80);
  }

  /** What `-i` and `-s` put before a name. */
  #marks({info}: Entry): string {
    return `${this.#given.has('i') ? `${info.node ?? 0} ` : ''}${this.#given.has('s') ? `${blocksOf(info)} ` : ''}`;
  }

  #nameOf({name, info}: Entry): string {
    if (!this.#given.has('F') && !this.#given.has('p')) return name;
    if (info.kind === 'folder') return `${name}/`;
    if (info.kind === 'link') return this.#given.has('F') && !this.#isLong() ? `${name}@` : name;
    return this.#given.has('F') && info.mode & 0o111 ? `${name}*` : name;
  }

  #owners(info: FileInfo): readonly [string, string] {
    const {uid, gid, user, group} = ownerOf(this.#process, info);
    return this.#given.has('n') ? [String(uid), String(gid)] : [user, group];
  }

  #long(entries: readonly Entry[], shown: readonly string[]): string {
    const {wall, files} = this.#process.machine;
    const linkWidth = Math.max(0, ...entries.map(({info}) => String(linksOf(files, info)).length));
    const owners = entries.map(({info}) => this.#owners(info));
    const [userWidth, groupWidth] = [0, 1].map(at => Math.max(0, ...owners.map(names => names[at]?.length ?? 0)));
    const sizes = entries.map(({info}) => (this.#given.has('h') ? humanSize(info.size) : String(info.size)));
    const width = Math.max(0, ...sizes.map(size => size.length));
    return entries
      .map(({info}, index) => {
        const isRecent = wall() - info.modified < HALF_A_YEAR_MS && info.modified <= wall();
        const format = this.#timeFormat(isRecent);
        const links = String(linksOf(files, info)).padStart(linkWidth);
        const [user = '', group = ''] = owners[index] ?? [];
        const first = this.#given.has('g') ? '' : `${user.padEnd(userWidth ?? 0)} `;
        const names = `${first}${this.#given.has('o') || this.#given.has('G') ? '' : `${group.padEnd(groupWidth ?? 0)} `}`;
        const target = files.linkAt(info.path);
        const arrow = target === undefined ? '' : ` -> ${target}`;
        return `${modeText(info)} ${links} ${names}${sizes[index]?.padStart(width)} ${strftime(format, info.modified)} ${shown[index]}${arrow}\n`;
      })
      .join('');
  }
}

/** Kilobytes on the disk. */
function blocksOf(info: FileInfo): number {
  return info.kind === 'link' ? 0 : Math.ceil(info.size / 4096) * 4;
}

/** A folder is known to itself, to what it lies in, and to each folder in it. */
function linksOf(files: Files, info: FileInfo): number {
  if (info.kind !== 'folder') return info.links ?? 1;
  const names = files.list(info.path) ?? [];
  return 2 + names.filter(name => files.isFolder(`${info.path === '/' ? '' : info.path}/${name}`)).length;
}

/** Names in columns, filled from above, as on a terminal. */
function columns(names: readonly string[], width: number): string {
  if (names.length === 0) return '';
  for (let rows = 1; ; rows++) {
    const table: string[][] = [];
    for (let at = 0; at < names.length; at += rows) table.push(names.slice(at, at + rows));
    const widths = table.map(column => Math.max(...column.map(name => name.length)) + 2);
    const total = widths.reduce((sum, each) => sum + each, -2);
    if (total > width && rows < names.length) continue;
    let text = '';
    for (let row = 0; row < rows; row++) {
      text += `${table
        .map((column, index) => (column[row] ?? '').padEnd(widths[index] ?? 0))
        .join('')
        .trimEnd()}\n`;
    }
    return text;
  }
}

/** The last part of a name, for programs that put files into folders. */
export function baseName(name: string): string {
  return nameOf(name.replace(/\/+$/, '')) || '/';
}
