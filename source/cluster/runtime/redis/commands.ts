// What Redis does with a command: texts, numbers, lists, sets, hashes, how long keys live, its configuration.
//
// Modelled: the commands in COMMANDS below. Not modelled: sorted sets, streams, transactions, scripts, publishing, replicas, files on
// disk, several databases, and what `maxmemory` would evict.
import type {Reply} from '../../../api/wire/resp.ts';
import {CONFIG_DEFAULTS, type RedisConfig} from './config.ts';

type Value = string | readonly string[] | ReadonlySet<string> | ReadonlyMap<string, string>;

/** What a server holds. */
export interface Store {
  readonly values: Map<string, {readonly value: Value; readonly until: number}>;
  readonly config: RedisConfig;
  readonly version: string;
  readonly startedAt: number;
}

type Command = (words: readonly string[], store: Store, now: number) => Reply;

const OK = {status: 'OK'};
const WRONG_TYPE = {error: 'WRONGTYPE Operation against a key holding the wrong kind of value'};
const NOT_A_NUMBER = {error: 'ERR value is not an integer or out of range'};

/** Runs a command. */
export function runCommand(words: readonly string[], store: Store, now: number): Reply {
  const [name = '', ...rest] = words;
  const known = COMMANDS[name.toUpperCase()];
  if (!known) {
    const args = rest.map(word => `'${word}' `).join('');
    return {error: `ERR unknown command '${name}', with args beginning with: ${args}`};
  }
  const [least, most, run] = known;
  if (rest.length < least || rest.length > most)
    return {error: `ERR wrong number of arguments for '${name.toLowerCase()}' command`};
  return run(rest, store, now);
}

function valueOf(store: Store, key: string, now: number): Value | undefined {
  const found = store.values.get(key);
  if (!found) return undefined;
  if (found.until > now) return found.value;
  store.values.delete(key);
  return undefined;
}

function put(store: Store, key: string, value: Value, until?: number): void {
  store.values.set(key, {value, until: until ?? store.values.get(key)?.until ?? Infinity});
}

function putOrForget(store: Store, key: string, value: Value, size: number): void {
  if (size === 0) store.values.delete(key);
  else put(store, key, value);
}

function get([key = '']: readonly string[], store: Store, now: number): Reply {
  const value = valueOf(store, key, now);
  return value === undefined ? null : typeof value === 'string' ? value : WRONG_TYPE;
}

function set([key = '', value = '', ...options]: readonly string[], store: Store, now: number): Reply {
  const option = (name: string) => options.findIndex(word => word.toUpperCase() === name);
  const exists = valueOf(store, key, now) !== undefined;
  if ((option('NX') >= 0 && exists) || (option('XX') >= 0 && !exists)) return null;
  const [seconds, ms] = ['EX', 'PX'].map(name => (option(name) < 0 ? undefined : Number(options[option(name) + 1])));
  put(store, key, value, seconds !== undefined ? now + seconds * 1000 : ms !== undefined ? now + ms : Infinity);
  return OK;
}

function append([key = '', text = '']: readonly string[], store: Store, now: number, isOnlyAsked = false): Reply {
  const before = valueOf(store, key, now) ?? '';
  if (typeof before !== 'string') return WRONG_TYPE;
  if (!isOnlyAsked) put(store, key, before + text);
  return before.length + text.length;
}

function add(by: (words: readonly string[]) => number): Command {
  return (words, store, now) => {
    const [key = ''] = words;
    const value = valueOf(store, key, now) ?? '0';
    if (typeof value !== 'string') return WRONG_TYPE;
    const sum = Number(value) + by(words);
    if (!/^-?\d+$/.test(value) || !Number.isSafeInteger(sum)) return NOT_A_NUMBER;
    put(store, key, String(sum));
    return sum;
  };
}

function listOf(store: Store, key: string, now: number): readonly string[] | undefined {
  const value = valueOf(store, key, now) ?? [];
  return Array.isArray(value) ? (value as readonly string[]) : undefined;
}

function push(side: 'left' | 'right'): Command {
  return ([key = '', ...items], store, now) => {
    const list = listOf(store, key, now);
    if (!list) return WRONG_TYPE;
    const next = side === 'right' ? [...list, ...items] : [...items.toReversed(), ...list];
    put(store, key, next);
    return next.length;
  };
}

