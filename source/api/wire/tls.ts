// TLS as far as it is seen: who shows which certificate, who trusts whom, and the words in which each side complains. A client
// sends its hello along with its request; the server judges both sides' certificates, since it knows its own. A hello that was
// accepted once is an open connection: whatever expires afterwards does not end it.
//
// There are no bytes and no secrets on the wire here; that a request came without a hello is a record that is no handshake.
import type {Call, Failure} from '../../sim/network.ts';
import {isNamesake, isSignedBy, type Certificate} from '../pki/certificate.ts';

/** What a client says of itself as it connects. */
export interface ClientHello {
  /** The authorities that it trusts, as `trusted` writes them; undefined: it trusts anybody. */
  readonly trusts: readonly string[] | undefined;
  /** The host that it dialled. */
  readonly name: string;
  readonly certificate?: Certificate;
  /** Its own time, in milliseconds since 1970. */
  readonly now: number;
}

/** A request over TLS that is none of HTTP: one of HTTP has its greeting in it. */
export interface TlsRequest {
  readonly tls: ClientHello;
  readonly request: unknown;
}

/** The answer to a handshake that failed: what the client reads. */
export interface TlsFailure {
  readonly tlsFailure: string;
}

/** What a server shows and wants. */
export interface TlsServer {
  readonly certificate: Certificate;
  /** The authorities whose clients it takes, as `trusted` writes them; undefined: it asks for no certificate. */
  readonly clientAuthorities: readonly string[] | undefined;
  /** A certificate is wanted, not only looked at. */
  readonly required: boolean;
}

/** How a handshake went wrong, for each side. */
export interface Rejection {
  readonly client: string;
  readonly server: string;
}

export function isTlsRequest(request: unknown): request is TlsRequest {
  return typeof request === 'object' && request !== null && 'tls' in request && 'request' in request;
}

/** How a request greets. */
export function helloOf(request: unknown): ClientHello | undefined {
  if (typeof request !== 'object' || request === null) return undefined;
  return 'tls' in request ? (request as TlsRequest).tls : (request as {readonly hello?: ClientHello}).hello;
}

export function isTlsFailure(answer: unknown): answer is TlsFailure {
  return typeof answer === 'object' && answer !== null && 'tlsFailure' in answer;
}

/** Why a certificate does not count whose authority nobody knows. */
export const UNKNOWN = 'x509: certificate signed by unknown authority';
const UNVERIFIED = 'tls: failed to verify certificate: ';

/** Judges a handshake; undefined when both sides are content. `now` is the server's time. */
export function handshake(client: ClientHello, server: TlsServer, now: number): Rejection | undefined {
  const refused = refuseServer(client, server.certificate);
  if (refused) return refused;
  const {certificate} = client;
  const {clientAuthorities, required} = server;
  if (clientAuthorities === undefined) return undefined;
  if (!certificate)
    return required
      ? {client: 'remote error: tls: certificate required', server: "tls: client didn't provide a certificate"}
      : undefined;
  const expired = outsideOf(certificate, now);
  if (expired) return {client: 'remote error: tls: expired certificate', server: UNVERIFIED + expired};
  const unsigned = unsignedBy(clientAuthorities, certificate);
  if (unsigned === undefined) return undefined;
  return {client: 'remote error: tls: unknown certificate authority', server: UNVERIFIED + unsigned};
}

/** Judges the server's side alone, as a client does before it shows anything: its time, then its name, then who signed it. */
export function refuseServer({trusts, name, now}: ClientHello, certificate: Certificate): Rejection | undefined {
  if (trusts === undefined) return undefined;
  const bad = 'remote error: tls: bad certificate';
  const isNamed = certificate.dnsNames.includes(name) || certificate.addresses.includes(name);
  const why = outsideOf(certificate, now) ?? (isNamed ? unsignedBy(trusts, certificate) : `x509: ${notFor(certificate, name)}`);
  return why === undefined ? undefined : {client: UNVERIFIED + why, server: bad};
}

