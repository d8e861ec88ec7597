// `nc -l`: somebody who listens. What the caller says goes to standard output, what stands on standard input is what it is told; a
// caller who speaks HTTP gets standard input as the answer, if that is one. `-k` takes one after the other, `-e` hands each to a program.
import {Raw} from '../../sim/raw.ts';
import type {Request} from '../../api/wire/http.ts';
import type {Call} from '../../sim/network.ts';
import {INTERRUPTED, type Process} from '../../sim/process/process.ts';
import {sinkStream, textStream} from '../../sim/process/streams.ts';
import {complain} from '../programs/output.ts';
import {answerIn, requestText} from './http-text.ts';
import {openDoor} from './door.ts';

export interface Listening {
  readonly port: number;
  readonly again: boolean;
  readonly verbose: boolean;
  /** The program for each caller, with its arguments. */
  readonly run: readonly string[] | undefined;
}

/** Listens. */
export async function netcatListen(process: Process, listening: Listening): Promise<number> {
  const {port, again, verbose, run} = listening;
  const door = openDoor(process, port);
  if (!door) return complain(process, 'nc: bind: Address already in use');
  if (verbose) await process.err(`listening on [::]:${port} ...\n`);
  do {
    const call = await door.next();
    if (!call) continue;
    if (verbose)
      await process.err(
        `connect to [::ffff:${call.to.split(':')[0]}]:${port} from [::ffff:${call.from}]:43210 ([::ffff:${call.from}]:43210)\n`,
      );
    const code = run ? await served(process, call, run) : await spoken(process, call);
    if (code !== 0) return code;
  } while (again);
  return 0;
}

function isHttp(request: unknown): request is Request {
  return typeof (request as Request | undefined)?.path === 'string';
}

/** A program talks to the caller. */
async function served(process: Process, call: Call, run: readonly string[]): Promise<number> {
  const [name = ''] = run;
  const program = process.machine.program(name);
  if (!program) return complain(process, `nc: can't execute '${name}': No such file or directory`, 127);
  let said = '';
  const isRaw = call.request === Raw;
  if (isRaw) call.open(undefined);
  const child = process.spawn(program, {
    argv: run,
    streams: new Map([
      [0, textStream(isHttp(call.request) ? requestText(call.request) : '')],
      [1, sinkStream(text => (isRaw ? call.send(text) : (said += text)))],
      [2, process.streams.get(2)?.share() ?? sinkStream(() => undefined)],
    ]),
  });
  if (!child) return 1;
  while ((await process.wait(child)) === INTERRUPTED);
  finish(call, said);
  return 0;
}

/** Standard input and output are the talk. */
async function spoken(process: Process, call: Call): Promise<number> {
  if (isHttp(call.request)) {
    await process.out(requestText(call.request));
    finish(call, await process.readAll(0));
    return 0;
  }
  if (call.request !== Raw) {
    call.end();
    return 0;
  }
  await converse(process, call);
  return 0;
}

async function converse(process: Process, call: Call): Promise<void> {
  const heard: string[] = [];
  let isOver = false;
  let wake: (() => void) | undefined;
  call.open(undefined);
  call.onFrame(frame => {
    if (frame === null) isOver = true;
    else if (typeof frame === 'string') heard.push(frame);
    wake?.();
  });
  call.onCancel(() => {
    isOver = true;
    wake?.();
  });
  const input = process.streams.get(0);
  let isMute = false;
  while (!isOver || heard.length > 0) {
    const text = heard.shift();
    const typed = isMute ? undefined : input?.read();
    if (text !== undefined) await process.out(text);
    if (typeof typed === 'string') call.send(typed);
    if (typed === null) isMute = true;
    if (text === undefined && typeof typed !== 'string' && !isOver)
      await process.block(woken => {
        wake = woken;
        if (!isMute) input?.onChange(woken);
      });
  }
  call.end();
}

function finish(call: Call, said: string): void {
  if (call.request === Raw) return call.end();
  const answer = answerIn(said);
  if (answer) call.answer(answer);
  else call.end('closed');
}
