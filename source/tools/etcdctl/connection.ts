// From flags, environment and files to a client: which endpoints, which certificate, whom to trust.
import {readCertificates, trusted, type Certificate} from '../../api/pki/certificate.ts';
import {readKeyPair} from '../../api/pki/key-pair.ts';
import type {AuthAnswer} from '../../api/wire/etcd-auth.ts';
import type {ClientHello} from '../../api/wire/tls.ts';
import type {Process} from '../../sim/process/process.ts';
import type {FlagSpec, FlagValues} from '../flags/pflags.ts';
import {EtcdClient} from './client.ts';
import {badArgument, Ended, EXIT} from './exit.ts';

/** The flags of all commands. */
export const GLOBAL_FLAGS: readonly FlagSpec[] = [
  {name: 'cacert', type: 'string'},
  {name: 'cert', type: 'string'},
  {name: 'command-timeout', type: 'duration', standard: '5s'},
  {name: 'debug', type: 'bool'},
  {name: 'dial-timeout', type: 'duration', standard: '2s'},
  {name: 'discovery-srv', short: 'd', type: 'string'},
  {name: 'discovery-srv-name', type: 'string'},
  {name: 'endpoints', type: 'strings', standard: '127.0.0.1:2379'},
  {name: 'hex', type: 'bool'},
  {name: 'insecure-discovery', type: 'bool', standard: 'true'},
  {name: 'insecure-skip-tls-verify', type: 'bool'},
  {name: 'insecure-transport', type: 'bool', standard: 'true'},
  {name: 'keepalive-time', type: 'duration', standard: '2s'},
  {name: 'keepalive-timeout', type: 'duration', standard: '6s'},
  {name: 'key', type: 'string'},
  {name: 'max-recv-bytes', type: 'int', standard: '2147483647'},
  {name: 'max-request-bytes', type: 'int', standard: '0'},
  {name: 'password', type: 'string'},
  {name: 'user', type: 'string'},
  {name: 'write-out', short: 'w', type: 'string', standard: 'simple'},
];

/** A flag as it was typed, or as the environment has it (`ETCDCTL_ENDPOINTS`). */
export function setting(process: Process, flags: FlagValues, name: string): string {
  if (flags.has(name)) return flags.text(name);
  return process.environment.get(`ETCDCTL_${name.toUpperCase().replaceAll('-', '_')}`) ?? flags.text(name);
}

/** A client for the endpoints; ends the command where its files are wrong. */
export async function clientFor(process: Process, flags: FlagValues): Promise<EtcdClient> {
  const of = (name: string) => setting(process, flags, name);
  const endpoints = of('endpoints')
    .split(',')
    .map(text => text.trim())
    .filter(Boolean);
  const greet = greeting(process, {
    cert: of('cert'),
    key: of('key'),
    cacert: of('cacert'),
    trustsAll: of('insecure-skip-tls-verify') === 'true',
    isSecure: endpoints.some(endpoint => endpoint.startsWith('https://')),
  });
  const client = new EtcdClient(process, {endpoints, greet, timeoutMs: flags.duration('command-timeout'), logger: 'etcd-client'});
  const user = of('user');
  return user === '' ? client : signedIn(client, user, of('password'));
}

/** A member whose authentication is off says so, and serves all the same. */
async function signedIn(client: EtcdClient, user: string, given: string): Promise<EtcdClient> {
  const colon = user.indexOf(':');
  const [name, password] = given !== '' || colon < 0 ? [user, given] : [user.slice(0, colon), user.slice(colon + 1)];
  const asked = await client.ask<AuthAnswer>({kind: 'authenticate', name, password});
  if (asked.ok) return asked.answer.token === undefined ? client : client.as(asked.answer.token);
  if (asked.message.includes('authentication is not enabled')) return client;
  throw new Ended(asked.message, EXIT.connection);
}

interface Files {
  readonly cert: string;
  readonly key: string;
  readonly cacert: string;
  readonly trustsAll: boolean;
  readonly isSecure: boolean;
}

function greeting(process: Process, files: Files): ((host: string) => ClientHello) | undefined {
  const {cert, key, cacert, trustsAll, isSecure} = files;
  if ((cert === '') !== (key === '')) throw badArgument(`KeyFile and CertFile must both be present[key: ${key}, cert: ${cert}]`);
  const certificate = cert === '' ? undefined : pairOf(process, cert, key);
  const trusts = cacert === '' ? [] : authoritiesOf(process, cacert);
  if (cert === '' && cacert === '' && !trustsAll && !isSecure) return undefined;
  return host => ({
    trusts: trustsAll ? undefined : trusts,
    name: host,
    now: process.machine.wall(),
    ...(certificate ? {certificate} : {}),
  });
}

function read(process: Process, path: string): string {
  const text = process.machine.files.read(process.path(path));
  if (text === undefined) throw badArgument(`open ${path}: no such file or directory`);
  return text;
}

function pairOf(process: Process, certPath: string, keyPath: string): Certificate {
  const pair = readKeyPair(read(process, certPath), read(process, keyPath));
  if ('error' in pair) throw badArgument(pair.error);
  return pair.certificate;
}

function authoritiesOf(process: Process, path: string): string[] {
  const found = readCertificates(read(process, path));
  if (found.length === 0) throw new Ended('asn1: structure error', 128);
  return found.map(trusted);
}
