// Compares the two sides of all objects: in this program, or by one that the player names.
import type {AnyObject} from '../../../api/meta/object.ts';
import {formatTime} from '../../../api/meta/time.ts';
import {printed} from '../../../api/schema/printed.ts';
import {printYaml} from '../../../api/yaml/print.ts';
import {fail} from '../../failure.ts';
import {unifiedHunks} from '../../print/unified-diff.ts';
import type {Session} from '../../session.ts';
import type {Outcome} from '../command.ts';

/** An object before and after, and the name of its files. */
export interface Sides {
  readonly before: AnyObject | undefined;
  readonly after: AnyObject | undefined;
  readonly file: string;
}

/** Shows the difference; the exit code tells of it. */
export async function compareSides(session: Session, all: readonly Sides[]): Promise<Outcome> {
  const folders = freshFolders(session);
  const pairs = all.map(({before, after, file}) => ({
    file,
    before: before ? printYaml(printed(before)) : '',
    after: after ? printYaml(printed(after)) : '',
  }));
  const external = session.process.environment.get('KUBECTL_EXTERNAL_DIFF') ?? '';
  if (external !== '') return runExternal(session, external.split(' '), {folders, pairs});
  let code = 0;
  for (const {file, before, after} of pairs.toSorted((a, b) => (a.file < b.file ? -1 : 1))) {
    const hunks = unifiedHunks(before, after);
    if (hunks === '') continue;
    code = 1;
    await session.out(
      `diff -u -N ${folders.live}/${file} ${folders.merged}/${file}\n${headLine('---', folders.live, file, session)}${headLine('+++', folders.merged, file, session)}${hunks}`,
    );
  }
  return code;
}

function headLine(sign: string, folder: string, file: string, {now}: Session): string {
  const [day = '', time = ''] = formatTime(now).replace('Z', '').split('T');
  return `${sign} ${folder}/${file}\t${day} ${time}.${String(Math.floor(now * 1000) % 1_000_000).padStart(6, '0')}000 +0000\n`;
}

interface Folders {
  readonly live: string;
  readonly merged: string;
}

/** Names that no file has. */
function freshFolders({process}: Session): Folders {
  const {files} = process.machine;
  for (let number = process.pid * 1000; ; number++) {
    const folders = {live: `/tmp/LIVE-${number}`, merged: `/tmp/MERGED-${number}`};
    if (!files.isFolder(folders.live) && !files.isFolder(folders.merged)) return folders;
  }
}

interface Written {
  readonly folders: Folders;
  readonly pairs: readonly {readonly file: string; readonly before: string; readonly after: string}[];
}

async function runExternal(session: Session, words: readonly string[], {folders, pairs}: Written): Promise<Outcome> {
  const {process} = session;
  const {files} = process.machine;
  const [name = '', ...options] = words;
  // Of the words, only those with plain letters are passed on.
  const argv = [name, ...options.filter(word => /^[a-zA-Z0-9-=]+$/.test(word)), folders.live, folders.merged];
  const problem = files.makeFolder('/tmp') ?? files.makeFolder(folders.live) ?? files.makeFolder(folders.merged);
  if (problem) return fail(`mkdir ${folders.live}: ${problem}`);
  for (const {file, before, after} of pairs) {
    files.write(`${folders.live}/${file}`, before);
    files.write(`${folders.merged}/${file}`, after);
  }
  const program = process.machine.program(name);
  const child = program && process.spawn(program, {argv});
  const code = child ? await process.wait(child) : undefined;
  for (const folder of [folders.live, folders.merged]) files.remove(folder, true);
  if (code === undefined) return fail(`failed to run ${JSON.stringify(name)}: executable file not found in $PATH`);
  if (typeof code === 'number' && code > 1) return fail(`exit status ${code}`);
  return typeof code === 'number' ? code : undefined;
}
