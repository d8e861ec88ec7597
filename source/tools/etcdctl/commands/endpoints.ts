// endpoint …: how the members are. Health is asked of all at once, the rest one after the other.
import {goBytes} from '../../../api/meta/go-text.ts';
import {formatGoDuration} from '../../../api/meta/time.ts';
import type {AlarmAnswer, HashAnswer, MembersAnswer, StatusAnswer} from '../../../api/wire/etcd.ts';
import {headerFields, headerJson, print, type Command, type Context} from '../command.ts';
import {Ended} from '../exit.ts';
import {decimal} from '../go-values.ts';
import {Raw} from '../print/json.ts';
import {tableText} from '../print/table.ts';
import {sorted} from './members.ts';

/** The endpoints that a command is about: those that were given, or those of all members. */
export async function endpointsOf({client, flags}: Context): Promise<readonly string[]> {
  if (!flags.on('cluster')) return client.endpoints;
  const asked = await client.ask<MembersAnswer>({kind: 'members', linearizable: true});
  if (!asked.ok) throw new Ended(`failed to fetch endpoints from etcd cluster member list: ${asked.message}`);
  return sorted(asked.answer.members).flatMap(member => member.clientUrls);
}

interface Health {
  readonly endpoint: string;
  readonly tookMs: number;
  readonly error: string;
}

async function healthOf({client, process}: Context, endpoint: string): Promise<Health> {
  const member = client.to([endpoint], 'client');
  const {clock} = process.kernel;
  const started = clock.now;
  const read = await member.ask({kind: 'range', key: 'health'});
  const done = (error: string): Health => ({endpoint, tookMs: clock.now - started, error});
  // Who may not read is answered all the same: that is sign of life enough.
  if (!read.ok && read.message !== 'etcdserver: permission denied') return done(read.message);
  const alarms = await member.ask<AlarmAnswer>({kind: 'alarm', action: 'list'});
  if (!alarms.ok) return done('Unable to fetch the alarm list');
  const raised = alarms.answer.alarms.map(({alarm}) => `${alarm} `).join('');
  return done(raised === '' ? '' : `Active Alarm(s): ${raised}`);
}

async function health(context: Context): Promise<void> {
  const {process, format} = context;
  const endpoints = await endpointsOf(context);
  const found: Health[] = [];
  const children = endpoints.map(endpoint =>
    process.spawn(
      async child => {
        found.push(await healthOf({...context, process: child, client: context.client.in(child)}, endpoint));
        return 0;
      },
      {argv: ['etcdctl', 'endpoint', 'health', endpoint]},
    ),
  );
  for (const child of children) if (child) await process.wait(child);
  const all = endpoints.flatMap(endpoint => found.find(each => each.endpoint === endpoint) ?? []);
  const words = ({endpoint, tookMs, error}: Health) =>
    error === ''
      ? `${endpoint} is healthy: successfully committed proposal: took = ${formatGoDuration(tookMs)}\n`
      : `${endpoint} is unhealthy: failed to commit proposal: ${error}\n`;
  if (format === 'simple') {
    for (const each of all) await (each.error === '' ? process.out(words(each)) : process.err(words(each)));
  } else {
    await print(context, {
      simple: () => all.map(words).join(''),
      table: () =>
        tableText(
          ['ENDPOINT', 'HEALTH', 'TOOK', 'ERROR'],
          all.map(({endpoint, tookMs, error}) => [endpoint, String(error === ''), formatGoDuration(tookMs), error]),
        ),
      json: () =>
        all.map(({endpoint, tookMs, error}) => ({
          endpoint,
          health: error === '',
          took: formatGoDuration(tookMs),
          error: error || undefined,
        })),
    });
  }
  if (all.some(({error}) => error !== '')) throw new Ended('unhealthy cluster');
}

interface Status {
  readonly endpoint: string;
  readonly status: StatusAnswer;
}

const STATUS_HEADS = [
  'ENDPOINT',
  'ID',
  'VERSION',
  'STORAGE VERSION',
  'DB SIZE',
  'IN USE',
  'PERCENTAGE NOT IN USE',
  'QUOTA',
  'IS LEADER',
  'IS LEARNER',
  'RAFT TERM',
  'RAFT INDEX',
  'RAFT APPLIED INDEX',
  'ERRORS',
  'DOWNGRADE TARGET VERSION',
  'DOWNGRADE ENABLED',
];

function statusRow({endpoint, status}: Status): string[] {
  const {header, dbSizeBytes, inUseBytes, leader} = status;
  const notInUse = 100 - Math.floor((inUseBytes * 100) / Math.max(dbSizeBytes, 1));
  return [
    endpoint,
    header.memberId,
    status.version,
    status.storageVersion,
    goBytes(dbSizeBytes),
    goBytes(inUseBytes),
    `${notInUse}%`,
    goBytes(status.quotaBytes),
    String(leader === header.memberId),
    String(status.learner),
    String(header.term),
    String(status.raftIndex),
    String(status.raftAppliedIndex),
    status.errors.join(', '),
    '',
    'false',
  ];
}

