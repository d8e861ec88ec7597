// The files that a container sees: those of its image, and volumes over some of its folders. A path that lies in a mount is
// looked up in the volume's own tree, so that containers of one pod share what they mount.
import type {Mount} from '../../api/wire/cri.ts';
import {Files, followPath, parentOf, type FileError, type FileInfo, type LiveFile, type Owner} from '../../sim/files.ts';

/** Where everybody may write. */
const EVERYBODYS = /^\/(tmp|var\/tmp|dev|run\/lock)(\/|$)/;

const ROOT: Owner = {uid: 0, gid: 0};

/** As whom the container runs. */
export interface FileUser extends Owner {
  readonly groups: readonly number[];
}

interface Place {
  readonly files: Files;
  readonly path: string;
  readonly readOnly: boolean;
}

/** The tree of one container. */
export class ContainerFiles extends Files {
  readonly #mounts: readonly Mount[];
  #readOnlyRoot = false;
  #user: FileUser | undefined;

  constructor(wall: () => number, mounts: readonly Mount[]) {
    super(wall);
    // The longest first: a mount inside another mount wins.
    this.#mounts = [...mounts].sort((a, b) => b.path.length - a.path.length);
    for (const mount of [...this.#mounts].reverse()) {
      if (mount.files().isFolder(mount.from)) super.makeFolder(mount.path);
      else if (super.makeFolder(parentOf(mount.path)) === undefined) super.write(mount.path, '');
    }
  }

  /** Puts in a file that comes with the image or the pod, unless a mount hides its place. */
  bring(path: string, text: string): void {
    if (!this.#place(path)) super.place(path, text);
  }

  /** From now on nothing outside of the mounts can be changed. */
  seal(): void {
    this.#readOnlyRoot = true;
  }

  /** From now on it is a user who is not root that changes things: not what the image brought, but in /tmp, and in volumes that let it. */
  guard(user: FileUser): void {
    this.#user = user;
  }

  override read(path: string): string | undefined {
    const place = this.#place(path);
    if (!place) return super.read(path);
    const {files} = place;
    // Components read by name alone: what a volume shows by a link is found through it.
    const real = files.hasLinks ? followPath(files, {folder: '/', path: place.path, last: true}) : place.path;
    return real === undefined ? undefined : files.read(real);
  }

  override placeLive(path: string, live: LiveFile, mode?: number): void {
    const place = this.#place(path);
    if (place) place.files.placeLive(place.path, live, mode);
    else super.placeLive(path, live, mode);
  }

  override liveAt(path: string): LiveFile | undefined {
    const place = this.#place(path);
    return place ? place.files.liveAt(place.path) : super.liveAt(path);
  }

  override info(path: string): FileInfo | undefined {
    const place = this.#place(path);
    const info = place ? place.files.info(place.path) : super.info(path);
    return info && {...info, path, owner: info.owner ?? ROOT};
  }

  override isFolder(path: string): boolean {
    const place = this.#place(path);
    return place ? place.files.isFolder(place.path) : super.isFolder(path);
  }

  override list(path: string): string[] | undefined {
    const place = this.#place(path);
    return place ? place.files.list(place.path) : super.list(path);
  }

  override write(path: string, text: string, mode?: number): FileError | undefined {
    return this.#change(
      path,
      place => place.files.write(place.path, text, mode),
      () => super.write(path, text, mode),
    );
  }

  override append(path: string, text: string): FileError | undefined {
    return this.#change(
      path,
      place => place.files.append(place.path, text),
      () => super.append(path, text),
    );
  }

  override makeFolder(path: string): FileError | undefined {
    if (this.isFolder(path)) return undefined;
    return this.#change(
      path,
      place => place.files.makeFolder(place.path),
      () => super.makeFolder(path),
    );
  }

  override remove(path: string, recursive = false): FileError | undefined {
    return this.#change(
      path,
      place => place.files.remove(place.path, recursive),
      () => super.remove(path, recursive),
    );
  }

  override rename(from: string, to: string): FileError | undefined {
    const source = this.#place(from);
    const target = this.#place(to);
    if (!source && !target) return this.#readOnlyRoot ? 'EROFS' : super.rename(from, to);
    if (source && target && source.files === target.files)
      return source.readOnly || target.readOnly ? 'EROFS' : source.files.rename(source.path, target.path);
    const text = this.read(from);
    if (text === undefined) return this.isFolder(from) ? 'EISDIR' : 'ENOENT';
    return this.write(to, text) ?? this.remove(from);
  }

  override setMode(path: string, mode: number): FileError | undefined {
    return this.#change(
      path,
      place => place.files.setMode(place.path, mode),
      () => super.setMode(path, mode),
    );
  }

  override setOwner(path: string, owner: Owner): FileError | undefined {
    const place = this.#place(path);
    if (place) return place.readOnly ? 'EROFS' : place.files.setOwner(place.path, owner);
    return this.#readOnlyRoot ? 'EROFS' : super.setOwner(path, owner);
  }

  override touch(path: string, modified?: number): FileError | undefined {
    return this.#change(
      path,
      place => place.files.touch(place.path, modified),
      () => super.touch(path, modified),
    );
  }

  override get hasLinks(): boolean {
    return super.hasLinks || this.#mounts.some(mount => mount.files().hasLinks);
  }

  override linkAt(path: string): string | undefined {
    const place = this.#place(path);
    return place ? place.files.linkAt(place.path) : super.linkAt(path);
  }

  override makeLink(path: string, target: string): FileError | undefined {
    return this.#change(
      path,
      place => place.files.makeLink(place.path, target),
      () => super.makeLink(path, target),
    );
  }

  override addName(path: string, name: string): FileError | undefined {
    const [source, target] = [this.#place(path), this.#place(name)];
    if (source?.files !== target?.files) return 'EINVAL';
    return this.#change(
      name,
      place => place.files.addName(source?.path ?? path, place.path),
      () => super.addName(path, name),
    );
  }

  #change(
    path: string,
    there: (place: Place) => FileError | undefined,
    here: () => FileError | undefined,
  ): FileError | undefined {
    const place = this.#place(path);
    if (place?.readOnly ?? this.#readOnlyRoot) return 'EROFS';
    const change = () => (place ? there(place) : here());
    const user = this.#user;
    if (!user) return change();
    if (!place && !EVERYBODYS.test(path)) return 'EACCES';
    const before = this.info(path);
    if (place && !this.#mayChange(before ?? this.info(parentOf(path)), user)) return 'EACCES';
    const failed = change();
    const made = before || failed ? undefined : this.info(path);
    if (made) this.setOwner(path, {uid: user.uid, gid: made.owner?.gid || user.gid});
    return failed;
  }

  /** May a user write to a file, or make and remove files in a folder? */
  #mayChange(info: FileInfo | undefined, user: FileUser): boolean {
    if (!info) return true;
    const {uid, gid} = info.owner ?? ROOT;
    const shift = uid === user.uid ? 6 : gid === user.gid || user.groups.includes(gid) ? 3 : 0;
    return ((info.mode >> shift) & 2) !== 0;
  }

  #place(path: string): Place | undefined {
    for (const mount of this.#mounts ?? []) {
      if (path !== mount.path && !path.startsWith(`${mount.path}/`)) continue;
      const rest = path.slice(mount.path.length);
      const inside = mount.from === '/' ? rest || '/' : `${mount.from}${rest}`;
      return {files: mount.files(), path: inside, readOnly: mount.readOnly};
    }
    return undefined;
  }
}
