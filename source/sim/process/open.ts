// Opening files by path, as a program does it: files of the machine, and the few devices under /dev that scripts use. Without
// this, `-f /dev/stdin` and `<(…)` (which is /dev/fd/63) would have to be known to every program.
import {Dice} from '../dice.ts';
import {FILE_ERROR_TEXT} from '../files.ts';
import type {FileError} from '../files.ts';
import type {Process} from './process.ts';
import {fileStream, nullStream, sourceStream} from './streams.ts';
import type {Stream} from './streams.ts';

/** An open stream, or why there is none, with libc's words. */
export type Opened = {readonly ok: true; readonly stream: Stream} | {readonly ok: false; readonly text: string};

/** How a file is opened to be written: emptied, at its end, or emptied only when it is new. */
export type WriteMode = 'truncate' | 'append' | 'keep';

const CHUNK = 4096;
const USUAL_MASK = 0o022;

/** Opens a path to read from it. */
export function openToRead(process: Process, name: string): Opened {
  const path = process.path(name);
  const device = deviceOf(process, path, 'read');
  if (device) return device;
  const info = process.machine.files.info(path);
  if (!info) return failed(missing(process, path));
  if (info.kind !== 'file') return failed(info.kind === 'folder' ? 'EISDIR' : 'ELOOP');
  return {ok: true, stream: fileStream(process.machine.files, path)};
}

/** Opens a path to write to it; makes the file. */
export function openToWrite(process: Process, name: string, mode: WriteMode = 'truncate'): Opened {
  const path = process.path(name);
  const device = deviceOf(process, path, 'write');
  if (device) return device;
  const {files} = process.machine;
  if (name === '' || (name.endsWith('/') && !files.isFolder(path))) return failed(name === '' ? 'ENOENT' : 'EISDIR');
  const isNew = process.mask !== USUAL_MASK && !files.info(path);
  const error = mode === 'truncate' ? files.write(path, '') : files.append(path, '');
  if (!error && isNew) files.setMode(path, 0o666 & ~process.mask);
  if (error) return failed(error === 'ENOENT' ? missing(process, path) : error);
  return {ok: true, stream: fileStream(files, path)};
}

/** Takes a stream into the process under a number of its own, from 3 on; to be closed with `closeDescriptor`. */
export function takeDescriptor(process: Process, stream: Stream): number {
  let fd = 3;
  while (process.streams.has(fd)) fd++;
  process.streams.set(fd, stream);
  return fd;
}

/** Closes a descriptor; nothing happens when it is closed already. */
export function closeDescriptor(process: Process, fd: number): void {
  process.streams.get(fd)?.close();
  process.streams.delete(fd);
}

function failed(error: FileError): Opened {
  return {ok: false, text: FILE_ERROR_TEXT[error]};
}

/** A path through a file is no folder; other missing paths do not exist. */
function missing(process: Process, path: string): FileError {
  const {files} = process.machine;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const info = files.info(path.slice(0, at));
    if (info) return info.kind === 'folder' ? 'ENOENT' : 'ENOTDIR';
  }
  return 'ENOENT';
}

/** Its own descriptors lie in here. */
const SELF = '/proc/self/';

function deviceOf(process: Process, path: string, use: 'read' | 'write'): Opened | undefined {
  const own = process.machine.device?.(path);
  if (own) return {ok: true, stream: own};
  if (!path.startsWith('/dev/') && !path.startsWith(SELF)) return undefined;
  const name = path.slice(path.startsWith(SELF) ? SELF.length : 5);
  const fd = descriptorOf(name);
  if (fd !== undefined) return shared(process.streams.get(fd), FILE_ERROR_TEXT.ENOENT);
  switch (name) {
    case 'null':
      return {ok: true, stream: nullStream()};
    case 'tty':
      return shared(
        [0, 1, 2].map(each => process.streams.get(each)).find(each => each?.isTerminal),
        'No such device or address',
      );
    case 'zero':
      return {ok: true, stream: sourceStream(() => '\0'.repeat(CHUNK))};
    case 'full':
      return {ok: true, stream: sourceStream(() => '\0'.repeat(CHUNK), use === 'write' ? 'full' : 'done')};
    case 'random':
    case 'urandom':
      return {ok: true, stream: randomStream(process)};
    default:
      return undefined;
  }
}

function descriptorOf(name: string): number | undefined {
  const known = {stdin: 0, stdout: 1, stderr: 2}[name];
  if (known !== undefined) return known;
  const digits = /^fd\/(\d+)$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function shared(stream: Stream | undefined, text: string): Opened {
  return stream ? {ok: true, stream: stream.share()} : {ok: false, text};
}

/** Chance that differs by process and time, and repeats with the run. */
function randomStream(process: Process): Stream {
  const dice = new Dice(process.pid * 65_537 + Math.floor(process.kernel.clock.now));
  return sourceStream(() => {
    let text = '';
    for (let i = 0; i < 256; i++) text += String.fromCharCode(dice.below(128));
    return text;
  });
}
