// `kube-controller-manager` on its machine.
import {startControllerManager} from '../../cluster/controllers/start.ts';
import {CONTROLLER_NAMES} from './controller-names.ts';
import {readCommandLine} from './flags.ts';
import {serveHealth} from './health.ts';
import {readKubeconfig} from './kubeconfig-file.ts';
import {commandFailed, failWith, type Launch} from './launch.ts';
import {readText} from './secrets.ts';

const PORT = 10_257;

/** Starts the controller-manager. */
export function launchControllerManager(launch: Launch): void {
  const {daemon, argv, files, machine} = launch;
  const line = readCommandLine('kube-controller-manager', argv.slice(1));
  if (!line.ok) return failWith(daemon, line.lines, 1);
  const {flags} = line;
  const controllers = flags.list('controllers');
  for (const name of controllers) {
    const bare = name.replace(/^-/, '');
    if (bare !== '*' && !CONTROLLER_NAMES.has(bare))
      return commandFailed(daemon, `${JSON.stringify(bare)} is not in the list of known controllers`);
  }
  const config = readKubeconfig(files, flags.text('kubeconfig'));
  if (!config.ok) return commandFailed(daemon, config.why);
  const needed = [
    'root-ca-file',
    'service-account-private-key-file',
    'client-ca-file',
    'cluster-signing-cert-file',
    'cluster-signing-key-file',
  ] as const;
  for (const flag of needed) {
    const path = flags.text(flag);
    const read = path === '' ? undefined : readText(files, path);
    if (read?.ok === false) return commandFailed(daemon, read.why);
  }
  daemon.print('I controllermanager.go:189] "Starting" version="v1.35.4"');
  if (!serveHealth(daemon, flags, PORT)) return undefined;
  const {host, port, certificate, token} = config.value;
  const mask = flags.number('node-cidr-mask-size') || flags.number('node-cidr-mask-size-ipv4');
  return startControllerManager({
    daemon,
    host,
    port,
    credentials: {...(certificate ? {certificate} : {}), ...(token === undefined ? {} : {token: () => token})},
    identity: `${machine.name}_${daemon.dice.uuid()}`,
    rootCa: files.read(flags.text('root-ca-file')) ?? '',
    signingCa: files.read(flags.text('cluster-signing-cert-file')) ?? '',
    ...(flags.on('allocate-node-cidrs') ? {clusterCidr: flags.text('cluster-cidr')} : {}),
    ...(mask > 0 ? {nodeCidrMaskSize: mask} : {}),
    useServiceAccountCredentials: flags.on('use-service-account-credentials'),
    leaderElect: flags.on('leader-elect'),
    controllers,
  });
}