function statusJson({endpoint, status}: Status): Record<string, unknown> {
  return {
    Endpoint: endpoint,
    Status: {
      header: headerJson(status.header),
      version: status.version,
      dbSize: status.dbSizeBytes,
      leader: status.leader === '' ? undefined : new Raw(decimal(status.leader)),
      raftIndex: status.raftIndex,
      raftTerm: status.header.term,
      raftAppliedIndex: status.raftAppliedIndex,
      errors: status.errors.length > 0 ? status.errors : undefined,
      dbSizeInUse: status.inUseBytes,
      isLearner: status.learner || undefined,
      storageVersion: status.storageVersion,
      dbSizeQuota: status.quotaBytes,
      downgradeInfo: {},
    },
  };
}

function statusFields({endpoint, status}: Status): string {
  return [
    headerFields(status.header).trimEnd(),
    `"Version" : ${JSON.stringify(status.version)}`,
    `"StorageVersion" : ${JSON.stringify(status.storageVersion)}`,
    `"DBSize" : ${status.dbSizeBytes}`,
    `"DBSizeInUse" : ${status.inUseBytes}`,
    `"DBSizeQuota" : ${status.quotaBytes}`,
    `"Leader" : ${decimal(status.leader)}`,
    `"IsLearner" : ${status.learner}`,
    `"RaftIndex" : ${status.raftIndex}`,
    `"RaftTerm" : ${status.header.term}`,
    `"RaftAppliedIndex" : ${status.raftAppliedIndex}`,
    `"Errors" : ${JSON.stringify(status.errors)}`,
    `"Endpoint" : ${JSON.stringify(endpoint)}`,
    `"DowngradeTargetVersion" : ""`,
    `"DowngradeEnabled" : false`,
    '',
    '',
  ].join('\n');
}

async function status(context: Context): Promise<void> {
  const all: Status[] = [];
  let failed = false;
  for (const endpoint of await endpointsOf(context)) {
    const asked = await context.client.to([endpoint]).ask<StatusAnswer>({kind: 'status'});
    if (asked.ok) all.push({endpoint, status: asked.answer});
    else {
      failed = true;
      await context.process.err(`Failed to get the status of endpoint ${endpoint} (${asked.message})\n`);
    }
  }
  await print(context, {
    simple: () => all.map(each => `${statusRow(each).join(', ')}\n`).join(''),
    table: () => tableText(STATUS_HEADS, all.map(statusRow)),
    json: () => all.map(statusJson),
    fields: () => all.map(statusFields).join(''),
  });
  if (failed) throw new Ended('', 1);
}

async function hashkv(context: Context): Promise<void> {
  const all: {readonly endpoint: string; readonly hash: HashAnswer}[] = [];
  let failed = false;
  const revision = context.flags.number('rev');
  for (const endpoint of await endpointsOf(context)) {
    const asked = await context.client.to([endpoint]).ask<HashAnswer>({kind: 'hash', ...(revision ? {revision} : {})});
    if (asked.ok) all.push({endpoint, hash: asked.answer});
    else {
      failed = true;
      await context.process.err(`Failed to get the hash of endpoint ${endpoint} (${asked.message})\n`);
    }
  }
  const row = ({endpoint, hash}: {endpoint: string; hash: HashAnswer}) => [
    endpoint,
    String(hash.hash),
    String(hash.hashRevision),
  ];
  await print(context, {
    simple: () => all.map(each => `${row(each).join(', ')}\n`).join(''),
    table: () => tableText(['ENDPOINT', 'HASH', 'HASH REVISION'], all.map(row)),
    json: () =>
      all.map(({endpoint, hash}) => ({
        Endpoint: endpoint,
        HashKV: {
          header: headerJson(hash.header),
          hash: hash.hash,
          compact_revision: hash.compactRevision,
          hash_revision: hash.hashRevision,
        },
      })),
  });
  if (failed) throw new Ended('', 1);
}

const CLUSTER = [{name: 'cluster', type: 'bool'}] as const;

/** The commands. */
export const ENDPOINT_COMMANDS: readonly Command[] = [
  {
    path: 'endpoint hashkv',
    usage: '[flags]',
    short: 'Prints the KV history hash for each endpoint in --endpoints',
    flags: [...CLUSTER, {name: 'rev', type: 'int'}],
    run: hashkv,
  },
  {
    path: 'endpoint health',
    usage: '[flags]',
    short: 'Checks the healthiness of endpoints specified in `--endpoints` flag',
    flags: CLUSTER,
    run: health,
  },
  {
    path: 'endpoint status',
    usage: '[flags]',
    short: 'Prints out the status of endpoints specified in `--endpoints` flag',
    flags: CLUSTER,
    run: status,
  },
];
