// All commands of etcdctl, in the order of its help. Left out: check, make-mirror, downgrade, completion.
import type {Command} from '../command.ts';
import {AUTH_COMMANDS} from './auth.ts';
import {ENDPOINT_COMMANDS} from './endpoints.ts';
import {KEY_COMMANDS} from './keys.ts';
import {LEASE_COMMANDS} from './leases.ts';
import {LOCK_COMMANDS} from './lock.ts';
import {MEMBER_COMMANDS} from './members.ts';
import {TXN_COMMAND} from './txn.ts';
import {UPKEEP_COMMANDS} from './upkeep.ts';
import {VERSION_COMMAND} from './version.ts';
import {WATCH_COMMAND} from './watch.ts';

const all = [
  ...AUTH_COMMANDS,
  ...KEY_COMMANDS,
  ...ENDPOINT_COMMANDS,
  ...LEASE_COMMANDS,
  ...LOCK_COMMANDS,
  ...MEMBER_COMMANDS,
  ...UPKEEP_COMMANDS,
  TXN_COMMAND,
  VERSION_COMMAND,
  WATCH_COMMAND,
];

export const COMMANDS: readonly Command[] = all.sort((a, b) => (a.path < b.path ? -1 : 1));

/** What the groups of commands are for. */
export const GROUPS: Readonly<Record<string, string>> = {
  alarm: 'Alarm related commands',
  auth: 'Enable or disable authentication',
  endpoint: 'Endpoint related commands',
  lease: 'Lease related commands',
  member: 'Membership related commands',
  role: 'Role related commands',
  snapshot: 'Manages etcd node snapshots',
  user: 'User related commands',
};
