// The token cleaner: bootstrap tokens go when their time is over. One whose end cannot be read counts as over.
import type {Secret} from '../../api/kinds/core-v1.ts';
import {keyOf, splitKey} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import {parseTime} from '../../api/meta/time.ts';
import {remove} from '../../client/verbs.ts';
import type {Outcome} from '../../client/work-queue.ts';
import type {Task} from '../../sim/task.ts';
import type {Context, Controller} from './context.ts';

const secrets = builtin('secrets');
const TYPE = 'bootstrap.kubernetes.io/token';
const NAMESPACE = 'kube-system';

/** Removes bootstrap tokens that are over. */
export const tokenCleanerController: Controller = {
  name: 'token-cleaner-controller',
  alias: 'tokencleaner',
  onlyByName: true,
  account: 'token-cleaner',
  start: context => {
    const queue = context.queue({reconcile: key => clean(context, key)});
    const look = (secret: Secret): void => {
      if (secret.type === TYPE && secret.metadata.namespace === NAMESPACE) queue.add(keyOf(secret));
    };
    context.informers.of<Secret>(secrets).on({added: look, updated: look});
  },
};

/** When a token is over, in milliseconds since 1970; undefined: never. */
export function endOf({data}: Secret): number | undefined {
  const text = Buffer.from(data?.['expiration'] ?? '', 'base64').toString('utf8');
  return text === '' ? undefined : (parseTime(text) ?? 0);
}

function* clean({client, daemon, informers}: Context, key: string): Task<Outcome> {
  const secret = informers.of<Secret>(secrets).get(key);
  const end = secret && endOf(secret);
  if (!secret || end === undefined) return undefined;
  const left = end - daemon.wall();
  if (left > 0) return {afterMs: left};
  const result = yield* client.ask(remove(secrets, splitKey(key), {preconditions: {uid: secret.metadata.uid}}));
  return result.ok || result.status.code === 404 || result.status.code === 409 ? undefined : 'again';
}
