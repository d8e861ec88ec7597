// Disks that no machine owns: an array somewhere in the building that lends them, each to one machine at a time. What is written on a
// disk follows it to the next machine. A disk has a size and the file system on it has one; the second grows after the first, when
// the machine that has the disk asks for it.
import {Files} from './files.ts';

/** One disk. */
export interface Disk {
  readonly name: string;
  /** For whom it was made. */
  readonly owner: string;
  /** Machines of another zone do not reach it; empty: all do. */
  readonly zone: string;
  readonly bytes: number;
  readonly files: Files;
  /** The machine that has it. */
  readonly host: string | undefined;
}

/** Why the array will not: there is no such disk, another machine has it, no room is left. */
export type Refusal = 'absent' | 'elsewhere' | 'full';

interface OwnDisk extends Disk {
  bytes: number;
  /** As large as the file system on it is, and how much of that somebody has filled. */
  fileSystemBytes: number;
  filledBytes: number;
  host: string | undefined;
}

const GIB = 1024 ** 3;
/** What the array holds when nobody says otherwise. */
const CAPACITY_BYTES = 10_000 * GIB;
/** What files of one disk may hold here, however large it is said to be: memory is real. */
const MOST_BYTES = 64 * 1024 * 1024;

/** All disks there are. */
export class DiskArray {
  readonly #disks = new Map<string, OwnDisk>();
  readonly #wall: () => number;
  readonly #capacityBytes: number;

  constructor(wall: () => number, capacityBytes = CAPACITY_BYTES) {
    this.#wall = wall;
    this.#capacityBytes = capacityBytes;
  }

  /** A disk by its name. */
  find(name: string): Disk | undefined {
    return this.#disks.get(name);
  }

  /** A disk by whom it was made for. */
  findFor(owner: string): Disk | undefined {
    return [...this.#disks.values()].find(disk => disk.owner === owner);
  }

  /** Makes a disk; the one of that name where it was made before. */
  make(name: string, how: {readonly bytes: number; readonly zone: string; readonly owner: string}): Disk | Refusal {
    const {bytes} = how;
    const known = this.#disks.get(name);
    if (known) return known;
    if (!this.#hasRoom(bytes)) return 'full';
    const files = new Files(this.#wall, Math.min(bytes, MOST_BYTES));
    const disk: OwnDisk = {name, ...how, files, fileSystemBytes: bytes, filledBytes: 0, host: undefined};
    this.#disks.set(name, disk);
    return disk;
  }

  /** Takes a disk away, and what is on it. */
  drop(name: string): Refusal | undefined {
    const disk = this.#disks.get(name);
    if (disk?.host !== undefined) return 'elsewhere';
    this.#disks.delete(name);
    return undefined;
  }

  /** Gives a disk to a machine. */
  attach(name: string, host: string): Refusal | undefined {
    const disk = this.#disks.get(name);
    if (!disk) return 'absent';
    if (disk.host !== undefined && disk.host !== host) return 'elsewhere';
    disk.host = host;
    return undefined;
  }

  /** Takes it from the machine. */
  detach(name: string, host: string): void {
    const disk = this.#disks.get(name);
    if (disk?.host === host) disk.host = undefined;
  }

  /** Makes a disk larger; the file system on it stays as it is. */
  grow(name: string, bytes: number): Refusal | undefined {
    const disk = this.#disks.get(name);
    if (!disk) return 'absent';
    if (bytes <= disk.bytes) return undefined;
    if (!this.#hasRoom(bytes - disk.bytes)) return 'full';
    disk.bytes = bytes;
    return undefined;
  }

  /** The file system takes the room that the disk has. */
  growFiles(name: string): void {
    const disk = this.#disks.get(name);
    if (!disk) return;
    disk.fileSystemBytes = disk.bytes;
    leaveRoom(disk);
  }

  /** Somebody fills a disk with so many bytes; files get a share of the room that is left. */
  fill(name: string, bytes: number): void {
    const disk = this.#disks.get(name);
    if (!disk) return;
    disk.filledBytes = Math.min(disk.fileSystemBytes, disk.filledBytes + bytes);
    leaveRoom(disk);
  }

  #hasRoom(bytes: number): boolean {
    let used = 0;
    for (const disk of this.#disks.values()) used += disk.bytes;
    return used + bytes <= this.#capacityBytes;
  }
}

function leaveRoom({files, fileSystemBytes, filledBytes}: OwnDisk): void {
  const room = Math.min(fileSystemBytes, MOST_BYTES) * (1 - filledBytes / fileSystemBytes);
  files.limitBytes = Math.max(files.usedBytes, Math.floor(room));
}
