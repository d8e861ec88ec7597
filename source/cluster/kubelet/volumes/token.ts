// The token of a pod's service account, bound to the pod, as a volume holds it.
import type {TokenRequest} from '../../../api/kinds/authentication-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {create} from '../../../client/verbs.ts';
import type {Task} from '../../../sim/task.ts';
import type {VolumeOwner} from './one-volume.ts';

const serviceAccounts = builtin('serviceaccounts');

interface Wish {
  readonly audience?: string;
  readonly expirationSeconds?: number;
}

/** Asks the API server for a token. */
export function* askForToken({parts, pod}: VolumeOwner, wish: Wish): Task<string | {readonly error: string}> {
  const {audience, expirationSeconds = 3600} = wish;
  const {namespace, name, uid} = pod.metadata;
  const boundObjectRef = {apiVersion: 'v1', kind: 'Pod', name, uid};
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: namespace ? {namespace} : {},
    spec: {audiences: audience ? [audience] : [], expirationSeconds, boundObjectRef},
  };
  const place = {namespace, name: pod.spec.serviceAccountName ?? 'default', subresource: 'token'};
  const result = yield* parts.client.ask<TokenRequest>(create(serviceAccounts, request, place));
  return result.ok ? (result.value.status?.token ?? '') : {error: `failed to fetch token: ${result.status.message}`};
}
