// Watches: a call that is opened, gets frames until its client goes, and may be ended by this member.
import type {WatchFrame, WatchRequest} from '../../api/wire/etcd.ts';
import type {Call} from '../../sim/network.ts';
import {NOBODY} from '../raft/entry.ts';
import type {Context} from './context.ts';
import {refusals} from './refusals.ts';

/** Begins a watch. A frame `{kind: 'progress'}` from the client asks how far the store is. */
export function watch(context: Context, request: WatchRequest, call: Call): void {
  const {hub, daemon, node} = context;
  if (request.requireLeader && node.raft.leader === NOBODY) return call.answer(refusals.noLeader);
  call.open({header: context.header()});
  const take = (frame: WatchFrame, over: boolean) => {
    const {clock} = daemon;
    const {cause} = clock;
    clock.cause = frame.events.at(-1)?.cause ?? cause;
    call.send(frame);
    if (over) call.end();
    clock.cause = cause;
  };
  const watcher = hub.add(request, take);
  call.onCancel(() => hub.remove(watcher));
  call.onFrame(() => hub.report(watcher));
}

/** Elections without a leader after which watches that want one are ended. */
const PATIENCE_ELECTIONS = 3;

/** Ends the watches that want a leader when there has been none for three election timeouts. */
export function watchLeader(context: Context, electionMs: number): void {
  const since = context.leaderSince;
  context.daemon.scope.after(PATIENCE_ELECTIONS * electionMs, () => {
    if (context.node.raft.leader !== NOBODY || context.leaderSince !== since) return;
    context.hub.end(({request}) => request.requireLeader === true, {error: refusals.noLeader.error});
  });
}
