// The files of one machine, in memory: folders, text files, modes and times. Paths are absolute and normal (`resolvePath`).
// Failures are values, named as errno names them. A bound on size stands for the disk. A symbolic link is an entry of its own here:
// who wants what it leads to asks with a path that `Process.path` has followed.

/** Why a file operation failed. */
export type FileError =
  | 'ENOENT'
  | 'ENOTDIR'
  | 'EISDIR'
  | 'EEXIST'
  | 'ENOTEMPTY'
  | 'ENOSPC'
  | 'EINVAL'
  | 'EACCES'
  | 'EROFS'
  | 'ELOOP';

/** Whose a file is. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** What `ls -l` shows. */
export interface FileInfo {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly mode: number;
  /** By how many names a file is known. */
  readonly links?: number;
  /** The number of its inode. */
  readonly node?: number;
  /** Absent: of whoever lives on the machine. */
  readonly owner?: Owner;
}

/** A file that a process keeps open and that is written out only when somebody reads it: a database. A copy of it is plain text. */
export interface LiveFile {
  read(): string;
  size(): number;
  /** What it shows, for those who know it. */
  readonly owner: unknown;
}

interface Entry {
  kind: 'file' | 'folder' | 'link';
  links: number;
  readonly node: number;
  text: string;
  mode: number;
  modified: number;
  names: Set<string> | undefined;
  live?: LiveFile;
  owner?: Owner;
}

/** What is made in a folder with this bit gets the folder's group. */
const SET_GROUP = 0o2000;

/** The sentence that goes with an error, as libc says it. */
export const FILE_ERROR_TEXT: Readonly<Record<FileError, string>> = {
  ENOENT: 'No such file or directory',
  ENOTDIR: 'Not a directory',
  EISDIR: 'Is a directory',
  EEXIST: 'File exists',
  ENOTEMPTY: 'Directory not empty',
  ENOSPC: 'No space left on device',
  EINVAL: 'Invalid argument',
  EACCES: 'Permission denied',
  EROFS: 'Read-only file system',
  ELOOP: 'Too many levels of symbolic links',
};

/** A tree of files. `wall` gives the machine's time, `limitBytes` the size of its disk. */
export class Files {
  readonly #entries = new Map<string, Entry>();
  readonly #wall: () => number;
  readonly #onChange = new Set<(path: string) => void>();
  limitBytes: number;
  #used = 0;
  #nodes = 0;
  #links = 0;

  constructor(wall: () => number, limitBytes = 64 * 1024 * 1024) {
    this.#wall = wall;
    this.limitBytes = limitBytes;
    this.#entries.set('/', this.#folder());
  }

  #folder(): Entry {
    return {kind: 'folder', text: '', mode: 0o755, modified: this.#wall(), names: new Set(), links: 2, node: ++this.#nodes};
  }

  /** Is there any symbolic link? Without one no path needs to be followed. */
  get hasLinks(): boolean {
    return this.#links > 0;
  }

  /** What the symbolic link at a path leads to; undefined when there is none. */
  linkAt(path: string): string | undefined {
    const entry = this.#entries.get(path);
    return entry?.kind === 'link' ? entry.text : undefined;
  }

