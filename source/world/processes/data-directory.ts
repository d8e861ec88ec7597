// etcd's data directory among a machine's files. While a directory is in use, and as long as nobody rewrites its files, what lies
// there are live files that show an etcd Disk: they can be moved, removed and copied like any others, and a copy is plain text
// from which another member can start. The text is our own form, and so is what a damaged one leads to: a database that cannot be
// read is refused, a log is read as far as it is whole.
import {Disk} from '../../cluster/etcd/disk.ts';
import {databaseText, diskOfTexts, walText} from '../../cluster/etcd/disk-text.ts';
import type {Files} from '../../sim/files.ts';

const SNAP = 'member/snap';
const WAL = 'member/wal';
const WAL_FILE = '0000000000000000-0000000000000000.wal';

/** The disk in a data directory: the one that lies there, or a new one whose files appear when a member founds it. */
export function diskAt(files: Files, directory: string): Disk {
  const wal = files.liveAt(walPath(directory))?.owner;
  const database = files.liveAt(databasePath(directory))?.owner;
  if (wal instanceof Disk && wal === database) return wal;
  const texts = {database: files.read(databasePath(directory)), wal: files.read(walPath(directory))};
  if (texts.wal === undefined && texts.database === undefined) return new MountedDisk(files, directory);
  const disk = diskOfTexts(texts);
  if (disk.leftover) {
    // Whoever founds a member here takes the database over.
    const mounted = new MountedDisk(files, directory);
    mounted.leftover = disk.leftover;
    return mounted;
  }
  if (disk.walDamage !== 'unreadable') layDisk(files, directory, disk);
  return disk;
}

/** Shows a disk as the files of a data directory. */
export function layDisk(files: Files, directory: string, disk: Disk): void {
  if (!disk.databaseDamaged) {
    const size = () => disk.backend?.ledger.fileBytes ?? 0;
    files.placeLive(databasePath(directory), {owner: disk, read: () => databaseText(disk), size});
  }
  files.placeLive(walPath(directory), {owner: disk, read: () => walText(disk), size: () => 64_000_000});
}

function databasePath(directory: string): string {
  return `${directory}/${SNAP}/db`;
}

function walPath(directory: string): string {
  return `${directory}/${WAL}/${WAL_FILE}`;
}

/** An empty directory: what a member founds in it becomes visible. */
class MountedDisk extends Disk {
  readonly #files: Files;
  readonly #directory: string;

  constructor(files: Files, directory: string) {
    super();
    this.#files = files;
    this.#directory = directory;
  }

  override found(...founding: Parameters<Disk['found']>): void {
    super.found(...founding);
    layDisk(this.#files, this.#directory, this);
  }
}
