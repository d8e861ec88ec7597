// `--raw PATH`: a request as it is typed, and the answer as it comes.
import {bodyText, frameText, prettyText} from '../../api/schema/json-text.ts';
import type {Method, Request} from '../../api/wire/http.ts';
import {INTERRUPTED} from '../../sim/process/process.ts';
import {fail, Failure} from '../failure.ts';
import type {Session} from '../session.ts';
import type {Outcome} from './command.ts';

/** What is wrong with the path that `--raw` names. */
export function rawProblem({flags}: Session): Failure | undefined {
  if (flags.text('output') !== '') return fail('--raw and --output are mutually exclusive');
  const path = flags.text('raw');
  return path.startsWith('/') || /^[a-z]+:\/\//.test(path)
    ? undefined
    : fail(`--raw must be a valid URL path: parse ${JSON.stringify(path)}: invalid URI for request`);
}

/** Gets a path and prints what is there; a watch is printed as it flows. */
export async function getRaw(session: Session): Promise<Outcome> {
  return sendRaw(session, 'GET');
}

/** Sends a request to the path that `--raw` names, with a body where one is given. */
export async function sendRaw(session: Session, method: Method, body?: unknown): Promise<Outcome> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const opened = await api.open<unknown>(rawRequest(session.flags.text('raw'), method, body));
  if (opened instanceof Failure) return opened;
  const {body: answer, headers} = opened.answer;
  if (answer !== undefined) await session.out(answerText(answer, session.flags.text('raw')));
  if (headers?.['transfer-encoding'] !== 'chunked' && !/[?&]watch=(1|true)|\/watch\//.test(session.flags.text('raw')))
    return undefined;
  for (;;) {
    const frame = await opened.next();
    if (frame === null) return undefined;
    if (frame === INTERRUPTED || frame === 'timeout') continue;
    await session.out(frameText(frame));
  }
}

function rawRequest(raw: string, method: Method, body: unknown): Request {
  const at = raw.indexOf('?');
  const query: Record<string, string> = {};
  for (const part of at < 0 ? [] : raw.slice(at + 1).split('&')) {
    const [key = '', value = ''] = part.split('=').map(decode);
    if (key !== '') query[key] = value;
  }
  return {
    method,
    path: decode(at < 0 ? raw : raw.slice(0, at)),
    query,
    ...(body === undefined ? {} : {body, headers: {'content-type': 'application/json'}}),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // A stray percent sign stands for itself.
    return text;
  }
}

/** Only the version and the list of paths are written for people. */
function answerText(body: unknown, path: string): string {
  return typeof body === 'object' && /^\/(version\b.*)?$/.test(path) ? prettyText(body) : bodyText(body);
}
