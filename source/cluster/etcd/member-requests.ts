// Requests about the members and who leads them. Before a change is proposed, this member checks what it can see: whether
// enough members have started, and whether it has been hearing all others for five seconds. (That is why a change asked for
// right after a start or an election is refused.) What all must agree on is checked once more when the change is applied.
import type {MemberInfo, MembersAnswer, PlainAnswer, Refusal} from '../../api/wire/etcd.ts';
import {type Change, NOBODY} from '../raft/entry.ts';
import {askLeader} from './ask-leader.ts';
import type {Context, Reply} from './context.ts';
import {DEFAULT_TOKEN, hostAndPort, memberId} from './identity.ts';
import {log} from './log-line.ts';
import {formatGoDuration} from '../../api/meta/time.ts';
import {type ChangeContext, unstarted} from './membership.ts';
import {isRefusal, refusals} from './refusals.ts';
import {REQUEST_TIMEOUT_MS} from './waiting.ts';

/** A peer counts once it has been heard for so long. */
const HEALTH_INTERVAL_MS = 5000;

/** How much of the leader's log a learner must have to be promoted. */
const READY_SHARE = 0.9;

/** Lists the members. */
export function listMembers(context: Context, {linearizable}: {linearizable?: boolean}, reply: Reply): void {
  const list = () => reply(membersAnswer(context));
  if (linearizable === false) return list();
  context.reads.add(refused => (refused ? reply(refused) : list()));
}

function membersAnswer(context: Context, member?: MemberInfo): MembersAnswer {
  const members = context.backend.membership.all;
  return {header: context.header(), members, ...(member ? {member} : {})};
}

/** Adds a member that has not started yet. */
export function addMember(context: Context, request: {peerUrls: readonly string[]; learner?: boolean}, reply: Reply): void {
  const {peerUrls, learner = false} = request;
  if (peerUrls.length === 0 || peerUrls.some(url => !hostAndPort(url))) return reply(refusals.badPeerUrls);
  const token = context.options.initialClusterToken ?? DEFAULT_TOKEN;
  const id = memberId(peerUrls, token, Math.floor(context.daemon.wall() / 1000));
  const member = unstarted(id, Object.freeze([...peerUrls]), learner);
  const refused = refuseToAdd(context, member);
  if (refused) return reply(refused);
  propose(context, {type: learner ? 'add-learner' : 'add-voter', id, context: {member} satisfies ChangeContext}, reply);
}

function refuseToAdd(context: Context, member: MemberInfo): Refusal | undefined {
  if (context.options.strictReconfigCheck === false) return undefined;
  const {membership} = context.backend;
  if (!member.learner && !membership.mayAddVoter) {
    reject(context, 'rejecting member add request; not enough healthy members', {member, refusal: refusals.notEnoughStarted});
    return refusals.notEnoughStarted;
  }
  if (connected(context) === membership.voters.length) return undefined;
  const msg = 'rejecting member add request; local member has not been connected to all peers, reconfigure breaks active quorum';
  reject(context, msg, {member, refusal: refusals.unhealthy});
  return refusals.unhealthy;
}

function reject({daemon, id}: Context, msg: string, {member, refusal}: {member: MemberInfo; refusal: Refusal}): void {
  const {peerUrls, learner, name, clientUrls} = member;
  const text =
    `{ID:${member.id} RaftAttributes:{PeerURLs:[${peerUrls.join(' ')}] IsLearner:${learner}} ` +
    `Attributes:{Name:${name} ClientURLs:[${clientUrls.join(' ')}]}}`;
  const facts = {'local-member-id': id, 'requested-member-add': text, error: refusal.error.message};
  log(daemon, {level: 'warn', caller: 'etcdserver/server.go:1432', msg, facts});
}

// How many voters this member has been hearing for five seconds, itself among them.
function connected({backend, id, peers, daemon}: Context): number {
  const since = daemon.clock.now - HEALTH_INTERVAL_MS;
  return backend.membership.voters.filter(member => member.id === id || (peers.activeSince(member.id) ?? Infinity) <= since)
    .length;
}

/** Removes a member. */
export function removeMember(context: Context, {id}: {id: string}, reply: Reply): void {
  const refused = refuseToRemove(context, id);
  if (refused) return reply(refused);
  propose(context, {type: 'remove', id}, reply);
}

