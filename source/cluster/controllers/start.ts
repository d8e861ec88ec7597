// kube-controller-manager: one process, many controllers, one leader. A candidate that does not lead watches nothing. The
// leader starts the informers that all controllers share, gives each controller a client that speaks as its own service
// account, and lets the queues work as soon as everything is known. When the lease is lost the process ends, as the real one
// does: whoever starts it again starts a new candidate.
//
// Its health is served by whoever starts the process (world/processes/health.ts). Not modelled: /metrics.
import {Client, type Credentials} from '../../client/client.ts';
import {EventRecorder} from '../../client/events.ts';
import {Informers} from '../../client/informer.ts';
import {electLeader} from '../../client/lease.ts';
import {WorkQueue} from '../../client/work-queue.ts';
import type {Daemon} from '../../sim/daemon.ts';
import {AccountTokens} from './account-tokens.ts';
import type {Context, Controller, PodRange, Settings} from './context.ts';
import {Kinds} from './kinds.ts';
import {CONTROLLERS} from './list.ts';
import {STANDARD_TUNING, type Tuning} from './tuning.ts';

/** The flags and files of kube-controller-manager. */
export interface ControllerManagerOptions {
  readonly daemon: Daemon;
  /** Where the API server is. */
  readonly host: string;
  readonly port: number;
  /** What proves `system:kube-controller-manager`. */
  readonly credentials: Credentials;
  /** Different from all others: `cp-1_` and a uuid. */
  readonly identity: string;
  /** The certificate authority of the API server, as PEM text. */
  readonly rootCa: string;
  /** The authority that signs requests for certificates, as PEM text; absent: none are signed. */
  readonly signingCa?: string;
  /** Where nodes' pod ranges come from; absent: no node gets one. */
  readonly podRanges?: readonly PodRange[];
  readonly tuning?: Tuning;
  /** Each controller speaks as its own service account (as kubeadm sets it up): default true. */
  readonly useServiceAccountCredentials?: boolean;
  /** Default true. */
  readonly leaderElect?: boolean;
  /** As `--controllers`: `*` for all, a name, or a name with a minus. Default all. */
  readonly controllers?: readonly string[];
  /** The keys of the authorities whose API server it believes; absent: any. */
  readonly trusts?: readonly string[] | undefined;
  /** Asked when it leads: the last words of one that cannot make its controllers. */
  readonly whyNot?: () => readonly string[] | undefined;
}

const VERSION = 'v1.35.4';
const AGENT = `kube-controller-manager/${VERSION} (linux/amd64) kubernetes`;

/** Starts kube-controller-manager in a process. */
export function startControllerManager(options: ControllerManagerOptions): void {
  const {daemon, credentials, identity} = options;
  const client = clientFor(options, credentials, 'leader-election');
  const run = () => lead(options);
  if (options.leaderElect === false) {
    run();
    return;
  }
  const onStopped = () => {
    daemon.print('E controllermanager.go:368] "leaderelection lost"');
    daemon.exit(1);
  };
  const election = {client, name: 'kube-controller-manager', identity, onStarted: run, onStopped};
  daemon.scope.run(electLeader(election));
}

function clientFor(options: ControllerManagerOptions, credentials: Credentials, role: string): Client {
  const {daemon, host, port, trusts} = options;
  return new Client({daemon, host, port, trusts, credentials, userAgent: `${AGENT}/${role}`});
}

function lead(options: ControllerManagerOptions): void {
  const {daemon} = options;
  const words = options.whyNot?.();
  if (words) {
    for (const line of words) daemon.print(line);
    return daemon.exit(1);
  }
  const enabled = CONTROLLERS.filter(controller => isEnabled(controller, options.controllers ?? ['*']));
  for (const {name} of CONTROLLERS.filter(controller => !enabled.includes(controller))) {
    daemon.print(`I controllermanager.go:627] "Warning: controller is disabled" controller="${name}"`);
  }
  const shared = clientFor(options, options.credentials, 'shared-informers');
  if (options.useServiceAccountCredentials === false) {
    begin(options, enabled, () => shared);
    return;
  }
  const tokens = new AccountTokens(shared);
  const accounts = [...new Set(enabled.map(controller => controller.account))].filter(account => account !== '');
  tokens.get(accounts, () => {
    const clients = new Map(
      accounts.map(account => {
        const credentials = {token: () => tokens.of(account)};
        return [account, clientFor(options, credentials, `system:serviceaccount:kube-system:${account}`)];
      }),
    );
    begin(options, enabled, account => clients.get(account) ?? shared);
  });
}

/** Starts the controllers, then the informers that they asked for, then the queues. */
function begin(options: ControllerManagerOptions, enabled: readonly Controller[], clientOf: (account: string) => Client): void {
  const {daemon} = options;
  const settings: Settings = {
    tuning: options.tuning ?? STANDARD_TUNING,
    podRanges: options.podRanges ?? [],
    rootCa: options.rootCa,
    signingCa: options.signingCa ?? '',
  };
  const informers = new Informers(clientFor(options, options.credentials, 'shared-informers'));
  const kinds = new Kinds(informers);
  const ready: (() => void)[] = [];
  for (const controller of enabled) {
    const client = clientOf(controller.account);
    const context: Context = {
      daemon,
      client,
      informers,
      kinds,
      settings,
      recorder: new EventRecorder({client, component: controller.component ?? controller.name}),
      queue: queueOptions => {
        const queue = new WorkQueue({...queueOptions, daemon, name: controller.name});
        ready.push(() => queue.start());
        return queue;
      },
      whenSynced: run => ready.push(run),
    };
    controller.start(context);
  }
  informers.start(() => {
    for (const run of ready) run();
  });
}

/** Does a list as of `--controllers` let a controller run? The first that names it counts, and before `*`. */
export function isEnabled({name, alias, onlyByName}: Controller, list: readonly string[]): boolean {
  for (const word of list) {
    const bare = word.replace(/^-/, '');
    if (bare === name || bare === alias) return bare === word;
  }
  return list.includes('*') && onlyByName !== true;
}
