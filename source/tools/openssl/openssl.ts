// `openssl` as far as certificates are looked at (x509, verify, version) and asked for (requests.ts). Certificates are records here (api/pki); what is printed
// of them is what openssl 3 prints, but for the bytes of keys and signatures, which are made up from the record.
import {digestOf, publicKeyPem, readCertificates, type Certificate} from '../../api/pki/certificate.ts';
import type {Program} from '../../sim/process/machine.ts';
import type {Process} from '../../sim/process/process.ts';
import {makeKey, request} from './requests.ts';
import {typed, valueOf} from './typed.ts';
import {certificateText, distinguished, extensionText, goodDate} from './certificate-text.ts';

/** The program. */
export const openssl: Program = async process => {
  const [, command = '', ...words] = process.argv;
  switch (command) {
    case 'x509':
      return x509(process, words);
    case 'verify':
      return verify(process, words);
    case 'ecparam':
    case 'genpkey':
    case 'genrsa':
      return makeKey(process, typed(words));
    case 'req':
      return request(process, typed(words));
    case 'version':
      await process.out('OpenSSL 3.5.1 1 Jul 2025 (Library: OpenSSL 3.5.1 1 Jul 2025)\n');
      return 0;
    default:
      await process.err(`Invalid command '${command}'; type "help" for a list.\n`);
      return 1;
  }
};

async function x509(process: Process, words: readonly string[]): Promise<number> {
  const asked = typed(words);
  const path = valueOf(asked, '-in');
  const text = path === undefined ? await process.readAll(0) : process.machine.files.read(process.path(path));
  if (text === undefined) {
    await process.err(
      `Could not open file or uri for loading certificate from ${path}: No such file or directory\nUnable to load certificate\n`,
    );
    return 1;
  }
  const [certificate] = readCertificates(text);
  if (!certificate) {
    await process.err(`Could not find certificate from ${path ?? '<stdin>'}\n`);
    return 1;
  }
  const compact = valueOf(asked, '-nameopt')?.toUpperCase() === 'RFC2253';
  let code = 0;
  for (const [option, value] of asked.options) {
    const said = say(certificate, option, {value, compact, now: process.machine.wall()});
    if (said === undefined) continue;
    await process.out(said.text);
    code = said.code ?? code;
  }
  if (valueOf(asked, '-noout') === undefined) await process.out(text.slice(text.indexOf('-----BEGIN')));
  return code;
}

interface How {
  readonly value: string;
  readonly compact: boolean;
  readonly now: number;
}

/** What one option prints; undefined for those that print nothing. */
function say(
  certificate: Certificate,
  option: string,
  {value, compact, now}: How,
): {readonly text: string; readonly code?: number} | undefined {
  const {commonName, organizations, issuer, serial, notBefore, notAfter, key} = certificate;
  switch (option) {
    case '-subject':
      return {text: `subject=${distinguished(commonName, organizations, compact)}\n`};
    case '-issuer':
      return {text: `issuer=${distinguished(issuer, [], compact)}\n`};
    case '-serial':
      return {text: `serial=${serial}\n`};
    case '-startdate':
      return {text: `notBefore=${goodDate(notBefore)}\n`};
    case '-enddate':
      return {text: `notAfter=${goodDate(notAfter)}\n`};
    case '-dates':
      return {text: `notBefore=${goodDate(notBefore)}\nnotAfter=${goodDate(notAfter)}\n`};
    case '-pubkey':
      return {text: publicKeyPem(key)};
    case '-fingerprint':
      return {
        text: `sha1 Fingerprint=${(digestOf(`fingerprint ${serial} ${key}`, 40).toUpperCase().match(/../g) ?? []).join(':')}\n`,
      };
    case '-checkend': {
      const expires = now + Number(value) * 1000 > notAfter;
      return expires ? {text: 'Certificate will expire\n', code: 1} : {text: 'Certificate will not expire\n'};
    }
    case '-ext':
      return {
        text: value
          .split(',')
          .map(name => extensionText(certificate, name))
          .join(''),
      };
    case '-text':
      return {text: certificateText(certificate)};
    default:
      return undefined;
  }
}

async function verify(process: Process, words: readonly string[]): Promise<number> {
  const asked = typed(words);
  const {files} = process.machine;
  const authorities = readCertificates(files.read(process.path(valueOf(asked, '-CAfile') ?? '')) ?? '');
  let code = 0;
  for (const path of asked.words) {
    const [certificate] = readCertificates(files.read(process.path(path)) ?? '');
    const why = certificate ? whyUntrusted(certificate, authorities, process.machine.wall()) : undefined;
    if (!certificate) {
      code = 2;
      await process.err(`Could not open file or uri for loading certificate file from ${path}: No such file or directory\n`);
    } else if (why === undefined) await process.out(`${path}: OK\n`);
    else {
      code = 2;
      const name = distinguished(certificate.commonName, certificate.organizations, false);
      await process.err(`${name}\nerror ${why.number} at 0 depth lookup: ${why.text}\nerror ${path}: verification failed\n`);
    }
  }
  return code;
}

function whyUntrusted(
  certificate: Certificate,
  authorities: readonly Certificate[],
  now: number,
): {readonly number: number; readonly text: string} | undefined {
  if (!authorities.some(({key}) => key === certificate.authority))
    return {number: 20, text: 'unable to get local issuer certificate'};
  if (now > certificate.notAfter) return {number: 10, text: 'certificate has expired'};
  return now < certificate.notBefore ? {number: 9, text: 'certificate is not yet valid'} : undefined;
}
