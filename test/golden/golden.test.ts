// Plays recordings of a real v1.35 through our shell, with the player that lies beside them: the first one through the program as it
// is published, all others through shells that are warm. Recordings live outside of the checkout: where they are absent the tests are
// skipped, and say so.
import {spawn, type ChildProcess} from 'node:child_process';
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const recordings = resolve(root, '../shared/golden');
const isThere = existsSync(resolve(recordings, 'golden.mjs'));
if (!isThere) console.log('the recordings in ../shared/golden are absent: their tests are skipped');

/** Recordings that play as recorded, by folder: they stay so. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  api: [
    'unauthorized',
    'api-resources',
    'apply-three-way',
    'auth-can-i',
    'broken-files',
    'crd-basics',
    'crd-cel',
    'crd-refused',
    'create-apply-replace',
    'create-config',
    'create-workloads',
    'defaults-workloads',
    'delete-grace-cascade',
    'delete-ways',
    'diff',
    'discovery-raw',
    'dry-run',
    'edit-with-sed',
    'events',
    'explain-fields',
    'expose-and-autoscale',
    'forbidden-and-whoami',
    'get-formats',
    'get-many',
    'gone-410',
    'immutable-fields',
    'kubeconfig',
    'kustomize',
    'label-annotate',
    'namespace-life',
    'patch-kinds',
    'raw-pages',
    'server-side-apply',
    'server-unreachable',
    'strict-decoding',
    'table-columns',
    'too-large',
    'two-hands',
    'wait',
    'watch',
  ],
  etcd: [
    'apiserver-down-and-up',
    'apiserver-wrong-flags',
    'blank-member-votes',
    'certificates',
    'force-new-cluster',
    'four-and-five-members',
    'history-and-compaction',
    'keys',
    'kubeadm-certs',
    'kubeadm-token',
    'kubeadm-upgrade-plan',
    'leaders-and-partitions',
    'learner',
    'members-and-status',
    'no-space',
    'one-down-two-down',
    'one-member-one-apiserver-down',
    'quorum-lost-kubectl',
    'replace-a-dead-member',
    'restore-three-members',
    'snapshot',
    'txn-lease-auth',
    'wrong-bootstrap',
  ],
  network: [
    'address-allocation',
    'affinity-and-traffic-policies',
    'expose-and-create-service',
    'ingress',
    'ip-families',
    'many-endpoints',
    'networkpolicy-describe',
    'node-addresses-and-pod-ranges',
    'own-endpointslices',
    'proxy-and-forward-errors',
    'service-ports',
    'service-types',
  ],
  node: [
    'cni',
    'config-refs',
    'crash-exit-1',
    'crictl',
    'debug-attach-forward',
    'describe-running-pod',
    'downward-and-token',
    'emptydir',
    'exec-and-cp',
    'exit-codes',
    'images',
    'init-containers',
    'jobs-that-fail',
    'kubelet-rejects',
    'kubelet-stopped',
    'logs',
    'memory-pressure',
    'oom-and-termination-message',
    'probes-liveness',
    'pv-on-node',
    'runtime-stopped',
    'security-context',
    'sidecars',
    'start-errors',
    'static-pods',
    'termination',
    'volume-errors',
    'volume-refresh',
    'resize',
  ],
  scheduling: [
    'cordon-and-wait',
    'daemonset-scheduling',
    'defaults-feed-requests',
    'describe-node-tables',
    'describe-pending',
    'event-shapes',
    'fit-exact',
    'fit-mixed-nine',
    'fit-reasons-alone',
    'host-ports',
    'node-affinity-preferred',
    'node-affinity-terms',
    'node-arrives',
    'node-conditions-taints',
    'node-name-and-binding',
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
    'resize-in-place',
  ],
  security: [
    'admission-order',
    'admission-policy',
    'admission-policy-errors',
    'admission-policy-matching',
    'admission-policy-params',
    'aggregated-roles',
    'anonymous-and-unknown',
    'bindings-imperative',
    'bindings-in-effect',
    'can-i',
    'can-i-granted',
    'certificate-requests',
    'client-certificate',
    'default-roles',
    'escalation-refused',
    'forbidden-reads',
    'forbidden-subresources',
    'forbidden-updates',
    'forbidden-writes',
    'impersonation',
    'limit-range',
    'limit-range-defaults',
    'namespace-protection',
    'namespace-termination',
    'node-authorizer',
    'node-restriction',
    'pod-admission-defaults',
    'pod-security-baseline',
    'resource-quota-objects',
    'resource-quota-pods',
    'roles-imperative',
    'service-account-admission',
    'token-requests',
    'token-use',
    'warnings-pods',
    'webhook-configuration',
    'webhook-selection',
    'webhook-unreachable',
  ],
  smoke: ['first-apply'],
  storage: [
    'csi-attach',
    'default-storage-class',
    'expansion',
    'in-use-protection',
    'pod-volumes',
    'provisioning',
    'read-write-once-pod',
    'reclaim-policies',
    'static-binding',
    'static-no-match',
    'validation',
    'volume-attributes-class',
  ],
  validation: [
    'admission-policy-cel',
    'configmap-secret',
    'crd-definition',
    'crd-schema',
    'custom-resource-schema',
    'custom-resource-updates',
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
    'pod-many-errors',
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
    'size-walls',
    'slices-leases-accounts',
    'statefulset-daemonset',
    'strict-decoding',
    'service-allocation',
  ],
  workloads: [
    'controllers-identity',
    'cronjob-every-minute',
    'cronjob-validation',
    'daemonset-rolling-update',
    'daemonset-taints-and-selectors',
    'deployment-and-terminating-pods',
    'deployment-history-and-undo',
    'deployment-orphan-and-adopt',
    'deployment-stuck-deadline',
    'deployment-surge-arithmetic',
    'drain-and-cordon',
    'endpoints-follow-readiness',
    'garbage-collection',
    'horizontal-pod-autoscaler',
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

/** A process of warm shells, by its number, and the command that dials it. */
const warm: ChildProcess[] = [];
const dials: string[] = [];

