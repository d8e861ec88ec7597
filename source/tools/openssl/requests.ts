// `openssl` as far as keys and requests are made: ecparam -genkey, genpkey, genrsa, req -new, req -x509. Keys are records whose
// names depend on the machine, the program and the instant.
import {certificatePem, digestOf, keyPem, readKey} from '../../api/pki/certificate.ts';
import {issueCertificate} from '../../api/pki/issue.ts';
import {signingRequestPem} from '../../api/pki/signing-request.ts';
import type {Process} from '../../sim/process/process.ts';
import {valueOf, type Typed} from './typed.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Makes a key pair. */
export async function makeKey(process: Process, asked: Typed): Promise<number> {
  return await put(process, valueOf(asked, '-out'), keyPem(newKey(process)));
}

/** Makes a request, or a certificate that vouches for itself. */
export async function request(process: Process, asked: Typed): Promise<number> {
  const path = valueOf(asked, '-key');
  const made = path === undefined ? newKey(process) : undefined;
  const key = made ?? readKey(process.machine.files.read(process.path(path ?? '')) ?? '');
  if (key === undefined) {
    await process.err(`Could not open file or uri for loading private key from ${path}: No such file or directory\n`);
    return 1;
  }
  const keyOut = valueOf(asked, '-keyout');
  if (made !== undefined) {
    const code = await put(process, keyOut ?? 'privkey.pem', keyPem(key));
    if (code !== 0) return code;
  }
  const subject = subjectOf(valueOf(asked, '-subj') ?? '');
  if (!subject) {
    await process.err(
      'req: subject name is expected to be in the format /type0=value0/type1=value1/type2=... where characters may be escaped by \\. This name is not in that format\n',
    );
    return 1;
  }
  const names = namesOf(valueOf(asked, '-addext') ?? '');
  const isCertificate = asked.options.some(([name]) => name === '-x509');
  if (!isCertificate)
    return await put(process, valueOf(asked, '-out'), signingRequestPem({...subject, ...names, emails: [], uris: [], key}));
  const days = Number(valueOf(asked, '-days') ?? 30);
  const wish = {...subject, ...names, usages: [], key};
  const issuer = {commonName: subject.commonName, key};
  const certificate = issueCertificate(issuer, wish, process.machine.wall(), days * DAY_MS);
  return await put(process, valueOf(asked, '-out'), certificatePem(certificate));
}

function newKey(process: Process): string {
  return digestOf(`openssl ${process.machine.name} ${process.pid} ${process.machine.wall()}`, 40);
}

async function put(process: Process, path: string | undefined, text: string): Promise<number> {
  if (path === undefined) {
    await process.out(text);
    return 0;
  }
  const failed = process.machine.files.write(process.path(path), text);
  if (!failed) return 0;
  await process.err(`Can't open "${path}" for writing, No such file or directory\n`);
  return 1;
}

/** `/O=readers/CN=nina`; undefined where it is none. */
function subjectOf(text: string): {readonly commonName: string; readonly organizations: readonly string[]} | undefined {
  if (!text.startsWith('/')) return undefined;
  const parts = text
    .slice(1)
    .split('/')
    .filter(part => part !== '')
    .map(part => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)] as const);
  const of = (name: string) => parts.filter(([kind]) => kind === name).map(([, value]) => value);
  return {commonName: of('CN').at(-1) ?? '', organizations: of('O')};
}

/** `subjectAltName=DNS:web,IP:10.0.0.1`. */
function namesOf(text: string): {readonly dnsNames: readonly string[]; readonly addresses: readonly string[]} {
  const [, list = ''] = /^subjectAltName\s*=\s*(.*)$/.exec(text) ?? [];
  const parts = list.split(',').map(part => part.trim());
  const of = (kind: string) => parts.filter(part => part.startsWith(`${kind}:`)).map(part => part.slice(kind.length + 1));
  return {dnsNames: of('DNS'), addresses: of('IP')};
}
