// What other members ask on port 2380.
import type {Call} from '../../sim/network.ts';
import {unreachable} from '../../sim/assert.ts';
import type {Context} from './context.ts';
import {log} from './log-line.ts';
import {refuseToPromote} from './member-requests.ts';
import {VERSION} from './options.ts';
import {MISMATCH, type PeerMembers, type PeerRefusal, type PeerRequest, REMOVED} from './peers.ts';

/** Serves one call of another member. */
export function servePeer(context: Context, call: Call): void {
  const request = call.request as PeerRequest;
  switch (request.kind) {
    case 'stream':
    case 'post': {
      const refused = refuse(context, request);
      if (refused) return call.answer({refused} satisfies PeerRefusal);
      if (request.kind === 'stream') return context.peers.attach(call, request);
      takePost(context, request);
      return call.answer({});
    }
    case 'members': {
      const {clusterId, all, removed} = context.backend.membership;
      return call.answer({clusterId, members: all, removed} satisfies PeerMembers);
    }
    case 'promote':
      return call.answer(refuseToPromote(context, request.id) ?? {});
    case 'lease-renew':
      return call.answer({ttlSeconds: context.leaseClock.renew(request.id) ?? 0});
    case 'lease-time-to-live':
      return call.answer({left: context.leaseClock.left(request.id) ?? -1});
    default:
      return unreachable(request);
  }
}

function takePost(context: Context, {message, from}: Extract<PeerRequest, {kind: 'post'}>): void {
  const {daemon, id} = context;
  if (message.type === 'snapshot') {
    const facts = {'local-member-id': id, 'remote-snapshot-sender-id': from, 'incoming-snapshot-index': message.snapshot.index};
    log(daemon, {level: 'info', caller: 'rafthttp/http.go:258', msg: 'receiving database snapshot', facts});
    log(daemon, {level: 'info', caller: 'rafthttp/http.go:287', msg: 'received and saved database snapshot', facts});
  }
  context.node.step(message);
}

function refuse(context: Context, request: Extract<PeerRequest, {kind: 'stream' | 'post'}>): string | undefined {
  const {backend, daemon, id} = context;
  const {clusterId} = backend.membership;
  if (request.clusterId !== clusterId) {
    const versions = (who: string) => ({[`${who}-version`]: VERSION, [`${who}-minimum-cluster-version`]: '3.0.0'});
    const facts = {
      'local-member-id': id,
      'local-member-cluster-id': clusterId,
      ...versions('local-member-server'),
      'remote-peer-server-name': request.from,
      ...versions('remote-peer-server'),
      'remote-peer-cluster-id': request.clusterId,
    };
    if (request.kind === 'stream') {
      log(daemon, {level: 'warn', caller: 'rafthttp/http.go:502', msg: 'request cluster ID mismatch', facts});
    }
    return `${MISMATCH}: ${clusterId}`;
  }
  if (backend.membership.isRemoved(request.from)) return REMOVED;
  if (request.to !== id) return `peer ${request.to} failed to find local node ${id}`;
  return undefined;
}
