// `kubeadm upgrade plan`: what is to be had, and what would change. It asks the cluster, and makes the Job that tells whether the
// cluster still runs pods; how that Job ends is not looked at. `apply` and `node` are refused after their arguments were read.
//
// Not modelled: versions from the internet (there is none: without a version it plans for its own).
import type {Deployment} from '../../api/kinds/apps-v1.ts';
import type {Node} from '../../api/kinds/core-v1.ts';
import {stampedLine} from '../../api/meta/klog.ts';
import {ask, Failed, readConfiguration, table, VERSION, type Session} from './session.ts';

const DNS_VERSION = 'v1.13.1';
const ETCD_VERSION = '3.6.6-0';
/** The Job's pod does next to nothing. */
const JOB_TAKES_MS = 1500;
const LINE = '_____________________________________________________________________\n';
const STATE = `The table below shows the current state of component configs as understood by this version of kubeadm.
Configs that have a "yes" mark in the "MANUAL UPGRADE REQUIRED" column require manual config upgrade or
resetting to kubeadm defaults before a successful upgrade can be performed. The version to manually
upgrade to is denoted in the "PREFERRED VERSION" column.

`;

/** `plan [VERSION]`. */
export async function plan(session: Session): Promise<void> {
  const {process, words} = session;
  const target = words[0] ?? VERSION;
  await process.out('[preflight] Running pre-flight checks.\n');
  const configuration = await readConfiguration(session, 'upgrade/config');
  if (!configuration)
    throw new Failed(
      '[upgrade/init config] FATAL: couldn\'t create a Kubernetes client from file "/etc/kubernetes/admin.conf": failed to get config map',
    );
  await process.out('[upgrade] Running cluster health checks\n');
  await tryAJob(session);
  await process.out('[upgrade] Fetching available versions to upgrade to\n');
  const current = VERSION.slice(1);
  await process.out(`[upgrade/versions] Cluster version: ${current}\n[upgrade/versions] kubeadm version: ${VERSION}\n`);
  if (!/^v?\d+\.\d+\.\d+/.test(target)) return unparsed(session, target);
  const full = target.startsWith('v') ? target : `v${target}`;
  await process.out(`[upgrade/versions] Target version: ${full}\n`);
  const series = full.split('.').slice(0, 2).join('.');
  if (compare(full, VERSION) < 0) {
    await process.out('\n');
    return;
  }
  await process.out(`[upgrade/versions] Latest version in the v1.35 series: ${series === 'v1.35' ? full : VERSION}\n\n`);
  if (full !== VERSION) await offer(session, full);
}

async function unparsed({process}: Session, target: string): Promise<void> {
  const wrong = `illegal version string ${JSON.stringify(target)}`;
  const lines = [
    `W compute.go:114] [upgrade/versions] WARNING: Couldn't parse version stable version: ${wrong}`,
    'W compute.go:115] [upgrade/versions] WARNING: Falling back to current kubeadm version as latest stable version',
    `W compute.go:178] [upgrade/versions] WARNING: Couldn't parse version version in the v1.35 series: ${wrong}`,
  ];
  await process.err(lines.map(line => `${stampedLine(line, process.machine.wall(), process.pid)}\n`).join(''));
  await process.out('\n');
}

function compare(a: string, b: string): number {
  const numbers = (text: string) => text.slice(1).split(/[.-]/).map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (let i = 0; i < 3; i++) if (left[i] !== right[i]) return (left[i] ?? 0) - (right[i] ?? 0);
  return 0;
}

/** The health check: can the cluster still be told to run something? */
async function tryAJob(session: Session): Promise<void> {
  const {process} = session;
  const name = `upgrade-health-check-${Math.floor(process.machine.wall())}`;
  const template = {
    spec: {
      restartPolicy: 'Never',
      securityContext: {runAsUser: 999, runAsGroup: 999, runAsNonRoot: true},
      tolerations: [{key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule'}],
      containers: [{name, image: 'registry.k8s.io/pause:3.10.1', args: ['-v']}],
    },
  };
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {name, namespace: 'kube-system'},
    spec: {backoffLimit: 0, ttlSecondsAfterFinished: 120, template},
  };
  const made = await ask(session, {method: 'POST', path: '/apis/batch/v1/namespaces/kube-system/jobs', body: job});
  if (made instanceof Failed)
    throw new Failed(`[upgrade/health] FATAL: [preflight] Some fatal errors occurred:\n\t[ERROR CreateJob]: ${made.message}`);
  await process.sleep(JOB_TAKES_MS);
}

async function offer(session: Session, target: string): Promise<void> {
  const {process} = session;
  const found = await ask<{items: readonly Node[]}>(session, {method: 'GET', path: '/api/v1/nodes'});
  if (found instanceof Failed) throw found;
  const kubelets = found.items.map(node => ['kubelet', node.metadata.name, node.status?.nodeInfo?.kubeletVersion ?? '', target]);
  const planes = found.items.filter(node => 'node-role.kubernetes.io/control-plane' in (node.metadata.labels ?? {}));
  const rows = [
    ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].flatMap(name =>
      planes.map(node => [name, node.metadata.name, VERSION, target]),
    ),
    ['kube-proxy', '', VERSION.slice(1), target],
    ['CoreDNS', '', await dnsVersion(session), DNS_VERSION],
    ...planes.map(node => ['etcd', node.metadata.name, ETCD_VERSION, ETCD_VERSION]),
  ];
  const head = ['COMPONENT', 'NODE', 'CURRENT', 'TARGET'];
  const tidy = (text: string) => text.replaceAll(/ +$/gm, '');
  await process.out(
    "Components that must be upgraded manually after you have upgraded the control plane with 'kubeadm upgrade apply':\n" +
      `${tidy(table([head, ...kubelets], 10))}\n` +
      'Upgrade to the latest version in the v1.35 series:\n\n' +
      `${tidy(table([head, ...rows], 10))}\n` +
      'You can now apply the upgrade by executing the following command:\n\n' +
      `\tkubeadm upgrade apply ${target}\n\n` +
      `Note: Before you can perform this upgrade, you have to update kubeadm to ${target}.\n\n${LINE}\n\n${STATE}`,
  );
  const configs = [
    ['API GROUP', 'CURRENT VERSION', 'PREFERRED VERSION', 'MANUAL UPGRADE REQUIRED'],
    ['kubeproxy.config.k8s.io', 'v1alpha1', 'v1alpha1', 'no'],
    ['kubelet.config.k8s.io', 'v1beta1', 'v1beta1', 'no'],
  ];
  await process.out(`${tidy(table(configs, 10))}${LINE}\n`);
}

/** What the cluster's DNS runs; where it has none yet, what this kubeadm would bring. */
async function dnsVersion(session: Session): Promise<string> {
  const found = await ask<Deployment>(session, {method: 'GET', path: '/apis/apps/v1/namespaces/kube-system/deployments/coredns'});
  if (found instanceof Failed) return DNS_VERSION;
  return found.spec?.template.spec?.containers[0]?.image?.split(':')[1] ?? '';
}

/** `apply VERSION`. */
export function apply({words}: Session): never {
  if (words.length === 0) throw new Failed('missing one or more required arguments. Required arguments: [version]');
  if (words.length > 1) throw new Failed('too many arguments. Required arguments: [version]');
  throw new Failed('this kubeadm plans upgrades and does not carry them out');
}
