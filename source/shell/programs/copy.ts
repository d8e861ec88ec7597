// `cp` and `mv`.
import {FILE_ERROR_TEXT} from '../../sim/files.ts';
import {openToRead, closeDescriptor, takeDescriptor} from '../../sim/process/open.ts';
import type {Process} from '../../sim/process/process.ts';
import {makeProgram} from './arguments.ts';
import type {Given} from './arguments.ts';
import {baseName} from './ls.ts';
import {complain} from './output.ts';

const BYTE_COST_MS = 0.000002;

/** `cp [-afprRvn] source … target` */
export const cp = makeProgram(
  {
    name: 'cp',
    synopsis: '[OPTION]... SOURCE... DEST',
    summary: 'Copy SOURCE to DEST, or multiple SOURCE(s) to DIRECTORY.',
    letters: 'adfHiLlnpPrRst:Tuv',
    long: {archive: 'a', force: 'f', recursive: 'r', verbose: 'v', 'no-clobber': 'n', preserve: 'p', 'target-directory': 't'},
  },
  (process, given) => each(process, given, {who: 'cp', act: copyOne}),
);

/** `mv [-fnv] source … target` */
export const mv = makeProgram(
  {
    name: 'mv',
    synopsis: '[OPTION]... SOURCE... DEST',
    summary: 'Rename SOURCE to DEST, or move SOURCE(s) to DIRECTORY.',
    letters: 'finut:Tv',
    long: {force: 'f', 'no-clobber': 'n', verbose: 'v', 'target-directory': 't'},
  },
  (process, given) => each(process, given, {who: 'mv', act: moveOne}),
);

interface Pair {
  readonly source: string;
  readonly target: string;
}

interface Work {
  readonly who: string;
  readonly act: (process: Process, given: Given, pair: Pair) => Promise<string | undefined>;
}

async function each(process: Process, given: Given, {who, act}: Work): Promise<number> {
  const into = given.value('t');
  const sources = into === undefined ? given.operands.slice(0, -1) : given.operands;
  const target = into ?? given.operands.at(-1);
  const help = `\nTry '${who} --help' for more information.`;
  if (target === undefined) return complain(process, `${who}: missing file operand${help}`);
  if (sources.length === 0) return complain(process, `${who}: missing destination file operand after '${target}'${help}`);
  const isFolder = !given.has('T') && process.machine.files.isFolder(process.path(target));
  if (sources.length > 1 && !isFolder)
    return complain(
      process,
      `${who}: target '${target}': ${process.machine.files.info(process.path(target)) ? 'Not a directory' : 'No such file or directory'}`,
    );
  let status = 0;
  for (const source of sources) {
    const pair = {source, target: isFolder ? `${target.replace(/\/$/, '')}/${baseName(source)}` : target};
    const words = await act(process, given, pair);
    if (words !== undefined) status = await complain(process, `${who}: ${words}`);
    else if (given.has('v')) await process.out(`${who === 'mv' ? 'renamed ' : ''}'${source}' -> '${pair.target}'\n`);
  }
  return status;
}

async function copyOne(process: Process, given: Given, {source, target}: Pair): Promise<string | undefined> {
  const {files} = process.machine;
  const keepsLinks = !given.has('L') && ['a', 'd', 'P', 'r', 'R'].some(given.has);
  const from = keepsLinks ? process.linkPath(source) : process.path(source);
  const to = process.path(target);
  const info = files.info(from);
  const link = files.linkAt(from);
  if (link !== undefined && keepsLinks) return copyLink(process, link, target);
  if (info && info.kind !== 'folder' && (given.has('l') || given.has('s'))) {
    const failed = given.has('l') ? files.addName(from, to) : files.makeLink(to, source);
    return failed && `cannot create ${given.has('l') ? 'hard' : 'symbolic'} link '${target}': ${FILE_ERROR_TEXT[failed]}`;
  }
  if (info?.kind === 'folder') {
    if (!given.has('r') && !given.has('R') && !given.has('a')) return `-r not specified; omitting directory '${source}'`;
    if (to === from || to.startsWith(`${from}/`)) return `cannot copy a directory, '${source}', into itself, '${target}'`;
    return copyFolder(process, {source: from, target: to}, given.has('L'));
  }
  if (given.has('n') && files.info(to)) return undefined;
  if (from === to || (info?.node !== undefined && info.node === files.info(to)?.node && (info.links ?? 1) > 1))
    return `'${source}' and '${target}' are the same file`;
  if (given.has('u') && (files.info(to)?.modified ?? -1) >= (info?.modified ?? 0)) return undefined;
  const opened = openToRead(process, source);
  if (!opened.ok) return `cannot stat '${source}': ${opened.text}`;
  const fd = takeDescriptor(process, opened.stream);
  const text = await process.readAll(fd);
  closeDescriptor(process, fd);
  await process.cpu(text.length * BYTE_COST_MS);
  const failed = files.write(to, text, info?.mode);
  return failed && `cannot create regular file '${target}': ${FILE_ERROR_TEXT[failed]}`;
}

async function copyLink(process: Process, link: string, target: string): Promise<string | undefined> {
  const {files} = process.machine;
  const to = process.linkPath(target);
  if (files.info(to)?.kind !== 'folder') files.remove(to);
  const failed = files.makeLink(to, link);
  return failed && `cannot create symbolic link '${target}': ${FILE_ERROR_TEXT[failed]}`;
}

async function copyFolder(process: Process, {source, target}: Pair, follows: boolean): Promise<string | undefined> {
  const {files} = process.machine;
  const failed = files.makeFolder(target);
  if (failed) return `cannot create directory '${target}': ${FILE_ERROR_TEXT[failed]}`;
  for (const name of files.list(source) ?? []) {
    const pair = {source: `${source}/${name}`, target: `${target}/${name}`};
    const link = files.linkAt(pair.source);
    if (link !== undefined && !follows) {
      const words = await copyLink(process, link, pair.target);
      if (words !== undefined) return words;
      continue;
    }
    if (link !== undefined) pair.source = process.path(pair.source);
    if (files.isFolder(pair.source)) {
      const words = await copyFolder(process, pair, follows);
      if (words !== undefined) return words;
      continue;
    }
    const text = files.read(pair.source) ?? '';
    await process.cpu(0.005 + text.length * BYTE_COST_MS);
    const error = files.write(pair.target, text, files.info(pair.source)?.mode);
    if (error) return `cannot create regular file '${pair.target}': ${FILE_ERROR_TEXT[error]}`;
  }
  return undefined;
}

async function moveOne(process: Process, given: Given, {source, target}: Pair): Promise<string | undefined> {
  const {files} = process.machine;
  const from = process.linkPath(source);
  const to = process.linkPath(target);
  const info = files.info(from);
  if (!info) return `cannot stat '${source}': ${FILE_ERROR_TEXT.ENOENT}`;
  if (given.has('n') && files.info(to)) return undefined;
  if (from === to) return `'${source}' and '${target}' are the same file`;
  if (to.startsWith(`${from}/`)) return `cannot move '${source}' to a subdirectory of itself, '${target}'`;
  const failed = files.rename(from, to);
  return failed && `cannot move '${source}' to '${target}': ${FILE_ERROR_TEXT[failed]}`;
}
