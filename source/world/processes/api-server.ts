// `kube-apiserver` on its machine: the flags become the options of cluster/apiserver. Whatever a flag says wrong, and every file
// that it names and that is not there, ends the process in the words of the real one.
//
// Flags that are read and change nothing here: all that the simulation has no counterpart for.
import names from '../../api/data/known-names.json' with {type: 'json'};
import {certificatePem, readCertificate, readKey, type Certificate} from '../../api/pki/certificate.ts';
import type {ClientHello} from '../../api/wire/tls.ts';
import {startApiServer} from '../../cluster/apiserver/index.ts';
import {readCommandLine, type Flags} from './flags.ts';
import {commandFailed, failWith, type Launch} from './launch.ts';
import {readAuthorities, readPair, readText} from './secrets.ts';

/** What its files came to. */
interface Secrets {
  readonly authority: Certificate | undefined;
  readonly authorityText: string;
  readonly tokenSeed: string;
  readonly kubeletClient: Certificate | undefined;
  readonly served: Certificate | undefined;
}

const MODES = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'];

/** Starts the API server. */
export function launchApiServer(launch: Launch): void {
  const {daemon, argv, machine} = launch;
  const line = readCommandLine('kube-apiserver', argv.slice(1));
  if (!line.ok) return failWith(daemon, line.lines, 1);
  const {flags} = line;
  const problems = problemsOf(flags);
  if (problems.length > 0) return commandFailed(daemon, problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`);
  const secrets = secretsOf(launch, flags);
  if ('error' in secrets) return commandFailed(daemon, secrets.error);
  const advertised = flags.given('advertise-address');
  if (advertised === undefined) daemon.print(`I options.go:263] external host was not specified, using ${machine.address}`);
  daemon.print('I server.go:150] Version: v1.35.4');
  const greeting = greetingOf(launch, flags);
  if ('error' in greeting) {
    const why = `Error creating leases: error creating storage factory: ${greeting.error}`;
    return failWith(daemon, [`F instance.go:233] ${why}`], 255);
  }
  const {authority, authorityText, tokenSeed, kubeletClient, served} = secrets;
  startApiServer({
    daemon,
    etcd: endpointsOf(flags),
    ...(greeting.greet ? {greetEtcd: greeting.greet} : {}),
    port: flags.number('secure-port'),
    clientAuthority: authority?.key ?? '',
    tokenSeed,
    advertiseAddress: advertised ?? machine.address,
    serviceRange: flags.list('service-cluster-ip-range')[0] ?? '10.0.0.0/24',
    authorityText,
    ...(kubeletClient ? {kubeletClient} : {}),
    ...(served ? {served} : {}),
  });
}

/** What is wrong with the flags themselves. */
function problemsOf(flags: Flags): string[] {
  const problems: string[] = [];
  const ranges = flags.list('service-cluster-ip-range');
  for (const [i, range] of ranges.entries())
    if (!isCidr(range)) problems.push(`service-cluster-ip-range[${i}] is not a valid cidr`);
  if (flags.list('etcd-servers').length === 0) problems.push('--etcd-servers must be specified');
  for (const mode of flags.list('authorization-mode'))
    if (!MODES.includes(mode)) problems.push(`authorization-mode ${JSON.stringify(mode)} is not a valid mode`);
  for (const side of ['enable', 'disable'] as const)
    for (const plugin of flags.list(`${side}-admission-plugins`))
      if (!names.admissionPlugins.includes(plugin))
        problems.push(`${side}-admission-plugins plugin ${JSON.stringify(plugin)} is unknown`);
  for (const gate of flags.list('feature-gates')) {
    const [name = ''] = gate.split('=');
    if (!names.featureGates.includes(name)) problems.push(`unrecognized feature gate: ${name}`);
  }
  return problems;
}

function isCidr(text: string): boolean {
  const [, address = '', bits = ''] = /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,2})$/.exec(text) ?? [];
  return address !== '' && Number(bits) <= 32 && address.split('.').every(part => Number(part) < 256);
}

function secretsOf({files}: Launch, flags: Flags): Secrets | {readonly error: string} {
  const policy = flags.text('audit-policy-file');
  if (policy !== '') {
    const read = readText(files, policy);
    if (!read.ok) return {error: `loading audit policy file: failed to read file path ${JSON.stringify(policy)}: ${read.why}`};
  }
  const served = readPair(files, flags.text('tls-cert-file'), flags.text('tls-private-key-file'));
  if (!served.ok) return {error: served.why};
  const clientCa = readText(files, flags.text('client-ca-file'));
  if (!clientCa.ok) return {error: clientCa.why};
  for (const flag of ['requestheader-client-ca-file', 'proxy-client-cert-file', 'service-account-key-file'] as const)
    for (const path of flags.list(flag)) {
      const read = readText(files, path);
      if (!read.ok) return {error: read.why};
    }
  const signing = readText(files, flags.text('service-account-signing-key-file'));
  if (!signing.ok) return {error: `failed to parse service-account-issuer-key-file: ${signing.why}`};
  const kubelet = readPair(files, flags.text('kubelet-client-certificate'), flags.text('kubelet-client-key'));
  if (!kubelet.ok) return {error: kubelet.why};
  const authority = readCertificate(clientCa.value);
  return {
    authority,
    authorityText: authority ? certificatePem(authority) : clientCa.value,
    tokenSeed: readKey(signing.value) ?? signing.value,
    kubeletClient: kubelet.value,
    served: served.value,
  };
}

function endpointsOf(flags: Flags): {readonly host: string; readonly port: number}[] {
  return flags.list('etcd-servers').flatMap(url => {
    const [, host, port] = /^https?:\/\/([^/:]+):(\d+)\/?$/.exec(url) ?? [];
    return host === undefined ? [] : [{host, port: Number(port)}];
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