/** Why a certificate does not count with those who are trusted: nobody of them signed it, though one may be called like who did. */
export function unsignedBy(trusts: readonly string[], certificate: Certificate): string | undefined {
  if (isSignedBy(trusts, certificate)) return undefined;
  if (!isNamesake(trusts, certificate)) return UNKNOWN;
  const name = JSON.stringify(certificate.issuer);
  return `${UNKNOWN} (possibly because of "crypto/rsa: verification error" while trying to verify candidate authority certificate ${name})`;
}

/** Why a certificate does not count at that time. */
export function outsideOf({notBefore, notAfter}: Certificate, now: number): string | undefined {
  const text = 'x509: certificate has expired or is not yet valid: current time';
  if (now > notAfter) return `${text} ${second(now)} is after ${second(notAfter)}`;
  return now < notBefore ? `${text} ${second(now)} is before ${second(notBefore)}` : undefined;
}

function notFor({dnsNames, addresses}: Certificate, name: string): string {
  const isAddress = /^[\d.]+$/.test(name);
  const names = isAddress ? addresses : dnsNames;
  if (isAddress && names.length === 0) return `cannot validate certificate for ${name} because it doesn't contain any IP SANs`;
  if (names.length === 0) return `certificate is not valid for any names, but wanted to match ${name}`;
  return `certificate is valid for ${names.join(', ')}, not ${name}`;
}

function second(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** A server's side of TLS on a port: `serve` gets what came through, as if it had come bare. */
export class TlsDoor {
  readonly #server: TlsServer;
  readonly #wall: () => number;
  readonly #rejected: (call: Call, why: string) => void;
  readonly #accepted = new WeakSet<ClientHello>();

  constructor(server: TlsServer, wall: () => number, rejected: (call: Call, why: string) => void) {
    this.#server = server;
    this.#wall = wall;
    this.#rejected = rejected;
  }

  /** Takes a call, or turns it away. */
  take(call: Call, serve: (call: Call) => void): void {
    const {request} = call;
    const hello = helloOf(request);
    if (!hello) {
      this.#rejected(call, 'tls: first record does not look like a TLS handshake');
      call.end('closed');
      return;
    }
    if (!this.#accepted.has(hello)) {
      const rejection = handshake(hello, this.#server, this.#wall());
      if (rejection) {
        this.#rejected(call, rejection.server);
        call.answer({tlsFailure: rejection.client} satisfies TlsFailure);
        return;
      }
      this.#accepted.add(hello);
    }
    serve(isTlsRequest(request) ? new InnerCall(call, request) : call);
  }
}

/** A call with the wrapping taken off. There are many, so it has no closures. */
class InnerCall implements Call {
  readonly request: unknown;
  readonly #outer: Call;

  readonly hello: ClientHello;

  constructor(outer: Call, {request, tls}: TlsRequest) {
    this.#outer = outer;
    this.request = request;
    this.hello = tls;
  }

  get from(): string {
    return this.#outer.from;
  }

  get to(): string {
    return this.#outer.to;
  }

  answer(answer: unknown): void {
    this.#outer.answer(answer);
  }

  open(answer: unknown): void {
    this.#outer.open(answer);
  }

  send(frame: unknown): void {
    this.#outer.send(frame);
  }

  end(failure?: Failure): void {
    this.#outer.end(failure);
  }

  onFrame(take: (frame: unknown) => void): void {
    this.#outer.onFrame(take);
  }

  onCancel(take: () => void): void {
    this.#outer.onCancel(take);
  }

  /** Passes on what came, still wrapped. */
  pass(to: string, port: number, refused: () => void): void {
    this.#outer.pass(to, port, refused);
  }
}

/** The certificate with which a call came through a door. */
export function certificateOf(call: Call): Certificate | undefined {
  return call instanceof InnerCall ? call.hello.certificate : undefined;
}
