// From an answer of the cluster to bytes on the port. A long list goes out in pieces, and between them others get their turn; a
// client that does not read what it watches is let go before it fills the memory.
import {randomUUID} from 'node:crypto';
import type {ServerResponse} from 'node:http';
import type {Http2ServerResponse} from 'node:http2';
import {gzipSync} from 'node:zlib';
import {sha512} from '../api/meta/hash.ts';
import type {Answer} from '../api/wire/http.ts';
import {frameText, jsonPieces, jsonText, prettyPieces, prettyText} from '../api/schema/json-text.ts';
import {writtenYaml} from '../api/schema/yaml-text.ts';
import {ANSWERED_TYPE, ASKED_TYPE, openApiTwo} from './open-api-two.ts';

export type Outgoing = Http2ServerResponse | ServerResponse;

/** What of the request shapes the answer. */
export interface Asked {
  readonly head: boolean;
  readonly path: string;
  readonly pretty: boolean;
  readonly ifNoneMatch: string | undefined;
  readonly accept: string;
  /** In which forms it may be packed. */
  readonly encodings: string;
}

/** What may wait in a connection for a client that reads slowly. */
export const MOST_WAITING = 16 * 1024 * 1024;
/** What of a long answer may wait for its client. */
const MOST_AHEAD = 1024 * 1024;
/** What is written before others get their turn. */
const A_TURN = 128 * 1024;

/** Some paths are written for people, whoever asks. */
const ALWAYS_PRETTY = new Set(['/', '/version']);

/** Writes an answer that is complete. */
export function writeAnswer(out: Outgoing, answer: Answer, asked: Asked): void {
  const {status, body} = answer;
  const {head} = asked;
  const headers = headersOf(answer);
  if (typeof body !== 'object' || body === null)
    return finish(out, status, {head, headers, text: typeof body === 'string' ? body : ''});
  if (status === 200 && isDiscovery(answer)) headers['etag'] = tagOf(body);
  if (headers['etag'] !== undefined && asked.ifNoneMatch === headers['etag']) return finish(out, 304, {head: true, headers});
  if (asked.path.startsWith('/openapi/')) return finish(out, status, {head, headers, text: writtenOpenApi(body, headers, asked)});
  if (headers['content-type'] === 'application/yaml') return writePieces(out, {status, headers, head}, writtenYaml(body));
  const isPretty = asked.pretty || ALWAYS_PRETTY.has(asked.path);
  if (isDiscovery(answer))
    return writePieces(out, {status, headers, head}, [isPretty ? prettyText(body) : `${jsonText(body)}\n`, '']);
  writePieces(out, {status, headers, head}, isPretty ? prettyPieces(body) : jsonPieces(body));
}

const zipped = new WeakMap<object, Uint8Array>();

/** These are written by others than the rest: they know nothing of people, and are large enough to be made small. */
function writtenOpenApi(body: object, headers: Headers, {path, accept, encodings}: Asked): string | Uint8Array {
  if (path === '/openapi/v2' && accept.includes(ASKED_TYPE)) {
    headers['content-type'] = ANSWERED_TYPE;
    return openApiTwo(body);
  }
  if (!/\bgzip\b/.test(encodings)) return jsonText(body);
  headers['content-encoding'] = 'gzip';
  const made = zipped.get(body) ?? gzipSync(jsonText(body), {level: 1});
  zipped.set(body, made);
  return made;
}

/** Discovery in one document may be asked for again only if it changed. */
function isDiscovery({headers}: Answer): boolean {
  return headers?.['content-type']?.includes('as=APIGroupDiscoveryList') === true;
}

const tags = new WeakMap<object, string>();

function tagOf(body: object): string {
  const known = tags.get(body);
  if (known !== undefined) return known;
  const tag = `"${sha512(jsonText(body)).toUpperCase()}"`;
  if (Object.isFrozen(body)) tags.set(body, tag);
  return tag;
}

type Headers = Record<string, string | string[]>;

function headersOf({headers = {}, body}: Answer): Headers {
  const out: Headers = {'audit-id': randomUUID()};
  for (const [name, value] of Object.entries(headers))
    out[name] = value.includes('\n') ? value.split('\n').map(headerBytes) : headerBytes(value);
  out['content-type'] ??= typeof body === 'string' ? 'text/plain' : 'application/json';
  return out;
}

