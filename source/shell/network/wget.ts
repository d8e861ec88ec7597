// wget, as busybox has it in small images.
import {frameText} from '../../api/schema/json-text.ts';
import {deepFreeze} from '../../api/meta/object.ts';
import type {Request} from '../../api/wire/http.ts';
import {isTlsFailure} from '../../api/wire/tls.ts';
import {closeDescriptor, openToWrite, takeDescriptor} from '../../sim/process/open.ts';
import type {Process} from '../../sim/process/process.ts';
import {makeProgram} from '../programs/arguments.ts';
import type {Given} from '../programs/arguments.ts';
import {byteLength} from '../text/bytes.ts';
import {baseName} from '../programs/ls.ts';
import {complain} from '../programs/output.ts';
import {fetch, following} from './fetch.ts';
import type {Fetched, Trouble} from './fetch.ts';
import {statusText} from '../../api/wire/status-text.ts';
import {answeredText} from './answered-text.ts';
import {follow, hostHeader, parseUrl, requestTarget} from './url.ts';
import type {Url} from './url.ts';

const USUAL_TIMEOUT_S = 900;
/** After six packets that nobody answered. */
const KERNEL_GIVES_UP_MS = 130_000;
const MOST_REDIRECTIONS = 5;

/** `wget [-qSc] [-O file] [-T seconds] [--header text] [--post-data text] [--spider] url` */
export const wget = makeProgram(
  {
    name: 'wget',
    synopsis: '[-cqS] [--spider] [-O FILE] [--header STR] [--post-data STR] [-T SEC] [-U STR] URL...',
    summary: 'Retrieve files via HTTP.',
    letters: 'cqSnO:T:U:t:P:1:2:3b4',
    long: {
      quiet: 'q',
      'output-document': 'O',
      timeout: 'T',
      header: '1',
      'post-data': '2',
      spider: '3',
      'no-check-certificate': '4',
      'user-agent': 'U',
      tries: 't',
      'server-response': 'S',
    },
  },
  async (process, given) => {
    if (given.operands.length === 0) return complain(process, 'wget: missing URL\nUsage: wget [OPTION]... [URL]...');
    for (const url of given.operands) {
      const code = await retrieve(process, given, url);
      if (code !== 0) return code;
    }
    return 0;
  },
);

async function retrieve(process: Process, given: Given, text: string): Promise<number> {
  let next = text;
  for (let hops = 0; hops <= MOST_REDIRECTIONS; hops++) {
    const url = parseUrl(next);
    if (typeof url === 'string') return complain(process, `wget: not an http or ftp url: ${next}`);
    const totalMs = Number(given.value('T') ?? USUAL_TIMEOUT_S) * 1000;
    const tell = async (address: string): Promise<void> => {
      if (!given.has('q')) await process.err(`Connecting to ${hostHeader(url)} (${address}:${url.port})\n`);
    };
    const request = requestOf(given, url);
    const fetched = await fetch(process, {
      url,
      request,
      known: new Map(),
      connectMs: Math.min(totalMs, KERNEL_GIVES_UP_MS),
      totalMs,
      onConnected: tell,
    });
    if ('phase' in fetched) return complain(process, `wget: ${wordsOf(url, fetched, totalMs)}`);
    const {answer} = fetched.connection;
    if (isTlsFailure(answer)) {
      fetched.connection.close();
      return complain(process, 'wget: error getting response: Invalid argument');
    }
    if (given.has('S'))
      await process.err(
        `  HTTP/1.1 ${answer.status} ${statusText(answer.status)}\n${Object.entries(answer.headers ?? {})
          .map(([name, value]) => `  ${name}: ${value}\n`)
          .join('')}`,
      );
    const location = answer.headers?.['location'];
    if (answer.status >= 300 && answer.status < 400 && location !== undefined) {
      fetched.connection.close();
      next = follow(url, location);
      continue;
    }
    if (answer.status >= 400) {
      fetched.connection.close();
      return complain(process, `wget: server returned error: HTTP/1.1 ${answer.status} ${statusText(answer.status)}`);
    }
    return given.has('3') ? spider(process, given, fetched) : save(process, given, {url, request, fetched});
  }
  return complain(process, 'wget: too many redirections');
}

async function spider(process: Process, given: Given, fetched: Fetched): Promise<number> {
  fetched.connection.close();
  if (!given.has('q')) await process.err('remote file exists\n');
  return 0;
}

function requestOf(given: Given, url: Url): Request {
  const headers: Record<string, string> = {host: hostHeader(url), 'user-agent': given.value('U') ?? 'Wget', connection: 'close'};
  for (const header of given.values('1'))
    headers[header.slice(0, header.indexOf(':')).trim().toLowerCase()] = header.slice(header.indexOf(':') + 1).trim();
  const body = given.value('2');
  if (body !== undefined) headers['content-type'] ??= 'application/x-www-form-urlencoded';
  return deepFreeze({
    method: body === undefined ? ('GET' as const) : ('POST' as const),
    scheme: url.scheme,
    ...requestTarget(url.target),
    headers,
    ...(body === undefined ? {} : {body}),
  });
}

/** Its own clock ends the wait, unless the kernel gives up before. */
function wordsOf(url: Url, {phase, reason, afterMs, address = url.host}: Trouble, totalMs: number): string {
  if (phase === 'name') return `bad address '${hostHeader(url)}'`;
  if (reason === 'late' && (phase === 'answer' || afterMs >= totalMs)) return 'download timed out';
  if (phase === 'connection')
    return `can't connect to remote host (${address}): Connection ${reason === 'late' ? 'timed out' : 'refused'}`;
  return 'error getting response: Connection reset by peer';
}

interface Saved {
  readonly url: Url;
  readonly request: Request;
  readonly fetched: Fetched;
}

async function save(process: Process, given: Given, {url, request, fetched}: Saved): Promise<number> {
  const name = given.value('O') ?? (baseName(url.target.split('?')[0] ?? '').replace('/', '') || 'index.html');
  let fd = 1;
  if (name !== '-') {
    const opened = openToWrite(process, given.value('P') === undefined ? name : `${given.value('P')}/${name}`);
    if (!opened.ok) return complain(process, `wget: can't open '${name}': ${opened.text}`);
    fd = takeDescriptor(process, opened.stream);
  }
  if (!given.has('q')) await process.err(name === '-' ? 'writing to stdout\n' : `saving to '${name}'\n`);
  const first = answeredText(fetched.connection.answer, request);
  let bytes = byteLength(first);
  await process.write(fd, first);
  for await (const frame of following(process, fetched.connection, Infinity)) {
    const text = frameText(frame);
    bytes += byteLength(text);
    await process.write(fd, text);
  }
  fetched.connection.close();
  if (fd !== 1) closeDescriptor(process, fd);
  if (!given.has('q')) {
    await process.err(`${name.slice(0, 20).padEnd(20)} 100% |${'*'.repeat(32)}|${String(bytes).padStart(6)}  0:00:00 ETA\n`);
    await process.err(name === '-' ? 'written to stdout\n' : `'${name}' saved\n`);
  }
  return 0;
}
