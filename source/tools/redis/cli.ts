// `redis-cli`: a command of its words, or one line after the other from standard input; answers as a terminal shows them, or bare.
//
// Modelled: -h, -p, -a, -n, --raw, --no-raw, -r, -i, -x, REDISCLI_AUTH. Not modelled: --scan, --stat, --bigkeys, clusters, TLS.
import {commandText, readReply, splitWords, type Reply} from '../../api/wire/resp.ts';
import type {Program} from '../../sim/process/machine.ts';
import {INTERRUPTED, type Connection, type Process} from '../../sim/process/process.ts';
import {Raw} from '../../sim/raw.ts';

interface Given {
  host: string;
  port: number;
  password: string | undefined;
  isRaw: boolean | undefined;
  repeat: number;
  everyMs: number;
  takesLast: boolean;
  words: readonly string[];
}

/** The program. */
export const redisCli: Program = async process => {
  const given = read(process);
  if (typeof given === 'string') {
    await process.out(`${given}\n`);
    return 0;
  }
  const isTerminal = process.streams.get(1)?.isTerminal === true;
  const session = new Session(process, given, given.isRaw ?? !isTerminal);
  const words = given.takesLast ? [...given.words, await process.readAll(0)] : given.words;
  return words.length > 0 ? session.once(words) : session.lines();
};

function read(process: Process): Given | string {
  const given: Given = {
    host: '127.0.0.1',
    port: 6379,
    password: process.environment.get('REDISCLI_AUTH'),
    isRaw: undefined,
    repeat: 1,
    everyMs: 0,
    takesLast: false,
    words: [],
  };
  const words = process.argv.slice(1);
  const value: Readonly<Record<string, (text: string) => void>> = {
    '-h': text => (given.host = text),
    '-p': text => (given.port = Number(text)),
    '-a': text => (given.password = text),
    '--pass': text => (given.password = text),
    '-n': () => undefined,
    '-r': text => (given.repeat = Number(text)),
    '-i': text => (given.everyMs = Number(text) * 1000),
  };
  let at = 0;
  for (; at < words.length && words[at]?.startsWith('-'); at++) {
    const word = words[at] ?? '';
    const take = value[word];
    if (word === '-v' || word === '--version') return 'redis-cli 7.4.6';
    if (word === '--raw' || word === '--no-raw') given.isRaw = word === '--raw';
    else if (word === '-x') given.takesLast = true;
    else if (take) take(words[++at] ?? '');
  }
  given.words = words.slice(at);
  return given;
}

class Session {
  readonly #process: Process;
  readonly #given: Given;
  readonly #isRaw: boolean;
  #connection: Connection<unknown, string> | undefined;
  #heard = '';

  constructor(process: Process, given: Given, isRaw: boolean) {
    this.#process = process;
    this.#given = given;
    this.#isRaw = isRaw;
  }

  /** One command, as often as was asked. */
  async once(words: readonly string[]): Promise<number> {
    const {repeat, everyMs} = this.#given;
    let code = 0;
    for (let round = 0; round < repeat || repeat < 0; round++) {
      code = await this.#run(words);
      if (everyMs > 0 && !(await this.#process.sleep(everyMs))) return 130;
    }
    return code;
  }

  /** One line after the other, with a prompt where somebody types. */
  async lines(): Promise<number> {
    const process = this.#process;
    const isTyped = process.streams.get(0)?.isTerminal === true;
    const {host, port} = this.#given;
    const prompt = async () => {
      if (isTyped) await process.out(`${this.#connection ? `${host}:${port}` : 'not connected'}> `);
    };
    await this.#connect();
    await prompt();
    let code = 0;
    for await (const line of process.lines(0)) {
      const words = splitWords(line);
      if (/^(quit|exit)$/i.test(words[0] ?? '')) return 0;
      if (words.length > 0) code = await this.#run(words);
      await prompt();
    }
    return code;
  }

  async #connect(): Promise<string | undefined> {
    if (this.#connection) return undefined;
    const {host, port, password} = this.#given;
    const place = `${host}:${port}`;
    const opened = await this.#process.connect<unknown, string>(host, port, Raw);
    if (!('answer' in opened)) {
      const why =
        opened.failure === 'unresolved'
          ? 'Name or service not known'
          : opened.failure === 'timeout'
            ? 'Connection timed out'
            : 'Connection refused';
      return `Could not connect to Redis at ${place}: ${why}`;
    }
    this.#connection = opened;
    if (password === undefined || password === '') return undefined;
    const reply = await this.#ask(['AUTH', password]);
    if (typeof reply === 'object' && reply && 'error' in reply) await this.#process.err(`AUTH failed: ${reply.error}\n`);
    return undefined;
  }

  async #run(words: readonly string[]): Promise<number> {
    const process = this.#process;
    const failed = await this.#connect();
    if (failed !== undefined) {
      await process.err(`${failed}\n`);
      return 1;
    }
    const reply = await this.#ask(words);
    if (reply === undefined) {
      await process.err('Error: Server closed the connection\n');
      return 1;
    }
    await process.out(this.#isRaw ? `${bare(reply)}\n` : shown(reply, ''));
    return typeof reply === 'object' && reply && 'error' in reply ? 1 : 0;
  }

  async #ask(words: readonly string[]): Promise<Reply | undefined> {
    const connection = this.#connection;
    if (!connection) return undefined;
    connection.send(commandText(words));
    for (;;) {
      const read = readReply(this.#heard);
      if (read) {
        this.#heard = read.rest;
        return read.reply;
      }
      const heard = await connection.next();
      if (heard === INTERRUPTED) continue;
      if (heard === null || heard === 'timeout') {
        this.#connection = undefined;
        return undefined;
      }
      this.#heard += heard;
    }
  }
}

function bare(reply: Reply): string {
  if (reply === null) return '';
  if (typeof reply === 'string' || typeof reply === 'number') return String(reply);
  if ('status' in reply) return reply.status;
  return 'error' in reply ? `${reply.error}\n` : reply.map(bare).join('\n');
}

function shown(reply: Reply, indent: string): string {
  if (reply === null) return '(nil)\n';
  if (typeof reply === 'string') return `${JSON.stringify(reply)}\n`;
  if (typeof reply === 'number') return `(integer) ${reply}\n`;
  if ('status' in reply) return `${reply.status}\n`;
  if ('error' in reply) return `(error) ${reply.error}\n`;
  if (reply.length === 0) return '(empty array)\n';
  const width = String(reply.length).length;
  return reply
    .map((item, at) => {
      const head = `${String(at + 1).padStart(width)}) `;
      return `${at === 0 ? '' : indent}${head}${shown(item, indent + ' '.repeat(head.length))}`;
    })
    .join('');
}
