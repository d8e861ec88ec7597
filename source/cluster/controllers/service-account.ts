// The service account controller: every namespace that lives has the account `default`.
import type {Namespace} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import {create} from '../../client/verbs.ts';
import type {Task} from '../../sim/task.ts';
import type {Outcome} from '../../client/work-queue.ts';
import type {Context, Controller} from './context.ts';
import {isNamespaceTerminating} from './send-all.ts';

const namespaces = builtin('namespaces');
const accounts = builtin('serviceaccounts');
const NAME = 'default';

/** Makes and remakes the default accounts. */
export const serviceAccountController: Controller = {
  name: 'serviceaccount-controller',
  account: 'service-account-controller',
  start: context => {
    const found = context.informers.of<Namespace>(namespaces);
    const existing = context.informers.of(accounts);
    const queue = context.queue({reconcile: key => ensure(context, key)});
    found.on({added: each => queue.add(each.metadata.name), updated: each => queue.add(each.metadata.name)});
    existing.on({deleted: account => account.metadata.name === NAME && queue.add(account.metadata.namespace ?? '')});
  },
};

function* ensure({client, informers}: Context, namespace: string): Task<Outcome> {
  const found = informers.of<Namespace>(namespaces).get(namespace);
  if (found?.status?.phase !== 'Active' || informers.of(accounts).get(`${namespace}/${NAME}`)) return undefined;
  const account = {apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name: NAME, namespace}};
  const result = yield* client.ask(create(accounts, account));
  if (result.ok || result.status.reason === 'AlreadyExists' || isNamespaceTerminating(result.status)) return undefined;
  return 'again';
}
