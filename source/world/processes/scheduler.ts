// `kube-scheduler` on its machine. What a configuration file says counts before the flags, as it does with the real one.
import {Client} from '../../client/client.ts';
import {makeProfiles, type SchedulerConfig} from '../../cluster/scheduler/profile.ts';
import {startScheduler} from '../../cluster/scheduler/start.ts';
import {whyNotServing} from './delegated.ts';
import {whyBadGates} from './feature-gates.ts';
import {goMilliseconds} from './flag-values.ts';
import {readCommandLine, type Flags} from './flags.ts';
import {serveHealth} from './health.ts';
import {readKubeconfig} from './kubeconfig-file.ts';
import {commandFailed, failWith, type Launch} from './launch.ts';
import {readSchedulerFile, type SchedulerFile} from './scheduler-config.ts';
import {readText} from './secrets.ts';
import {whyBadPort} from './serving-flags.ts';

const PORT = 10_259;

/** Starts the scheduler. */
export function launchScheduler(launch: Launch): void {
  const {daemon, argv, files, machine} = launch;
  const line = readCommandLine('kube-scheduler', argv.slice(1));
  if (!line.ok) return failWith(daemon, line.lines, 1);
  const {flags} = line;
  const problem = whyBadGates(flags) ?? whyBadPort(flags, false) ?? whyImpatient(flags);
  if (problem !== undefined) return commandFailed(daemon, problem);
  const path = flags.text('config');
  const text = path === '' ? undefined : readText(files, path);
  if (text?.ok === false) return commandFailed(daemon, text.why);
  const file = text ? readSchedulerFile(text.value) : {config: {}};
  if ('why' in file) return commandFailed(daemon, file.why);
  const {clientConnection, leaderElection, ...profiles} = file.config as SchedulerFile;
  const unserved = whyNotServing(launch, flags, PORT);
  if (unserved !== undefined) return commandFailed(daemon, unserved);
  const config = readKubeconfig(files, clientConnection?.kubeconfig ?? flags.text('kubeconfig'));
  if (!config.ok) return commandFailed(daemon, config.why);
  const wrong = whyWrong(profiles);
  if (wrong !== undefined) return commandFailed(daemon, wrong);
  const {host, port, certificate, token, trusts} = config.value;
  daemon.print('I server.go:175] "Starting Kubernetes Scheduler" version="v1.35.4"');
  if (!serveHealth(daemon, flags, PORT)) return undefined;
  return startScheduler({
    daemon,
    client: new Client({
      daemon,
      host,
      port,
      trusts,
      credentials: {...(certificate ? {certificate} : {}), ...(token === undefined ? {} : {token: () => token})},
      userAgent: 'kube-scheduler/v1.35.4',
    }),
    identity: `${machine.name}_${daemon.dice.uuid()}`,
    config: profiles,
    leaderElect: leaderElection?.leaderElect ?? flags.on('leader-elect'),
    ...(leaderElection?.resourceName ? {lease: leaderElection.resourceName} : {}),
  });
}

/** A lease must last longer than the tries to renew it. */
function whyImpatient(flags: Flags): string | undefined {
  const deadline = flags.text('leader-elect-renew-deadline');
  if (goMilliseconds(flags.text('leader-elect-lease-duration')) > goMilliseconds(deadline)) return undefined;
  return `leaderElection.leaseDuration: Invalid value: ${deadline}: LeaseDuration must be greater than RenewDeadline`;
}

/** What is wrong with the profiles, in the words in which the scheduler ends. */
function whyWrong(config: SchedulerConfig): string | undefined {
  try {
    makeProfiles(config);
    return undefined;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}
