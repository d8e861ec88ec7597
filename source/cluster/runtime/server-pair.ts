// The certificate that a server in a container shows, and its key, read from the container's files as Go's programs do.
import {readCertificate, readKey, type Certificate} from '../../api/pki/certificate.ts';
import type {Files} from '../../sim/files.ts';

/** Reads a certificate with its own key, or says why not. */
export function readServerPair(
  files: Files,
  certificatePath: string,
  keyPath: string,
): {readonly certificate: Certificate} | {readonly error: string} {
  const texts = [certificatePath, keyPath].map(path => files.read(path));
  const missing = texts.indexOf(undefined);
  if (missing >= 0) return {error: `open ${missing === 0 ? certificatePath : keyPath}: no such file or directory`};
  const [certificateText = '', keyText = ''] = texts;
  const certificate = readCertificate(certificateText);
  if (!certificate) return {error: 'tls: failed to find any PEM data in certificate input'};
  const key = readKey(keyText);
  if (key === undefined) return {error: 'tls: failed to find any PEM data in key input'};
  return key === certificate.key ? {certificate} : {error: 'tls: private key does not match public key'};
}
