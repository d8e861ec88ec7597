// `scp [-r] SOURCE… TARGET`: files from one machine to another, where `[USER@]HOST:PATH` is one over there, as root. Its words are those
// of OpenSSH 10. A path without a slash at its front begins in the home folder of who logs in.
import {FILE_ERROR_TEXT, nameOf, resolvePath, type Files} from '../../sim/files.ts';
import type {Process} from '../../sim/process/process.ts';
import type {Program} from '../../sim/process/machine.ts';
import {getOpt, optionsOf} from '../flags/getopt.ts';
import {reach, type SshOptions} from './ssh.ts';

const OPTIONS = optionsOf({
  letters:
    'r=recursive p=keep q=quiet v=verbose C=compress 3=through B=batch O=old 4=ipv4 6=ipv6 P=port i=identity o=option l=limit',
  none: 'recursive keep quiet verbose compress through batch old ipv4 ipv6',
  needed: 'port identity option limit',
});
const USAGE =
  'usage: scp [-346ABCOpqRrsTv] [-c cipher] [-D sftp_server_path] [-F ssh_config]\n           [-i identity_file] [-J destination] [-l limit] [-o ssh_option]\n           [-P port] [-S program] [-X sftp_option] source ... target\n';
const UNREACHED = 255;

/** A file or folder on some machine. */
interface Place {
  readonly files: Files;
  readonly path: string;
  /** As it was typed, without the host. */
  readonly typed: string;
  readonly isRemote: boolean;
}

/** Makes the program. */
export function makeScp(options: SshOptions): Program {
  return async process => {
    const read = getOpt('scp', process.argv.slice(1), OPTIONS);
    const words = read.ok ? read.words : [];
    if (!read.ok || words.length < 2) {
      await process.err(`${read.ok ? '' : `${read.message.replace('scp: invalid', 'unknown')}\n`}${USAGE}`);
      return 1;
    }
    const target = await placeOf(process, words.at(-1) ?? '', options);
    if (!target) return UNREACHED;
    let code = 0;
    for (const word of words.slice(0, -1)) {
      const source = await placeOf(process, word, options);
      if (!source) return UNREACHED;
      const why = copy(source, target, {isDeep: read.given.has('recursive'), isOneOf: words.length > 2});
      for (const line of why) await process.err(`scp: ${line}\n`);
      if (why.length > 0) code = 1;
    }
    return code;
  };
}

/** Finds the machine of a place; undefined when it cannot be reached, which has been said then. */
async function placeOf(process: Process, word: string, options: SshOptions): Promise<Place | undefined> {
  const [, host, typed = ''] = /^([^/:]+):(.*)$/.exec(word) ?? [];
  if (host === undefined) return {files: process.machine.files, path: process.path(word), typed: word, isRemote: false};
  const found = await reach(process, host, options);
  if (!found) {
    await process.err('scp: Connection closed\n');
    return undefined;
  }
  const home = found.environment.get('HOME') ?? '/root';
  return {files: found.machine.files, path: resolvePath(home, typed.replace(/^~(?=\/|$)/, home) || '.'), typed, isRemote: true};
}

/** Copies; what went wrong, line by line. */
function copy(source: Place, target: Place, {isDeep, isOneOf}: {readonly isDeep: boolean; readonly isOneOf: boolean}): string[] {
  const info = source.files.info(source.path);
  const shown = source.isRemote ? source.typed : `stat local "${source.typed}"`;
  if (!info) return [`${shown}: No such file or directory`];
  const isInto = target.files.isFolder(target.path);
  if (!isInto && isOneOf) return [`${target.typed}: ${FILE_ERROR_TEXT.ENOENT}`];
  const to = isInto ? resolvePath(target.path, nameOf(source.path)) : target.path;
  if (info.kind === 'folder' && !isDeep)
    return [source.isRemote ? `download "${source.typed}": not a regular file` : `local "${source.typed}" is not a regular file`];
  return copyTree(source, {...target, path: to});
}

function copyTree(source: Place, target: Place): string[] {
  const names = source.files.isFolder(source.path) ? (source.files.list(source.path) ?? []) : undefined;
  if (names === undefined) {
    const mode = source.files.info(source.path)?.mode;
    const failed = target.files.write(target.path, source.files.read(source.path) ?? '', mode);
    if (failed === undefined) return [];
    const at = target.isRemote ? `dest open "${target.path}"` : `open local "${target.path}"`;
    const what = target.isRemote ? [`failed to upload file ${source.typed} to ${target.path}`] : [];
    return [`${at}: ${FILE_ERROR_TEXT[failed]}`, ...what];
  }
  if (!target.files.isFolder(target.path)) target.files.makeFolder(target.path);
  return names.flatMap(name =>
    copyTree({...source, path: `${source.path}/${name}`}, {...target, path: `${target.path}/${name}`}),
  );
}
