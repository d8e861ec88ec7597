// The disks of a cluster that grew as kubeadm grows one: the first member founds it alone, the others are added later, so
// that their ids come from the second they were added in, and the cluster's from the first member alone. A preset begins with
// such disks, as after a reboot; what is in them is what the members would have written.
import type {MemberInfo} from '../../api/wire/etcd.ts';
import {type Change, type Entry, type HardState, NOBODY} from '../raft/entry.ts';
import {Backend} from './backend.ts';
import {Disk} from './disk.ts';
import {clusterId, DEFAULT_TOKEN, memberId} from './identity.ts';
import {type ChangeContext, Membership, unstarted} from './membership.ts';
import {type Command, proposalOf} from './proposal.ts';

/** One member of the cluster, in the order of joining. */
export interface Grown {
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  /** Seconds since 1970; the first member's does not count. */
  readonly addedSecond: number;
}

/** A data directory for each member. */
export function grownDisks(members: readonly Grown[], token = DEFAULT_TOKEN): Disk[] {
  const ids = members.map(({peerUrls, addedSecond}, i) => memberId(peerUrls, token, i === 0 ? undefined : addedSecond));
  const cluster = clusterId(ids.slice(0, 1));
  const entries: Entry[] = [];
  const write = (kind: Entry['kind'], data: unknown) => entries.push({index: entries.length + 1, term: 1, kind, data});
  for (const [i, {name, peerUrls, clientUrls}] of members.entries()) {
    const id = ids[i] ?? '';
    const member: MemberInfo = i === 0 ? {...unstarted(id, peerUrls, false), name} : unstarted(id, peerUrls, false);
    write('change', {type: 'add-voter', id, context: {member} satisfies ChangeContext} satisfies Change);
    write('data', proposalOf({kind: 'publish', id, name, clientUrls} satisfies Command, 0));
  }
  return ids.map(id => diskOf(id, {cluster, entries, members: members.map((each, i) => infoOf(each, ids[i] ?? ''))}));
}

function infoOf({name, peerUrls, clientUrls}: Grown, id: string): MemberInfo {
  return Object.freeze({id, name, peerUrls, clientUrls, learner: false});
}

interface Contents {
  readonly cluster: string;
  readonly entries: readonly Entry[];
  readonly members: readonly MemberInfo[];
}

function diskOf(id: string, {cluster, entries, members}: Contents): Disk {
  const disk = new Disk();
  const backend = new Backend(new Membership(cluster, members));
  backend.appliedIndex = entries.length;
  backend.appliedTerm = 1;
  const hardState: HardState = {term: 1, vote: NOBODY, commit: entries.length};
  disk.found({memberId: id, clusterId: cluster}, backend);
  disk.write({entries, hardState});
  disk.synced(disk.mark);
  return disk;
}
