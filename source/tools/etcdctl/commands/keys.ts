// get, put, del, compact: the keys.
import {endOfPrefix, type DeleteAnswer, type PutAnswer, type RangeAnswer, type RangeRequest} from '../../../api/wire/etcd.ts';
import type {FlagSpec, FlagValues} from '../../flags/pflags.ts';
import {headerFields, headerJson, print, type Command, type Context} from '../command.ts';
import {badArgument, Ended} from '../exit.ts';
import {pairFields, pairJson, pairText} from '../key-values.ts';

/** Every key from a start on. */
const FROM_KEY = '\u0000';

const RANGE_FLAGS: readonly FlagSpec[] = [
  {name: 'prefix', type: 'bool'},
  {name: 'from-key', type: 'bool'},
];

/** The keys that words and flags name: one, from one to another, with a prefix, or from one on. */
export function keysOf(words: readonly string[], flags: FlagValues, command: string): {key: string; end?: string} {
  const [key, end, ...more] = words;
  if (key === undefined || more.length > 0)
    throw badArgument(`${command} command needs one argument as key and an optional argument as range_end`);
  if (flags.on('prefix') && flags.on('from-key'))
    throw badArgument('`--prefix` and `--from-key` cannot be set at the same time, choose one');
  if (end !== undefined) {
    if (flags.on('prefix') || flags.on('from-key'))
      throw badArgument('too many arguments, only accept one argument when `--prefix` or `--from-key` is set');
    return {key, end};
  }
  if (flags.on('prefix')) return key === '' ? {key: '\u0000', end: FROM_KEY} : {key, end: endOfPrefix(key)};
  if (flags.on('from-key')) return {key: key === '' ? '\u0000' : key, end: FROM_KEY};
  return {key};
}

const ORDERS: Readonly<Record<string, NonNullable<RangeRequest['order']>['by']>> = {
  KEY: 'key',
  CREATE: 'create',
  MODIFY: 'mod',
  VERSION: 'version',
  VALUE: 'value',
};

function orderOf(flags: FlagValues): RangeRequest['order'] | undefined {
  const order = flags.text('order').toUpperCase();
  const by = flags.text('sort-by').toUpperCase();
  if (!['', 'ASCEND', 'DESCEND'].includes(order)) throw new Ended(`bad sort order ${flags.text('order')}`, 4);
  if (by !== '' && !ORDERS[by]) throw new Ended(`bad sort target ${flags.text('sort-by')}`, 4);
  if (by === '' && order === '') return undefined;
  return {by: ORDERS[by] ?? 'key', descending: order === 'DESCEND'};
}

function serializable(flags: FlagValues): boolean {
  const consistency = flags.text('consistency');
  if (consistency !== 's' && consistency !== 'l') throw new Ended(`unknown consistency flag ${JSON.stringify(consistency)}`, 4);
  return consistency === 's';
}

async function get(context: Context): Promise<void> {
  const {client, words, flags, format, process} = context;
  const keys = keysOf(words, flags, 'get');
  const isFields = format === 'fields';
  if (flags.on('keys-only') && flags.on('count-only'))
    throw badArgument('`--keys-only` and `--count-only` cannot be set at the same time, choose one');
  if (flags.on('count-only') && !isFields) throw badArgument('--count-only is only for `--write-out=fields`');
  const order = orderOf(flags);
  const answer = await client.must<RangeAnswer>({
    kind: 'range',
    ...keys,
    limit: flags.number('limit'),
    revision: flags.number('rev'),
    serializable: serializable(flags),
    countOnly: flags.on('count-only'),
    keysOnly: flags.on('keys-only'),
    ...(order ? {order} : {}),
  });
  const hex = flags.on('hex');
  const shown = {hex, keys: !flags.on('print-value-only'), values: !flags.on('keys-only')};
  if (flags.on('print-value-only') && format === 'simple') return process.out(answer.kvs.map(kv => pairText(kv, shown)).join(''));
  return print(context, {
    simple: () => answer.kvs.map(kv => pairText(kv, shown)).join(''),
    json: () => ({
      header: headerJson(answer.header),
      kvs: answer.kvs.length > 0 ? answer.kvs.map(pairJson) : undefined,
      more: answer.more || undefined,
      count: answer.count || undefined,
    }),
    fields: () =>
      `${headerFields(answer.header)}${answer.kvs.map(kv => pairFields(kv)).join('')}"More" : ${answer.more}\n"Count" : ${answer.count}\n`,
  });
}

