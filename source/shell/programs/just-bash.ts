// The text tools that just-bash has and that need not flow: jq, column, join and the like. One instance serves all machines: a
// tool takes all of its input first, then runs to its end without waiting for anything in the simulation, over the files of the
// machine whose program is awake.
//
// Two things of it are of the host and are kept away: its clock (`now` of jq) and its time: where a tool passes a limit of
// iterations, its process burns virtual CPU until somebody kills it.
import {Buffer} from 'node:buffer';
import {Bash, unsafeBytesFromLatin1} from 'just-bash';
import type {FsStat, IFileSystem} from 'just-bash';
import type {Files} from '../../sim/files.ts';
import {followPath, resolvePath} from '../../sim/files.ts';
import type {Process} from '../../sim/process/process.ts';

/** What a tool printed. */
export interface ToolOutput {
  readonly out: string;
  readonly err: string;
  readonly code: number;
  /** It passed a limit: it would have gone on for very long, or for ever. */
  readonly isEndless: boolean;
}

/** What a tool is run with. `texts`: what was read from descriptors that it names as files. */
export interface ToolInput {
  readonly name: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly texts: ReadonlyMap<string, string>;
}

const LIMITS = {maxJqIterations: 100_000, maxOutputSize: 8 * 1024 * 1024, maxStringLength: 8 * 1024 * 1024};
const ENDLESS =
  /exceeded maximum iterations|too many iterations|Maximum call stack|exceeds? (the )?(maximum|limit)|recursion (depth|limit)/i;

let shared: {readonly bash: Bash; readonly files: MachineFiles} | undefined;

/** Runs a tool over the files of the process's machine. */
export async function runTool(process: Process, {name, args, input, texts}: ToolInput): Promise<ToolOutput> {
  shared ??= makeShared();
  const {bash, files} = shared;
  files.use(process.machine.files, texts);
  const result = await bash.exec(name, {
    args: [...args],
    stdin: input,
    cwd: process.folder,
    env: Object.fromEntries(process.environment),
    replaceEnv: true,
  });
  const isEndless = result.exitCode === 126 || ENDLESS.test(result.stderr);
  return {out: result.stdout, err: result.stderr, code: result.exitCode, isEndless};
}

function makeShared(): {bash: Bash; files: MachineFiles} {
  const files = new MachineFiles();
  return {bash: new Bash({defenseInDepth: false, fs: files, executionLimits: LIMITS}), files};
}

function failure(code: string, words: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${words}, open '${path}'`), {code});
}

/** The files of one machine, as just-bash asks for them. */
class MachineFiles implements IFileSystem {
  #files: Files | undefined;
  #texts: ReadonlyMap<string, string> = new Map();

  use(files: Files, texts: ReadonlyMap<string, string>): void {
    this.#files = files;
    this.#texts = texts;
  }

  #followed(path: string): string {
    return (this.#files && followPath(this.#files, {folder: '/', path, last: true})) ?? path;
  }

  #read(path: string): string {
    if (path === '/dev/null') return '';
    const text = this.#texts.get(path) ?? this.#files?.read(this.#followed(path));
    if (text !== undefined) return text;
    if (this.#files?.isFolder(path)) throw failure('EISDIR', 'illegal operation on a directory', path);
    throw failure('ENOENT', 'no such file or directory', path);
  }

  async readFile(path: string): Promise<string> {
    return this.#read(path);
  }

  async readFileBytes(path: string): Promise<ReturnType<typeof unsafeBytesFromLatin1>> {
    return unsafeBytesFromLatin1(Buffer.from(this.#read(path), 'utf8').toString('latin1'));
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    return Buffer.from(this.#read(path), 'utf8');
  }

  async writeFile(path: string, content: string | Uint8Array): Promise<void> {
    if (path === '/dev/null') return;
    const failed = this.#files?.write(path, typeof content === 'string' ? content : Buffer.from(content).toString('utf8'));
    if (failed)
      throw failure(failed, failed === 'EISDIR' ? 'illegal operation on a directory' : 'no such file or directory', path);
  }

  async appendFile(path: string, content: string | Uint8Array): Promise<void> {
    const before = this.#files?.read(path) ?? '';
    await this.writeFile(path, before + (typeof content === 'string' ? content : Buffer.from(content).toString('utf8')));
  }

  async exists(path: string): Promise<boolean> {
    return isTool(path) || path === '/dev/null' || this.#texts.has(path) || this.#files?.info(this.#followed(path)) !== undefined;
  }

  async stat(path: string): Promise<FsStat> {
    const info = this.#files?.info(this.#followed(path));
    const isFile = isTool(path) || path === '/dev/null' || this.#texts.has(path) || info?.kind === 'file';
    if (!isFile && !info) throw failure('ENOENT', 'no such file or directory', path);
    return {
      isFile,
      isDirectory: !isFile,
      isSymbolicLink: false,
      mode: info?.mode ?? 0o755,
      size: info?.size ?? 0,
      mtime: new Date(info?.modified ?? 0),
    };
  }

  lstat(path: string): Promise<FsStat> {
    return this.stat(path);
  }

  async mkdir(path: string): Promise<void> {
    this.#files?.makeFolder(path);
  }

  async readdir(path: string): Promise<string[]> {
    const names = this.#files?.list(path);
    if (!names) throw failure('ENOENT', 'no such file or directory', path);
    return names;
  }

  async rm(path: string, options?: {recursive?: boolean}): Promise<void> {
    this.#files?.remove(path, options?.recursive === true);
  }

  async cp(from: string, to: string): Promise<void> {
    await this.writeFile(to, this.#read(from));
  }

  async mv(from: string, to: string): Promise<void> {
    this.#files?.rename(from, to);
  }

  resolvePath(base: string, path: string): string {
    return resolvePath(base, path);
  }

  getAllPaths(): string[] {
    return [];
  }

  async chmod(path: string, mode: number): Promise<void> {
    this.#files?.setMode(path, mode);
  }

  async symlink(_: string, path: string): Promise<void> {
    throw failure('EPERM', 'operation not permitted', path);
  }

  async link(_: string, path: string): Promise<void> {
    throw failure('EPERM', 'operation not permitted', path);
  }

  async readlink(path: string): Promise<string> {
    throw failure('EINVAL', 'invalid argument', path);
  }

  async realpath(path: string): Promise<string> {
    return path;
  }

  async utimes(path: string): Promise<void> {
    this.#files?.touch(path);
  }
}

/** just-bash looks for its commands as files. */
function isTool(path: string): boolean {
  return /^\/(usr\/)?bin\/\w+$/.test(path);
}
