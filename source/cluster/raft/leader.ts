// A leader appends, sends what it has to each follower at that follower's pace, and calls committed what a majority has on
// disk - of its own term only: an entry of an earlier term may be on a majority and still be replaced, until one of this
// term stands above it.
//
// It proves its right all the time: a leader that has not heard from a majority within an election timeout steps down, and a
// read is answered only after a majority has confirmed, since the read was asked, that this is still their leader.
import {members} from './change.ts';
import type {Core} from './core.ts';
import {type Change, type Entry, type Id, NOBODY} from './entry.ts';
import type {AppendResponse, HeartbeatResponse, Message} from './message.ts';
import {Progress} from './progress.ts';
import {agreedIndex, majority} from './quorum.ts';
import {askMajority, confirmRead, releaseEarlyReads} from './reads.ts';

/** Entries in one append at most. */
const ENTRIES_PER_APPEND = 8192;

/** Takes over: everybody's log is to be found out, and an empty entry opens the term. */
export function becomeLeader(core: Core): void {
  core.role = 'leader';
  core.leader = core.id;
  core.votes = new Map();
  core.electionDeadline = Infinity;
  core.progress = new Map();
  trackMembers(core, false);
  // Changes in the part that is not yet committed may be under way; until that is applied no other is taken.
  core.changeIndex = core.log.last;
  core.note('raft.go:970', `${core.id} became leader at term ${core.term}`);
  append(core, [{kind: 'empty', data: undefined}]);
  broadcast(core);
}

/** Keeps a progress for each member of the configuration; `active`: give a new one the benefit of the doubt for a while. */
export function trackMembers(core: Core, active: boolean): void {
  const ids = members(core.configuration);
  for (const id of core.progress.keys()) if (!ids.includes(id)) core.progress.delete(id);
  for (const id of ids) {
    if (!core.progress.has(id)) core.progress.set(id, new Progress(core.log.last + 1, active));
  }
  core.progress.get(core.id)?.reached(core.log.stable);
  // Alone it has nobody to tell that it lives, and nobody to hear of.
  const alone = core.progress.size <= 1;
  if (alone) {
    core.heartbeatDeadline = Infinity;
    core.quorumDeadline = Infinity;
  } else if (core.heartbeatDeadline === Infinity) {
    core.heartbeatDeadline = core.now + core.heartbeatMs;
    core.quorumDeadline = core.now + core.electionMs;
  }
}

interface Proposal {
  readonly kind: Entry['kind'];
  readonly data: unknown;
}

/** Takes proposals into the log. False when it may not take any: it hands over, or is itself removed. */
export function propose(core: Core, proposals: readonly Proposal[]): boolean {
  if (!core.progress.has(core.id) || core.transferTarget !== NOBODY) return false;
  append(core, proposals);
  broadcast(core);
  return true;
}

function append(core: Core, proposals: readonly Proposal[]): void {
  const {log, term} = core;
  for (const {kind, data} of proposals) {
    const index = log.last + 1;
    const barred = kind === 'change' && core.changeIndex > log.applied;
    if (barred)
      core.note(
        'raft.go:1357',
        `${core.id} ignoring conf change ${(data as Change).type} at config: possible unapplied conf change at index ${core.changeIndex} (applied to ${log.applied})`,
      );
    if (kind === 'change' && !barred) core.changeIndex = index;
    log.push(barred ? {index, term, kind: 'empty', data: undefined} : {index, term, kind, data});
  }
}

/** Sends to each follower what it lacks. */
export function broadcast(core: Core): void {
  for (const [id, progress] of core.progress) if (id !== core.id) sendAppend(core, id, progress);
}

/** Sends what a follower lacks, even when that is only news of the commit mark. False when it is not to be asked now. */
function sendAppend(core: Core, to: Id, progress: Progress): boolean {
  if (progress.paused) return false;
  const {log} = core;
  const previousIndex = progress.next - 1;
  const previousTerm = log.termAt(previousIndex);
  if (previousTerm === undefined) return sendSnapshot(core, to, progress);
  const last = Math.min(log.last, previousIndex + ENTRIES_PER_APPEND);
  core.send({
    type: 'append',
    to,
    previousIndex,
    previousTerm,
    entries: log.slice(previousIndex + 1, last),
    commit: log.committed,
  });
  progress.sent(last);
  return true;
}