/** A lease by its id in hexadecimal; 0 for none. */
export function leaseId(text: string): number {
  if (text === '') return 0;
  if (!/^[0-9a-f]+$/i.test(text))
    throw badArgument(`bad lease ID (strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax), expecting ID in Hex`);
  return Number(BigInt(`0x${text}`));
}

async function put(context: Context): Promise<void> {
  const {client, words, flags, process} = context;
  const [key, given, ...more] = words;
  const keepsValue = flags.on('ignore-value');
  const wrong = badArgument('put command needs 1 argument and input from stdin or 2 arguments');
  if (key === undefined || more.length > 0) throw wrong;
  const value = keepsValue ? '' : (given ?? (await process.readAll(0)));
  if (!keepsValue && given === undefined && value === '') throw wrong;
  const lease = leaseId(flags.text('lease'));
  const answer = await client.must<PutAnswer>({
    kind: 'put',
    key,
    value,
    ...(lease ? {lease} : {}),
    ...(flags.on('prev-kv') ? {previous: true} : {}),
    ...(keepsValue ? {ignoreValue: true} : {}),
    ...(flags.on('ignore-lease') ? {ignoreLease: true} : {}),
  });
  const {previous, header} = answer;
  return print(context, {
    simple: () => `OK\n${previous ? pairText(previous) : ''}`,
    json: () => ({header: headerJson(header), prev_kv: previous && pairJson(previous)}),
    fields: () => headerFields(header) + (previous ? pairFields(previous, 'Prev') : ''),
  });
}

async function remove(context: Context): Promise<void> {
  const {client, words, flags} = context;
  const keys = keysOf(words, flags, 'del');
  const answer = await client.must<DeleteAnswer>({kind: 'delete', ...keys, previous: flags.on('prev-kv')});
  const {header, deleted, previous} = answer;
  return print(context, {
    simple: () => `${deleted}\n${previous.map(kv => pairText(kv)).join('')}`,
    json: () => ({
      header: headerJson(header),
      deleted: deleted || undefined,
      prev_kvs: previous.length > 0 ? previous.map(pairJson) : undefined,
    }),
    fields: () => `${headerFields(header)}"Deleted" : ${deleted}\n${previous.map(kv => pairFields(kv, 'Prev')).join('')}`,
  });
}

async function compact({client, words, process, flags}: Context): Promise<void> {
  const [text, ...more] = words;
  if (text === undefined || more.length > 0) throw badArgument('compaction command needs 1 argument');
  if (!/^[-+]?\d+$/.test(text)) throw new Ended(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  await client.must({kind: 'compact', revision: Number(text), physical: flags.on('physical')});
  await process.out(`compacted revision ${text}\n`);
}

/** The commands. */
export const KEY_COMMANDS: readonly Command[] = [
  {
    path: 'get',
    usage: '<key> [range_end] [flags]',
    short: 'Gets the key or a range of keys',
    flags: [
      ...RANGE_FLAGS,
      {name: 'limit', type: 'int'},
      {name: 'rev', type: 'int'},
      {name: 'order', type: 'string'},
      {name: 'sort-by', type: 'string'},
      {name: 'consistency', type: 'string', standard: 'l'},
      {name: 'keys-only', type: 'bool'},
      {name: 'count-only', type: 'bool'},
      {name: 'print-value-only', type: 'bool'},
    ],
    run: get,
  },
  {
    path: 'put',
    usage: '<key> <value> (<value> can also be given from stdin) [flags]',
    short: 'Puts the given key into the store',
    flags: [
      {name: 'lease', type: 'string'},
      {name: 'prev-kv', type: 'bool'},
      {name: 'ignore-value', type: 'bool'},
      {name: 'ignore-lease', type: 'bool'},
    ],
    run: put,
  },
  {
    path: 'del',
    usage: '<key> [range_end] [flags]',
    short: 'Removes the specified key or range of keys [key, range_end)',
    flags: [...RANGE_FLAGS, {name: 'prev-kv', type: 'bool'}, {name: 'range', type: 'bool'}],
    run: remove,
  },
  {
    path: 'compact',
    usage: '<revision> [flags]',
    short: 'Compacts the event history in etcd',
    flags: [{name: 'physical', type: 'bool'}],
    run: compact,
  },
];
