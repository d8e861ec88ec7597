// `kube-apiserver` on its machine: the flags become the options of cluster/apiserver. Whatever a flag says wrong, and every file
// that it names and that is not there, ends the process in the words of the real one.
//
// Flags that are read and change nothing here: all that the simulation has no counterpart for.
import {trusted} from '../../api/pki/certificate.ts';
import type {ClientHello} from '../../api/wire/tls.ts';
import {startApiServer} from '../../cluster/apiserver/index.ts';
import {readSecrets} from './api-server-files.ts';
import {readAudit} from './audit-log.ts';
import {authorizationModes, whyBadApiServerFlags} from './api-server-flags.ts';
import {readCommandLine, type Flags} from './flags.ts';
import {goMilliseconds} from './flag-values.ts';
import {commandFailed, failWith, type Launch} from './launch.ts';
import {readAuthorities, readPair, readPrivateKey} from './secrets.ts';
import {whyNoListener} from './serving-flags.ts';

/** Starts the API server. */
export function launchApiServer(launch: Launch): void {
  const {daemon, argv, machine, files} = launch;
  const line = readCommandLine('kube-apiserver', argv.slice(1));
  if (!line.ok) return failWith(daemon, line.lines, 1);
  const {flags} = line;
  const problem = whyBadApiServerFlags(flags);
  if (problem !== undefined) return commandFailed(daemon, problem);
  const signing = readPrivateKey(files, flags.text('service-account-signing-key-file'));
  if (!signing.ok) return commandFailed(daemon, `failed to parse service-account-issuer-key-file: ${signing.why}`);
  const advertised = flags.given('advertise-address');
  if (advertised === undefined) daemon.print(`I options.go:263] external host was not specified, using ${machine.address}`);
  daemon.print('I server.go:150] Version: v1.35.4');
  const unheard = whyNoListener(flags, machine, flags.number('secure-port'));
  if (unheard !== undefined) return commandFailed(daemon, unheard);
  const secrets = readSecrets(files, flags);
  if (!secrets.ok) return commandFailed(daemon, secrets.why);
  const greeting = greetingOf(launch, flags);
  if ('error' in greeting) {
    const why = `Error creating leases: error creating storage factory: ${greeting.error}`;
    return failWith(daemon, [`F instance.go:233] ${why}`], 255);
  }
  const audit = readAudit(daemon, files, flags);
  if (!audit.ok) return commandFailed(daemon, audit.why);
  const {authority, kubeletClient, served, ...rest} = secrets.value;
  startApiServer({
    daemon,
    etcd: endpointsOf(flags),
    ...(greeting.greet ? {greetEtcd: greeting.greet} : {}),
    port: flags.number('secure-port'),
    clientAuthority: authority?.key ?? '',
    clientAuthorityNames: authority ? [trusted(authority)] : [],
    advertiseAddress: advertised ?? machine.address,
    serviceRange: flags.list('service-cluster-ip-range')[0] ?? '10.0.0.0/24',
    nodePortRange: portRangeOf(flags),
    bindAddress: flags.text('bind-address'),
    authorizationModes: authorizationModes(flags),
    anonymous: flags.on('anonymous-auth'),
    plugins: {on: flags.list('enable-admission-plugins'), off: flags.list('disable-admission-plugins')},
    tolerationSeconds: {
      notReady: flags.number('default-not-ready-toleration-seconds'),
      unreachable: flags.number('default-unreachable-toleration-seconds'),
    },
    compactionIntervalMs: goMilliseconds(flags.text('etcd-compaction-interval')),
    eventTtlSeconds: Math.floor(goMilliseconds(flags.text('event-ttl')) / 1000),
    ...(audit.value ? {audit: audit.value} : {}),
    ...rest,
    ...(kubeletClient ? {kubeletClient} : {}),
    ...(served ? {served} : {}),
  });
}

function portRangeOf(flags: Flags): {readonly first: number; readonly last: number} {
  const [, low = '', sign, high = ''] = /^(\d+)(?:([-+])(\d+))?$/.exec(flags.text('service-node-port-range').trim()) ?? [];
  const first = Number(low);
  return {first, last: sign === '+' ? first + Number(high) : sign === '-' ? Number(high) : first};
}

/** Where etcd is. What is no URL with a port is an address that nobody can dial. */
function endpointsOf(flags: Flags): {readonly host: string; readonly port: number}[] {
  return flags.list('etcd-servers').map(url => {
    const [, host, port] = /^(?:https?:\/\/)?([^/:]+):(\d+)\/?$/.exec(url) ?? [];
    return host === undefined ? {host: url.replace(/^https?:\/\//, ''), port: Number.NaN} : {host, port: Number(port)};
  });
}

type Greeting = {readonly greet: ((host: string) => ClientHello) | undefined} | {readonly error: string};

/** How it greets etcd: with which certificate, trusting whom. Plain http has no greeting. */
function greetingOf({files, daemon}: Launch, flags: Flags): Greeting {
  if (flags.list('etcd-servers').every(url => url.startsWith('http://'))) return {greet: undefined};
  const certificatePath = flags.text('etcd-certfile');
  const pair = certificatePath === '' ? undefined : readPair(files, certificatePath, flags.text('etcd-keyfile'));
  if (pair?.ok === false) return {error: pair.why};
  const authorityPath = flags.text('etcd-cafile');
  const trusts = authorityPath === '' ? undefined : readAuthorities(files, authorityPath);
  if (trusts?.ok === false) return {error: trusts.why};
  const certificate = pair?.value;
  return {greet: host => ({trusts: trusts?.value ?? [], name: host, now: daemon.wall(), ...(certificate ? {certificate} : {})})};
}
