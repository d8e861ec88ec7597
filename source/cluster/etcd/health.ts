// How a member is: its status for operators, and the health that probes ask for on port 2381.
import type {HealthAnswer, StatusAnswer} from '../../api/wire/etcd.ts';
import {NOBODY} from '../raft/entry.ts';
import type {Context, Reply} from './context.ts';
import {STORAGE_VERSION, VERSION} from './options.ts';
import {isRefusal} from './refusals.ts';

/** What `endpoint status` shows; every member answers for itself. */
export function status(context: Context): StatusAnswer {
  const {backend, node, id} = context;
  const {ledger, alarms, membership} = backend;
  const errors = alarms.map(({member, alarm}) => `memberID:${BigInt(`0x${member}`)} alarm:${alarm} `);
  if (node.raft.leader === NOBODY) errors.unshift('etcdserver: no leader');
  return {
    header: context.header(),
    version: VERSION,
    storageVersion: STORAGE_VERSION,
    dbSizeBytes: ledger.fileBytes,
    inUseBytes: Math.min(ledger.inUseBytes, ledger.fileBytes),
    quotaBytes: ledger.quotaBytes,
    leader: node.raft.leader,
    raftIndex: node.raft.committed,
    raftAppliedIndex: backend.appliedIndex,
    learner: membership.get(id)?.learner === true,
    errors,
  };
}

/** What `/health` says: an alarm, no leader, or whether a read gets through. */
export function health(context: Context, reply: Reply): void {
  const [alarm] = context.backend.alarms;
  if (alarm) return reply({health: false, reason: `ALARM ${alarm.alarm}`} satisfies HealthAnswer);
  if (context.node.raft.leader === NOBODY) return reply({health: false, reason: 'RAFT NO LEADER'} satisfies HealthAnswer);
  context.reads.add(refused => {
    const reason = refused && isRefusal(refused) ? 'RANGE ERROR:context deadline exceeded' : '';
    reply({health: reason === '', reason} satisfies HealthAnswer);
  });
}
