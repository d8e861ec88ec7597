// A certificate in the words of `openssl x509 -text`.
import {digestOf, keyIdentifier, type Certificate} from '../../api/pki/certificate.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Nov 30 08:14:07 2026 GMT` */
export function goodDate(ms: number): string {
  const text = new Date(ms).toISOString();
  const day = String(Number(text.slice(8, 10))).padStart(2);
  return `${MONTHS[Number(text.slice(5, 7)) - 1]} ${day} ${text.slice(11, 19)} ${text.slice(0, 4)} GMT`;
}

/** A name: `O = system:masters, CN = admin`, or the other way round and without blanks. */
export function distinguished(commonName: string, organizations: readonly string[], compact: boolean): string {
  const parts = [...organizations.map(name => ['O', name] as const), ['CN', commonName] as const];
  if (compact)
    return [...parts]
      .reverse()
      .map(([kind, name]) => `${kind}=${name}`)
      .join(',');
  return parts.map(([kind, name]) => `${kind} = ${name}`).join(', ');
}

interface Extension {
  readonly name: string;
  readonly title: string;
  readonly critical: boolean;
  readonly text: string;
}

function extensionsOf({usages, dnsNames, addresses, isAuthority, authority, key}: Certificate): Extension[] {
  const use = isAuthority ? 'Digital Signature, Key Encipherment, Certificate Sign' : 'Digital Signature, Key Encipherment';
  const purposes = usages.map(usage => (usage === 'server' ? 'TLS Web Server Authentication' : 'TLS Web Client Authentication'));
  const names = [...dnsNames.map(name => `DNS:${name}`), ...addresses.map(address => `IP Address:${address}`)];
  const all: (Extension | undefined)[] = [
    {name: 'keyUsage', title: 'Key Usage', critical: true, text: use},
    purposes.length > 0
      ? {name: 'extendedKeyUsage', title: 'Extended Key Usage', critical: false, text: purposes.join(', ')}
      : undefined,
    {name: 'basicConstraints', title: 'Basic Constraints', critical: true, text: `CA:${String(isAuthority).toUpperCase()}`},
    isAuthority
      ? {name: 'subjectKeyIdentifier', title: 'Subject Key Identifier', critical: false, text: keyIdentifier(key)}
      : undefined,
    isAuthority
      ? undefined
      : {name: 'authorityKeyIdentifier', title: 'Authority Key Identifier', critical: false, text: keyIdentifier(authority)},
    names.length > 0
      ? {name: 'subjectAltName', title: 'Subject Alternative Name', critical: false, text: names.join(', ')}
      : undefined,
  ];
  return all.filter(each => each !== undefined);
}

/** One extension, as `-ext NAME` prints it. */
export function extensionText(certificate: Certificate, name: string): string {
  const found = extensionsOf(certificate).find(each => each.name === name);
  return found ? shown(found, '') : `No extensions matching ${name}\n`;
}

function shown({title, critical, text}: Extension, indent: string): string {
  return `${indent}X509v3 ${title}: ${critical ? 'critical' : ''}\n${indent}    ${text}\n`;
}

/** All of it. */
export function certificateText(certificate: Certificate): string {
  const {commonName, organizations, issuer, serial, notBefore, notAfter, key} = certificate;
  const bytes = (text: string) => (text.match(/../g) ?? []).join(':').toLowerCase();
  const modulus = wrapped(`00:${bytes(digestOf(`modulus ${key}`, 512))}`, 45).map(line => `                    ${line}\n`);
  const signature = wrapped(bytes(digestOf(`signature ${serial} ${key}`, 512)), 54).map(line => `        ${line}\n`);
  return `Certificate:
    Data:
        Version: 3 (0x2)
        Serial Number: ${BigInt(`0x${serial}`)} (0x${serial.toLowerCase()})
        Signature Algorithm: sha256WithRSAEncryption
        Issuer: ${distinguished(issuer, [], false)}
        Validity
            Not Before: ${goodDate(notBefore)}
            Not After : ${goodDate(notAfter)}
        Subject: ${distinguished(commonName, organizations, false)}
        Subject Public Key Info:
            Public Key Algorithm: rsaEncryption
                Public-Key: (2048 bit)
                Modulus:
${modulus.join('')}                Exponent: 65537 (0x10001)
        X509v3 extensions:
${extensionsOf(certificate)
  .map(each => shown(each, '            '))
  .join('')}    Signature Algorithm: sha256WithRSAEncryption
    Signature Value:
${signature.join('')}`;
}

function wrapped(text: string, width: number): string[] {
  return text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
}
