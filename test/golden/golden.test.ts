// Plays recordings of a real v1.35 through `crashloop shell --json`, with the player that lies beside them. Recordings live outside
// of the checkout: where they are absent the tests are skipped, and say so.
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {expect, test} from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const recordings = resolve(root, '../shared/golden');
const isThere = existsSync(resolve(recordings, 'golden.mjs'));
if (!isThere) console.log('the recordings in ../shared/golden are absent: their tests are skipped');

/** Recordings that play as recorded, by folder: they stay so. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  api: [
    'api-resources',
    'auth-can-i',
    'create-apply-replace',
    'create-workloads',
    'defaults-workloads',
    'delete-grace-cascade',
    'delete-ways',
    'discovery-raw',
    'dry-run',
    'events',
    'forbidden-and-whoami',
    'get-many',
    'label-annotate',
    'namespace-life',
    'patch-kinds',
    'server-unreachable',
    'table-columns',
    'wait',
    'watch',
  ],
  network: [
    'ingress',
    'ip-families',
    'many-endpoints',
    'networkpolicy-describe',
    'node-addresses-and-pod-ranges',
    'own-endpointslices',
    'service-ports',
    'service-types',
  ],
  scheduling: [
    'cordon-and-wait',
    'daemonset-scheduling',
    'defaults-feed-requests',
    'describe-node-tables',
    'event-shapes',
    'fit-exact',
    'fit-mixed-nine',
    'fit-reasons-alone',
    'host-ports',
    'node-affinity-preferred',
    'node-affinity-terms',
    'node-arrives',
    'node-conditions-taints',
    'pod-affinity-required',
    'pod-anti-affinity',
    'preemption-basic',
    'preemption-slow-victim',
    'priority-classes',
    'scheduling-gates',
    'scoring-resources',
    'taints-kinds',
    'too-many-pods',
    'topology-spread-hard',
    'topology-spread-soft',
    'volumes-placed',
    'volumes-unbound',
    'woken-by-other-pods',
  ],
  smoke: ['first-apply'],
  storage: [
    'default-storage-class',
    'pod-volumes',
    'provisioning',
    'read-write-once-pod',
    'reclaim-policies',
    'static-binding',
    'static-no-match',
    'validation',
    'wait-for-first-consumer',
  ],
  validation: [
    'configmap-secret',
    'deployment-replicaset',
    'hpa',
    'ingress',
    'job',
    'json-types',
    'label-keys-values',
    'metadata-create',
    'not-an-object',
    'object-names',
    'persistentvolume',
    'persistentvolumeclaim',
    'pod-containers',
    'pod-env',
    'pod-network-dns',
    'pod-placement',
    'pod-probes-lifecycle',
    'pod-resources',
    'pod-update-immutable',
    'pod-volumes',
    'priorityclass',
    'quota-limitrange',
    'rbac-rules',
    'service-ports',
    'service-types',
    'slices-leases-accounts',
    'statefulset-daemonset',
  ],
  workloads: [
    'cronjob-every-minute',
    'cronjob-validation',
    'daemonset-rolling-update',
    'daemonset-taints-and-selectors',
    'deployment-and-terminating-pods',
    'deployment-orphan-and-adopt',
    'deployment-stuck-deadline',
    'deployment-surge-arithmetic',
    'drain-and-cordon',
    'endpoints-follow-readiness',
    'garbage-collection',
    'job-backoff-limit',
    'job-indexed-and-parallel',
    'job-pod-failure-policy',
    'job-suspend-deadline-ttl',
    'namespace-lifecycle',
    'node-unreachable',
    'pod-disruption-budget',
    'replicaset-adopt-and-scale-down',
    'replicaset-quota-and-limits',
    'replicationcontroller',
    'statefulset-claims-and-retention',
    'statefulset-ordered',
    'statefulset-rolling-update',
  ],
};

/** How long a folder may play before it counts as hung, on a busy machine. */
const HUNG_MS = 900_000;

test.skipIf(!isThere).each(Object.entries(WHOLE))(
  'the recordings of %s play as recorded',
  (folder, names) => {
    const shell = `${process.execPath} ${resolve(root, 'dist/crashloop.js')} shell --json --nodes {nodes}`;
    const files = names.map(name => resolve(recordings, folder, `${name}.yaml`));
    const {stdout, status} = spawnSync(
      process.execPath,
      [resolve(recordings, 'golden.mjs'), '--shell', shell, '--jobs', '2', ...files],
      {cwd: root, encoding: 'utf8', maxBuffer: 1 << 26},
    );
    expect(stdout).toMatch(/ 0 failed/);
    expect(status).toBe(0);
  },
  HUNG_MS,
);
