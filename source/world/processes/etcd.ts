// `etcd` on its machine: the flags become a member's options. What its files lack, and what its ports refuse, is said as etcd
// says it.
import {TlsDoor, type ClientHello, type TlsServer} from '../../api/wire/tls.ts';
import {log} from '../../cluster/etcd/log-line.ts';
import type {EtcdOptions, EtcdTls} from '../../cluster/etcd/options.ts';
import {startEtcd, type Member} from '../../cluster/etcd/start.ts';
import type {Call} from '../../sim/network.ts';
import type {Disk} from '../../cluster/etcd/disk.ts';
import {diskAt} from './data-directory.ts';
import {hostAndPort} from '../../cluster/etcd/identity.ts';
import {whyUnverified} from './etcd-flags.ts';
import {spanOf} from './flag-values.ts';
import {readCommandLine, type Flags} from './flags.ts';
import {failWith, type Launch} from './launch.ts';
import {readAuthorities, readPair} from './secrets.ts';

/** Starts etcd; undefined when it ended at once. */
export function launchEtcd(launch: Launch): Member | undefined {
  const {daemon, argv} = launch;
  const line = readCommandLine('etcd', argv.slice(1));
  if (!line.ok) {
    failWith(daemon, line.lines, 2);
    return undefined;
  }
  const {flags} = line;
  if (flags.given('snapshot-count') !== undefined) {
    const msg = '--snapshot-count is deprecated in 3.6 and will be decommissioned in 3.7.';
    log(daemon, {level: 'warn', caller: 'etcdmain/config.go:270', msg});
  }
  const unverified = whyUnverified(flags);
  if (unverified !== undefined) {
    log(daemon, {level: 'warn', caller: 'etcdmain/etcd.go:67', msg: 'failed to verify flags', facts: {error: unverified}});
    daemon.exit(1);
    return undefined;
  }
  const tls = tlsOf(launch, flags);
  if ('error' in tls) {
    const caller = tls.side === 'peer' ? 'etcdmain/etcd.go:183' : 'etcdmain/etcd.go:198';
    fatal(launch, {caller, msg: tls.side === 'peer' ? 'discovery failed' : 'listener failed', error: tls.error});
    return undefined;
  }
  const problem = whyNoPlace(launch, flags);
  if (problem !== undefined) {
    fatal(launch, {caller: 'etcdmain/etcd.go:183', msg: 'discovery failed', error: problem});
    return undefined;
  }
  return startEtcd(optionsOf(launch, flags, tls));
}

function fatal({daemon}: Launch, {caller, msg, error}: {caller: string; msg: string; error: string}): void {
  log(daemon, {level: 'fatal', caller, msg, facts: {error}});
  daemon.exit(1);
}

function optionsOf(launch: Launch, flags: Flags, tls: EtcdTls): EtcdOptions {
  const {daemon, files, machine} = launch;
  const directory = directoryOf(flags);
  const quota = flags.number('quota-backend-bytes');
  const disk = diskAt(files, directory);
  machine.disks.add(disk);
  const isMember = !disk.isEmpty || files.isFolder(`${directory}/member`);
  const facts = {'data-dir': directory, 'dir-type': isMember ? 'member' : 'empty'};
  if (disk.isEmpty && isMember) {
    log(daemon, {level: 'info', caller: 'etcdmain/etcd.go:107', msg: 'server has already been initialized', facts});
  }
  if (disk.walDamage === 'repaired') tellRepair(launch, directory, disk);
  if (!isMember) log(daemon, {level: 'info', caller: 'etcdmain/etcd.go:124', msg: 'Initialize and start etcd server', facts});
  return {
    daemon,
    disk,
    dataDir: directory,
    name: flags.text('name'),
    initialCluster: flags.text('initial-cluster'),
    initialClusterState: flags.text('initial-cluster-state') === 'existing' ? 'existing' : 'new',
    initialClusterToken: flags.text('initial-cluster-token'),
    initialAdvertisePeerUrls: flags.list('initial-advertise-peer-urls'),
    advertiseClientUrls: flags.list('advertise-client-urls'),
    listenClientUrls: flags.list('listen-client-urls'),
    listenPeerUrls: flags.list('listen-peer-urls'),
    listenMetricsUrls: flags.list('listen-metrics-urls'),
    forceNewCluster: flags.on('force-new-cluster'),
    ...(quota > 0 ? {quotaBackendBytes: quota} : {}),
    snapshotCount: flags.number('snapshot-count'),
    strictReconfigCheck: flags.on('strict-reconfig-check'),
    watchProgressNotifyIntervalMs: spanOf(flags.text('watch-progress-notify-interval'), 600_000),
    heartbeatMs: flags.number('heartbeat-interval'),
    electionMs: flags.number('election-timeout'),
    tls,
  };
}