function refuseToRemove(context: Context, id: string): Refusal | undefined {
  const {membership} = context.backend;
  if (context.options.strictReconfigCheck === false || membership.get(id)?.learner) return undefined;
  if (!membership.mayRemoveVoter(id)) return refusals.notEnoughStarted;
  // One that is down is no part of the quorum that works: it may go.
  if (id !== context.id && context.peers.activeSince(id) === undefined) return undefined;
  const voters = membership.voters.length;
  if (connected(context) - 1 >= 1 + Math.floor((voters - 1) / 2)) return undefined;
  const msg =
    'rejecting member remove request; local member has not been connected to all peers, reconfigure breaks active quorum';
  const facts = {'local-member-id': context.id, 'requested-member-remove': id, error: refusals.unhealthy.error.message};
  log(context.daemon, {level: 'warn', caller: 'etcdserver/server.go:1615', msg, facts});
  return refusals.unhealthy;
}

/** Gives a member other peer URLs. */
export function updateMember(context: Context, {id, peerUrls}: {id: string; peerUrls: readonly string[]}, reply: Reply): void {
  if (peerUrls.length === 0 || peerUrls.some(url => !hostAndPort(url))) return reply(refusals.badPeerUrls);
  const known = context.backend.membership.get(id);
  const member = {...(known ?? unstarted(id, peerUrls, false)), peerUrls: Object.freeze([...peerUrls])};
  propose(context, {type: 'update', id, context: {member} satisfies ChangeContext}, reply);
}

/** Makes a learner a voter, if the leader finds that it has caught up. */
export function promoteMember(context: Context, {id}: {id: string}, reply: Reply): void {
  askLeader(
    context,
    {kind: 'promote', id},
    {
      here: () => refuseToPromote(context, id) ?? {},
      done: answer => {
        if (isRefusal(answer)) return reply(answer);
        const known = context.backend.membership.get(id);
        const member = known ?? unstarted(id, [], true);
        propose(context, {type: 'add-voter', id, context: {member, promote: true} satisfies ChangeContext}, reply);
      },
      reply,
    },
  );
}

/** The leader's verdict on a learner; a voter passes here, and is refused when the change is applied. */
export function refuseToPromote({node, backend, options}: Context, id: string): Refusal | undefined {
  const match = node.raft.matchOf(id);
  if (match === undefined) return refusals.memberNotFound;
  if (match < node.raft.lastIndex * READY_SHARE) return refusals.learnerNotReady;
  if (options.strictReconfigCheck !== false && !backend.membership.mayPromote(id)) return refusals.notEnoughStarted;
  return undefined;
}

function propose(context: Context, change: Change, reply: Reply): void {
  context.proposals.addChange(change, answer => {
    if (isRefusal(answer)) return reply(answer);
    reply(membersAnswer(context, context.backend.membership.get(change.id)));
  });
}

/** Hands the leadership over; only the leader does. */
export function moveLeader(context: Context, {id}: {id: string}, reply: Reply): void {
  const {raft} = context.node;
  if (raft.leader !== context.id) return reply(refusals.notLeader);
  if (!raft.configuration.voters.includes(id)) return reply(refusals.badTransferee);
  handOver(context, id, done => reply(done ? ({header: context.header()} satisfies PlainAnswer) : refusals.transferTimeout));
}

const LOOK_EVERY_MS = 100;

/** Hands the leadership to a member and says whether that came about. */
export function handOver(context: Context, target: string, done: (moved: boolean) => void): void {
  const {daemon, node, id} = context;
  const start = daemon.clock.now;
  const ids = {'local-member-id': id, 'current-leader-member-id': node.raft.leader, 'transferee-member-id': target};
  log(daemon, {level: 'info', caller: 'etcdserver/server.go:1257', msg: 'leadership transfer starting', facts: ids});
  if (target === id) return done(true);
  node.raft.transfer(target, start);
  node.touch();
  const look = () => {
    const {leader} = node.raft;
    if (leader === target) {
      const took = formatGoDuration(daemon.clock.now - start);
      const facts = {'local-member-id': id, 'old-leader-member-id': id, 'new-leader-member-id': leader, took};
      log(daemon, {level: 'info', caller: 'etcdserver/server.go:1274', msg: 'leadership transfer finished', facts});
      return done(true);
    }
    if (daemon.clock.now - start >= REQUEST_TIMEOUT_MS || (leader !== NOBODY && leader !== id)) return done(false);
    daemon.scope.after(LOOK_EVERY_MS, look);
  };
  daemon.scope.after(LOOK_EVERY_MS, look);
}
