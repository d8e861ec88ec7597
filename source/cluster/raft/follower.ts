// A follower takes what the leader of its term says, and waits. When nothing came for an election timeout it stands itself.
import {type Entry, NOBODY, type Snapshot} from './entry.ts';
import type {Core} from './core.ts';
import type {Append, Heartbeat, InstallSnapshot, Message} from './message.ts';
import {standForElection} from './candidate.ts';

/** What a follower does with a message of its own term. */
export function stepFollower(core: Core, message: Message): void {
  switch (message.type) {
    case 'append':
      hear(core, message.from);
      return takeAppend(core, message);
    case 'heartbeat':
      hear(core, message.from);
      return takeHeartbeat(core, message);
    case 'snapshot':
      hear(core, message.from);
      return takeSnapshot(core, message);
    case 'timeout-now':
      core.note(
        'raft.go:1754',
        `${core.id} [term ${core.term}] received MsgTimeoutNow from ${message.from} and starts an election to get leadership.`,
      );
      return standForElection(core, 'transfer');
    case 'forward':
    case 'read-index':
    case 'transfer':
      if (core.leader !== NOBODY) core.send({...message, to: core.leader, from: message.from, term: 0} as Message);
      return;
    case 'read-index-response':
      core.reads.push({index: message.index, context: message.context});
      return;
    default:
  }
}

/** The leader of this term has spoken. */
function hear(core: Core, leader: string): void {
  core.leader = leader;
  core.resetElection();
}

/** Appends what fits; answers once it is on disk. A candidate that hears its term's leader does the same. */
export function takeAppend(core: Core, message: Append): void {
  const {log} = core;
  const {from, previousIndex, entries} = message;
  if (previousIndex < log.committed) return acknowledge(core, from, log.committed);
  if (!log.matches(previousIndex, message.previousTerm)) {
    const hint = log.lastNotAfter(previousIndex, message.previousTerm);
    core.promise({
      type: 'append-response',
      to: from,
      index: previousIndex,
      refused: true,
      hintIndex: hint.index,
      hintTerm: hint.term,
    });
    return;
  }
  const last = previousIndex + entries.length;
  if (!mergeEntries(core, entries)) return;
  core.commitTo(Math.min(message.commit, last));
  acknowledge(core, from, last);
}

function mergeEntries(core: Core, entries: readonly Entry[]): boolean {
  const from = core.log.conflict(entries);
  if (from === undefined) return true;
  if (from <= core.log.committed) {
    core.fault ??= `entry ${from} conflict with committed entry [committed(${core.log.committed})]`;
    return false;
  }
  core.log.replace(entries, from);
  return true;
}

function acknowledge(core: Core, to: string, index: number): void {
  core.promise({type: 'append-response', to, index, refused: false, hintIndex: 0, hintTerm: 0});
}

/** The leader lives; it never names a commit beyond what this member acknowledged. */
export function takeHeartbeat(core: Core, message: Heartbeat): void {
  core.commitTo(message.commit);
  core.send({type: 'heartbeat-response', to: message.from, read: message.read});
}

/** Takes a whole state, unless its own is as new. */
export function takeSnapshot(core: Core, message: InstallSnapshot): void {
  const {snapshot} = message;
  acknowledge(core, message.from, restore(core, snapshot) ? core.log.last : core.log.committed);
}

function restore(core: Core, snapshot: Snapshot): boolean {
  const {log} = core;
  if (snapshot.index <= log.committed) return false;
  if (log.matches(snapshot.index, snapshot.term)) {
    core.commitTo(snapshot.index);
    return false;
  }
  log.restore(snapshot);
  core.configuration = snapshot.configuration;
  core.pendingSnapshot = snapshot;
  return true;
}
