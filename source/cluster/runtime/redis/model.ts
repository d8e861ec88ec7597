// A Redis server as a program model: what it is configured by, what it says as it starts, and how it talks with clients.
import {readCommand, replyText} from '../../../api/wire/resp.ts';
import type {Start} from '../image.ts';
import type {ProgramModel, Talk} from '../program-model.ts';
import {runCommand, type Store} from './commands.ts';
import {readConfig, RedisConfig} from './config.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Who may speak before the password was given. */
const OPEN = new Set(['AUTH', 'HELLO', 'QUIT']);

/** The server of a version, as it was started. */
export function redisModel({argv, fileText}: Pick<Start, 'argv' | 'fileText'>, version: string): ProgramModel {
  const given = readConfig(argv, fileText);
  if ('error' in given) return {exitCode: 1, log: given.error.split('\n')};
  const config = new RedisConfig(given);
  const port = Number(config.get('port'));
  return {
    listen: [port],
    cpu: '2m',
    memory: '9Mi',
    greeting: at => greeting(at, {version, port, hasConfig: given.length > 0}),
    talk: startedAt => {
      const store: Store = {values: new Map(), config, version, startedAt};
      return () => conversation(store);
    },
  };
}

function greeting(now: number, {version, port, hasConfig}: {version: string; port: number; hasConfig: boolean}) {
  const at = new Date(now).toISOString();
  const time = `${at.slice(8, 10)} ${MONTHS[Number(at.slice(5, 7)) - 1]} ${at.slice(0, 4)} ${at.slice(11, 23)}`;
  const warning =
    '# Warning: no config file specified, using the default config. In order to specify a config file use redis-server /path/to/redis.conf';
  const lines = [
    `1:C ${time} * oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo`,
    `1:C ${time} * Redis version=${version}, bits=64, commit=00000000, modified=0, pid=1, just started`,
    `1:C ${time} ${hasConfig ? '* Configuration loaded' : warning}`,
    `1:M ${time} * monotonic clock: POSIX clock_gettime`,
    `1:M ${time} * Running mode=standalone, port=${port}.`,
    `1:M ${time} * Server initialized`,
    `1:M ${time} * Ready to accept connections tcp`,
  ];
  return lines.map(text => ({stream: 'stdout' as const, text}));
}

/** One client: what it said so far, and whether it may say more. */
function conversation(store: Store): Talk {
  let pending = '';
  let isKnown = false;
  const password = () => store.config.get('requirepass');
  const login = (words: readonly string[]) => {
    if (password() === '')
      return {
        error:
          'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?',
      };
    isKnown = words.at(-1) === password();
    return isKnown ? {status: 'OK'} : {error: 'WRONGPASS invalid username-password pair or user is disabled.'};
  };
  const answer = (words: readonly string[], now: number) => {
    const name = (words[0] ?? '').toUpperCase();
    if (name === 'AUTH') return login(words.slice(1));
    if (password() !== '' && !isKnown && !OPEN.has(name)) return {error: 'NOAUTH Authentication required.'};
    return runCommand(words, store, now);
  };
  return (text, now) => {
    pending += text;
    let said = '';
    for (let read = readCommand(pending); read; read = readCommand(pending)) {
      pending = read.rest;
      if (read.words.length === 0) continue;
      said += replyText(answer(read.words, now));
      if (read.words[0]?.toUpperCase() === 'QUIT') return {say: said, ends: true};
    }
    return {say: said, ends: false};
  };
}
