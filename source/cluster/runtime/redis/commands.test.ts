// Commands and their replies, one after the other on one server.
import {expect, test} from 'vitest';
import {commandText, readCommand, readReply, replyText, splitWords, type Reply} from '../../../api/wire/resp.ts';
import {runCommand, type Store} from './commands.ts';
import {readConfig, RedisConfig} from './config.ts';

function aStore(): Store {
  return {values: new Map(), config: new RedisConfig([]), version: '7.4.6', startedAt: 0};
}

test.each<[string, readonly [string, Reply][]]>([
  [
    'texts',
    [
      ['set a 1', {status: 'OK'}],
      ['get a', '1'],
      ['append a 2', 2],
      ['strlen a', 2],
      ['incrby a 3', 15],
      ['decr a', 14],
    ],
  ],
  [
    'only where it is not there',
    [
      ['setnx a 1', 1],
      ['setnx a 2', 0],
      ['set a 3 xx', {status: 'OK'}],
      ['get a', '3'],
    ],
  ],
  [
    'lists',
    [
      ['rpush l a b', 2],
      ['lpush l c d', 4],
      ['lrange l 0 -1', ['d', 'c', 'a', 'b']],
      ['lpop l', 'd'],
      ['rpop l', 'b'],
      ['llen l', 2],
    ],
  ],
  [
    'a list that ran empty is gone',
    [
      ['rpush l a', 1],
      ['lpop l', 'a'],
      ['exists l', 0],
      ['lpop l', null],
    ],
  ],
  [
    'sets',
    [
      ['sadd s a b a', 2],
      ['sismember s a', 1],
      ['srem s a x', 1],
      ['smembers s', ['b']],
      ['scard s', 1],
    ],
  ],
  [
    'hashes',
    [
      ['hset h a 1 b 2', 2],
      ['hset h a 3', 0],
      ['hget h a', '3'],
      ['hdel h b', 1],
      ['hgetall h', ['a', '3']],
    ],
  ],
  [
    'keys',
    [
      ['mset ab 1 ac 2 b 3', {status: 'OK'}],
      ['keys a*', ['ab', 'ac']],
      ['del ab b x', 2],
      ['dbsize', 1],
      ['flushall', {status: 'OK'}],
      ['dbsize', 0],
    ],
  ],
  [
    'wrong kinds',
    [
      ['rpush l a', 1],
      ['get l', {error: 'WRONGTYPE Operation against a key holding the wrong kind of value'}],
      ['type l', {status: 'list'}],
    ],
  ],
  [
    'configuration',
    [
      ['config set maxmemory 2mb', {status: 'OK'}],
      ['config get maxmemory', ['maxmemory', '2097152']],
    ],
  ],
])('%s', (_, steps) => {
  const store = aStore();
  for (const [line, reply] of steps) expect([line, runCommand(splitWords(line), store, 0)]).toEqual([line, reply]);
});

test('a key lives as long as it may', () => {
  const store = aStore();
  runCommand(['SET', 'a', '1', 'EX', '10'], store, 0);
  expect(runCommand(['TTL', 'a'], store, 4000)).toBe(6);
  expect(runCommand(['GET', 'a'], store, 10_000)).toBeNull();
  expect(runCommand(['TTL', 'a'], store, 10_000)).toBe(-2);
});

test.each<[readonly string[], unknown]>([
  [['redis-server'], []],
  [
    ['redis-server', '--port', '7000', '--requirepass', 'x'],
    [
      ['port', '7000'],
      ['requirepass', 'x'],
    ],
  ],
  [
    ['redis-server', '/redis.conf', '--appendonly', 'yes'],
    [
      ['maxmemory', '2mb'],
      ['appendonly', 'yes'],
    ],
  ],
  [['redis-server', '/none'], {error: "Fatal error, can't open config file '/none': No such file or directory"}],
])('%j is configured', (argv, wanted) =>
  expect(readConfig(argv, path => (path === '/redis.conf' ? '# mine\nmaxmemory 2mb\n' : undefined))).toEqual(wanted),
);

test('what is said in pieces is heard whole', () => {
  const text = `${commandText(['SET', 'k', 'é\r\n'])}PING "a b"\r\n`;
  const first = readCommand(text);
  expect(first?.words).toEqual(['SET', 'k', 'é\r\n']);
  expect(readCommand(first?.rest ?? '')).toEqual({words: ['PING', 'a b'], rest: ''});
  for (let end = 0; end < commandText(['SET', 'k', 'é\r\n']).length; end++)
    expect(readCommand(text.slice(0, end))).toBeUndefined();
});

test.each<[Reply]>([[null], [7], ['a\nb'], [{status: 'OK'}], [{error: 'ERR x'}], [['a', null, 1, ['b']]], [[]]])(
  '%j travels',
  reply => expect(readReply(replyText(reply))).toEqual({reply, rest: ''}),
);
