// The checks before an `init` or a `join`: a machine that is part of a cluster already is refused, with all reasons at once. On a machine
// that passes them nothing further is done here: clusters are laid out by the level.
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
  return refuse(session, 'preflight', problems);
}

/** `kubeadm join`. */
export async function join(session: Session): Promise<never> {
  const {process, flags, words} = session;
  const [endpoint] = words;
  if (endpoint === undefined && flags.text('discovery-file') === '' && flags.text('config') === '')
    throw new Failed(
      'discovery: Invalid value: "": bootstrapToken or file must be set\n[discovery.bootstrapToken, discovery.file]: Invalid value: "": exactly one of them must be set',
    );
  if (endpoint !== undefined && flags.text('token') === '' && flags.text('discovery-token') === '')
    throw new Failed('discovery.bootstrapToken.token: Invalid value: "": the bootstrap token is invalid');
  if (flags.list('discovery-token-ca-cert-hash').length === 0 && !flags.on('discovery-token-unsafe-skip-ca-verification'))
    throw new Failed(
      'discovery.bootstrapToken: Invalid value: "": using token-based discovery without caCertHashes can be unsafe. Set unsafeSkipCAVerification as true in your kubeadm config file or pass --discovery-token-unsafe-skip-ca-verification flag to continue',
    );
  await process.out('[preflight] Running pre-flight checks\n');
  const {files} = process.machine;
  const paths = [`${KUBERNETES}/kubelet.conf`, ...(flags.on('control-plane') ? [] : [`${PKI}/ca.crt`])];
  const problems = [...paths.filter(path => files.info(path)).map(exists), ...portsInUse(session, [10_250])];
  return refuse(session, 'preflight', problems);
}

function exists(path: string): string {
  return `[ERROR FileAvailable-${path.replaceAll('/', '-')}]: ${path} already exists`;
}

function portsInUse({options}: Session, ports: readonly number[]): string[] {
  const open = options.ports();
  return ports.filter(port => open.includes(port)).map(port => `[ERROR Port-${port}]: Port ${port} is in use`);
}

function refuse(session: Session, phase: string, found: readonly string[]): never {
  const ignored = session.flags.list('ignore-preflight-errors').map(word => word.toLowerCase());
  const problems = found.filter(
    text => !ignored.includes('all') && !ignored.some(word => text.toLowerCase().startsWith(`[error ${word}]`)),
  );
  if (problems.length === 0) throw new Failed('this kubeadm mends clusters that stand, and makes none');
  throw new Failed(
    `error execution phase ${phase}: [preflight] Some fatal errors occurred:\n${problems.map(text => `\t${text}\n`).join('')}[preflight] If you know what you are doing, you can make a check non-fatal with \`--ignore-preflight-errors=...\``,
  );
}
