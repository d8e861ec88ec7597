// A data directory as text, for whoever copies its files, and a directory from such text. The database file is a snapshot
// without a hash; the log is one JSON record a line, of which the first says whose it is. A log that ends in the middle of a
// record is repaired: what stands behind the last whole one is lost; one without a beginning cannot be read at all. A database that
// is no snapshot is damaged for good; one whose log is gone is taken over by whoever founds a member in its place.
import type {Entry} from '../raft/entry.ts';
import {Backend} from './backend.ts';
import {Disk, type Identity, type WalRecord} from './disk.ts';
import {Membership} from './membership.ts';
import type {Proposal} from './proposal.ts';
import {databaseFile, isSnapshotFile} from './restore.ts';

/** The database file. */
export function databaseText(disk: Disk): string {
  return `${JSON.stringify(databaseFile(disk) ?? {})}\n`;
}

/** The write-ahead log. */
export function walText(disk: Disk): string {
  const records = disk.records.map(({entries, hardState, start}) => ({entries: entries.map(plainEntry), hardState, start}));
  return [{identity: disk.identity}, ...records].map(record => `${JSON.stringify(record)}\n`).join('');
}

// What the first member made of a proposal is shared by all for speed, and is nothing that a disk holds.
function plainEntry(entry: Entry): Entry {
  return entry.kind === 'data' ? {...entry, data: {...(entry.data as Proposal), written: []}} : entry;
}

/** The directory that two such files are. */
export function diskOfTexts({database, wal}: {readonly database: string | undefined; readonly wal: string | undefined}): Disk {
  const disk = new Disk();
  const snapshot = parsed(database ?? '');
  if (database !== undefined && !isSnapshotFile(snapshot)) {
    disk.databaseDamaged = true;
    return disk;
  }
  const image = isSnapshotFile(snapshot) && snapshot.image.appliedIndex > 0 ? snapshot.image : undefined;
  if (wal === undefined) {
    disk.leftover = image;
    return disk;
  }
  const lines = wal.split('\n');
  const identity = (parsed(lines.shift() ?? '') as {identity?: Identity} | undefined)?.identity;
  if (!identity) {
    disk.walDamage = 'unreadable';
    return disk;
  }
  // A database that is not there is made anew from the log.
  disk.found(identity, image ? Backend.from(image) : new Backend(new Membership(identity.clusterId, [])));
  for (const line of lines) {
    const record = parsed(line) as Partial<WalRecord> | undefined;
    if (!record) {
      if (line !== '') disk.walDamage = 'repaired';
      break;
    }
    disk.write({...record, backend: undefined});
  }
  disk.synced(disk.mark);
  return disk;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
