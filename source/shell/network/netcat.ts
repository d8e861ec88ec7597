// `nc`: is somebody there (`-z`), a talk in plain text with whoever listens, or a port that listens itself (`-l`). `telnet`: the same
// talk with another greeting. A text that is an HTTP request is sent as one, and its answer printed as it stands on the wire.
import {CONNECT} from '../../sim/network.ts';
import {Raw} from '../../sim/raw.ts';
import type {Answer} from '../../api/wire/http.ts';
import type {Program} from '../../sim/process/machine.ts';
import {INTERRUPTED, type Connection, type Process} from '../../sim/process/process.ts';
import {makeProgram} from '../programs/arguments.ts';
import type {Given} from '../programs/arguments.ts';
import {complain} from '../programs/output.ts';
import {answerText, requestIn} from './http-text.ts';
import {addressOf} from './lookups.ts';
import {netcatListen} from './netcat-listen.ts';

const USUAL_WAIT_S = 120;

/** `nc [-z] [-v] [-w seconds] host port`, `nc -l [-k] [-p] port [-e program]` */
export const nc: Program = process => {
  const at = process.argv.findIndex(word => word === '-e' || word === '-c');
  const run = at > 0 ? process.argv.slice(at + 1) : undefined;
  if (run) process.argv = process.argv.slice(0, at);
  return netcat(run)(process);
};

function netcat(run: readonly string[] | undefined): Program {
  return makeProgram(
    {
      name: 'nc',
      synopsis: '[-klnvz] [-w SECONDS] [-p PORT] [-e PROG] HOST PORT',
      summary: 'Open a connection and talk over it, or listen for one.',
      letters: 'zln46kuvw:p:q:N',
      inOrder: false,
    },
    async (process, given) => {
      if (given.has('l')) return listen(process, given, run);
      const [host, portText] = given.operands;
      const port = Number(portText);
      if (host === undefined || portText === undefined) return complain(process, 'nc: missing port number');
      if (!Number.isInteger(port) || port < 1 || port > 65_535) return complain(process, `nc: port number invalid: ${portText}`);
      return call(process, given, {host, port});
    },
  );
}

function listen(process: Process, given: Given, run: readonly string[] | undefined): Promise<number> {
  const port = Number(given.value('p') ?? given.operands.at(-1));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return complain(process, 'nc: bad local port');
  return netcatListen(process, {port, again: given.has('k'), verbose: given.has('v'), run});
}

async function call(
  process: Process,
  given: Given,
  {host, port}: {readonly host: string; readonly port: number},
): Promise<number> {
  const address = await addressOf(process, host);
  if (address === undefined)
    return complain(process, `nc: getaddrinfo for host "${host}" port ${port}: Name or service not known`);
  const reply = await process.call(address, port, CONNECT, Number(given.value('w') ?? USUAL_WAIT_S) * 1000);
  if (!reply.ok) {
    const words = reply.failure === 'timeout' ? 'Connection timed out' : 'Connection refused';
    return given.has('v') ? complain(process, `nc: connect to ${host} (${address}) port ${port} (tcp) failed: ${words}`) : 1;
  }
  if (given.has('v')) await process.err(`Connection to ${host} (${address}) ${port} port [tcp/*] succeeded!\n`);
  return given.has('z') ? 0 : talk(process, address, port);
}

/** `telnet host [port]` */
export const telnet: Program = async process => {
  const [host, portText = '23'] = process.argv.slice(1).filter(word => !word.startsWith('-'));
  if (host === undefined) return complain(process, 'telnet: missing host');
  const address = await addressOf(process, host);
  if (address === undefined) return complain(process, `telnet: bad address '${host}'`);
  const reply = await process.call(address, Number(portText), CONNECT, USUAL_WAIT_S * 1000);
  if (!reply.ok) {
    const words = reply.failure === 'timeout' ? 'Connection timed out' : 'Connection refused';
    return complain(process, `telnet: can't connect to remote host (${address}): ${words}`);
  }
  await process.out(`Connected to ${host}\n`);
  const code = await talk(process, address, Number(portText));
  await process.out('Connection closed by foreign host\n');
  return code;
};

/** Says what stands on standard input, and prints what comes back. */
async function talk(process: Process, address: string, port: number): Promise<number> {
  const first = await firstWords(process);
  const request = requestIn(first);
  if (request) {
    const reply = await process.call<Answer>(address, port, request);
    if (reply.ok) await process.out(answerText(reply.answer));
    return reply.ok ? 0 : 1;
  }
  const opened = await process.connect<unknown, string | null>(address, port, Raw);
  if (!('answer' in opened)) return opened.failure === 'closed' ? 0 : 1;
  if (first !== '') opened.send(first);
  await exchange(process, opened);
  return 0;
}

/** What is typed first: of an HTTP request the whole head. */
async function firstWords(process: Process): Promise<string> {
  let text = '';
  for (;;) {
    const more = await process.read(0);
    if (more === null) return text;
    if (more === INTERRUPTED) continue;
    text += more;
    if (!/^[A-Z]+ \S* HTTP/.test(text) || /\r?\n\r?\n/.test(text)) return text;
  }
}

async function exchange(process: Process, connection: Connection<unknown, string | null>): Promise<void> {
  const speaker = process.spawn(
    async child => {
      for (;;) {
        const typed = await child.read(0);
        if (typed === INTERRUPTED) continue;
        connection.send(typed);
        if (typed === null) return 0;
      }
    },
    {argv: ['nc'], streams: new Map([...process.streams].map(([fd, stream]) => [fd, stream.share()]))},
  );
  for (;;) {
    const heard = await connection.next();
    if (heard === INTERRUPTED) continue;
    if (typeof heard !== 'string' || heard === 'timeout') break;
    await process.out(heard);
  }
  if (speaker && speaker.exitCode === undefined) process.kernel.signal(speaker, 'KILL');
}
