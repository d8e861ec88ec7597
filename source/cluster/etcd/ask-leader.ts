// What only the leader knows: how long a lease has left, how far a learner is.
import {NOBODY} from '../raft/entry.ts';
import type {Context, Reply} from './context.ts';
import type {PeerRequest} from './peers.ts';
import {refusals} from './refusals.ts';

interface Asked {
  readonly here: () => object;
  readonly done: (answer: object) => void;
  readonly reply: Reply;
}

/** Answers what only the leader knows: here when this member leads, else over the leader's peer port. */
export function askLeader(context: Context, request: PeerRequest, {here, done, reply}: Asked): void {
  const {leader} = context.node.raft;
  if (leader === context.id) return done(here());
  if (leader === NOBODY) return reply(refusals.noLeader);
  context.peers.ask(leader, request, answer => (answer ? done(answer) : reply(refusals.timeout)));
}
