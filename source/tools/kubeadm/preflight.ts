// The checks before an `init` or a `join`: a machine that is part of a cluster already is refused, with all reasons at once. An `init` that
// passes them does nothing further: clusters are laid out by the level.
import {KUBERNETES, PKI} from '../../api/kubeadm/certificates.ts';
import {Failed, type Session} from './session.ts';

const MANIFESTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'].map(
  name => `${KUBERNETES}/manifests/${name}.yaml`,
);

/** `kubeadm init`. */
export async function init(session: Session): Promise<never> {
  await session.process.out('[init] Using Kubernetes version: v1.35.4\n[preflight] Running pre-flight checks\n');
  const {files} = session.process.machine;
  const problems = [
    ...portsInUse(session, [6443, 10_259, 10_257]),
    ...MANIFESTS.filter(path => files.info(path)).map(exists),
    ...portsInUse(session, [10_250, 2379, 2380]),
    ...((files.list('/var/lib/etcd') ?? []).length > 0 ? ['[ERROR DirAvailable--var-lib-etcd]: /var/lib/etcd is not empty'] : []),
  ];
  complain(session, problems);
  throw new Failed('this kubeadm mends clusters that stand, and makes none');
}

/** The checks of a machine that is to join. */
export function checkJoin(session: Session): void {
  const {flags} = session;
  const {files} = session.process.machine;
  const paths = [`${KUBERNETES}/kubelet.conf`, ...(flags.on('control-plane') ? [] : [`${PKI}/ca.crt`])];
  complain(session, [...paths.filter(path => files.info(path)).map(exists), ...portsInUse(session, [10_250])]);
}

function exists(path: string): string {
  return `[ERROR FileAvailable-${path.replaceAll('/', '-')}]: ${path} already exists`;
}

function portsInUse({options}: Session, ports: readonly number[]): string[] {
  const open = options.ports();
  return ports.filter(port => open.includes(port)).map(port => `[ERROR Port-${port}]: Port ${port} is in use`);
}

function complain(session: Session, found: readonly string[]): void {
  const ignored = session.flags.list('ignore-preflight-errors').map(word => word.toLowerCase());
  const problems = found.filter(
    text => !ignored.includes('all') && !ignored.some(word => text.toLowerCase().startsWith(`[error ${word}]`)),
  );
  if (problems.length === 0) return;
  throw new Failed(
    `error execution phase preflight: [preflight] Some fatal errors occurred:\n${problems.map(text => `\t${text}\n`).join('')}[preflight] If you know what you are doing, you can make a check non-fatal with \`--ignore-preflight-errors=...\``,
  );
}
