// Certificates and keys that flags name, read from a machine's files. What is wrong is said in Go's words.
import {readCertificates, readKey, trusted, type Certificate} from '../../api/pki/certificate.ts';
import {readKeyPair} from '../../api/pki/key-pair.ts';
import type {Files} from '../../sim/files.ts';

/** A thing that was read, or why it could not be. */
export type Read<T> = {readonly ok: true; readonly value: T} | {readonly ok: false; readonly why: string};

/** A file's text. */
export function readText(files: Files, path: string): Read<string> {
  const value = files.read(path);
  if (value !== undefined) return {ok: true, value};
  return {ok: false, why: files.isFolder(path) ? `read ${path}: is a directory` : `open ${path}: no such file or directory`};
}

/** A certificate with its own private key. */
export function readPair(files: Files, certificatePath: string, keyPath: string): Read<Certificate> {
  const certificate = readText(files, certificatePath);
  if (!certificate.ok) return certificate;
  const key = readText(files, keyPath);
  if (!key.ok) return key;
  const pair = readKeyPair(certificate.value, key.value);
  return 'error' in pair ? {ok: false, why: pair.error} : {ok: true, value: pair.certificate};
}

/** A private key. */
export function readPrivateKey(files: Files, path: string): Read<string> {
  const text = readText(files, path);
  if (!text.ok) return text;
  const value = readKey(text.value);
  if (value !== undefined) return {ok: true, value};
  return {ok: false, why: `error parsing private key file ${path}: data does not contain a valid RSA or ECDSA private key`};
}

/** The authorities of a bundle, as those who trust them remember them. */
export function readAuthorities(files: Files, path: string): Read<readonly string[]> {
  const text = readText(files, path);
  if (!text.ok) return text;
  const found = readCertificates(text.value);
  if (found.length === 0) return {ok: false, why: `data does not contain any valid RSA or ECDSA certificates`};
  return {ok: true, value: found.map(trusted)};
}
