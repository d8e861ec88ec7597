// `df`, `du`, `free`: how full things are.
import type {Files} from '../../sim/files.ts';
import type {Process} from '../../sim/process/process.ts';
import {makeProgram} from './arguments.ts';
import {humanSize} from './ls.ts';
import {complain} from './output.ts';

/** `du [-ahsc] [file …]` */
export const du = makeProgram(
  {
    name: 'du',
    synopsis: '[OPTION]... [FILE]...',
    summary: 'Summarize disk usage of each FILE, recursively for directories.',
    letters: 'abcd:hkms',
    long: {all: 'a', 'human-readable': 'h', summarize: 's', total: 'c', 'max-depth': 'd'},
  },
  async (process, given) => {
    const {files} = process.machine;
    const deepest = given.has('s') ? 0 : Number(given.value('d') ?? Infinity);
    const shown = (bytes: number): string =>
      given.has('b') ? String(bytes) : given.has('h') ? humanSize(bytes) : String(Math.ceil(bytes / 1024));
    let total = 0;
    let status = 0;
    for (const name of given.operands.length === 0 ? ['.'] : given.operands) {
      if (!files.info(process.path(name))) {
        status = await complain(process, `du: cannot access '${name}': No such file or directory`);
        continue;
      }
      const rows: string[] = [];
      const measure = (path: string, label: string, depth: number): number => {
        const size = sizeOnDisk(files, path);
        const below = (files.list(path) ?? []).reduce(
          (sum, each) =>
            sum + measure(path === '/' ? `/${each}` : `${path}/${each}`, `${label.replace(/\/$/, '')}/${each}`, depth + 1),
          0,
        );
        if (depth <= deepest && (files.isFolder(path) || given.has('a') || depth === 0))
          rows.push(`${shown(size + below)}\t${label}\n`);
        return size + below;
      };
      total += measure(process.path(name), name, 0);
      await process.cpu(rows.length * 0.01);
      await process.out(rows.join(''));
    }
    if (given.has('c')) await process.out(`${shown(total)}\ttotal\n`);
    return status;
  },
);

function sizeOnDisk(files: Files, path: string): number {
  return Math.ceil((files.info(path)?.size ?? 0) / 4096) * 4096;
}

/** `df [-h] [file …]`: the disk of the machine, and what is mounted in memory where somebody asks for it. */
export const df = makeProgram(
  {
    name: 'df',
    synopsis: '[OPTION]... [FILE]...',
    summary: 'Show information about the file system.',
    letters: 'ahikTP',
    long: {'human-readable': 'h', inodes: 'i', 'print-type': 'T'},
  },
  async (process, given) => {
    const {files} = process.machine;
    const rows: FileSystem[] = [];
    for (const name of given.operands) {
      const path = process.path(name);
      if (!files.info(path)) return complain(process, `df: ${name}: No such file or directory`);
      rows.push(inMemory(files, path) ?? disk(process));
    }
    const isHuman = given.has('h');
    const shown = (bytes: number): string => (isHuman ? humanSize(bytes) : String(Math.ceil(bytes / 1024)));
    const head = isHuman ? 'Size  Used Avail Use% Mounted on' : '1K-blocks     Used Available Use% Mounted on';
    const lines = (rows.length > 0 ? rows : [disk(process)]).map(({name, sizeBytes, usedBytes, at}) => {
      const cells = [sizeBytes, usedBytes, Math.max(0, sizeBytes - usedBytes)].map(shown);
      const percent = `${Math.ceil((usedBytes / Math.max(1, sizeBytes)) * 100)}%`.padStart(4);
      const [whole = '', used = '', free = ''] = cells;
      return isHuman
        ? `${name.padEnd(15)} ${cells.map(cell => cell.padStart(4)).join('  ')} ${percent} ${at}\n`
        : `${name.padEnd(14)} ${whole.padStart(9)} ${used.padStart(8)} ${free.padStart(9)} ${percent} ${at}\n`;
    });
    await process.out(`Filesystem${isHuman ? '      ' : '     '}${head}\n${lines.join('')}`);
    return 0;
  },
);

interface FileSystem {
  readonly name: string;
  readonly at: string;
  readonly sizeBytes: number;
  readonly usedBytes: number;
}

function disk({machine}: Process): FileSystem {
  const {files} = machine;
  return {name: '/dev/vda1', at: '/', ...(machine.disk?.() ?? {sizeBytes: files.limitBytes, usedBytes: files.usedBytes})};
}

/** What is mounted in memory at a path or above it, as /proc/mounts has it. */
function inMemory(files: Files, path: string): FileSystem | undefined {
  const mounted = (files.read('/proc/mounts') ?? '').split('\n').map(line => line.split(' '));
  const [name = '', at = '', , options = ''] =
    mounted
      .filter(([kind, at = '']) => kind === 'tmpfs' && (path === at || path.startsWith(`${at}/`)))
      .sort((a, b) => (b[1] ?? '').length - (a[1] ?? '').length)[0] ?? [];
  const size = /size=(\d+)k/.exec(options)?.[1];
  return size === undefined ? undefined : {name, at, sizeBytes: Number(size) * 1024, usedBytes: bytesBelow(files, at)};
}

function bytesBelow(files: Files, path: string): number {
  const names = files.list(path);
  return names ? names.reduce((sum, name) => sum + bytesBelow(files, `${path}/${name}`), 0) : sizeOnDisk(files, path);
}
