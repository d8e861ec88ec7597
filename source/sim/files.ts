// The files of one machine, in memory: folders, text files, modes and times. Paths are absolute and normal (`resolvePath`).
// Failures are values, named as errno names them. A bound on size stands for the disk.

/** Why a file operation failed. */
export type FileError = 'ENOENT' | 'ENOTDIR' | 'EISDIR' | 'EEXIST' | 'ENOTEMPTY' | 'ENOSPC' | 'EINVAL' | 'EACCES' | 'EROFS';

/** What `ls -l` shows. */
export interface FileInfo {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly mode: number;
}

/** A file that a process keeps open and that is written out only when somebody reads it: a database. A copy of it is plain text. */
export interface LiveFile {
  read(): string;
  size(): number;
  /** What it shows, for those who know it. */
  readonly owner: unknown;
}

interface Entry {
  kind: 'file' | 'folder';
  text: string;
  mode: number;
  modified: number;
  names: Set<string> | undefined;
  live?: LiveFile;
}

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
};

/** A tree of files. `wall` gives the machine's time, `limitBytes` the size of its disk. */
export class Files {
  readonly #entries = new Map<string, Entry>();
  readonly #wall: () => number;
  readonly #onChange = new Set<(path: string) => void>();
  limitBytes: number;
  #used = 0;

  constructor(wall: () => number, limitBytes = 64 * 1024 * 1024) {
    this.#wall = wall;
    this.limitBytes = limitBytes;
    this.#entries.set('/', {kind: 'folder', text: '', mode: 0o755, modified: wall(), names: new Set()});
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
        size: entry.live ? entry.live.size() : entry.kind === 'file' ? entry.text.length : 4096,
        modified: entry.modified,
        mode: entry.mode,
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
    this.#entries.set(path, {kind: 'folder', text: '', mode: 0o755, modified: this.#wall(), names: new Set()});
    this.#link(path);
    return undefined;
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
    this.#used -= entry.text.length;
    this.#entries.delete(path);
    this.#entries.get(parentOf(path))?.names?.delete(nameOf(path));
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
    if (this.isFolder(to)) return 'EISDIR';
    if (entry.kind === 'file') {
      const failed = this.#put(to, entry.text, entry.mode);
      const moved = this.#entries.get(to);
      if (!failed && moved && entry.live) moved.live = entry.live;
      return failed ?? this.remove(from);
    }
    const failed = this.makeFolder(to);
    if (failed) return failed;
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

  /** Sets the time of the last change to now, and makes an empty file where there is none. */
  touch(path: string): FileError | undefined {
    const entry = this.#entries.get(path);
    if (!entry) return this.#put(path, '');
    entry.modified = this.#wall();
    return undefined;
  }

  #put(path: string, text: string, mode?: number): FileError | undefined {
    const entry = this.#entries.get(path);
    if (entry?.kind === 'folder') return 'EISDIR';
    if (!entry) {
      const folder = this.#entries.get(parentOf(path));
      if (!folder) return 'ENOENT';
      if (folder.kind === 'file') return 'ENOTDIR';
    }
    const grown = text.length - (entry?.text.length ?? 0);
    if (grown > 0 && this.#used + grown > this.limitBytes) return 'ENOSPC';
    this.#used += grown;
    this.#entries.set(path, {kind: 'file', text, mode: mode ?? entry?.mode ?? 0o644, modified: this.#wall(), names: undefined});
    if (!entry) this.#link(path);
    this.#changed(path);
    return undefined;
  }

  #link(path: string): void {
    this.#entries.get(parentOf(path))?.names?.add(nameOf(path));
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