/** A log that ended in the middle of a record was cut, and what it was is kept beside it. */
function tellRepair({daemon, files}: Launch, directory: string, disk: Disk): void {
  const path = `${directory}/member/wal/0000000000000000-0000000000000000.wal`;
  log(daemon, {level: 'info', caller: 'wal/repair.go:99', msg: 'repaired', facts: {path, error: 'unexpected EOF'}});
  const broken = `${path}.broken`;
  if (files.info(broken) === undefined) files.place(broken, '', 0o600);
  const name = broken.replace(/^.*\//, '');
  log(daemon, {level: 'warn', caller: 'wal/util.go:90', msg: 'ignored file in WAL directory', facts: {path: name}});
  disk.walDamage = undefined;
}

function directoryOf(flags: Flags): string {
  const given = flags.given('data-dir');
  return (given ?? `/${flags.text('name')}.etcd`).replace(/\/+$/, '') || '/';
}

/** Why it can neither keep its data nor listen there. */
function whyNoPlace({files, machine}: Launch, flags: Flags): string | undefined {
  const directory = directoryOf(flags);
  if (directory.startsWith('/proc/')) return `cannot access data directory: mkdir ${directory}: no such file or directory`;
  if (files.info(directory)?.kind === 'file') return `cannot access data directory: mkdir ${directory}: not a directory`;
  const secure = isSecured(flags, '');
  for (const url of listened(flags)) {
    const {host = '', port = 0} = hostAndPort(url) ?? {};
    if (!machine.isLocal(host)) return `listen tcp ${host}:${port}: bind: cannot assign requested address`;
  }
  const bare = flags.list('listen-client-urls').find(url => url.startsWith('https:'));
  if (bare !== undefined && !secure)
    return `TLS key/cert (--cert-file/--key-file) must be provided for client url ${bare} with HTTPS scheme`;
  files.makeFolder(directory);
  return undefined;
}

/** All that it is to listen on. */
function listened(flags: Flags): string[] {
  return [...flags.list('listen-peer-urls'), ...flags.list('listen-client-urls'), ...flags.list('listen-metrics-urls')];
}

function isSecured(flags: Flags, prefix: '' | 'peer-'): boolean {
  return flags.text(`${prefix}cert-file`) !== '' || flags.text(`${prefix}key-file`) !== '';
}

type TlsOf = EtcdTls | {readonly error: string; readonly side: 'client' | 'peer'};

function tlsOf(launch: Launch, flags: Flags): TlsOf {
  const {daemon} = launch;
  const peer = serverOf(launch, flags, 'peer-');
  if (peer !== undefined && 'error' in peer) return {...peer, side: 'peer'};
  const client = serverOf(launch, flags, '');
  if (client !== undefined && 'error' in client) return {...client, side: 'client'};
  const door = (server: TlsServer, side: string) =>
    new TlsDoor(server, daemon.wall, (call, error) => logRejected(launch, side, {call, error}));
  const hello = (host: string): ClientHello => ({
    trusts: peer?.clientAuthorities,
    name: host,
    now: daemon.wall(),
    ...(peer ? {certificate: peer.certificate} : {}),
  });
  return {...(client ? {client: door(client, 'client')} : {}), ...(peer ? {peer: door(peer, 'peer'), hello} : {})};
}

/** What etcd shows on one side, by the flags with that prefix; undefined where it speaks plainly. */
function serverOf({files}: Launch, flags: Flags, prefix: '' | 'peer-'): TlsServer | undefined | {readonly error: string} {
  const certificatePath = flags.text(`${prefix}cert-file`);
  const keyPath = flags.text(`${prefix}key-file`);
  if (!isSecured(flags, prefix)) return undefined;
  const pair = readPair(files, certificatePath, keyPath);
  if (!pair.ok) return {error: pair.why};
  const authorityPath = flags.text(`${prefix}trusted-ca-file`);
  const authorities = authorityPath === '' ? undefined : readAuthorities(files, authorityPath);
  if (authorities?.ok === false) return {error: authorities.why};
  return {certificate: pair.value, clientAuthorities: authorities?.value, required: flags.on(`${prefix}client-cert-auth`)};
}

/** Whoever calls does so from a port of its own, of which nothing else is known. */
const PORTS = {first: 32_768, count: 28_000};

function logRejected({daemon}: Launch, side: string, {call, error}: {readonly call: Call; readonly error: string}): void {
  const facts = {
    'remote-addr': `${call.to.startsWith('127.') ? call.to : call.from}:${PORTS.first + (Math.floor(daemon.clock.now * 10) % PORTS.count)}`,
    'server-name': '',
    error,
  };
  log(daemon, {level: 'warn', caller: 'embed/config_logging.go:194', msg: `rejected connection on ${side} endpoint`, facts});
}
