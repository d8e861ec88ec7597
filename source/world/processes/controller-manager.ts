// `kube-controller-manager` on its machine. Its flags are judged at the start; the files of single controllers only when it leads
// and makes them, so a candidate with a wrong file waits as well as any other.
import {aggregated} from '../../api/meta/go-text.ts';
import {readCertificates} from '../../api/pki/certificate.ts';
import {startControllerManager} from '../../cluster/controllers/start.ts';
import {CONTROLLER_NAMES} from './controller-names.ts';
import {tuningOf} from './controller-tuning.ts';
import {whyNotServing} from './delegated.ts';
import {whyBadGates} from './feature-gates.ts';
import {readCommandLine, type Flags} from './flags.ts';
import {serveHealth} from './health.ts';
import {readKubeconfig} from './kubeconfig-file.ts';
import {commandFailed, failWith, type Launch} from './launch.ts';
import {readPair, readPrivateKey, readText} from './secrets.ts';
import {whyBadPort} from './serving-flags.ts';
import {goMilliseconds} from './flag-values.ts';
import {podRangesOf, whyNoRanges} from './pod-ranges.ts';

const PORT = 10_257;

/** Starts the controller-manager. */
export function launchControllerManager(launch: Launch): void {
  const {daemon, argv, files, machine} = launch;
  const line = readCommandLine('kube-controller-manager', argv.slice(1));
  if (!line.ok) return failWith(daemon, line.lines, 1);
  const {flags} = line;
  const problem = whyBadGates(flags) ?? whyInvalid(flags);
  if (problem !== undefined) return commandFailed(daemon, problem);
  const config = readKubeconfig(files, flags.text('kubeconfig'));
  if (!config.ok) return commandFailed(daemon, config.why);
  const unserved = whyNotServing(launch, flags, PORT);
  if (unserved !== undefined) return commandFailed(daemon, unserved);
  daemon.print('I controllermanager.go:189] "Starting" version="v1.35.4"');
  if (!serveHealth(daemon, flags, PORT)) return undefined;
  const impatient =
    goMilliseconds(flags.text('leader-elect-lease-duration')) <= goMilliseconds(flags.text('leader-elect-renew-deadline'));
  if (flags.on('leader-elect') && impatient)
    return failWith(daemon, ['panic: leaseDuration must be greater than renewDeadline'], 2);
  const {host, port, certificate, token, trusts} = config.value;
  return startControllerManager({
    daemon,
    host,
    port,
    trusts,
    credentials: {...(certificate ? {certificate} : {}), ...(token === undefined ? {} : {token: () => token})},
    identity: `${machine.name}_${daemon.dice.uuid()}`,
    rootCa: files.read(flags.text('root-ca-file')) ?? '',
    signingCa: files.read(flags.text('cluster-signing-cert-file')) ?? '',
    ...(flags.on('allocate-node-cidrs') ? {podRanges: podRangesOf(flags)} : {}),
    tuning: tuningOf(flags),
    useServiceAccountCredentials: flags.on('use-service-account-credentials'),
    leaderElect: flags.on('leader-elect'),
    controllers: flags.list('controllers'),
    whyNot: () => whyNoController(launch, flags),
  });
}

function whyInvalid(flags: Flags): string | undefined {
  const bare = flags.list('controllers').map(name => name.replace(/^-/, ''));
  const unknown = bare.filter(name => name !== '*' && !CONTROLLER_NAMES.has(name));
  const port = whyBadPort(flags, false);
  const problems = unknown.map(name => `${JSON.stringify(name)} is not in the list of known controllers`);
  if (port !== undefined) problems.push(port);
  return aggregated(problems);
}

/** The words in which it ends when it leads, and a controller cannot be made. */
function whyNoController({files}: Launch, flags: Flags): readonly string[] | undefined {
  const failed = (controller: string, why: string) => [
    `E controllermanager.go:637] "Error initializing a controller" err=${JSON.stringify(why)} controller="${controller}"`,
    `E controllermanager.go:257] "Error building controllers" err=${JSON.stringify(why)}`,
  ];
  const accounts = whyNoTokens({files}, flags);
  if (accounts !== undefined) return failed('serviceaccount-token-controller', accounts);
  const certificate = flags.text('cluster-signing-cert-file');
  const signing = certificate === '' ? undefined : readPair(files, certificate, flags.text('cluster-signing-key-file'));
  if (signing?.ok === false) {
    const why = `failed to start kubernetes.io/kubelet-serving certificate controller: error reading CA cert file ${JSON.stringify(certificate)}: ${signing.why}`;
    return failed('certificatesigningrequest-signing-controller', why);
  }
  return flags.on('allocate-node-cidrs') ? whyNoRanges(flags) : undefined;
}

function whyNoTokens({files}: Pick<Launch, 'files'>, flags: Flags): string | undefined {
  const keyPath = flags.text('service-account-private-key-file');
  const key = keyPath === '' ? undefined : readPrivateKey(files, keyPath);
  if (key?.ok === false) return `error reading key for service account token controller: ${key.why}`;
  const path = flags.text('root-ca-file');
  const read = path === '' ? undefined : readText(files, path);
  const broken = read?.ok && readCertificates(read.value).length === 0;
  const why = read?.ok === false ? read.why : broken ? 'data does not contain any valid RSA or ECDSA certificates' : undefined;
  return why === undefined ? undefined : `error parsing root-ca-file at ${path}: ${why}`;
}