async function startWarm(): Promise<void> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'warm-shells.ts')], {stdio: ['ignore', 'pipe', 'inherit']});
  warm.push(child);
  for await (const line of createInterface({input: child.stdout})) {
    dials.push(`bash ${resolve(import.meta.dirname, 'dial.sh')} ${line.replace('port ', '')} {nodes}`);
    return;
  }
}

/** Plays recordings in shells that a command opens; what the player printed, and its exit code. */
function play(shell: string, files: readonly string[]): Promise<{readonly printed: string; readonly code: number | null}> {
  const words = ['--shell', shell, '--jobs', '2', ...files];
  const player = spawn(process.execPath, [resolve(recordings, 'golden.mjs'), ...words], {cwd: root});
  let printed = '';
  player.stdout.on('data', part => (printed += String(part)));
  player.stderr.on('data', part => (printed += String(part)));
  return new Promise(done => player.on('close', code => done({printed, code})));
}

const filesOf = (folder: string): string[] => (WHOLE[folder] ?? []).map(name => resolve(recordings, folder, `${name}.yaml`));

describe.skipIf(!isThere)('the recordings', () => {
  beforeAll(async () => void (await Promise.all([startWarm(), startWarm()])));
  afterAll(() => {
    for (const child of warm) child.kill('SIGTERM');
  });

  test(
    'the first one plays as recorded in the program as it is published',
    async () => {
      const shell = `${process.execPath} ${resolve(root, 'dist/crashloop.js')} shell --json --nodes {nodes}`;
      expect(await play(shell, filesOf('smoke'))).toEqual({printed: expect.stringContaining(' 0 failed'), code: 0});
    },
    HUNG_MS,
  );

  const folders = Object.keys(WHOLE).map((folder, i) => ({folder, i}));
  test.concurrent.each(folders)(
    '$folder plays as recorded',
    async ({folder, i}) => {
      const {printed, code} = await play(dials[i % dials.length] ?? '', filesOf(folder));
      expect(printed).toMatch(/ 0 failed/);
      expect(code).toBe(0);
    },
    HUNG_MS,
  );
});