  /** Makes a symbolic link. */
  makeLink(path: string, target: string): FileError | undefined {
    if (this.#entries.has(path)) return 'EEXIST';
    const failed = this.#put(path, target, 0o777);
    const entry = this.#entries.get(path);
    if (failed || !entry) return failed;
    entry.kind = 'link';
    this.#links++;
    return undefined;
  }

  /** Gives a file one more name. */
  addName(path: string, name: string): FileError | undefined {
    const entry = this.#entries.get(path);
    if (!entry) return 'ENOENT';
    if (entry.kind === 'folder') return 'EACCES';
    if (this.#entries.has(name)) return 'EEXIST';
    if (!this.isFolder(parentOf(name))) return 'ENOENT';
    entry.links++;
    if (entry.kind === 'link') this.#links++;
    this.#entries.set(name, entry);
    this.#link(name);
    this.#changed(name);
    return undefined;
  }

  get usedBytes(): number {
    return this.#used;
  }

  /** Tells of every path that changed, as a kubelet watches its manifest folder. The answer takes it back. */
  watch(changed: (path: string) => void): () => void {
    this.#onChange.add(changed);
    return () => this.#onChange.delete(changed);
  }

  /** The text of a file; undefined when there is none. */
  read(path: string): string | undefined {
    const entry = this.#entries.get(path);
    if (entry?.live) return entry.live.read();
    return entry?.kind === 'file' ? entry.text : undefined;
  }

  /** Lays a live file, with the folders that it lacks. It stays one when it is moved; who writes to it makes it plain. */
  placeLive(path: string, live: LiveFile, mode = 0o600): void {
    this.place(path, '', mode);
    const entry = this.#entries.get(path);
    if (entry) entry.live = live;
  }

  /** The live file at a path; undefined for any other. */
  liveAt(path: string): LiveFile | undefined {
    return this.#entries.get(path)?.live;
  }

  info(path: string): FileInfo | undefined {
    const entry = this.#entries.get(path);
    return (
      entry && {
        path,
        kind: entry.kind,
        size: entry.live ? entry.live.size() : entry.kind === 'folder' ? 4096 : entry.text.length,
        modified: entry.modified,
        mode: entry.mode,
        links: entry.links,
        node: entry.node,
        ...(entry.owner ? {owner: entry.owner} : {}),
      }
    );
  }

  isFolder(path: string): boolean {
    return this.#entries.get(path)?.kind === 'folder';
  }

  /** The names in a folder, sorted; undefined when it is none. */
  list(path: string): string[] | undefined {
    const names = this.#entries.get(path)?.names;
    return names && [...names].sort();
  }

  /** Writes a file whole; its folder must exist. */
  write(path: string, text: string, mode?: number): FileError | undefined {
    return this.#put(path, text, mode);
  }

  /** Writes a file and makes the folders that it lacks: for those who lay out a machine. */
  place(path: string, text: string, mode?: number): void {
    const failed = this.makeFolder(parentOf(path)) ?? this.#put(path, text, mode);
    if (failed) throw new Error(`broken invariant: cannot place ${path}: ${failed}`);
  }

  append(path: string, text: string): FileError | undefined {
    return this.#put(path, (this.read(path) ?? '') + text);
  }

  /** Makes a folder and those above it. */
  makeFolder(path: string): FileError | undefined {
    const entry = this.#entries.get(path);
    if (entry) return entry.kind === 'folder' ? undefined : 'EEXIST';
    const failed = this.makeFolder(parentOf(path));
    if (failed) return failed === 'EEXIST' ? 'ENOTDIR' : failed;
    this.#entries.set(path, this.#folder());
    this.#link(path);
    if (this.#inherit(path)) this.setMode(path, 0o755 | SET_GROUP);
    return undefined;
  }

  /** Gives what is new its folder's group, where the folder says so. */
  #inherit(path: string): boolean {
    const folder = this.#entries.get(parentOf(path));
    if (!folder?.owner || !(folder.mode & SET_GROUP)) return false;
    this.setOwner(path, {uid: 0, gid: folder.owner.gid});
    return true;
  }

  /** Removes a file, or a folder that is empty, or with `recursive` all that is in it. */
  remove(path: string, recursive = false): FileError | undefined {
    const entry = this.#entries.get(path);
    if (!entry) return 'ENOENT';
    if (path === '/') return 'EINVAL';
    if (entry.names && entry.names.size > 0) {
      if (!recursive) return 'ENOTEMPTY';
      for (const name of entry.names) this.remove(joinPath(path, name), true);
    }
    if (entry.kind === 'link') this.#links--;
    if (--entry.links <= 0 || entry.kind === 'folder') this.#used -= entry.text.length;
    this.#entries.delete(path);
    const folder = this.#entries.get(parentOf(path));
    folder?.names?.delete(nameOf(path));
    if (folder) folder.modified = this.#wall();
    this.#changed(path);
    return undefined;
  }

  /** Moves a file or folder, over a file that is there. */
  rename(from: string, to: string): FileError | undefined {
    const entry = this.#entries.get(from);
    if (!entry) return 'ENOENT';
    if (to === from) return undefined;
    if (to.startsWith(`${from}/`)) return 'EINVAL';
    if (!this.isFolder(parentOf(to))) return 'ENOENT';
    const over = this.#entries.get(to)?.kind;
    if (over === 'folder') return 'EISDIR';
    if (entry.kind !== 'folder') {
      if (this.#entries.get(to) === entry) return undefined;
      this.remove(to);
      return this.addName(from, to) ?? this.remove(from);
    }
    const failed = over === undefined ? this.makeFolder(to) : 'ENOTDIR';
    if (failed) return failed;
    this.setMode(to, entry.mode);
    if (entry.owner) this.setOwner(to, entry.owner);
    for (const name of this.list(from) ?? []) this.rename(joinPath(from, name), joinPath(to, name));
    return this.remove(from, true);
  }

  /** Sets the permission bits. */
  setMode(path: string, mode: number): FileError | undefined {
    const entry = this.#entries.get(path);
    if (!entry) return 'ENOENT';
    entry.mode = mode;
    return undefined;
  }

  /** Gives a file or folder away. */
  setOwner(path: string, owner: Owner): FileError | undefined {
    const entry = this.#entries.get(path);
    if (!entry) return 'ENOENT';
    entry.owner = owner;
    return undefined;
  }

  /** Sets the time of the last change, to now if none is said, and makes an empty file where there is none. */
  touch(path: string, modified = this.#wall()): FileError | undefined {
    const failed = this.#entries.has(path) ? undefined : this.#put(path, '');
    const entry = this.#entries.get(path);
    if (entry) entry.modified = modified;
    return failed;
  }

  #put(path: string, text: string, mode?: number): FileError | undefined {
    const entry = this.#entries.get(path);
    if (entry && entry.kind !== 'file') return entry.kind === 'folder' ? 'EISDIR' : 'ELOOP';
    if (!entry) {
      const folder = this.#entries.get(parentOf(path));
      if (!folder) return 'ENOENT';
      if (folder.kind !== 'folder') return 'ENOTDIR';
    }
    const grown = text.length - (entry?.text.length ?? 0);
    if (grown > 0 && this.#used + grown > this.limitBytes) return 'ENOSPC';
    this.#used += grown;
    if (entry) {
      entry.text = text;
      entry.mode = mode ?? entry.mode;
      entry.modified = this.#wall();
      delete entry.live;
    } else {
      const node = ++this.#nodes;
      const modified = this.#wall();
      this.#entries.set(path, {kind: 'file', text, mode: mode ?? 0o644, modified, names: undefined, links: 1, node});
      this.#link(path);
      this.#inherit(path);
    }
    this.#changed(path);
    return undefined;
  }

  #link(path: string): void {
    const folder = this.#entries.get(parentOf(path));
    folder?.names?.add(nameOf(path));
    if (folder) folder.modified = this.#wall();
  }

  #changed(path: string): void {
    for (const changed of this.#onChange) changed(path);
  }
}

/** The absolute, normal form of a path as seen from a folder. */
export function resolvePath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${path.startsWith('/') ? '' : folder}/${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** How many links may be followed one after the other. */
const MOST_LINKS = 40;

/** A path as seen from a folder, with every symbolic link on the way followed; `last`: also the one at its end. Undefined: a circle. */
export function followPath(
  files: Files,
  {folder, path, last}: {folder: string; path: string; last: boolean},
): string | undefined {
  if (!files.hasLinks) return resolvePath(folder, path);
  const waiting = `${path.startsWith('/') ? '' : folder}/${path}`.split('/').reverse();
  let at = '/';
  for (let followed = 0; waiting.length > 0;) {
    const part = waiting.pop() ?? '';
    if (part === '' || part === '.') continue;
    if (part === '..') {
      at = parentOf(at);
      continue;
    }
    const next = joinPath(at, part);
    const isLast = !waiting.some(rest => rest !== '' && rest !== '.');
    const target = isLast && !last && !path.endsWith('/') ? undefined : files.linkAt(next);
    if (target === undefined) at = next;
    else if (++followed > MOST_LINKS) return undefined;
    else {
      if (target.startsWith('/')) at = '/';
      waiting.push(...target.split('/').reverse());
    }
  }
  return at;
}

/** The folder that a path lies in. */
export function parentOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at <= 0 ? '/' : path.slice(0, at);
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function joinPath(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}
