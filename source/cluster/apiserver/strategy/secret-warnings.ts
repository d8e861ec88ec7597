// Warnings about secrets of certificates that no server could use.
import type {Secret} from '../../../api/kinds/core-v1.ts';
import {keyPairProblem} from '../../../api/pki/key-pair.ts';

/** What is wrong with a pair of a certificate and its key. */
export function certificateWarnings({type, data}: Secret): string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const problem = keyPairProblem(textOf(data?.['tls.crt']), textOf(data?.['tls.key']));
  return problem === undefined ? [] : [problem];
}

function textOf(data = ''): string {
  return Buffer.from(data, 'base64').toString('utf8');
}
