// A follower takes what the leader of its term says, and waits. When nothing came for an election timeout it stands itself.
import {standForElection} from './candidate.ts';
import type {Core} from './core.ts';
import {NOBODY} from './entry.ts';
import type {Message} from './message.ts';
import {takeAppend, takeHeartbeat, takeSnapshot} from './replica.ts';

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
