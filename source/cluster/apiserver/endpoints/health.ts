// /livez, /readyz and /healthz: a list of checks, each of which can be asked alone or left out. Only etcd's can really fail here:
// the others speak of start-up steps that are done once the server listens.
import type {Answer} from '../../../api/wire/http.ts';
import {wait, type Task} from '../../../sim/task.ts';
import type {Core} from '../core.ts';
import {text, NOT_FOUND_PAGE} from '../http/reply.ts';
import {EtcdFailure} from '../store/connection.ts';

const HOOKS = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'start-cluster-authentication-info-controller',
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'aggregator-reload-proxy-client-cert',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'kube-apiserver-autoregistration',
].map(name => `poststarthook/${name}`);
const LAST_HOOKS = [
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
];

const CHECKS: Readonly<Record<string, readonly string[]>> = {
  healthz: ['ping', 'log', 'etcd', ...HOOKS, ...LAST_HOOKS],
  livez: ['ping', 'log', 'etcd', ...HOOKS, ...LAST_HOOKS],
  readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...HOOKS, ...LAST_HOOKS, 'shutdown'],
};

const ETCD_MS = 2000;

/** Does etcd's quorum answer within two seconds? */
export function* etcdHealthy(core: Core): Task<boolean> {
  return yield* wait<boolean>((wake, scope) => {
    const timer = scope.after(ETCD_MS, () => wake(false));
    scope.run(core.etcd.range({kind: 'range', key: '/registry/health'}), answer => {
      scope.clock.cancel(timer);
      wake(!(answer instanceof EtcdFailure));
    });
  });
}

/** Answers a health path; undefined when it is none. */
export function* answerHealth(core: Core, path: string, query: Readonly<Record<string, string>>): Task<Answer | undefined> {
  const [, kind = '', ...rest] = path.split('/');
  const checks = Object.hasOwn(CHECKS, kind) ? CHECKS[kind] : undefined;
  if (!checks) return undefined;
  const one = rest.join('/');
  if (one !== '' && !checks.includes(one)) return NOT_FOUND_PAGE;
  const healthy = yield* etcdHealthy(core);
  const fails = (check: string): boolean => !healthy && check.startsWith('etcd');
  if (one !== '')
    return fails(one)
      ? text(500, 'internal server error: error getting data from etcd: context deadline exceeded\n')
      : text(200, 'ok');
  const excluded = new Set((query['exclude'] ?? '').split('\n').filter(Boolean));
  const failed = checks.some(check => fails(check) && !excluded.has(check));
  if (!failed && query['verbose'] === undefined) return text(200, 'ok');
  const lines = checks.map(check => {
    if (excluded.has(check)) return `[+]${check} excluded: ok`;
    return fails(check) ? `[-]${check} failed: reason withheld` : `[+]${check} ok`;
  });
  const unknown = [...excluded].filter(each => !checks.includes(each)).map(each => JSON.stringify(each));
  if (unknown.length > 0) lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(', ')}`);
  return text(failed ? 500 : 200, `${lines.join('\n')}\n${kind} check ${failed ? 'failed' : 'passed'}\n`);
}
