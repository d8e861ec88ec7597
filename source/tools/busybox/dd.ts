// `dd`: copies in blocks, and counts them. Modelled: if, of, bs, count, seek and skip in whole blocks, conv=notrunc, status=none;
// /dev/zero and /dev/urandom as sources, /dev/null as a target.
import {FILE_ERROR_TEXT} from '../../sim/files.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';

const UNITS: Readonly<Record<string, number>> = {c: 1, w: 2, b: 512, k: 1024, K: 1024, M: 1 << 20, G: 1 << 30, kB: 1000, MB: 1e6};
const MOST_BYTES = 256 * 1024 * 1024;
const BYTES_PER_MS = 2_000_000;

function bytesOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d+)([a-zA-Z]*)$/.exec(text) ?? [];
  const factor = unit === '' ? 1 : UNITS[unit];
  return count === undefined || factor === undefined ? undefined : Number(count) * factor;
}

/** The program. */
export const dd: Program = async process => {
  const given = new Map(process.argv.slice(1).map(word => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
  const [from = '', to = ''] = [given.get('if'), given.get('of')];
  const size = bytesOf(given.get('bs') ?? '512');
  const count = given.has('count') ? Number(given.get('count')) : Infinity;
  if (size === undefined || size <= 0 || Number.isNaN(count)) {
    await process.err(`dd: invalid number '${given.get('bs') ?? given.get('count') ?? ''}'\n`);
    return 1;
  }
  const killed = process.allocate(Math.min(size, MOST_BYTES));
  if (killed) await killed;
  const read = await source(process, from, {size, count});
  if (typeof read !== 'string') {
    await process.err(`dd: can't open '${from}': ${read.error}\n`);
    return 1;
  }
  return write(process, {to, size, text: read, isQuiet: given.get('status') === 'none', keeps: given.get('conv') === 'notrunc'});
};

async function source(
  process: Process,
  from: string,
  {size, count}: {readonly size: number; readonly count: number},
): Promise<string | {readonly error: string}> {
  const wanted = Math.min(MOST_BYTES, size * count);
  if (from === '/dev/zero' || from === '/dev/urandom') return (from === '/dev/zero' ? '\0' : 'x').repeat(wanted);
  if (from === '') return (await process.readAll(0)).slice(0, wanted);
  const text = process.machine.files.read(process.path(from));
  if (text !== undefined) return text.slice(0, wanted);
  return {error: process.machine.files.isFolder(process.path(from)) ? FILE_ERROR_TEXT.EISDIR : FILE_ERROR_TEXT.ENOENT};
}

interface Written {
  readonly to: string;
  readonly size: number;
  readonly text: string;
  readonly isQuiet: boolean;
  readonly keeps: boolean;
}

/** Writes block after block, as far as there is room. */
async function write(process: Process, {to, size, text, isQuiet, keeps}: Written): Promise<number> {
  const {files} = process.machine;
  const path = process.path(to);
  let done = text.length;
  let failed: string | undefined;
  if (to === '') await process.out(text);
  else if (path !== '/dev/null') {
    const old = keeps ? (files.read(path) ?? '') : '';
    const began = files.write(path, '');
    if (began) {
      await process.err(`dd: can't open '${to}': ${FILE_ERROR_TEXT[began]}\n`);
      return 1;
    }
    let least = 0;
    // The largest number of whole blocks that fit.
    for (let most = Math.ceil(text.length / size); least < most;) {
      const middle = Math.ceil((least + most) / 2);
      const error = files.write(path, text.slice(0, middle * size) + old.slice(middle * size));
      if (error) {
        failed = FILE_ERROR_TEXT[error];
        most = middle - 1;
      } else least = middle;
    }
    done = Math.min(text.length, least * size);
    files.write(path, text.slice(0, done) + old.slice(done));
  }
  await process.sleep(1 + done / BYTES_PER_MS);
  if (failed !== undefined) await process.err(`dd: error writing '${to}': ${failed}\n`);
  if (!isQuiet) {
    const tried = failed === undefined ? done : done + size;
    const seconds = (0.001 + done / BYTES_PER_MS / 1000).toFixed(6);
    const sum = failed === undefined ? `${done} bytes (${(done / 1e6).toFixed(1)}MB) copied, ${seconds} seconds\n` : '';
    await process.err(`${counted(tried, size)} records in\n${counted(done, size)} records out\n${sum}`);
  }
  return failed === undefined ? 0 : 1;
}

function counted(bytes: number, size: number): string {
  return `${Math.floor(bytes / size)}+${bytes % size > 0 ? 1 : 0}`;
}
