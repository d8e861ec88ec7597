// The root CA publisher: every namespace has a config map with the certificate authority of the API server, which pods mount
// beside their token. Who changes or deletes it gets it back.
import type {ConfigMap, Namespace} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import {create, update} from '../../client/verbs.ts';
import type {Outcome} from '../../client/work-queue.ts';
import type {Task} from '../../sim/task.ts';
import type {Context, Controller} from './context.ts';
import {isNamespaceTerminating} from './send-all.ts';

const namespaces = builtin('namespaces');
const configmaps = builtin('configmaps');
const NAME = 'kube-root-ca.crt';
const DESCRIPTION = 'kubernetes.io/description';
const TEXT =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Publishes the CA. */
export const rootCaController: Controller = {
  name: 'root-ca-certificate-publisher-controller',
  account: 'root-ca-cert-publisher',
  start: context => {
    const queue = context.queue({reconcile: key => publish(context, key)});
    const isOurs = (map: ConfigMap) => map.metadata.name === NAME;
    context.informers
      .of<Namespace>(namespaces)
      .on({added: each => queue.add(each.metadata.name), updated: each => queue.add(each.metadata.name)});
    context.informers
      .of<ConfigMap>(configmaps)
      .on({
        updated: map => isOurs(map) && queue.add(map.metadata.namespace ?? ''),
        deleted: map => isOurs(map) && queue.add(map.metadata.namespace ?? ''),
      });
  },
};

function* publish({client, informers, settings}: Context, namespace: string): Task<Outcome> {
  const found = informers.of<Namespace>(namespaces).get(namespace);
  if (found?.status?.phase !== 'Active') return undefined;
  const wanted = planMap(namespace, informers.of<ConfigMap>(configmaps).get(`${namespace}/${NAME}`), settings.rootCa);
  if (!wanted) return undefined;
  const result = yield* client.ask(
    wanted.is === 'new' ? create(configmaps, wanted.map) : update(configmaps, wanted.map as ConfigMap),
  );
  if (result.ok || result.status.reason === 'AlreadyExists' || isNamespaceTerminating(result.status)) return undefined;
  return 'again';
}

interface Wanted {
  readonly is: 'new' | 'changed';
  readonly map: Pick<ConfigMap, 'data'> & {readonly metadata: {readonly name: string; readonly namespace: string}};
}

/** The config map to write; undefined when it is as it should be. */
function planMap(namespace: string, found: ConfigMap | undefined, rootCa: string): Wanted | undefined {
  const data = {'ca.crt': rootCa};
  if (!found) {
    const metadata = {name: NAME, namespace, annotations: {[DESCRIPTION]: TEXT}};
    const map = {apiVersion: 'v1', kind: 'ConfigMap', metadata, data};
    return {is: 'new', map};
  }
  const {annotations} = found.metadata;
  const same = found.data?.['ca.crt'] === rootCa && Object.keys(found.data).length === 1 && annotations?.[DESCRIPTION] === TEXT;
  if (same) return undefined;
  const metadata = {...found.metadata, namespace, annotations: {...annotations, [DESCRIPTION]: TEXT}};
  return {is: 'changed', map: {...found, metadata, data}};
}
