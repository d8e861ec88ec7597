// curl 8, as far as levels use it: GET and other methods, headers, bodies, redirections, time-outs, `-w`, and its own words and
// numbers for what goes wrong. What it does not: the progress meter, and protocols other than HTTP.
import {frameText} from '../../api/schema/json-text.ts';
import {deepFreeze} from '../../api/meta/object.ts';
import {isTlsFailure} from '../../api/wire/tls.ts';
import type {Method, Request} from '../../api/wire/http.ts';
import {openToRead, openToWrite, closeDescriptor, takeDescriptor} from '../../sim/process/open.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {helpLines, USAGE} from './curl-options.ts';
import {endingOf, greetingOf, type Ending} from './curl-tls.ts';
import {bodyOf, encoded, headText, setHeader, titled} from './curl-text.ts';
import {readArguments} from '../programs/arguments.ts';
import type {Given} from '../programs/arguments.ts';
import {baseName} from '../programs/ls.ts';
import {byteLength} from '../text/bytes.ts';
import {bytesOf, toBase64} from '../text/bytes.ts';
import {fetch, following} from './fetch.ts';
import type {Trouble} from './fetch.ts';
import {answeredText} from './answered-text.ts';
import {follow, hostHeader, parseUrl, requestTarget} from './url.ts';
import type {Url} from './url.ts';

const VERSION = '8.14.1';
const MOST_REDIRECTIONS = 50;

/** `curl [options] url …` */
export const curl: Program = async process => {
  const read = readArguments(process.argv.slice(1), USAGE);
  if (!read.ok) {
    await process.err(
      `curl: option ${describe(process.argv, read.words)}\ncurl: try 'curl --help' or 'curl --manual' for more information\n`,
    );
    return 2;
  }
  const {given} = read;
  if (given.has('help')) return say(process, `Usage: curl [options...] <url>\n${helpLines()}`);
  if (given.has('version') || given.has('V'))
    return say(process, `curl ${VERSION} (x86_64-pc-linux-gnu) libcurl/${VERSION}\nProtocols: http https\n`);
  const urls = [...given.values('y'), ...given.operands];
  if (urls.length === 0) {
    await process.err("curl: (2) no URL specified\ncurl: try 'curl --help' or 'curl --manual' for more information\n");
    return 2;
  }
  let code = 0;
  for (const [index, url] of urls.entries()) code = await new Transfer(process, given, index).run(url);
  return code;
};

async function say(process: Process, text: string): Promise<number> {
  await process.out(text);
  return 0;
}

function describe(argv: readonly string[], words: string): string {
  const quoted = /'([^']*)'/.exec(words)?.[1] ?? '';
  const option =
    argv.find(arg => (quoted.length === 1 ? arg.startsWith('-') && arg.includes(quoted) : arg.startsWith(quoted))) ?? quoted;
  return words.includes('requires an argument') ? `${option}: requires parameter` : `${option}: is unknown`;
}

interface Facts {
  status: number;
  contentType: string;
  address: string;
  url: string;
  redirects: number;
  bytes: number;
  connectedMs: number;
  trouble: string;
}

