// The streams of a container, to and fro: what it writes flows here, what is typed here flows there, until it ends.
import type {Status} from '../../../api/kinds/meta.ts';
import type {ChannelFrame} from '../../../api/wire/http.ts';
import {INTERRUPTED, type Process} from '../../../sim/process/process.ts';
import {fail, failRaw, type Failure} from '../../failure.ts';
import type {Opened} from '../../request/limited.ts';
import type {Session} from '../../session.ts';
import type {Outcome} from '../command.ts';

/** A terminal is only asked for where there is one. */
export async function ttyOf(session: Session, isWanted: boolean): Promise<boolean> {
  if (!isWanted || !session.flags.on('stdin')) return false;
  if (session.process.streams.get(0)?.isTerminal) return true;
  await session.err('Unable to use a TTY - input is not a terminal or the right kind of file\n');
  return false;
}

/** Streams that did not come about for a reason inside the cluster: only the words of it are known here. */
export function notUpgraded(failure: Failure): Failure {
  return failure.is('InternalError') ? fail(failure.message) : failure;
}

/** Carries the streams to and fro until the command has ended. */
export async function converse(session: Session, opened: Opened<ChannelFrame>, sendsInput: boolean): Promise<Outcome> {
  const typist = sendsInput ? startTypist(session, opened) : undefined;
  const outcome = await listen(session, opened);
  if (typist) session.process.kernel.signal(typist, 'KILL');
  opened.close();
  return outcome;
}

/** A process waits for one thing at a time, so a second one sends what is typed. */
function startTypist(session: Session, opened: Opened<ChannelFrame>): Process | undefined {
  const type = async (process: Process): Promise<number> => {
    for (;;) {
      const text = await process.read(0);
      if (text === INTERRUPTED) continue;
      opened.send({channel: 0, data: text});
      if (text === null) return 0;
    }
  };
  return session.process.spawn(type, {argv: session.process.argv});
}

async function listen(session: Session, opened: Opened<ChannelFrame>): Promise<Outcome> {
  for (;;) {
    const frame = await opened.next();
    if (frame === null) return opened.failure() ? fail('error reading from error stream: unexpected EOF') : undefined;
    if (frame === INTERRUPTED || frame === 'timeout') continue;
    if (frame.channel === 3) return outcomeOf(frame.data);
    if (typeof frame.data !== 'string') continue;
    await (frame.channel === 2 ? session.err(frame.data) : session.out(frame.data));
  }
}

/** What the closing Status says: success, the command's own exit code, or why it could not run. */
export function outcomeOf(data: unknown): Outcome {
  const status = (data ?? {}) as Status;
  if (status.status === 'Success') return undefined;
  const code = status.details?.causes?.find(cause => cause.reason === 'ExitCode')?.message;
  if (status.reason === 'NonZeroExitCode' && code !== undefined)
    return failRaw(`command terminated with exit code ${code}\n`, Number(code));
  return fail(status.message ?? 'the command ended without a word');
}
