// Standing for election. First a pre-vote: "would you elect me in the next term?" Only who would win raises the term, so a
// member that was cut off for a while does not unseat a good leader when it is back. Then the vote proper: one vote a term
// for each member, and only for a log at least as new as its own; so whoever wins has all that was ever committed.
import type {Core} from './core.ts';
import {NOBODY} from './entry.ts';
import {takeAppend, takeHeartbeat, takeSnapshot} from './replica.ts';
import {becomeLeader} from './leader.ts';
import type {Message, Vote} from './message.ts';
import {count} from './quorum.ts';

/** Stands for election; `transfer` skips the pre-vote, since the leader itself asked for it. */
export function standForElection(core: Core, why: 'timeout' | 'transfer'): void {
  if (core.role === 'leader') return;
  if (!core.promotable || hasUnappliedChange(core)) return core.resetElection();
  core.note('raft.go:988', `${core.id} is starting a new election at term ${core.term}`);
  campaign(core, why === 'transfer' ? 'vote' : 'pre-vote', why === 'transfer');
}

// A change that is committed but not applied may have removed this very member.
function hasUnappliedChange({log}: Core): boolean {
  if (log.applied >= log.committed) return false;
  return log.slice(log.applied + 1, log.committed).some(entry => entry.kind === 'change');
}

function campaign(core: Core, type: 'vote' | 'pre-vote', transfer: boolean): void {
  if (type === 'vote') core.becomeCandidate();
  else core.becomePreCandidate();
  const term = type === 'vote' ? core.term : core.term + 1;
  const {last, lastTerm} = core.log;
  const verb = type === 'vote' ? 'MsgVote' : 'MsgPreVote';
  // Its own vote goes to itself as a promise, as to anybody: it counts once it is on disk.
  core.promise({type: `${type}-response`, to: core.id, term, granted: true});
  for (const to of core.configuration.voters) {
    if (to === core.id) continue;
    core.note(
      'raft.go:1064',
      `${core.id} [logterm: ${lastTerm}, index: ${last}] sent ${verb} request to ${to} at term ${core.term}`,
    );
    core.promise({type, to, term, lastIndex: last, lastTerm, transfer});
  }
}

/** What a candidate, or one before its pre-vote, does with a message of its own term. */
export function stepCandidate(core: Core, message: Message): void {
  switch (message.type) {
    case 'append':
      core.becomeFollower(message.term, message.from);
      return takeAppend(core, message);
    case 'heartbeat':
      core.becomeFollower(message.term, message.from);
      return takeHeartbeat(core, message);
    case 'snapshot':
      core.becomeFollower(message.term, message.from);
      return takeSnapshot(core, message);
    case 'vote-response':
      if (core.role === 'candidate') tally(core, message.from, message.granted);
      return;
    case 'pre-vote-response':
      if (core.role === 'pre-candidate') tally(core, message.from, message.granted);
      return;
    default:
  }
}

function tally(core: Core, from: string, granted: boolean): void {
  if (!core.votes.has(from)) core.votes.set(from, granted);
  const poll = count(core.configuration.voters, core.votes);
  const kind = core.role === 'candidate' ? 'MsgVoteResp' : 'MsgPreVoteResp';
  core.note('raft.go:1693', `${core.id} has received ${poll.granted} ${kind} votes and ${poll.refused} vote rejections`);
  if (poll.result === 'won') {
    if (core.role === 'pre-candidate') campaign(core, 'vote', false);
    else becomeLeader(core);
  } else if (poll.result === 'lost') {
    core.becomeFollower(core.term, NOBODY);
  }
}

/** Gives or refuses a vote, in any role. The term of `message` is the member's own, or for a pre-vote possibly the next. */
export function castVote(core: Core, message: Vote): void {
  const {log} = core;
  const isPre = message.type === 'pre-vote';
  const free =
    core.vote === message.from || (core.vote === NOBODY && core.leader === NOBODY) || (isPre && message.term > core.term);
  const granted = free && log.isUpToDate(message.lastIndex, message.lastTerm);
  core.note(
    granted ? 'raft.go:1233' : 'raft.go:1251',
    `${core.id} [logterm: ${log.lastTerm}, index: ${log.last}, vote: ${core.vote || '0'}] ${granted ? 'cast' : 'rejected'} ` +
      `${isPre ? 'MsgPreVote' : 'MsgVote'} ${granted ? 'for' : 'from'} ${message.from} ` +
      `[logterm: ${message.lastTerm}, index: ${message.lastIndex}] at term ${core.term}`,
  );
  if (granted && !isPre) {
    core.vote = message.from;
    core.resetElection();
  }
  // A granted pre-vote answers for the term that would be, so that the asker takes it for its own.
  core.promise({type: `${message.type}-response`, to: message.from, term: granted ? message.term : core.term, granted});
}
