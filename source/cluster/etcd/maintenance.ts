// Alarms and the database file.
import type {Alarm, AlarmAnswer, PlainAnswer} from '../../api/wire/etcd.ts';
import type {Context, Reply} from './context.ts';
import {log} from './log-line.ts';
import {goBytes} from '../../api/meta/go-text.ts';

/** Lists the alarms, or takes them all back. */
export function disarm(context: Context, {action}: {action: 'list' | 'disarm'}, reply: Reply): void {
  const {alarms} = context.backend;
  if (action === 'list' || alarms.length === 0) return reply({header: context.header(), alarms} satisfies AlarmAnswer);
  context.propose({kind: 'alarm', action: 'disarm', alarms}, reply);
}

/** Raises an alarm of this member; all members then refuse what adds data. */
export function raise(context: Context, alarm: Alarm['alarm'], done: Reply): void {
  context.propose({kind: 'alarm', action: 'raise', alarms: [{member: context.id, alarm}]}, done);
}

/** Writes this member's database file anew, without its holes. */
export function defragment(context: Context, _: unknown, reply: Reply): void {
  const {daemon, backend, options} = context;
  const {ledger} = backend;
  const path = `${options.dataDir ?? '/var/lib/etcd'}/member/snap/db`;
  const before = ledger.fileBytes;
  log(daemon, {level: 'info', caller: 'v3rpc/maintenance.go:117', msg: 'starting defragment'});
  const sizes = () => ({
    'current-db-size-bytes': ledger.fileBytes,
    'current-db-size': goBytes(ledger.fileBytes),
    'current-db-size-in-use-bytes': ledger.inUseBytes,
    'current-db-size-in-use': goBytes(ledger.inUseBytes),
  });
  log(daemon, {level: 'info', caller: 'backend/backend.go:522', msg: 'defragmenting', facts: {path, ...sizes()}});
  ledger.defragment();
  const facts = {path, 'current-db-size-bytes-diff': ledger.fileBytes - before, ...sizes(), took: '5ms'};
  log(daemon, {level: 'info', caller: 'backend/backend.go:592', msg: 'finished defragmenting directory', facts});
  reply({header: context.header()} satisfies PlainAnswer);
}
