// The members as the cluster agreed on them, and what may be changed. A member that was removed stays known as removed: it
// is told so when it knocks, and its id never comes back.
//
// The checks before a change (--strict-reconfig-check) protect the quorum: a cluster of three with one member dead must not
// add a fourth, as the majority would then be three of four, and none may fail any more.
import type {MemberInfo, Refusal} from '../../api/wire/etcd.ts';
import type {Change, Configuration, Id} from '../raft/entry.ts';
import {majority} from '../raft/quorum.ts';
import {refusals} from './refusals.ts';

/** What a change carries besides raft's part: the member as it is to be. */
export interface ChangeContext {
  readonly member: MemberInfo;
  /** A learner becomes a voter. */
  readonly promote?: boolean;
}

const MAX_LEARNERS = 1;

/** The members of one cluster, as one member has applied them. */
export class Membership {
  clusterId: string;
  #members: ReadonlyMap<Id, MemberInfo>;
  readonly #removed: Set<Id>;

  constructor(clusterId: string, members: readonly MemberInfo[], removed: readonly Id[] = []) {
    this.clusterId = clusterId;
    this.#members = new Map(members.map(member => [member.id, member]));
    this.#removed = new Set(removed);
  }

  /** In order of their ids. */
  get all(): readonly MemberInfo[] {
    return [...this.#members.values()].sort((a, b) => order(a.id, b.id));
  }

  get removed(): readonly Id[] {
    return [...this.#removed];
  }

  get voters(): readonly MemberInfo[] {
    return this.all.filter(member => !member.learner);
  }

  get(id: Id): MemberInfo | undefined {
    return this.#members.get(id);
  }

  isRemoved(id: Id): boolean {
    return this.#removed.has(id);
  }

  /** The members as raft takes them. */
  get configuration(): Configuration {
    const {all} = this;
    return {
      voters: all
        .filter(member => !member.learner)
        .map(({id}) => id)
        .sort(),
      learners: all
        .filter(member => member.learner)
        .map(({id}) => id)
        .sort(),
    };
  }

  /** Why a change that the cluster has agreed on is void; undefined when it is good. */
  refuse(change: Change): Refusal | undefined {
    const {id, type} = change;
    const context = change.context as ChangeContext | undefined;
    if (this.#removed.has(id)) return refusals.memberRemoved;
    const known = this.#members.get(id);
    if (type === 'add-voter' && context?.promote) {
      if (!known) return refusals.memberNotFound;
      return known.learner ? undefined : refusals.notLearner;
    }
    if (type === 'remove') return known ? undefined : refusals.memberNotFound;
    const urls = context?.member.peerUrls ?? [];
    const taken = this.all.some(member => member.id !== id && member.peerUrls.some(url => urls.includes(url)));
    if (type === 'update') {
      if (!known) return refusals.memberNotFound;
      return taken ? refusals.peerUrlExists : undefined;
    }
    if (known) return refusals.memberExists;
    if (taken) return refusals.peerUrlExists;
    const learners = this.all.filter(member => member.learner).length;
    return type === 'add-learner' && learners >= MAX_LEARNERS ? refusals.tooManyLearners : undefined;
  }

  /** Carries out a change that `refuse` let pass. */
  apply(change: Change): void {
    const members = new Map(this.#members);
    const known = members.get(change.id);
    const context = change.context as ChangeContext | undefined;
    if (change.type === 'remove') {
      members.delete(change.id);
      this.#removed.add(change.id);
    } else if (context?.promote && known) {
      members.set(change.id, Object.freeze({...known, learner: false}));
    } else if (change.type === 'update' && known && context) {
      members.set(change.id, Object.freeze({...known, peerUrls: context.member.peerUrls}));
    } else if (context) {
      members.set(change.id, context.member);
    }
    this.#members = members;
  }

  /** A member has started and says how it is called and where clients find it. */
  publish(id: Id, name: string, clientUrls: readonly string[]): void {
    const known = this.#members.get(id);
    if (!known) return;
    this.#members = new Map(this.#members).set(id, Object.freeze({...known, name, clientUrls}));
  }

  /** Would a majority of the voters have started after one more was added? A lone member may always get a second. */
  get mayAddVoter(): boolean {
    const {voters} = this;
    const started = voters.filter(isStarted).length;
    if (started === 1 && voters.length === 1) return true;
    return started >= majority(voters.length + 1);
  }

  /** Would a majority of those that stay have started? */
  mayRemoveVoter(id: Id): boolean {
    const left = this.voters.filter(member => member.id !== id);
    return left.length > 0 && left.filter(isStarted).length >= majority(left.length);
  }

  /** Would a majority have started, with the learner as a voter? */
  mayPromote(id: Id): boolean {
    const after = [...this.voters, ...this.all.filter(member => member.id === id)];
    const started = after.filter(isStarted).length;
    return started >= majority(after.length);
  }
}

/** A member has started once it told its name. */
export function isStarted(member: MemberInfo): boolean {
  return member.name !== '';
}

/** A new member before it has started. */
export function unstarted(id: Id, peerUrls: readonly string[], learner: boolean): MemberInfo {
  return Object.freeze({id, name: '', peerUrls, clientUrls: Object.freeze([]), learner});
}

// Ids are numbers in hexadecimal without leading zeros: the longer is the greater.
function order(a: Id, b: Id): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
