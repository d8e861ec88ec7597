// `kubeadm reset`: takes a machine out of its cluster as far as its own disk goes: the kubelet stops, its pods end, and what kubeadm laid
// out is removed. The Node and the member of etcd stay as they are: whoever resets the machine removes those by other means.
import {KUBERNETES, PKI} from '../../api/kubeadm/certificates.ts';
import {stampedLine} from '../../api/meta/klog.ts';
import type {SandboxStatus} from '../../api/wire/cri.ts';
import {isCriError, RUNTIME_SOCKET} from '../../api/wire/cri.ts';
import {Failed, readConfiguration, type Session} from './session.ts';

const ETCD = '/var/lib/etcd';
const FOLDERS = [`${KUBERNETES}/manifests`, '/var/lib/kubelet', PKI];
const FILES = ['admin', 'super-admin', 'kubelet', 'bootstrap-kubelet', 'controller-manager', 'scheduler'].map(
  name => `${KUBERNETES}/${name}.conf`,
);
const LAST = `
The reset process does not perform cleanup of CNI plugin configuration,
network filtering rules and kubeconfig files.

For information on how to perform this cleanup manually, please see:
    https://k8s.io/docs/reference/setup-tools/kubeadm/kubeadm-reset/

`;

/** `kubeadm reset`. */
export async function reset(session: Session): Promise<void> {
  const {process, flags, options} = session;
  const {files} = process.machine;
  // Without an administrator's kubeconfig the cluster is not asked at all.
  const asked = files.info(`${KUBERNETES}/admin.conf`) !== undefined;
  const configuration = asked ? await readConfiguration(session, 'reset') : undefined;
  if (asked && !configuration)
    await warn(session, 'reset.go:143] [reset] Unable to fetch the kubeadm-config ConfigMap from cluster');
  if (!flags.on('force') && !(await isSure(session)))
    throw new Failed('error execution phase preflight: aborted reset operation');
  await process.out('[preflight] Running pre-flight checks\n');
  if (!configuration)
    await warn(session, 'removeetcdmember.go:106] [reset] No kubeadm config, using etcd pod spec to get data directory');
  if ((files.list(ETCD) ?? []).length > 0 && files.info(`${KUBERNETES}/manifests/etcd.yaml`)) {
    empty(files, ETCD);
    await process.out(`[reset] Deleted contents of the etcd data directory: ${ETCD}\n`);
  }
  await process.out('[reset] Stopping the kubelet service\n');
  options.units.stop('kubelet');
  await endPods(session);
  await process.out('[reset] Unmounting mounted directories in "/var/lib/kubelet"\n');
  await process.out(`[reset] Deleting contents of directories: [${FOLDERS.join(' ')}]\n`);
  for (const folder of FOLDERS) empty(files, folder);
  await process.out(`[reset] Deleting files: [${FILES.join(' ')}]\n`);
  for (const path of FILES) files.remove(path);
  await process.out(LAST);
}

async function warn({process}: Session, words: string): Promise<void> {
  await process.err(`${stampedLine(`W ${words}`, process.machine.wall(), process.pid)}\n`);
}

async function isSure({process}: Session): Promise<boolean> {
  await process.out(
    "[reset] WARNING: Changes made to this host by 'kubeadm init' or 'kubeadm join' will be reverted.\n[reset] Are you sure you want to proceed? [y/N]: ",
  );
  const answer = await process.read(0);
  return typeof answer === 'string' && /^y(es)?$/iu.test(answer.trim());
}

/** Ends all pods of the machine, through its runtime. */
async function endPods({process}: Session): Promise<void> {
  const call = async <T>(request: object): Promise<T | undefined> => {
    const reply = await process.call<T>(RUNTIME_SOCKET, 0, request, 30_000);
    return reply.ok && !isCriError(reply.answer) ? reply.answer : undefined;
  };
  for (const {id} of (await call<readonly SandboxStatus[]>({kind: 'sandboxes'})) ?? []) {
    await call({kind: 'stop-sandbox', id});
    await call({kind: 'remove-sandbox', id});
  }
}

function empty(files: Session['process']['machine']['files'], folder: string): void {
  for (const name of files.list(folder) ?? []) files.remove(`${folder}/${name}`, true);
}
