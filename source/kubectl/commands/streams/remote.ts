// A command in a container whose output is wanted here, not shown.
import type {Status} from '../../../api/kinds/meta.ts';
import {pathOf} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {ChannelFrame} from '../../../api/wire/http.ts';
import {INTERRUPTED} from '../../../sim/process/process.ts';
import {fail, Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {outcomeOf} from './converse.ts';

export interface RemoteWish {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
  /** What the command reads. */
  readonly input?: string;
}

/** What the command wrote; `failure` tells that it failed. */
export interface RemoteOutput {
  readonly out: string;
  readonly err: string;
  readonly failure: Failure | undefined;
}

/** Runs a command in a container to its end. */
export async function runRemotely(
  session: Session,
  {namespace, pod, container, command, input}: RemoteWish,
): Promise<RemoteOutput> {
  const said = {out: '', err: ''};
  const api = session.api();
  if (api instanceof Failure) return {...said, failure: api};
  const body = {command, container, stdin: input !== undefined, stdout: true, stderr: true, tty: false};
  const opened = await api.open<ChannelFrame>({method: 'POST', path: pathOf(builtin('pods'), namespace, pod, 'exec'), body});
  if (opened instanceof Failure) return {...said, failure: opened};
  if (input !== undefined) {
    opened.send({channel: 0, data: input});
    opened.send({channel: 0, data: null});
  }
  for (;;) {
    const frame = await opened.next();
    if (frame === INTERRUPTED || frame === 'timeout') continue;
    if (frame === null)
      return {...said, failure: opened.failure() ? fail('error reading from error stream: unexpected EOF') : undefined};
    if (frame.channel === 3) {
      opened.close();
      const outcome = outcomeOf(frame.data as Status);
      return {...said, failure: outcome instanceof Failure ? outcome : undefined};
    }
    if (typeof frame.data !== 'string') continue;
    if (frame.channel === 2) said.err += frame.data;
    else said.out += frame.data;
  }
}