/** The transfer of one URL. */
class Transfer {
  readonly #process: Process;
  readonly #given: Given;
  readonly #index: number;
  readonly #began: number;
  readonly #facts: Facts = {
    status: 0,
    contentType: '',
    address: '',
    url: '',
    redirects: 0,
    bytes: 0,
    connectedMs: 0,
    trouble: '',
  };

  constructor(process: Process, given: Given, index: number) {
    this.#process = process;
    this.#given = given;
    this.#index = index;
    this.#began = process.kernel.clock.now;
  }

  async run(text: string): Promise<number> {
    const code = await this.#transfer(text);
    const format = this.#given.value('w');
    if (format !== undefined) await this.#process.out(this.#writeOut(format, code));
    return code;
  }

  get #endMs(): number {
    const seconds = Number(this.#given.value('m') ?? Infinity);
    return seconds > 0 ? this.#began + seconds * 1000 : Infinity;
  }

  async #transfer(text: string): Promise<number> {
    let next = text;
    for (;;) {
      const url = parseUrl(next);
      this.#facts.url = next.includes('://') ? next : `http://${next}`;
      if (typeof url === 'string') return this.#fail({code: url.startsWith('Protocol') ? 1 : 3, words: url});
      const bare = await this.#request(url);
      if (typeof bare === 'string') return this.#fail({code: 26, words: bare});
      const greeting = url.scheme === 'https' ? greetingOf(this.#process, this.#given, url.host) : undefined;
      if (greeting && 'code' in greeting) return this.#fail(greeting);
      const request = deepFreeze({...bare, ...greeting});
      if (this.#given.has('v')) await this.#verbose(`* Host ${url.host}:${url.port} was resolved.`);
      const result = await this.#exchange(url, request);
      if (typeof result === 'number') return result;
      if (this.#facts.redirects++ >= MOST_REDIRECTIONS)
        return this.#fail({code: 47, words: `Maximum (${MOST_REDIRECTIONS}) redirects followed`});
      next = follow(url, result.location);
    }
  }

  /** One request and its answer; the code of the end, or where to go on. */
  async #exchange(url: Url, request: Request): Promise<number | {location: string}> {
    const process = this.#process;
    const {clock} = process.kernel;
    const fetched = await fetch(process, {
      url,
      request,
      known: this.#knownAddresses(),
      connectMs: (Number(this.#given.value('7') ?? 300) || 300) * 1000,
      totalMs: this.#endMs - clock.now,
      onConnected: address => this.#tellRequest(url, request, address),
    });
    if ('phase' in fetched) return this.#explain(url, fetched);
    const {connection} = fetched;
    const {answer} = connection;
    const rejected = [answer, answer.body].find(isTlsFailure)?.tlsFailure;
    if (rejected !== undefined) {
      connection.close();
      return this.#fail(endingOf(rejected, url.host, process.machine.wall()));
    }
    Object.assign(this.#facts, {
      status: answer.status,
      address: fetched.address,
      connectedMs: fetched.connectedMs,
      contentType: answer.headers?.['content-type'] ?? '',
    });
    if (this.#given.has('v'))
      await this.#verbose(
        headText(url, answer)
          .split('\r\n')
          .map(line => `< ${line}`)
          .join('\n')
          .replace(/\n< $/, ''),
      );
    const location = answer.headers?.['location'];
    if (location !== undefined && this.#given.has('L') && answer.status >= 300 && answer.status < 400) {
      connection.close();
      return {location};
    }
    if (this.#given.has('f') && answer.status >= 400) {
      connection.close();
      return this.#fail({code: 22, words: `The requested URL returned error: ${answer.status}`});
    }
    const fd = await this.#openOutput(url);
    if (fd === undefined) return this.#fail({code: 23, words: 'Failure writing output to destination'});
    const head = this.#given.has('i') || this.#given.has('I') ? headText(url, answer) : '';
    await this.#write(fd, head);
    if (!this.#given.has('I')) await this.#write(fd, answeredText(answer, request));
    let cut = false;
    for await (const frame of following(process, connection, this.#endMs)) await this.#write(fd, frameText(frame));
    cut = clock.now >= this.#endMs;
    const failure = connection.failure();
    connection.close();
    if (fd !== 1) closeDescriptor(process, fd);
    if (cut)
      return this.#fail({
        code: 28,
        words: `Operation timed out after ${this.#elapsed()} milliseconds with ${this.#facts.bytes} bytes received`,
      });
    if (failure !== undefined) return this.#fail({code: 18, words: 'transfer closed with outstanding read data remaining'});
    return 0;
  }

  async #write(fd: number, text: string): Promise<void> {
    this.#facts.bytes += byteLength(text);
    await this.#process.write(fd, text);
  }

  #elapsed(): number {
    return Math.floor(this.#process.kernel.clock.now - this.#began) + 1;
  }

  async #fail({code, words}: Ending): Promise<number> {
    this.#facts.trouble = words.split('\n')[0] ?? '';
    if (!this.#given.has('s') || this.#given.has('S')) await this.#process.err(`curl: (${code}) ${words}\n`);
    return code;
  }

  #explain(url: Url, trouble: Trouble): Promise<number> {
    const elapsed = this.#elapsed();
    if (trouble.phase === 'name') {
      return trouble.reason === 'late'
        ? this.#fail({code: 28, words: `Resolving timed out after ${elapsed} milliseconds`})
        : this.#fail({code: 6, words: `Could not resolve host: ${url.host}`});
    }
    if (trouble.phase === 'connection') {
      if (trouble.reason === 'late') return this.#fail({code: 28, words: `Connection timed out after ${elapsed} milliseconds`});
      return this.#fail({
        code: 7,
        words: `Failed to connect to ${url.host} port ${url.port} after ${Math.max(0, Math.round(trouble.afterMs))} ms: Could not connect to server`,
      });
    }
    if (trouble.reason === 'late')
      return this.#fail({code: 28, words: `Operation timed out after ${elapsed} milliseconds with 0 bytes received`});
    return trouble.reason === 'reset'
      ? this.#fail({code: 56, words: 'Recv failure: Connection reset by peer'})
      : this.#fail({code: 52, words: 'Empty reply from server'});
  }

  #knownAddresses(): ReadonlyMap<string, string> {
    const known = new Map<string, string>();
    for (const text of this.#given.values('8')) {
      const [host = '', port = '', ...address] = text.replace(/^\+/, '').split(':');
      known.set(
        `${host}:${port}`,
        address
          .join(':')
          .replace(/^\[|\]$/g, '')
          .split(',')[0] ?? '',
      );
    }
    for (const text of this.#given.values('&')) {
      const [host = '', port = '', target = ''] = text.split(':');
      known.set(`${host}:${port}`, target);
    }
    return known;
  }

  /** The request; words when a file that it needs cannot be read. */
  async #request(url: Url): Promise<Request | string> {
    const given = this.#given;
    const headers: Record<string, string> = {
      host: hostHeader(url),
      'user-agent': given.value('A') ?? `curl/${VERSION}`,
      accept: '*/*',
    };
    const data = await this.#data();
    if (typeof data === 'string') return data;
    const user = given.value('u') ?? url.user;
    if (user !== undefined) headers['authorization'] = `Basic ${toBase64(bytesOf(user))}`;
    if (given.value('e') !== undefined) headers['referer'] = given.value('e') ?? '';
    if (given.value('b')?.includes('=')) headers['cookie'] = given.value('b') ?? '';
    const inUrl = given.has('G');
    if (data.text !== undefined && !inUrl)
      headers['content-type'] = data.isJson ? 'application/json' : 'application/x-www-form-urlencoded';
    if (data.isJson) headers['accept'] = 'application/json';
    for (const header of given.values('H')) setHeader(headers, header);
    const usual = given.has('I') ? 'HEAD' : given.has('T') ? 'PUT' : data.text === undefined || inUrl ? 'GET' : 'POST';
    const target =
      inUrl && data.text !== undefined ? `${url.target}${url.target.includes('?') ? '&' : '?'}${data.text}` : url.target;
    const body = inUrl ? undefined : bodyOf(data.text, headers['content-type'] ?? '');
    return deepFreeze({
      method: (given.value('X') ?? usual) as Method,
      scheme: url.scheme,
      ...requestTarget(target),
      headers,
      ...(body === undefined ? {} : {body}),
    });
  }

  /** The data of -d and its sisters, joined by `&`; words when a file cannot be read. */
  async #data(): Promise<{text: string | undefined; isJson: boolean} | string> {
    const given = this.#given;
    const parts: string[] = [];
    const add = async (value: string, letter: string): Promise<string | undefined> => {
      if (letter === '%') parts.push(encoded(value));
      else if (letter === '2' || !value.startsWith('@')) parts.push(value);
      else {
        const text = await readFile(this.#process, value.slice(1));
        if (text === undefined) return `Failed to open ${value.slice(1)}`;
        parts.push(letter === 'd' ? text.replace(/[\r\n]/g, '') : text);
      }
      return undefined;
    };
    for (const letter of ['d', '2', '3', '5', '%']) {
      for (const value of given.values(letter)) {
        const words = await add(value, letter);
        if (words !== undefined) return words;
      }
    }
    const upload = given.value('T');
    if (upload !== undefined) {
      const text = await readFile(this.#process, upload);
      if (text === undefined) return `Failed to open ${upload}`;
      parts.push(text);
    }
    return {text: parts.length > 0 ? parts.join(given.has('5') ? '' : '&') : undefined, isJson: given.has('5')};
  }

  async #openOutput(url: Url): Promise<number | undefined> {
    const name = this.#given.has('O')
      ? baseName(url.target.split('?')[0] ?? '')
      : (this.#given.values('o')[this.#index] ?? this.#given.value('o'));
    if (name === undefined || name === '-') return 1;
    const opened = openToWrite(this.#process, name);
    if (opened.ok) return takeDescriptor(this.#process, opened.stream);
    await this.#process.err(`Warning: Failed to open the file ${name}: ${opened.text}\n`);
    return undefined;
  }

  async #verbose(text: string): Promise<void> {
    await this.#process.err(`${text}\n`);
  }

  async #tellRequest(url: Url, request: Request, address: string): Promise<void> {
    if (!this.#given.has('v')) return;
    await this.#verbose(`*   Trying ${address}:${url.port}...\n* Connected to ${url.host} (${address}) port ${url.port}`);
    const lines = Object.entries(request.headers ?? {}).map(([name, value]) => `> ${titled(name)}: ${value}`);
    await this.#verbose(
      [`> ${request.method} ${url.target} HTTP/${url.scheme === 'https' ? '2' : '1.1'}`, ...lines, '> '].join('\n'),
    );
  }

  #writeOut(format: string, code: number): string {
    const facts = this.#facts;
    const seconds = (ms: number): string => (ms / 1000).toFixed(6);
    const fields: Readonly<Record<string, string>> = {
      http_code: String(facts.status).padStart(3, '0'),
      response_code: String(facts.status).padStart(3, '0'),
      content_type: facts.contentType,
      remote_ip: facts.address,
      url: facts.url,
      url_effective: facts.url,
      num_redirects: String(facts.redirects),
      size_download: String(facts.bytes),
      time_total: seconds(this.#process.kernel.clock.now - this.#began),
      time_connect: seconds(facts.connectedMs),
      errormsg: facts.trouble,
      exitcode: String(code),
      method: this.#given.value('X') ?? 'GET',
    };
    return format
      .replace(/%\{(\w+)\}/g, (_, name: string) => fields[name] ?? '')
      .replace(/\\([nrt])/g, (_, letter: string) => ({n: '\n', r: '\r', t: '\t'})[letter] ?? '')
      .replaceAll('%%', '%');
  }
}

async function readFile(process: Process, name: string): Promise<string | undefined> {
  if (name === '-') return process.readAll(0);
  const opened = openToRead(process, name);
  if (!opened.ok) return undefined;
  const fd = takeDescriptor(process, opened.stream);
  const text = await process.readAll(fd);
  closeDescriptor(process, fd);
  return text;
}
