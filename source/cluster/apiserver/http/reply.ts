// Answers of the server. Most carry the same few headers, so those are made once. What only real clients see on the wire (the
// audit id, the date, the uids of the flow schema) is added where bytes are made.
import type {Answer} from '../../../api/wire/http.ts';
import type {Failure} from '../../../api/meta/status.ts';
import {Refused} from './refused.ts';

const JSON_HEADERS = Object.freeze({'cache-control': 'no-cache, private', 'content-type': 'application/json'});
const TEXT_HEADERS = Object.freeze({
  'cache-control': 'no-cache, private',
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
});
const FORBIDDEN_HEADERS = Object.freeze({...JSON_HEADERS, 'x-content-type-options': 'nosniff'});

/** An object, or anything else that is sent as JSON. */
export function json(status: number, body: unknown): Answer {
  return {status, headers: JSON_HEADERS, body};
}

/** Plain text. */
export function text(status: number, body: string): Answer {
  return {status, headers: TEXT_HEADERS, body};
}

/** The answer to a refused request. */
export function refusal(refused: Refused | Failure): Answer {
  const status = refused instanceof Refused ? refused.status : refused;
  if (status.code === 403) return {status: 403, headers: FORBIDDEN_HEADERS, body: status};
  const retry = status.details?.retryAfterSeconds;
  if (retry !== undefined) return {status: status.code, headers: {...JSON_HEADERS, 'retry-after': String(retry)}, body: status};
  return json(status.code, status);
}

/** Adds warnings: each becomes a `Warning:` line in kubectl. Several are joined by a line break, as headers are text. */
export function withWarnings(answer: Answer, warnings: readonly string[]): Answer {
  if (warnings.length === 0) return answer;
  const sayable = [...new Set(warnings)].filter(warning => !CONTROL.test(warning));
  if (sayable.length === 0) return answer;
  const lines = shortened(sayable).map(warning => `299 - "${warning.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);
  return {...answer, headers: {...answer.headers, warning: lines.join('\n')}};
}

/** What would break a header is not said at all. */
const CONTROL = /\p{Cc}/u;

/** All warnings together, in letters. From the first one that goes beyond it each is cut, and when there are so many again no more are said. */
const MOST_LETTERS = 4096;
const CUT_LETTERS = 256;
/** More warnings than this say nothing more: these alone are too many to be shown in full. */
export const MOST_WARNED = MOST_LETTERS;

function shortened(warnings: readonly string[]): readonly string[] {
  let written = 0;
  const beyond = warnings.findIndex(warning => (written += lettersIn(warning)) > MOST_LETTERS);
  if (beyond < 0) return warnings;
  written = 0;
  const out: string[] = [];
  for (const [at, warning] of warnings.entries()) {
    if (at > beyond && written >= MOST_LETTERS) break;
    const cut = Array.from(warning.slice(0, 2 * CUT_LETTERS))
      .slice(0, CUT_LETTERS)
      .join('');
    written += lettersIn(cut);
    out.push(cut);
  }
  return out;
}

function lettersIn(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** The answer for a path that nobody serves. */
export const NOT_FOUND_PAGE: Answer = Object.freeze(text(404, '404 page not found\n'));