function pop(side: 'left' | 'right'): Command {
  return ([key = ''], store, now) => {
    const list = listOf(store, key, now);
    if (!list) return WRONG_TYPE;
    const next = side === 'left' ? list.slice(1) : list.slice(0, -1);
    const taken = side === 'left' ? list[0] : list.at(-1);
    putOrForget(store, key, next, next.length);
    return taken ?? null;
  };
}

function range([key = '', from = '', to = '']: readonly string[], store: Store, now: number): Reply {
  const list = listOf(store, key, now);
  if (!list) return WRONG_TYPE;
  const [first, last] = [from, to].map(Number).map(at => (at < 0 ? at + list.length : at));
  return list.slice(Math.max(0, first ?? 0), (last ?? 0) + 1);
}

function withSet(
  run: (set: ReadonlySet<string>, items: readonly string[], save: (next: ReadonlySet<string>) => void) => Reply,
): Command {
  return ([key = '', ...items], store, now) => {
    const value = valueOf(store, key, now) ?? new Set<string>();
    return value instanceof Set ? run(value, items, next => putOrForget(store, key, next, next.size)) : WRONG_TYPE;
  };
}

function withHash(
  run: (hash: ReadonlyMap<string, string>, words: readonly string[], save: (next: ReadonlyMap<string, string>) => void) => Reply,
): Command {
  return ([key = '', ...words], store, now) => {
    const value = valueOf(store, key, now) ?? new Map<string, string>();
    return value instanceof Map ? run(value, words, next => putOrForget(store, key, next, next.size)) : WRONG_TYPE;
  };
}

function pairs(words: readonly string[]): [string, string][] {
  return words.flatMap((word, at): [string, string][] => (at % 2 === 0 ? [[word, words[at + 1] ?? '']] : []));
}

