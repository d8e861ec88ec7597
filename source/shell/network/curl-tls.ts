// curl's side of TLS: whom it trusts, what it shows, and OpenSSL's words for a handshake that failed. The authorities of the system
// vouch for no server of a cluster; who is not asked for a certificate (a mirror of images, a public page) is known to them.
import {readCertificates, readKey, trusted, type Certificate} from '../../api/pki/certificate.ts';
import type {ClientHello} from '../../api/wire/tls.ts';
import type {Process} from '../../sim/process/process.ts';
import type {Given} from '../programs/arguments.ts';

/** Why a transfer ended, as curl numbers it. */
export interface Ending {
  readonly code: number;
  readonly words: string;
}

/** What is said before the first request. */
export interface Greeting {
  readonly hello: ClientHello;
  readonly certificate?: Certificate;
}

/** The greeting that the options ask for, or what is wrong with their files. */
export function greetingOf(process: Process, given: Given, host: string): Greeting | Ending {
  const trusts = given.has('k') ? undefined : authoritiesOf(process, given.value('9'));
  if (trusts !== undefined && 'code' in trusts) return trusts;
  const certificate = pairOf(process, given);
  if (certificate !== undefined && 'code' in certificate) return certificate;
  const hello = {trusts, name: host, now: process.machine.wall(), ...(certificate ? {certificate} : {})};
  return {hello, ...(certificate ? {certificate} : {})};
}

/** Go's words for a failed handshake, in those of OpenSSL. */
export function endingOf(failure: string, host: string, certificateNow: number): Ending {
  if (failure.includes('HTTP response to HTTPS'))
    return {code: 35, words: 'TLS connect error: error:0A0000C6:SSL routines::packet length too long'};
  const alert = Object.entries(ALERTS).find(([words]) => failure.includes(words))?.[1];
  if (alert !== undefined) return {code: 56, words: `OpenSSL SSL_read: OpenSSL/3.5.4: error:${alert}, errno 0`};
  return {code: 60, words: `${whyUnverified(failure, host, certificateNow)}${ADVICE}`};
}

/** What a server's alert is called. */
const ALERTS: Readonly<Record<string, string>> = {
  'certificate required': '0A00045C:SSL routines::tlsv13 alert certificate required',
  'unknown certificate authority': '0A000418:SSL routines::tlsv1 alert unknown ca',
  'expired certificate': '0A000415:SSL routines::ssl/tls alert certificate expired',
  'bad certificate': '0A000412:SSL routines::ssl/tls alert bad certificate',
};

const ADVICE = [
  '',
  'More details here: https://curl.se/docs/sslcerts.html',
  '',
  'curl failed to verify the legitimacy of the server and therefore could not',
  'establish a secure connection to it. To learn more about this situation and',
  'how to fix it, please visit the webpage mentioned above.',
].join('\n');

function whyUnverified(failure: string, host: string, now: number): string {
  if (failure.includes('unknown authority')) return 'SSL certificate problem: unable to get local issuer certificate';
  const [, begins] = /current time \S+ is before (\S+)/.exec(failure) ?? [];
  if (begins !== undefined && Date.parse(begins) > now) return 'SSL certificate problem: certificate is not yet valid';
  if (failure.includes('has expired')) return 'SSL certificate problem: certificate has expired';
  const kind = /^[\d.]+$/.test(host) ? 'ipv4 address' : 'host name';
  return `SSL: no alternative certificate subject name matches target ${kind} '${host}'`;
}

function authoritiesOf(process: Process, name: string | undefined): readonly string[] | Ending {
  if (name === undefined) return [];
  const found = readCertificates(process.machine.files.read(process.path(name)) ?? '');
  return found.length > 0 ? found.map(trusted) : {code: 77, words: `error adding trust anchors from file: ${name}`};
}

function pairOf(process: Process, given: Given): Certificate | Ending | undefined {
  const name = given.value('E')?.replace(/:.*$/, '');
  if (name === undefined) return undefined;
  const text = process.machine.files.read(process.path(name));
  const [certificate] = readCertificates(text ?? '');
  if (!certificate) {
    const why =
      text === undefined
        ? 'error:80000002:system library::No such file or directory'
        : 'error:0480006C:PEM routines::no start line';
    const hint = '(no key found, wrong pass phrase, or wrong file format?)';
    return {code: 58, words: `could not load PEM client certificate from ${name}, OpenSSL error ${why}, ${hint}`};
  }
  // Without --key the key is looked for beside the certificate, in the same file.
  const keyName = given.value('!') ?? name;
  const key = readKey(process.machine.files.read(process.path(keyName)) ?? '');
  return key === certificate.key ? certificate : {code: 58, words: `unable to set private key file: '${keyName}' type PEM`};
}
