// From what arrived on the port to a request of the cluster: the line, the headers, the certificate that TLS proved, the body as text
// (the API server reads it, as its errors are about what stands there).
import {X509Certificate} from 'node:crypto';
import type {Http2ServerRequest} from 'node:http2';
import type {IncomingMessage} from 'node:http';
import type {TLSSocket} from 'node:tls';
import {deepFreeze} from '../api/meta/object.ts';
import {readCertificate, type ClientCertificate} from '../api/pki/certificate.ts';
import {JSON_TYPE, type Method, type Request} from '../api/wire/http.ts';
import {PROTOBUF_TYPE, readProtobuf} from './protobuf.ts';

export type Incoming = Http2ServerRequest | IncomingMessage;

/** What a request says before its body. */
export interface Head {
  readonly request: Request;
  /** The query as it came, with repeated keys. */
  readonly search: URLSearchParams;
}

/** The largest body, as the real server has it. */
export const MOST_BYTES = 3 * 1024 * 1024;
/** A body must be there within this time. */
export const BODY_MS = 60_000;

/** Reads the line and the headers; undefined where they are nonsense. */
export function readHead(incoming: Incoming, certificate: ClientCertificate | undefined): Head | undefined {
  // Proxies are asked with the whole URL.
  const target = (incoming.url ?? '').replace(/^https?:\/\/[^/?]*/, '');
  const mark = target.indexOf('?');
  const path = decoded(mark < 0 ? target : target.slice(0, mark));
  if (path === undefined || !path.startsWith('/')) return undefined;
  const search = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
  const query: Record<string, string> = {};
  for (const [key, value] of search) {
    if (!Object.hasOwn(query, key)) query[key] = value;
    // Of most keys the first counts; of health checks all are left out that are named.
    else if (key === 'exclude') query[key] += `\n${value}`;
  }
  return {
    search,
    request: {
      // There are more methods than a server knows; it refuses the others itself.
      method: (incoming.method ?? '') as Method,
      scheme: 'https',
      path,
      query,
      headers: headersOf(incoming),
      readsHeaders: true,
      ...(certificate ? {certificate} : {}),
    },
  };
}

function decoded(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function headersOf(incoming: Incoming): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name.startsWith(':') || value === undefined) continue;
    if (name.startsWith(BORROWED)) out[name] = valuesOf(incoming, name).join('\n');
    else out[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return out;
}

/** Headers whose values may have commas of their own, and of which each value counts. */
const BORROWED = 'impersonate-';

/** The values of a header as they came, one by one. */
function valuesOf({rawHeaders}: Incoming, name: string): readonly string[] {
  return rawHeaders.filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

/** The body; undefined when it is too large, or when the client went away or was too slow. */
export function readBody(incoming: Incoming, done: (body: Buffer | undefined, tooLarge: boolean) => void): void {
  const parts: Buffer[] = [];
  let size = 0;
  let over = false;
  const finish = (body: Buffer | undefined, tooLarge = false): void => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    done(body, tooLarge);
  };
  const timer = setTimeout(() => finish(undefined), BODY_MS);
  if (Number(incoming.headers['content-length'] ?? 0) > MOST_BYTES) {
    finish(undefined, true);
    incoming.resume();
    return;
  }
  incoming.on('data', (part: Buffer) => {
    size += part.length;
    if (size > MOST_BYTES) finish(undefined, true);
    else if (!over) parts.push(part);
  });
  incoming.on('end', () => finish(Buffer.concat(parts)));
  incoming.on('error', () => finish(undefined));
  incoming.on('close', () => finish(undefined));
}

/** A request with its body: protobuf as the value that it holds, all else as text. */
export function withBody(request: Request, body: Buffer): Request {
  if (body.length === 0) return request;
  if (request.headers?.['content-type']?.startsWith(PROTOBUF_TYPE) === true) {
    const value = readProtobuf(body);
    if (value)
      return {...request, headers: {...request.headers, 'content-type': JSON_TYPE}, body: deepFreeze(value), bytes: body.length};
  }
  return {...request, body: body.toString('utf8'), bytes: body.length};
}

/** The cluster's side of client certificates. */
export interface ClusterAuthority {
  /** Its certificate, as PEM. */
  readonly certificate: string;
  readonly issue: (commonName: string, organizations: readonly string[]) => ClientCertificate;
}

/**
 * Makes the records of the cluster's authority for the certificates that this port's authority signed. What the cluster's own
 * authority signed carries its record, whose times the API server judges with the cluster's clock.
 */
export class Certificates {
  readonly #issue: ClusterAuthority['issue'];
  readonly #authority: X509Certificate;
  readonly #known = new WeakMap<object, ClientCertificate | undefined>();
  readonly #records = new Map<string, ClientCertificate>();

  constructor({certificate, issue}: ClusterAuthority) {
    this.#issue = issue;
    this.#authority = new X509Certificate(certificate);
  }

  /** Whom a connection is from; one whose certificate nobody signed has a record that no authority vouches for. */
  of(socket: TLSSocket): ClientCertificate | undefined {
    if (this.#known.has(socket)) return this.#known.get(socket);
    const made = this.#read(socket);
    this.#known.set(socket, made);
    return made;
  }

  #read(socket: TLSSocket): ClientCertificate | undefined {
    const shown = socket.getPeerCertificate();
    if (!shown || Object.keys(shown).length === 0) return undefined;
    const signed = this.#recordIn(shown.raw);
    if (signed) return signed;
    const subject = shown.subject as Readonly<Record<string, string | readonly string[] | undefined>>;
    const commonName = listOf(subject['CN'])[0] ?? '';
    const organizations = listOf(subject['O']);
    if (!socket.authorized) return {commonName, organizations, authority: '', notBefore: 0, notAfter: 0};
    const name = JSON.stringify([commonName, ...organizations]);
    const record = this.#records.get(name) ?? this.#issue(commonName, organizations);
    this.#records.set(name, record);
    return record;
  }

  #recordIn(raw: Buffer): ClientCertificate | undefined {
    const shown = new X509Certificate(raw);
    const isSigned = shown.checkIssued(this.#authority) && shown.verify(this.#authority.publicKey);
    return isSigned ? readCertificate(shown.toString()) : undefined;
  }
}

function listOf(part: string | readonly string[] | undefined): readonly string[] {
  if (part === undefined) return [];
  return typeof part === 'string' ? [part] : part;
}
