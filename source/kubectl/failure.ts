// Why a command failed, as a value, and the words that kubectl prints for it. Functions return what was asked for or a
// Failure; nothing is thrown.
//
// The words depend on what failed: a Status of the server speaks as "Error from server (Reason)", a refused object lists its
// fields, a server that cannot be reached is named, everything else is "error: …". Several failures of one command are printed
// one a line, without that prefix.
import type {Status, StatusCause} from '../api/kinds/meta.ts';
import {goQuote} from '../api/meta/go-text.ts';

type Cause =
  | {readonly type: 'plain'; readonly message: string}
  | {readonly type: 'status'; readonly status: Status}
  | {readonly type: 'unreachable'; readonly method: string; readonly url: string; readonly error: string}
  | {readonly type: 'configuration'; readonly messages: readonly string[]}
  | {readonly type: 'several'; readonly failures: readonly Failure[]}
  | {readonly type: 'raw'; readonly text: string; readonly code: number};

/** A failure with its reason. */
export class Failure {
  readonly cause: Cause;
  /** What was printed before it failed. */
  readonly printed: string;

  constructor(cause: Cause, printed = '') {
    this.cause = cause;
    this.printed = printed;
  }

  /** The sentence alone, as it stands inside other sentences. */
  get message(): string {
    return messageOf(this.cause);
  }

  /** Was it refused by the server for this reason (`NotFound`, `Conflict`)? */
  is(reason: string): boolean {
    return this.cause.type === 'status' && this.cause.status.reason === reason;
  }
}

function messageOf(cause: Cause): string {
  switch (cause.type) {
    case 'plain':
      return cause.message;
    case 'status':
      return cause.status.message ?? '';
    case 'unreachable':
      return `${cause.method} ${goQuote(cause.url)}: ${cause.error}`;
    case 'configuration':
      return `invalid configuration: ${listText(cause.messages)}`;
    case 'several':
      return listText(cause.failures.map(failure => failure.message));
    default:
      return cause.text;
  }
}

/** A failure with a sentence of kubectl's own. */
export function fail(message: string): Failure {
  return new Failure({type: 'plain', message});
}

/** A failure whose text is printed as it is. An empty text prints nothing. */
export function failRaw(text: string, code = 1): Failure {
  return new Failure({type: 'raw', text, code});
}

/** Wrong use of a command: the sentence, and where to read more. */
export function failUsage(command: string, message: string): Failure {
  return fail(`${message}\nSee '${command} -h' for help and examples`);
}

/** What the server refused. */
export function failStatus(status: Status): Failure {
  return new Failure({type: 'status', status});
}

/** One failure of many; undefined of none. */
export function gather(failures: readonly Failure[]): Failure | undefined {
  return failures.length > 1 ? new Failure({type: 'several', failures}) : failures[0];
}

/** Failures one a line, without `error:` even when it is one. */
export function listed(failures: readonly Failure[]): Failure | undefined {
  return failures.length > 0 ? new Failure({type: 'several', failures}) : undefined;
}

/** The failure with words before its sentence, as when a file is named. A Status stays one. */
export function prefixed(failure: Failure, words: string): Failure {
  const {cause} = failure;
  if (cause.type === 'status') return failStatus({...cause.status, message: `${words}: ${cause.status.message ?? ''}`});
  if (cause.type === 'raw' || cause.type === 'several') return failure;
  return fail(`${words}: ${failure.message}`);
}

/** The failure in a sentence of our own, with its words at the end: it no longer counts as what the server said. */
export function restated(failure: Failure, words: string): Failure {
  return fail(`${words}${failure.message}`);
}

/** What is printed on standard error, and the exit code. */
export function failureText(failure: Failure): {text: string; code: number} {
  const {cause} = failure;
  if (cause.type === 'raw') return {text: endLine(cause.text), code: cause.code};
  return {text: endLine(wordsOf(failure)), code: 1};
}

function wordsOf(failure: Failure): string {
  const {cause} = failure;
  switch (cause.type) {
    case 'status':
      return cause.status.reason === 'Invalid' ? invalidText(cause.status) : (serverText(failure) ?? '');
    case 'configuration':
      return multiline('Error in configuration: ', cause.messages);
    case 'several':
      return cause.failures.map(part => `${serverText(part) ?? part.message}\n`).join('');
    default:
      return serverText(failure) ?? (failure.message.startsWith('error: ') ? failure.message : `error: ${failure.message}`);
  }
}

/** The words for what a server said, or for one that did not answer; undefined for other failures. */
function serverText({cause}: Failure): string | undefined {
  if (cause.type === 'status') {
    const {reason, message = ''} = cause.status;
    if (reason === 'Unauthorized') return `error: You must be logged in to the server (${message})`;
    return reason ? `Error from server (${reason}): ${message}` : `Error from server: ${message}`;
  }
  if (cause.type !== 'unreachable') return undefined;
  if (cause.error.includes('connection refused')) {
    return `The connection to the server ${hostOf(cause.url)} was refused - did you specify the right host or port?`;
  }
  return `Unable to connect to the server: ${cause.error}`;
}

function invalidText({details, message = ''}: Status): string {
  if (!details) return `The request is invalid: ${message}`;
  const causes = [...new Set((details.causes ?? []).map(causeText))];
  const named = details.kind || details.name;
  const head = named ? `The ${details.kind ?? ''} ${goQuote(details.name ?? '')} is invalid` : 'The request is invalid';
  if (causes.length > 0) return multiline(`${head}: `, causes);
  return named || message === '' ? head : `${head}: ${message}`;
}

function causeText({field = '', message = ''}: StatusCause): string {
  return `${field}: ${message}`;
}

function multiline(head: string, lines: readonly string[]): string {
  // One line gets its own end, even where the words end in one already.
  if (lines.length <= 1) return `${head}${lines[0] ?? ''}\n`;
  return `${head}\n${lines.map(line => `* ${line}\n`).join('')}`;
}

function listText(messages: readonly string[]): string {
  const [only = ''] = messages;
  return messages.length === 1 ? only : `[${[...new Set(messages)].join(', ')}]`;
}

function hostOf(url: string): string {
  return /^[a-z]+:\/\/([^/]*)/.exec(url)?.[1] ?? url;
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
