// `kube-scheduler` on its machine. (A configuration file is named but not read here yet: the default profile runs.)
import {Client} from '../../client/client.ts';
import {startScheduler} from '../../cluster/scheduler/start.ts';
import {readCommandLine} from './flags.ts';
import {readKubeconfig} from './kubeconfig-file.ts';
import {commandFailed, failWith, type Launch} from './launch.ts';
import {readText} from './secrets.ts';

/** Starts the scheduler. */
export function launchScheduler(launch: Launch): void {
  const {daemon, argv, files, machine} = launch;
  const line = readCommandLine('kube-scheduler', argv.slice(1));
  if (!line.ok) return failWith(daemon, line.lines, 1);
  const {flags} = line;
  const path = flags.text('config');
  const read = path === '' ? undefined : readText(files, path);
  if (read?.ok === false) return commandFailed(daemon, read.why);
  const config = readKubeconfig(files, flags.text('kubeconfig'));
  if (!config.ok) return commandFailed(daemon, config.why);
  const {host, port, certificate, token} = config.value;
  daemon.print('I server.go:175] "Starting Kubernetes Scheduler" version="v1.35.4"');
  daemon.print(`I secure_serving.go:211] Serving securely on ${flags.text('bind-address')}:${flags.text('secure-port')}`);
  return startScheduler({
    daemon,
    client: new Client({
      daemon,
      host,
      port,
      credentials: {...(certificate ? {certificate} : {}), ...(token === undefined ? {} : {token: () => token})},
      userAgent: 'kube-scheduler/v1.35.4',
    }),
    identity: `${machine.name}_${daemon.dice.uuid()}`,
  });
}