function sendSnapshot(core: Core, to: Id, progress: Progress): boolean {
  if (!progress.active) return false;
  if (core.log.offset === 0) {
    core.fault ??= 'need non-empty snapshot';
    return false;
  }
  // A follower that has more than its leader ever had: a majority forgot what it had promised. There is nothing to send.
  if (progress.next - 1 > core.log.last) return false;
  const snapshot = core.snapshot();
  if (!snapshot) return false;
  progress.toSnapshot(snapshot.index);
  core.send({type: 'snapshot', to, snapshot});
  return true;
}

/** Counts what a majority has. True when the commit mark moved. */
export function commit(core: Core): boolean {
  const {log} = core;
  const index = agreedIndex(core.configuration.voters, id => core.progress.get(id)?.match ?? 0);
  if (index <= log.committed || log.termAt(index) !== core.term) return false;
  const first = log.termAt(log.committed) !== core.term;
  log.committed = index;
  if (first) releaseEarlyReads(core);
  return true;
}

/** This member's own disk has all up to `index`. */
export function reachedOwn(core: Core, index: number): void {
  const own = core.progress.get(core.id);
  if (own?.reached(index) && commit(core)) broadcast(core);
}

/** What a leader does with a message of its own term. */
export function stepLeader(core: Core, message: Message): void {
  switch (message.type) {
    case 'forward':
      propose(core, message.proposals);
      return;
    case 'read-index':
      return askMajority(core, message.from, message.context);
    case 'transfer':
      return handOver(core, message.target);
    default:
  }
  const progress = core.progress.get(message.from);
  if (!progress) return;
  if (message.type === 'append-response') takeResponse(core, message, progress);
  else if (message.type === 'heartbeat-response') takeBeat(core, message, progress);
}

function takeResponse(core: Core, message: AppendResponse, progress: Progress): void {
  progress.active = true;
  if (message.refused) return retreat(core, message, progress);
  const wasPaused = progress.paused;
  const news = progress.reached(message.index);
  if (!news && !(progress.state === 'probe' && progress.match === message.index)) return;
  if (progress.state === 'probe') progress.toReplicate();
  else if (progress.state === 'snapshot' && progress.match >= progress.pendingSnapshot) progress.toReplicate();
  if (commit(core)) broadcast(core);
  else if (wasPaused) sendAppend(core, message.from, progress);
  while (progress.next <= core.log.last && sendAppend(core, message.from, progress));
  if (message.from === core.transferTarget && progress.match === core.log.last) sendTimeoutNow(core, message.from);
}

function retreat(core: Core, message: AppendResponse, progress: Progress): void {
  const hint = message.hintTerm > 0 ? core.log.lastNotAfter(message.hintIndex, message.hintTerm).index : message.hintIndex;
  if (!progress.stepBack(message.index, hint)) return;
  if (progress.state === 'replicate') progress.toProbe();
  sendAppend(core, message.from, progress);
}

function takeBeat(core: Core, message: HeartbeatResponse, progress: Progress): void {
  progress.active = true;
  progress.nudge();
  if (progress.match < core.log.last || progress.state === 'probe') sendAppend(core, message.from, progress);
  if (message.read > 0) confirmRead(core, message.from, message.read);
}

/** Steps down unless a majority has been heard of since the last check. */
export function checkQuorum(core: Core): void {
  let active = 0;
  for (const id of core.configuration.voters) {
    const progress = core.progress.get(id);
    if (id === core.id || progress?.active) active++;
  }
  if (active < majority(core.configuration.voters.length)) {
    core.note('raft.go:1275', `${core.id} stepped down to follower since quorum is not active`, 'warn');
    core.becomeFollower(core.term, NOBODY);
    return;
  }
  for (const progress of core.progress.values()) progress.active = false;
  core.quorumDeadline = core.now + core.electionMs;
}

/** Begins to hand over: as soon as the other has the whole log it is told to stand. */
export function handOver(core: Core, target: Id): void {
  const progress = core.progress.get(target);
  if (!progress || target === core.id || !core.configuration.voters.includes(target) || core.transferTarget === target) return;
  core.transferTarget = target;
  core.transferDeadline = core.now + core.electionMs;
  if (progress.match === core.log.last) {
    core.note('raft.go:1658', `${core.id} sends MsgTimeoutNow to ${target} immediately as ${target} already has up-to-date log`);
    sendTimeoutNow(core, target);
  } else {
    sendAppend(core, target, progress);
  }
}

function sendTimeoutNow(core: Core, to: Id): void {
  core.send({type: 'timeout-now', to});
}
