// What the server's log says of a request that nobody vouches for. Two look at a client's certificate: the one for front proxies,
// whose authority signs no clients, and the one for clients; each tells why it does not believe it.
import {keyIdentifier, type Certificate} from '../../../api/pki/certificate.ts';
import type {Request} from '../../../api/wire/http.ts';
import {outsideOf, UNKNOWN, unsignedBy} from '../../../api/wire/tls.ts';
import type {Core} from '../core.ts';
import {AUDIENCES, bearerToken} from './authenticate.ts';

/** Logs why a request was not believed. */
export function complain({daemon, settings, tokens}: Core, {certificate, headers}: Request): void {
  const token = bearerToken(headers?.['authorization']);
  const checked = token === undefined ? undefined : tokens.check(token, AUDIENCES, daemon.wall());
  const why = checked === undefined ? aboutCertificate(certificate, settings.clientAuthorityNames, daemon.wall()) : checked;
  const words = typeof why === 'object' && 'error' in why ? why.error : why;
  if (typeof words === 'string')
    daemon.print(`E authentication.go:75] "Unable to authenticate the request" err=${JSON.stringify(words)}`);
}

function aboutCertificate(shown: Request['certificate'], trusts: readonly string[], now: number): string | undefined {
  if (!shown || !('serial' in shown)) return undefined;
  const certificate = shown as Certificate;
  const expired = outsideOf(certificate, now);
  const {serial, authority} = certificate;
  const id = `SN=${BigInt(`0x${serial}`)}, SKID=, AKID=${keyIdentifier(authority)}`;
  return `[${expired ?? UNKNOWN}, verifying certificate ${id} failed: ${expired ?? unsignedBy(trusts, certificate)}]`;
}
