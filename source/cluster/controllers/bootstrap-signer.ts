// The bootstrap signer: who has a bootstrap token can trust `cluster-info`, since it carries a signature by each token that may sign.
// (A detached JWS with HMAC-SHA256: the key is the whole token.)
import {createHmac} from 'node:crypto';
import type {ConfigMap, Secret} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import {update} from '../../client/verbs.ts';
import type {Outcome} from '../../client/work-queue.ts';
import type {Task} from '../../sim/task.ts';
import type {Context, Controller} from './context.ts';

const secrets = builtin('secrets');
const configmaps = builtin('configmaps');
const KEY = 'kube-public/cluster-info';
const TOKEN_TYPE = 'bootstrap.kubernetes.io/token';
const PREFIX = 'jws-kubeconfig-';

/** Signs. */
export const bootstrapSignerController: Controller = {
  name: 'bootstrap-signer-controller',
  alias: 'bootstrapsigner',
  onlyByName: true,
  account: 'bootstrap-signer',
  start: context => {
    const queue = context.queue({reconcile: () => sign(context)});
    const look = (secret: Secret) => secret.type === TOKEN_TYPE && queue.add(KEY);
    const map = (each: ConfigMap) => each.metadata.name === 'cluster-info' && queue.add(KEY);
    context.informers.of<Secret>(secrets).on({added: look, updated: look, deleted: look});
    context.informers.of<ConfigMap>(configmaps).on({added: map, updated: map});
  },
};

function* sign({client, informers, daemon}: Context): Task<Outcome> {
  const found = informers.of<ConfigMap>(configmaps).get(KEY);
  if (!found) return undefined;
  const tokens = [...informers.of<Secret>(secrets).store.values()].filter(secret => secret.type === TOKEN_TYPE);
  const data = signed(found.data ?? {}, tokens, daemon.wall());
  if (!data) return undefined;
  const result = yield* client.ask(update(configmaps, {...found, data}));
  return result.ok ? undefined : 'again';
}

/** What the config map should hold; undefined when it holds that. */
export function signed(
  data: Readonly<Record<string, string>>,
  tokens: readonly Secret[],
  now: number,
): Readonly<Record<string, string>> | undefined {
  const wanted: Record<string, string> = {};
  for (const [key, value] of Object.entries(data)) if (!key.startsWith(PREFIX)) wanted[key] = value;
  const content = data['kubeconfig'];
  for (const token of tokens) {
    const text = (key: string) => Buffer.from(token.data?.[key] ?? '', 'base64').toString('utf8');
    const [id, secret, expiration] = [text('token-id'), text('token-secret'), text('expiration')];
    const isOver = expiration !== '' && Date.parse(expiration) <= now;
    if (content === undefined || id === '' || secret === '' || isOver || text('usage-bootstrap-signing') !== 'true') continue;
    wanted[`${PREFIX}${id}`] = detachedSignature(content, id, secret);
  }
  const keys = Object.keys(wanted);
  const same = keys.length === Object.keys(data).length && keys.every(key => wanted[key] === data[key]);
  return same ? undefined : wanted;
}

function detachedSignature(content: string, id: string, secret: string): string {
  const header = Buffer.from(JSON.stringify({alg: 'HS256', kid: id})).toString('base64url');
  const signature = createHmac('sha256', `${id}.${secret}`)
    .update(`${header}.${Buffer.from(content).toString('base64url')}`)
    .digest('base64url');
  return `${header}..${signature}`;
}