/** A value of a header as its bytes, one a letter: Node sends no other letters. Signs that would end it become spaces. */
function headerBytes(value: string): string {
  return PLAIN.test(value) ? value : Buffer.from(value.replaceAll(/[\x00-\x08\x0a-\x1f\x7f]/g, ' '), 'utf8').toString('latin1');
}

const PLAIN = /^[\t\x20-\x7e]*$/;

function finish(
  out: Outgoing,
  status: number,
  {head, headers, text}: {head: boolean; headers: Headers; text?: string | Uint8Array},
): void {
  const body = text ?? '';
  // A text goes out in one write with the headers; bytes would take one of their own.
  const length = typeof body === 'string' ? Buffer.byteLength(body, 'utf8') : body.length;
  begin(out, status, status === 304 ? headers : {...headers, 'content-length': String(length)});
  if (head) out.end();
  else out.end(body);
}

function begin(out: Outgoing, status: number, headers: Headers & {'content-length'?: string}): void {
  out.statusCode = status;
  for (const [name, value] of Object.entries(headers)) out.setHeader(name, value);
}

interface Plan {
  readonly status: number;
  readonly headers: Headers;
  readonly head: boolean;
}

function writePieces(out: Outgoing, {status, headers, head}: Plan, pieces: Iterable<string>): void {
  const each = pieces[Symbol.iterator]();
  const first = each.next();
  const second = each.next();
  const text = String(first.value ?? '');
  if (second.done) return finish(out, status, {head, headers, text});
  begin(out, status, headers);
  if (head) {
    out.end();
    return;
  }
  write(out, text);
  write(out, second.value);
  writeTurn(out, each);
}

/** Writes some pieces, then others have their turn; where much waits for the client already, until it has read. */
function writeTurn(out: Outgoing, pieces: Iterator<string>): void {
  let room = true;
  for (let written = 0; written < A_TURN && (room || waiting(out) < MOST_AHEAD);) {
    if (isGone(out)) return;
    const piece = pieces.next();
    if (piece.done) {
      out.end();
      return;
    }
    // An empty piece says that the next one takes long.
    if (piece.value === '') break;
    written += piece.value.length;
    room = write(out, piece.value);
  }
  if (room || waiting(out) < MOST_AHEAD) setImmediate(() => writeTurn(out, pieces));
  else out.once('drain', () => writeTurn(out, pieces));
}

function write(out: Outgoing, part: string | Uint8Array): boolean {
  return (out as ServerResponse).write(part);
}

function isGone(out: Outgoing): boolean {
  return out.writableEnded || (out as ServerResponse).destroyed;
}

const lines = new WeakMap<object, Buffer>();

/** An answer that goes on: a watch, or a log that is followed. */
export class Stream {
  readonly #out: Outgoing;

  constructor(out: Outgoing, answer: Answer) {
    this.#out = out;
    begin(out, answer.status, headersOf(answer));
    if (typeof answer.body === 'string' && answer.body !== '') this.#write(answer.body);
    else flush(out);
  }

  /** A frame: an event of a watch as a line, or a piece of text. */
  send(frame: unknown): void {
    if (typeof frame === 'string') this.#write(frame);
    else if (typeof frame === 'object' && frame !== null) this.#write(lineOf(frame));
  }

  end(): void {
    if (!isGone(this.#out)) this.#out.end();
  }

  #write(part: string | Uint8Array): void {
    if (isGone(this.#out)) return;
    write(this.#out, part);
    if (waiting(this.#out) > MOST_WAITING) destroy(this.#out);
  }
}

/** An event of a watch as a line. */
export function lineOf(frame: object): Buffer {
  const known = lines.get(frame);
  if (known) return known;
  const made = Buffer.from(frameText(frame), 'utf8');
  lines.set(frame, made);
  return made;
}

function waiting(out: Outgoing): number {
  return 'stream' in out ? out.stream.writableLength : out.writableLength;
}

/** Headers go out at once: a client waits for them before it waits for events. */
function flush(out: Outgoing): void {
  if ('stream' in out) out.writeHead(out.statusCode);
  else out.flushHeaders();
}

/** Drops the connection's stream as a server does that is gone. */
export function destroy(out: Outgoing): void {
  if ('stream' in out) out.stream.session?.destroy();
  else out.destroy();
}
