// Lets etcd forget. The servers of a cluster agree on who does it by one key: `compact_rev_key` counts the rounds by its version. Each
// server comes once in an interval and writes the key if no other has since it last looked; who did lets go of what was older than the
// revision of its last round. So history is kept for one interval, and for less than two when a server ends and another takes over.
import type {TransactionAnswer, RangeAnswer} from '../../../api/wire/etcd.ts';
import type {Daemon} from '../../../sim/daemon.ts';
import type {Task} from '../../../sim/task.ts';
import {EtcdFailure, type EtcdConnection} from './connection.ts';

const KEY = 'compact_rev_key';

/** What a server knows of the rounds: how many there were, and etcd's revision when it last looked. */
interface Round {
  readonly count: number;
  readonly revision: number;
}

/** Compacts from now on; an interval of 0 is never. */
export function keepCompacting(daemon: Daemon, etcd: EtcdConnection, intervalMs: number): void {
  if (intervalMs <= 0) return;
  const {scope} = daemon;
  let round: Round = {count: 0, revision: 0};
  const next = (): void => {
    scope.after(intervalMs, () => {
      scope.run(compact(etcd, round), done => {
        if (done instanceof EtcdFailure)
          daemon.print(`E compact.go:193] etcd: endpoint (${etcd.shown}) compact failed: ${done.message}`);
        else round = done;
        next();
      });
    });
  };
  next();
}

/** One round. */
function* compact(etcd: EtcdConnection, {count, revision}: Round): Task<Round | EtcdFailure> {
  const answer = yield* etcd.ask<TransactionAnswer>({
    kind: 'txn',
    compare: [{key: KEY, target: 'version', is: '=', value: count}],
    success: [{kind: 'put', key: KEY, value: String(revision)}],
    failure: [{kind: 'range', key: KEY}],
  });
  if (answer instanceof EtcdFailure) return answer;
  const now = answer.header.revision;
  if (!answer.succeeded) return {count: (answer.answers[0] as RangeAnswer).kvs[0]?.version ?? 0, revision: now};
  // The first round of all knows no revision to go back to.
  const failed = revision === 0 ? undefined : yield* etcd.ask({kind: 'compact', revision});
  return failed instanceof EtcdFailure ? failed : {count: count + 1, revision: now};
}
