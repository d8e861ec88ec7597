// `df`, `du`, `free`: how full things are.
import type {Files} from '../../sim/files.ts';
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

/** `df [-h] [file …]`: the one disk that a machine has here. */
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
    for (const name of given.operands) {
      if (!files.info(process.path(name))) return complain(process, `df: ${name}: No such file or directory`);
    }
    const size = (bytes: number): string => (given.has('h') ? humanSize(bytes) : String(Math.ceil(bytes / 1024)));
    const {sizeBytes, usedBytes: used} = process.machine.disk?.() ?? {sizeBytes: files.limitBytes, usedBytes: files.usedBytes};
    const free = Math.max(0, sizeBytes - used);
    const percent = `${Math.ceil((used / Math.max(1, sizeBytes)) * 100)}%`;
    const cells = [size(sizeBytes), size(used), size(free)];
    if (given.has('h')) {
      await process.out('Filesystem      Size  Used Avail Use% Mounted on\n');
      await process.out(`/dev/vda1       ${cells.map(cell => cell.padStart(4)).join('  ')} ${percent.padStart(4)} /\n`);
    } else {
      await process.out('Filesystem     1K-blocks     Used Available Use% Mounted on\n');
      await process.out(
        `/dev/vda1      ${(cells[0] ?? '').padStart(9)} ${(cells[1] ?? '').padStart(8)} ${(cells[2] ?? '').padStart(9)} ${percent.padStart(4)} /\n`,
      );
    }
    return 0;
  },
);