function fitting(pattern: string): (name: string) => boolean {
  const text = pattern
    .replaceAll(/[.+^${}()|\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const regex = new RegExp(`^${text}$`, 's');
  return name => regex.test(name);
}

function config([verb = '', ...words]: readonly string[], {config: known}: Store): Reply {
  if (verb.toUpperCase() === 'SET') {
    for (const [name, value] of pairs(words)) {
      if (!known.has(name) && CONFIG_DEFAULTS[name] === undefined)
        return {error: `ERR Unknown option or number of arguments for CONFIG SET - '${name}'`};
      known.put(name, value);
    }
    return OK;
  }
  if (verb.toUpperCase() !== 'GET') return OK;
  const isWanted = words.map(fitting);
  return known.entries().flatMap(([name, value]) => (isWanted.some(fits => fits(name)) ? [name, value] : []));
}

function info(_words: readonly string[], {version, values, startedAt, config: known}: Store, now: number): Reply {
  const lines = [
    '# Server',
    `redis_version:${version}`,
    'redis_mode:standalone',
    'process_id:1',
    `tcp_port:${known.get('port')}`,
    `uptime_in_seconds:${Math.floor((now - startedAt) / 1000)}`,
    '',
    '# Clients',
    'connected_clients:1',
    '',
    '# Memory',
    `maxmemory:${known.get('maxmemory')}`,
    `maxmemory_policy:${known.get('maxmemory-policy')}`,
    '',
    '# Replication',
    'role:master',
    'connected_slaves:0',
    '',
    '# Keyspace',
    ...(values.size > 0 ? [`db0:keys=${values.size},expires=0,avg_ttl=0,subexpiry=0`] : []),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function ttl(unit: number): Command {
  return ([key = ''], store, now) => {
    if (valueOf(store, key, now) === undefined) return -2;
    const until = store.values.get(key)?.until ?? Infinity;
    return until === Infinity ? -1 : Math.round((until - now) / unit);
  };
}

function expire(unit: number): Command {
  return ([key = '', time = ''], store, now) => {
    const value = valueOf(store, key, now);
    if (value === undefined) return 0;
    put(store, key, value, now + Number(time) * unit);
    return 1;
  };
}

function typeOf(value: Value | undefined): string {
  if (value === undefined) return 'none';
  return typeof value === 'string' ? 'string' : value instanceof Set ? 'set' : value instanceof Map ? 'hash' : 'list';
}

function flush(_words: readonly string[], {values}: Store): Reply {
  values.clear();
  return OK;
}

const MANY = Infinity;

/** How few and how many arguments each takes, and what it does. */
const COMMANDS: Readonly<Record<string, readonly [number, number, Command]>> = {
  PING: [0, 1, ([text]) => text ?? {status: 'PONG'}],
  ECHO: [1, 1, ([text = '']) => text],
  QUIT: [0, 0, () => OK],
  SELECT: [1, 1, () => OK],
  COMMAND: [0, MANY, () => []],
  CLIENT: [1, MANY, () => OK],
  SAVE: [0, 0, () => OK],
  BGSAVE: [0, 1, () => ({status: 'Background saving started'})],
  TIME: [0, 0, (_words, _store, now) => [String(Math.floor(now / 1000)), String(Math.floor((now % 1000) * 1000))]],
  ROLE: [0, 0, () => ['master', 0, []]],
  CONFIG: [1, MANY, config],
  INFO: [0, MANY, info],
  DBSIZE: [0, 0, (_words, {values}) => values.size],
  FLUSHALL: [0, 1, flush],
  FLUSHDB: [0, 1, flush],
  KEYS: [
    1,
    1,
    ([pattern = ''], store, now) =>
      [...store.values.keys()].filter(fitting(pattern)).filter(key => valueOf(store, key, now) !== undefined),
  ],
  TYPE: [1, 1, ([key = ''], store, now) => ({status: typeOf(valueOf(store, key, now))})],
  EXISTS: [1, MANY, (keys, store, now) => keys.filter(key => valueOf(store, key, now) !== undefined).length],
  DEL: [1, MANY, (keys, store) => keys.filter(key => store.values.delete(key)).length],
  TTL: [1, 1, ttl(1000)],
  PTTL: [1, 1, ttl(1)],
  EXPIRE: [2, 3, expire(1000)],
  PEXPIRE: [2, 3, expire(1)],
  GET: [1, 1, get],
  SET: [2, MANY, set],
  SETNX: [2, 2, ([key = '', value = ''], store, now) => (set([key, value, 'NX'], store, now) === null ? 0 : 1)],
  SETEX: [3, 3, ([key = '', seconds = '', value = ''], store, now) => set([key, value, 'EX', seconds], store, now)],
  MSET: [2, MANY, (words, store) => (pairs(words).forEach(([key, value]) => put(store, key, value, Infinity)), OK)],
  MGET: [
    1,
    MANY,
    (keys, store, now) => keys.map(key => get([key], store, now)).map(reply => (typeof reply === 'string' ? reply : null)),
  ],
  APPEND: [2, 2, append],
  STRLEN: [1, 1, ([key = ''], store, now) => append([key, ''], store, now, true)],
  INCR: [1, 1, add(() => 1)],
  DECR: [1, 1, add(() => -1)],
  INCRBY: [2, 2, add(words => Number(words[1]))],
  DECRBY: [2, 2, add(words => -Number(words[1]))],
  LPUSH: [2, MANY, push('left')],
  RPUSH: [2, MANY, push('right')],
  LPOP: [1, 1, pop('left')],
  RPOP: [1, 1, pop('right')],
  LLEN: [1, 1, ([key = ''], store, now) => listOf(store, key, now)?.length ?? WRONG_TYPE],
  LRANGE: [3, 3, range],
  SADD: [2, MANY, withSet((known, items, save) => (save(new Set([...known, ...items])), new Set(items).difference(known).size))],
  SREM: [
    2,
    MANY,
    withSet(
      (known, items, save) => (
        save(new Set([...known].filter(item => !items.includes(item)))),
        items.filter(item => known.has(item)).length
      ),
    ),
  ],
  SMEMBERS: [1, 1, withSet(known => [...known])],
  SCARD: [1, 1, withSet(known => known.size)],
  SISMEMBER: [2, 2, withSet((known, [item = '']) => (known.has(item) ? 1 : 0))],
  HSET: [
    3,
    MANY,
    withHash(
      (known, words, save) => (
        save(new Map([...known, ...pairs(words)])),
        pairs(words).filter(([name]) => !known.has(name)).length
      ),
    ),
  ],
  HGET: [2, 2, withHash((known, [name = '']) => known.get(name) ?? null)],
  HGETALL: [1, 1, withHash(known => [...known].flat())],
  HKEYS: [1, 1, withHash(known => [...known.keys()])],
  HLEN: [1, 1, withHash(known => known.size)],
  HDEL: [
    2,
    MANY,
    withHash(
      (known, names, save) => (
        save(new Map([...known].filter(([name]) => !names.includes(name)))),
        names.filter(name => known.has(name)).length
      ),
    ),
  ],
};
