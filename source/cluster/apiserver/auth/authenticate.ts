// Who is it? A client certificate that the cluster's authority signed comes first, then a bearer token. Whoever shows neither is
// anonymous; whoever shows only what nobody vouches for is refused.
import {sha256} from '../../../api/meta/hash.ts';
import {unauthorized} from '../../../api/meta/status.ts';
import type {ClientCertificate} from '../../../api/pki/certificate.ts';
import type {Request} from '../../../api/wire/http.ts';
import {refuse, type Refused} from '../http/refused.ts';
import {ISSUER} from '../settings.ts';
import type {Tokens} from './tokens.ts';
import {ANONYMOUS, makeUser, type User} from './user.ts';

/** What authentication needs to know. */
export interface Authority {
  readonly clientAuthority: string;
  readonly tokens: Tokens;
  readonly wall: () => number;
  /** Are requests taken that say nothing of who sends them? */
  readonly anonymous: boolean;
}

export const AUDIENCES: readonly string[] = [ISSUER];

const certificateUsers = new WeakMap<ClientCertificate, User>();

/** Finds out who sends a request. */
export function authenticate(authority: Authority, request: Request): User | Refused {
  const {certificate, headers} = request;
  if (certificate && isTrusted(authority, certificate)) return userOfCertificate(certificate);
  const token = bearerToken(headers?.['authorization']);
  if (token !== undefined) {
    const checked = authority.tokens.check(token, AUDIENCES, authority.wall());
    return 'error' in checked ? refuse(unauthorized()) : checked.user;
  }
  return certificate || !authority.anonymous ? refuse(unauthorized()) : ANONYMOUS;
}

function isTrusted(authority: Authority, certificate: ClientCertificate): boolean {
  const now = authority.wall();
  return certificate.authority === authority.clientAuthority && now >= certificate.notBefore && now <= certificate.notAfter;
}

function userOfCertificate(certificate: ClientCertificate): User {
  const known = certificateUsers.get(certificate);
  if (known) return known;
  const made = makeUser({
    name: certificate.commonName,
    groups: [...certificate.organizations, 'system:authenticated'],
    extra: {'authentication.kubernetes.io/credential-id': [`X509SHA256=${sha256(JSON.stringify(certificate))}`]},
  });
  certificateUsers.set(certificate, made);
  return made;
}

/** The token of an `Authorization` header. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [scheme = '', token = ''] = header.trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}
