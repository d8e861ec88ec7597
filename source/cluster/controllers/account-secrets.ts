// The token controller: a Secret of the type for service account tokens, made by hand, is filled with a token of its account,
// and goes with the account. Nobody gets such a Secret unasked any more.
//
// The real one signs these tokens itself, without an end. Here it asks the API server for one that is bound to the Secret and
// lasts as long as a token can (136 years).
import type {Secret, ServiceAccount} from '../../api/kinds/core-v1.ts';
import {keyOf} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import {create, remove, update} from '../../client/verbs.ts';
import type {Outcome} from '../../client/work-queue.ts';
import type {Task} from '../../sim/task.ts';
import type {Context, Controller} from './context.ts';

const secrets = builtin('secrets');
const accounts = builtin('serviceaccounts');
const TYPE = 'kubernetes.io/service-account-token';
const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';
const LONGEST_SECONDS = 4_294_967_296;

interface TokenRequest {
  readonly status?: {readonly token?: string};
}

/** Fills token Secrets. */
export const accountSecretsController: Controller = {
  name: 'serviceaccount-token-controller',
  // It works with the rights of the process itself.
  account: '',
  start: context => {
    const queue = context.queue({reconcile: key => sync(context, key)});
    const informer = context.informers.of<Secret>(secrets);
    const byAccount = informer.index(secret => {
      const name = accountOf(secret);
      return name === undefined ? [] : [`${secret.metadata.namespace}/${name}`];
    });
    const look = (secret: Secret): void => {
      if (accountOf(secret) !== undefined) queue.add(keyOf(secret));
    };
    informer.on({added: look, updated: look});
    const wake = (account: ServiceAccount): void => {
      for (const key of byAccount.of(keyOf(account)).keys()) queue.add(key);
    };
    context.informers.of<ServiceAccount>(accounts).on({added: wake, deleted: wake});
  },
};

function accountOf({type, metadata}: Secret): string | undefined {
  return type === TYPE ? metadata.annotations?.[NAME] : undefined;
}

function* sync({client, informers, settings}: Context, key: string): Task<Outcome> {
  const secret = informers.of<Secret>(secrets).get(key);
  const name = secret && accountOf(secret);
  if (!secret || name === undefined) return undefined;
  const {namespace = ''} = secret.metadata;
  const place = {namespace, name};
  const account = informers.of<ServiceAccount>(accounts).get(`${namespace}/${name}`);
  const known = secret.metadata.annotations?.[UID];
  if (!account || (known !== undefined && known !== account.metadata.uid)) {
    const preconditions = {uid: secret.metadata.uid};
    const result = yield* client.ask(remove(secrets, {namespace, name: secret.metadata.name}, {preconditions}));
    return result.ok || result.status.code === 404 ? undefined : 'again';
  }
  const data = secret.data ?? {};
  if (data['token'] && data['ca.crt'] && data['namespace'] && known !== undefined) return undefined;
  const boundObjectRef = {apiVersion: 'v1', kind: 'Secret', name: secret.metadata.name, uid: secret.metadata.uid};
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: place,
    spec: {audiences: [], expirationSeconds: LONGEST_SECONDS, boundObjectRef},
  };
  const answer = yield* client.ask<TokenRequest>(create(accounts, request, {...place, subresource: 'token'}));
  const token = answer.ok ? answer.value.status?.token : undefined;
  if (!token) return 'again';
  const filled = {'ca.crt': base64(settings.rootCa), namespace: base64(namespace), token: base64(token)};
  const annotations = {...secret.metadata.annotations, [UID]: account.metadata.uid};
  const next: Secret = {...secret, metadata: {...secret.metadata, annotations}, data: {...data, ...filled}};
  const written = yield* client.ask(update(secrets, next));
  return written.ok ? undefined : 'again';
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
