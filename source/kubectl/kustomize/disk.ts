// The files of a build, as a kustomization sees them: paths are relative to its folder, links are followed, and no file outside of the
// folder may be read (another folder may, as a base).
import type {Process} from '../../sim/process/process.ts';
import {Refused} from './refused.ts';

const FILE_NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** A folder to build, and the folders that led to it. */
export class Folder {
  readonly path: string;
  readonly #process: Process;
  readonly #parents: readonly string[];
  readonly #anywhere: boolean;

  private constructor(process: Process, path: string, {parents, anywhere}: {parents: readonly string[]; anywhere: boolean}) {
    this.#process = process;
    this.path = path;
    this.#parents = parents;
    this.#anywhere = anywhere;
  }

  /** The folder that a command names; `anywhere` allows to read files that are not in it. */
  static open(process: Process, name: string, anywhere = false): Folder {
    const path = settled(process.path(name));
    return new Folder(process, checkFolder(process, path, name), {parents: [], anywhere});
  }

  /** A base of this folder. */
  base(name: string): Folder {
    const path = this.#full(name);
    checkFolder(this.#process, path, path);
    for (const visited of [this.path, ...this.#parents])
      if (visited === path || visited.startsWith(`${path}/`))
        throw new Refused(`cycle detected: candidate root '${path}' contains visited root '${visited}'`);
    return new Folder(this.#process, path, {parents: [this.path, ...this.#parents], anywhere: this.#anywhere});
  }

  /** The text of a file in or below the folder. */
  read(name: string): string {
    const path = this.#full(name);
    const {files} = this.#process.machine;
    if (files.isFolder(path)) throw new Refused(`'${path}' must resolve to a file`);
    const text = files.read(path);
    if (text === undefined) throw new Refused(missing(this.#process, path, path));
    if (!this.#anywhere && !path.startsWith(this.path === '/' ? '/' : `${this.path}/`))
      throw new Refused(`security; file '${path}' is not in or below '${this.path}'`);
    return text;
  }

  /** The text of the folder's kustomization. */
  kustomization(): string {
    const texts = FILE_NAMES.map(name => this.#process.machine.files.read(`${this.path}/${name}`)).filter(
      text => text !== undefined,
    );
    if (texts.length > 1) throw new Refused(`Found multiple kustomization files under: ${this.path}\n`);
    const [text] = texts;
    if (text !== undefined) return text;
    throw new Refused(
      `unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '${this.path}'`,
    );
  }

  #full(name: string): string {
    return settled(name.startsWith('/') ? name : `${this.path}/${name}`);
  }
}

function checkFolder(process: Process, path: string, name: string): string {
  const {files} = process.machine;
  if (files.isFolder(path)) return path;
  if (files.read(path) !== undefined) throw new Refused(`must build at directory: '${name}': file is not directory`);
  throw new Refused(`must build at directory: not a valid directory: ${missing(process, path, name)}`);
}

/** The first part of the path that is not there is the one that is named. */
function missing({machine: {files}}: Process, path: string, name: string): string {
  const parts = path.split('/').slice(1);
  let at = '';
  for (const part of parts) {
    at = `${at}/${part}`;
    if (!files.isFolder(at)) break;
  }
  return `evalsymlink failure on '${name}' : lstat ${at}: no such file or directory`;
}

/** The path without `.` and `..`. */
function settled(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/'))
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  return `/${parts.join('/')}`;
}
