// lease …: keys that end with their lease.
import type {LeaseAnswer, LeasesAnswer, LeaseTimeToLiveAnswer} from '../../../api/wire/etcd.ts';
import {headerJson, print, type Command, type Context} from '../command.ts';
import {badArgument, Ended, EXIT} from '../exit.ts';
import {decimal, leaseText} from '../go-values.ts';
import {Raw} from '../print/json.ts';
import {base64} from '../key-values.ts';
import {leaseId} from './keys.ts';

function idOf({words}: Context, command: string): number {
  const [text, ...more] = words;
  if (text === undefined || more.length > 0) throw badArgument(`lease ${command} command needs lease ID as argument`);
  return leaseId(text);
}

async function grant(context: Context): Promise<void> {
  const [text, ...more] = context.words;
  if (text === undefined || more.length > 0) throw badArgument('lease grant command needs TTL argument');
  if (!/^[-+]?\d+$/.test(text)) throw badArgument(`bad TTL (strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax)`);
  const asked = await context.client.ask<LeaseAnswer>({kind: 'lease-grant', ttlSeconds: Number(text)});
  if (!asked.ok) throw new Ended(`failed to grant lease (${asked.message})`);
  const {id, ttlSeconds, header} = asked.answer;
  return print(context, {
    simple: () => `lease ${leaseText(id)} granted with TTL(${ttlSeconds}s)\n`,
    json: () => ({header: headerJson(header), id: new Raw(decimal(id)), ttl: ttlSeconds}),
  });
}

async function revoke(context: Context): Promise<void> {
  const id = idOf(context, 'revoke');
  const asked = await context.client.ask<LeaseAnswer>({kind: 'lease-revoke', id});
  if (!asked.ok) throw new Ended(`failed to revoke lease (${asked.message})`);
  return print(context, {
    simple: () => `lease ${leaseText(id)} revoked\n`,
    json: () => ({header: headerJson(asked.answer.header)}),
  });
}

async function timeToLive(context: Context): Promise<void> {
  const id = idOf(context, 'timetolive');
  const withKeys = context.flags.on('keys');
  const answer = await context.client.must<LeaseTimeToLiveAnswer>({kind: 'lease-time-to-live', id, keys: withKeys});
  const {ttlSeconds, grantedSeconds, keys, header} = answer;
  return print(context, {
    simple: () => {
      if (grantedSeconds === 0) return `lease ${leaseText(id)} already expired\n`;
      const attached = withKeys ? `, attached keys([${keys.join(' ')}])` : '';
      return `lease ${leaseText(id)} granted with TTL(${grantedSeconds}s), remaining(${ttlSeconds}s)${attached}\n`;
    },
    json: () => ({
      ...headerJson(header),
      id: new Raw(decimal(id)),
      ttl: ttlSeconds,
      'granted-ttl': grantedSeconds,
      keys: keys.length > 0 ? keys.map(base64) : null,
    }),
  });
}

async function keepAlive(context: Context): Promise<void> {
  const {client, flags, process} = context;
  const id = idOf(context, 'keep-alive');
  for (;;) {
    const asked = await client.ask<LeaseAnswer>({kind: 'lease-keep-alive', id}, true);
    if (!asked.ok) {
      if (flags.on('once')) throw new Ended(asked.message, EXIT.connection);
      await process.out(`lease ${leaseText(id)} expired or revoked.\n`);
      return;
    }
    const {ttlSeconds, header} = asked.answer;
    await print(context, {
      simple: () => `lease ${leaseText(id)} keepalived with TTL(${ttlSeconds})\n`,
      json: () => ({header: headerJson(header), id: new Raw(decimal(id)), ttl: ttlSeconds}),
    });
    if (flags.on('once')) return;
    await process.sleep((ttlSeconds * 1000) / 3);
  }
}

async function list(context: Context): Promise<void> {
  const answer = await context.client.must<LeasesAnswer>({kind: 'leases'});
  return print(context, {
    simple: () => `found ${answer.ids.length} leases\n${answer.ids.map(id => `${leaseText(id)}\n`).join('')}`,
    json: () => ({header: headerJson(answer.header), leases: answer.ids.map(id => ({id: new Raw(decimal(id))}))}),
  });
}

/** The commands. */
export const LEASE_COMMANDS: readonly Command[] = [
  {path: 'lease grant', usage: '<ttl>', short: 'Creates leases', run: grant},
  {
    path: 'lease keep-alive',
    usage: '[options] <leaseID>',
    short: 'Keeps leases alive (renew)',
    flags: [{name: 'once', type: 'bool'}],
    run: keepAlive,
  },
  {path: 'lease list', usage: '', short: 'List all active leases', run: list},
  {path: 'lease revoke', usage: '<leaseID>', short: 'Revokes leases', run: revoke},
  {
    path: 'lease timetolive',
    usage: '<leaseID> [options]',
    short: 'Get lease information',
    flags: [{name: 'keys', type: 'bool'}],
    run: timeToLive,
  },
];
