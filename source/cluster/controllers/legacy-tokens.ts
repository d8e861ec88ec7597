// The cleaner of legacy tokens: a Secret with a token that an older version made for an account without being asked, that no pod mounts and
// nobody has used for a year, is first marked as invalid and, a year later, removed. It looks once a day.
//
// Whether a token is used the API server notes on the Secret, and since when it takes notes in a ConfigMap. A Secret that a person
// made is never touched: its account does not list it.
import type {ConfigMap, Pod, Secret, ServiceAccount} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import {failedAs} from '../../client/client.ts';
import {get, patch, remove} from '../../client/verbs.ts';
import {sleep, type Task} from '../../sim/task.ts';
import type {Context, Controller} from './context.ts';
import {podIndexes} from './pod-index.ts';

const secrets = builtin('secrets');
const accounts = builtin('serviceaccounts');
const configmaps = builtin('configmaps');
const TRACKING = {namespace: 'kube-system', name: 'kube-apiserver-legacy-service-account-token-tracking'};
const TYPE = 'kubernetes.io/service-account-token';
const ACCOUNT = 'kubernetes.io/service-account.name';
const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const DAY_MS = 86_400_000;
const UNUSED_MS = 365 * DAY_MS;

/** Cleans legacy tokens. */
export const legacyTokenCleaner: Controller = {
  name: 'legacy-serviceaccount-token-cleaner-controller',
  account: 'legacy-service-account-token-cleaner',
  component: 'legacy-service-account-token-cleaner',
  start: context => {
    context.informers.of<Secret>(secrets);
    context.informers.of<ServiceAccount>(accounts);
    const {pods} = podIndexes(context.informers);
    context.whenSynced(() => context.daemon.scope.run(look(context, () => pods.store.values())));
  },
};

function* look(context: Context, pods: () => Iterable<Pod>): Task {
  const {client, informers, daemon} = context;
  for (;;) {
    const tracking = yield* client.ask<ConfigMap>(get(configmaps, TRACKING));
    const since = tracking.ok ? dayOf(tracking.value.data?.['since']) : undefined;
    if (since !== undefined) {
      const mounted = mountedBy(pods());
      for (const secret of informers.of<Secret>(secrets).store.values()) {
        const account = informers.of<ServiceAccount>(accounts).get(accountKey(secret));
        const {namespace, name} = secret.metadata;
        if (!isListed(secret, account) || mounted.has(`${namespace}/${name}`)) continue;
        yield* treat(context, secret, planLegacy(secret, since, daemon.wall()));
      }
    }
    yield* sleep(DAY_MS);
  }
}

function accountKey({metadata}: Secret): string {
  return `${metadata.namespace}/${metadata.annotations?.[ACCOUNT]}`;
}

/** Did the cluster make it, and does its account say so? */
function isListed({type, metadata}: Secret, account: ServiceAccount | undefined): boolean {
  return type === TYPE && account?.secrets?.some(({name}) => name === metadata.name) === true;
}

function mountedBy(pods: Iterable<Pod>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const {metadata, spec} of pods)
    for (const {secret} of spec.volumes ?? []) if (secret?.secretName) found.add(`${metadata.namespace}/${secret.secretName}`);
  return found;
}

/** What becomes of a token that no pod mounts. */
export function planLegacy({metadata}: Secret, trackedSince: number, now: number): 'keep' | 'mark' | 'unmark' | 'remove' {
  const used = dayOf(metadata.labels?.[LAST_USED]);
  const marked = dayOf(metadata.labels?.[INVALID_SINCE]);
  const idle = now - Math.max(used ?? 0, trackedSince, used === undefined ? Date.parse(metadata.creationTimestamp) : 0);
  if (idle < UNUSED_MS) return marked === undefined ? 'keep' : 'unmark';
  if (marked === undefined) return 'mark';
  return now - marked < UNUSED_MS ? 'keep' : 'remove';
}

function* treat({client, daemon}: Context, secret: Secret, plan: ReturnType<typeof planLegacy>): Task {
  if (plan === 'keep') return;
  const {namespace, name, uid, resourceVersion} = secret.metadata;
  const preconditions = {uid, resourceVersion};
  const mark = plan === 'mark' ? new Date(Math.floor(daemon.wall())).toISOString().slice(0, 10) : null;
  const request =
    plan === 'remove'
      ? remove(secrets, {namespace, name}, {preconditions})
      : patch(secrets, {namespace, name}, 'merge', {metadata: {uid, labels: {[INVALID_SINCE]: mark}}});
  const result = yield* client.ask(request);
  if (!result.ok && !failedAs(result, 'NotFound'))
    daemon.print(
      `E legacy_serviceaccount_token_cleaner.go:113] "Failed to clean legacy service account token" err=${JSON.stringify(result.status.message)}`,
    );
}

function dayOf(text: string | undefined): number | undefined {
  const day = text === undefined ? Number.NaN : Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(day) ? undefined : day;
}
