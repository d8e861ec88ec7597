// alarm, defrag, move-leader, snapshot save: what an operator does to a cluster.
import {goBytes} from '../../../api/meta/go-text.ts';
import {formatGoDuration} from '../../../api/meta/time.ts';
import type {AlarmAnswer, Alarm, SnapshotAnswer, StatusAnswer} from '../../../api/wire/etcd.ts';
import {FILE_ERROR_TEXT} from '../../../sim/files.ts';
import {timestamp} from '../client.ts';
import {headerJson, print, type Command, type Context} from '../command.ts';
import {badArgument, Ended, EXIT} from '../exit.ts';
import {decimal} from '../go-values.ts';
import {Raw} from '../print/json.ts';
import {endpointsOf} from './endpoints.ts';

function alarms(action: 'list' | 'disarm') {
  return async (context: Context): Promise<void> => {
    if (context.words.length > 0) throw badArgument(`alarm ${action} command accepts no arguments`);
    const answer = await context.client.must<AlarmAnswer>({kind: 'alarm', action});
    const line = ({member, alarm}: Alarm) => `memberID:${decimal(member)} alarm:${alarm} \n`;
    return print(context, {
      simple: () => answer.alarms.map(line).join(''),
      json: () => ({
        header: headerJson(answer.header),
        alarms: answer.alarms.map(({member, alarm}) => ({
          memberID: new Raw(decimal(member)),
          alarm: alarm === 'NOSPACE' ? 1 : 2,
        })),
      }),
    });
  };
}

async function defrag(context: Context): Promise<void> {
  const {process, client} = context;
  let failed = false;
  for (const endpoint of await endpointsOf(context)) {
    const started = process.kernel.clock.now;
    const asked = await client.to([endpoint]).ask({kind: 'defragment'});
    const took = formatGoDuration(process.kernel.clock.now - started);
    if (asked.ok) await process.out(`Finished defragmenting etcd member[${endpoint}]. took ${took}\n`);
    else {
      failed = true;
      await process.err(`Failed to defragment etcd member[${endpoint}]. took ${took}. (${asked.message})\n`);
    }
  }
  if (failed) throw new Ended('', 1);
}

async function moveLeader(context: Context): Promise<void> {
  const {client, words, process} = context;
  const [text, ...more] = words;
  if (text === undefined || more.length > 0) throw badArgument('move-leader command needs 1 argument');
  if (!/^[0-9a-f]{1,16}$/i.test(text)) throw badArgument(`strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);
  for (const endpoint of client.endpoints) {
    const member = client.to([endpoint]);
    const status = await member.ask<StatusAnswer>({kind: 'status'});
    if (!status.ok) throw new Ended(status.message);
    const {leader, header} = status.answer;
    if (leader !== header.memberId) continue;
    const id = text.toLowerCase().replace(/^0+(?=.)/, '');
    await member.must({kind: 'move-leader', id});
    await process.out(`Leadership transferred from ${leader.padStart(16, ' ').trim()} to ${id}\n`);
    return;
  }
  throw badArgument(`no leader endpoint given at [${client.endpoints.join(' ')}]`);
}

async function saveSnapshot(context: Context): Promise<void> {
  const {process, client, words} = context;
  const [name, ...more] = words;
  if (name === undefined || more.length > 0) throw badArgument('snapshot save expects one argument <filename>');
  const path = process.path(name);
  const part = `${path}.part`;
  const {files} = process.machine;
  const opened = files.write(part, '', 0o600);
  if (opened)
    throw new Ended(`could not open ${name}.part (open ${name}.part: ${FILE_ERROR_TEXT[opened].toLowerCase()})`, EXIT.io);
  const say = (caller: string, msg: string, facts: Record<string, unknown> = {}, logger?: string) => {
    const ts = timestamp(process.machine.wall());
    return process.err(`${JSON.stringify({level: 'info', ts, ...(logger ? {logger} : {}), caller, msg, ...facts})}\n`);
  };
  const started = process.kernel.clock.now;
  const [endpoint = ''] = client.endpoints;
  await say('snapshot/v3_snapshot.go:83', 'created temporary db file', {path: `${name}.part`});
  const asked = await client.ask<SnapshotAnswer>({kind: 'snapshot'}, true);
  if (!asked.ok) throw new Ended(asked.message, EXIT.io);
  await say('v3@v3.6.6/maintenance.go:236', 'opened snapshot stream; downloading', {}, 'client');
  await say('snapshot/v3_snapshot.go:96', 'fetching snapshot', {endpoint});
  await say('v3@v3.6.6/maintenance.go:302', 'completed snapshot read; closing', {}, 'client');
  const {snapshot, version} = asked.answer;
  const text = `${JSON.stringify(snapshot)}\n`;
  const failed = files.write(part, text, 0o600) ?? files.rename(part, path);
  if (failed) throw new Ended(`write ${name}.part: ${FILE_ERROR_TEXT[failed].toLowerCase()}`, EXIT.io);
  const took = formatGoDuration(process.kernel.clock.now - started);
  await say('snapshot/v3_snapshot.go:111', 'fetched snapshot', {
    endpoint,
    size: goBytes(text.length),
    took,
    'etcd-version': version,
  });
  await say('snapshot/v3_snapshot.go:121', 'saved', {path: name});
  await process.out(`Snapshot saved at ${name}\nServer version ${version}\n`);
}

const CLUSTER = [{name: 'cluster', type: 'bool'}] as const;

/** The commands. */
export const UPKEEP_COMMANDS: readonly Command[] = [
  {path: 'alarm disarm', usage: '', short: 'Disarms all alarms', run: alarms('disarm')},
  {path: 'alarm list', usage: '', short: 'Lists all alarms', run: alarms('list')},
  {
    path: 'defrag',
    usage: '[flags]',
    short: 'Defragments the storage of the etcd members with given endpoints',
    flags: CLUSTER,
    run: defrag,
  },
  {
    path: 'move-leader',
    usage: '<transferee-member-id>',
    short: 'Transfers leadership to another etcd cluster member.',
    run: moveLeader,
  },
  {path: 'snapshot save', usage: '<filename>', short: 'Stores an etcd node backend snapshot to a given file', run: saveSnapshot},
];
