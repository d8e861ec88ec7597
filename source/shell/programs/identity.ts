import type {FileInfo} from '../../sim/files.ts';
import type {Identity} from '../../sim/process/machine.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {makeProgram} from './arguments.ts';
import {complain} from './output.ts';

const ROOT: Identity = {name: 'root', uid: 0, gid: 0};

/** As whom a process runs. */
export function identityOf(process: Process): Identity {
  return process.machine.identity ?? ROOT;
}

/** An owner and a group, with the names that they have. */
export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
  readonly user: string;
  readonly group: string;
}

/** Whose a file is: by its owner, or of whoever lives here. */
export function ownerOf(process: Process, {owner}: FileInfo): FileOwner {
  const identity = identityOf(process);
  const {uid, gid} = owner ?? identity;
  const user = uid === identity.uid ? identity.name : (userName(process, uid) ?? '');
  return {
    uid,
    gid,
    user: user || String(uid),
    group: owner ? (groupName(process, gid) ?? String(gid)) : identity.name || String(gid),
  };
}

function userName(process: Process, uid: number): string | undefined {
  for (const line of (process.machine.files.read('/etc/passwd') ?? '').split('\n')) {
    const [name, , number] = line.split(':');
    if (number === String(uid)) return name;
  }
  return uid === 0 ? 'root' : undefined;
}

/** The owner that `user:group` names, for a file that has one; a text is the part that nobody knows. */
export function ownerNamed(
  process: Process,
  words: string,
  {uid, gid}: FileOwner,
): {readonly uid: number; readonly gid: number} | string {
  const [user = '', group] = words.split(/[:.]/);
  const nextUid = user === '' ? uid : numberIn(process, '/etc/passwd', user);
  if (nextUid === undefined) return `invalid user: '${words}'`;
  const nextGid = group === undefined || group === '' ? gid : numberIn(process, '/etc/group', group);
  return nextGid === undefined ? `invalid group: '${words}'` : {uid: nextUid, gid: nextGid};
}

function numberIn(process: Process, file: string, name: string): number | undefined {
  if (/^\d+$/.test(name)) return Number(name);
  for (const line of (process.machine.files.read(file) ?? '').split('\n')) {
    const [known, , number] = line.split(':');
    if (known === name) return Number(number);
  }
  return name === 'root' ? 0 : undefined;
}

/** The name of a group, from /etc/group or by habit. */
export function groupName(process: Process, gid: number): string | undefined {
  const identity = identityOf(process);
  const known = identity.groups?.find(group => group.id === gid)?.name;
  if (known !== undefined) return known;
  for (const line of (process.machine.files.read('/etc/group') ?? '').split('\n')) {
    const columns = line.split(':');
    if (columns[2] === String(gid)) return columns[0];
  }
  if (gid === 0) return 'root';
  return gid === identity.gid && identity.name !== '' ? identity.name : undefined;
}

/** `id [-ugGn] [user]` */
export const id = makeProgram(
  {
    name: 'id',
    synopsis: '[OPTION]... [USER]',
    summary: 'Print user and group information.',
    letters: 'agGnruz',
    long: {user: 'u', group: 'g', groups: 'G', name: 'n'},
  },
  async (process, given) => {
    const identity = identityOf(process);
    const [user] = given.operands;
    if (user !== undefined && user !== identity.name && user !== String(identity.uid))
      return complain(process, `id: '${user}': no such user`);
    const groups = [identity.gid, ...(identity.groups ?? []).map(group => group.id).filter(gid => gid !== identity.gid)];
    const shown = (gid: number): string => (given.has('n') ? (groupName(process, gid) ?? String(gid)) : String(gid));
    if (given.has('u')) await process.out(`${given.has('n') ? identity.name || identity.uid : identity.uid}\n`);
    else if (given.has('g')) await process.out(`${shown(identity.gid)}\n`);
    else if (given.has('G')) await process.out(`${groups.map(shown).join(' ')}\n`);
    else await process.out(`${sentence(process, identity, groups)}\n`);
    return 0;
  },
);

function sentence(process: Process, identity: Identity, groups: readonly number[]): string {
  const named = (number: number, name: string | undefined): string => (name ? `${number}(${name})` : String(number));
  const list = groups.map(gid => named(gid, groupName(process, gid))).join(',');
  return `uid=${named(identity.uid, identity.name)} gid=${named(identity.gid, groupName(process, identity.gid))} groups=${list}`;
}

/** `whoami` */
export const whoami: Program = async process => {
  const identity = identityOf(process);
  if (identity.name === '') return complain(process, `whoami: cannot find name for user ID ${identity.uid}`);
  await process.out(`${identity.name}\n`);
  return 0;
};

/** `groups` */
export const groups: Program = async process => {
  const identity = identityOf(process);
  const all = [identity.gid, ...(identity.groups ?? []).map(group => group.id)];
  await process.out(`${all.map(gid => groupName(process, gid) ?? gid).join(' ')}\n`);
  return 0;
};
