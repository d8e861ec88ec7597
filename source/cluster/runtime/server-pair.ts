// The certificate that a server in a container shows, and its key, read from the container's files as Go's programs do.
import type {Certificate} from '../../api/pki/certificate.ts';
import {readKeyPair} from '../../api/pki/key-pair.ts';
import type {Files} from '../../sim/files.ts';

/** Reads a certificate with its own key, or says why not. */
export function readServerPair(
  files: Files,
  certificatePath: string,
  keyPath: string,
): {readonly certificate: Certificate} | {readonly error: string} {
  const [certificate, key] = [certificatePath, keyPath].map(path => files.read(path));
  if (certificate === undefined || key === undefined)
    return {error: `open ${certificate === undefined ? certificatePath : keyPath}: no such file or directory`};
  return readKeyPair(certificate, key);
}
