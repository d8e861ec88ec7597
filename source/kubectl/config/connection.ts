// To whom kubectl speaks, and as whom: what the kubeconfig says of the current context, with the flags laid over it. Inside a
// pod without a kubeconfig it is the pod's own service account; without anything at all it is http://localhost:8080, as ever.
//
// Whom it trusts is in trust.ts.
import {isFields, type Fields} from '../../api/meta/fields.ts';
import {certificatePem, readCertificate, type Certificate, type ClientCertificate} from '../../api/pki/certificate.ts';
import {keyPairProblem} from '../../api/pki/key-pair.ts';
import {goQuote} from '../../api/meta/go-text.ts';
import {parseGoDuration} from '../../api/meta/time.ts';
import type {Process} from '../../sim/process/process.ts';
import {fail, Failure} from '../failure.ts';
import type {Values} from '../flags/values.ts';
import {loadConfig, textOf, type Entry, type Kubeconfig} from './kubeconfig.ts';
import {podTrust, trustOf, type Trust} from './trust.ts';

/** Where the server is and who asks. */
export interface Connection {
  /** Scheme, host and port as messages show them: `https://10.0.0.10:6443`. */
  readonly server: string;
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly certificate: ClientCertificate | undefined;
  /** Why the client certificate's key is none. */
  readonly keyProblem: string | undefined;
  /** What is asked of the server's certificate; undefined over plain http. */
  readonly trust: Trust | undefined;
  readonly token: string | undefined;
  readonly basic: {readonly username: string; readonly password: string} | undefined;
  /** Nobody: kubectl asks for a name and a password. */
  readonly isNobody: boolean;
  /** Headers that make the server take the caller for somebody else. */
  readonly impersonation: Readonly<Record<string, string>>;
  /** How long one answer may take; Infinity for as long as it takes. */
  readonly timeoutMs: number;
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const NO_SERVER = 'http://localhost:8080';

/** The namespace that commands work in when none is named. */
export function namespaceOf(process: Process, flags: Values): string | Failure {
  if (flags.global('namespace') !== '') return flags.global('namespace');
  const config = loadConfig(process, flags.global('kubeconfig'));
  if (config instanceof Failure) return config;
  const context = contextOf(config, flags);
  if (context instanceof Failure) return context;
  const named = textOf(context['namespace']);
  if (named !== '') return named;
  return (isInPod(process, config) && process.machine.files.read(`${SERVICE_ACCOUNT}/namespace`)?.trim()) || 'default';
}

/** The connection that files and flags describe. */
export function connectionOf(process: Process, flags: Values): Connection | Failure {
  const config = loadConfig(process, flags.global('kubeconfig'));
  if (config instanceof Failure) return config;
  const timeoutMs = timeoutOf(flags.text('request-timeout'));
  if (timeoutMs instanceof Failure) return timeoutMs;
  if (isInPod(process, config) && flags.global('server') === '') return podConnection(process, timeoutMs);
  const named = flags.global('context');
  // Who wants a namespace is told so in other words.
  if (named !== '' && !config.contexts.has(named)) return fail(`context ${goQuote(named)} does not exist`);
  const context = contextOf(config, flags);
  if (context instanceof Failure) return context;
  const cluster = entryOf(config.clusters, flags.global('cluster'), textOf(context['cluster']));
  if (!cluster) return fail(`no server found for cluster ${goQuote(flags.global('cluster'))}`);
  const user = entryOf(config.users, flags.global('user'), textOf(context['user']));
  if (!user) return fail(`auth info ${goQuote(flags.global('user'))} does not exist`);
  const address = addressOf(flags.global('server') || textOf(cluster.fields['server']) || NO_SERVER);
  if (address instanceof Failure) return address;
  const impersonation = impersonationOf(flags, user.fields);
  if (impersonation['impersonate-user'] === undefined && Object.keys(impersonation).length > 0) {
    return fail(
      `requesting uid, groups or user-extra for ${flags.global('user') || textOf(context['user'])} without impersonating a user`,
    );
  }
  const called = flags.global('user') || textOf(context['user']);
  const identity = identityOf(process, flags, user, called);
  if (identity instanceof Failure) return identity;
  const clusterName = flags.global('cluster') || textOf(context['cluster']);
  const {scheme, host} = address;
  const trust = scheme === 'https' ? trustOf({process, flags, cluster, called: clusterName, host, besides}) : undefined;
  if (trust instanceof Failure) return trust;
  return {...address, ...identity, trust, isNobody: identity.isNobody && address.scheme === 'https', impersonation, timeoutMs};
}

/** The fields of the context in use; none when no context is set. */
export function contextOf(config: Kubeconfig, flags: Values): Fields | Failure {
  const name = flags.global('context') || config.currentContext;
  if (name === '') return {};
  const entry = config.contexts.get(name);
  return (
    entry?.fields ?? new Failure({type: 'configuration', messages: [`context was not found for specified context: ${name}`]})
  );
}

/** An entry that a flag names must be there; one that a context names may be missing. */
function entryOf(entries: ReadonlyMap<string, Entry>, flag: string, name: string): Entry | undefined {
  if (flag !== '') return entries.get(flag);
  return entries.get(name) ?? {fields: {}, file: ''};
}

function isInPod(process: Process, config: Kubeconfig): boolean {
  return (
    config.files.length === 0 &&
    process.environment.has('KUBERNETES_SERVICE_HOST') &&
    process.machine.files.read(`${SERVICE_ACCOUNT}/token`) !== undefined
  );
}

function podConnection(process: Process, timeoutMs: number): Connection {
  const host = process.environment.get('KUBERNETES_SERVICE_HOST') ?? '';
  const port = Number(process.environment.get('KUBERNETES_SERVICE_PORT') ?? '443');
  const token = process.machine.files.read(`${SERVICE_ACCOUNT}/token`)?.trim();
  return {
    server: `https://${host}:${port}`,
    scheme: 'https',
    host,
    port,
    token,
    timeoutMs,
    certificate: undefined,
    keyProblem: undefined,
    trust: podTrust(process.machine.files.read(`${SERVICE_ACCOUNT}/ca.crt`), host),
    basic: undefined,
    isNobody: false,
    impersonation: {},
  };
}

function addressOf(server: string): Pick<Connection, 'server' | 'scheme' | 'host' | 'port'> | Failure {
  const parts = /^(?:(https?):\/\/)?(\[[^\]]*\]|[^:/]*)(?::(\d+))?(\/.*)?$/.exec(server);
  const host = parts?.[2] ?? '';
  if (!parts || host === '') return fail(`host must be a URL or a host:port pair: ${goQuote(server)}`);
  const scheme = parts[1] === 'https' ? 'https' : 'http';
  const port = Number(parts[3] ?? (scheme === 'https' ? 443 : 80));
  return {server: `${scheme}://${host}${parts[3] ? `:${parts[3]}` : ''}`, scheme, host, port};
}

type Identity = Pick<Connection, 'certificate' | 'keyProblem' | 'token' | 'basic' | 'isNobody'>;

function identityOf(process: Process, flags: Values, user: Entry, called: string): Identity | Failure {
  const certificate = certificateOf(process, flags, user);
  if (certificate instanceof Failure) return certificate;
  const token = tokenOf(process, flags, user);
  const username = flags.global('username') || textOf(user.fields['username']);
  const password = flags.global('password') || textOf(user.fields['password']);
  if (token !== undefined && username !== '')
    return fail(`more than one authentication method found for ${called}; found [token basicAuth], only one is allowed`);
  const basic = username === '' ? undefined : {username, password};
  const keyText = keyOf(process, flags, user);
  const keyProblem = certificate && keyText ? keyPairProblem(certificatePem(certificate), keyText) : undefined;
  return {certificate, keyProblem, token, basic, isNobody: !certificate && token === undefined && username === ''};
}

/** The key's text: that of the flag, or what the user's entry embeds, or of the file that it names. */
function keyOf(process: Process, flags: Values, {fields, file}: Entry): string | undefined {
  const {files} = process.machine;
  const flag = flags.global('client-key');
  if (flag !== '') return files.read(process.path(flag));
  const data = textOf(fields['client-key-data']);
  if (data !== '') return Buffer.from(data, 'base64').toString('utf8');
  const named = textOf(fields['client-key']);
  return named === '' ? undefined : files.read(besides(process, file, named));
}

function tokenOf(process: Process, flags: Values, {fields, file}: Entry): string | undefined {
  if (flags.global('token') !== '') return flags.global('token');
  const tokenFile = textOf(fields['tokenFile']);
  const text = tokenFile === '' ? undefined : process.machine.files.read(besides(process, file, tokenFile));
  return text?.trim() || textOf(fields['token']) || undefined;
}

function certificateOf(process: Process, flags: Values, {fields, file}: Entry): Certificate | Failure | undefined {
  const flagFile = flags.global('client-certificate');
  const data = flagFile === '' ? textOf(fields['client-certificate-data']) : '';
  const named = flagFile || (data === '' ? textOf(fields['client-certificate']) : '');
  if (data === '' && named === '') return undefined;
  const missing = missingFiles(process, flags);
  if (missing.length > 0) return new Failure({type: 'configuration', messages: missing});
  if (flagFile !== '' && flags.global('client-key') === '') {
    return fail('client-key-data or client-key must be specified for  to use the clientCert authentication method.');
  }
  const text =
    data !== ''
      ? Buffer.from(data, 'base64').toString('utf8')
      : process.machine.files.read(flagFile ? process.path(flagFile) : besides(process, file, named));
  if (text === undefined) {
    return new Failure({
      type: 'configuration',
      messages: [
        `unable to read client-cert ${named} for ${textOf(fields['name'])} due to open ${named}: no such file or directory`,
      ],
    });
  }
  return readCertificate(text) ?? fail('tls: failed to find any PEM data in certificate input');
}

function missingFiles(process: Process, flags: Values): string[] {
  const problems: string[] = [];
  for (const [flag, word] of [
    ['client-certificate', 'client-cert'],
    ['client-key', 'client-key'],
  ] as const) {
    const name = flags.global(flag);
    if (name !== '' && process.machine.files.read(process.path(name)) === undefined) {
      problems.push(`unable to read ${word} ${name} for  due to open ${name}: no such file or directory`);
    }
  }
  return problems;
}

/** A path in a kubeconfig is relative to the folder of that file. */
export function besides(process: Process, file: string, name: string): string {
  if (name.startsWith('/')) return name;
  const config = process.path(file);
  return process.path(`${config.slice(0, config.lastIndexOf('/'))}/${name}`);
}

/** Flags win over what stands at the user; a list of groups takes the place of all the user's. */
function impersonationOf(flags: Values, user: Fields): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const name = flags.text('as') || textOf(user['as']);
  const uid = flags.text('as-uid') || textOf(user['as-uid']);
  const groups = flags.list('as-group').length > 0 ? flags.list('as-group') : textsOf(user['as-groups']);
  if (name !== '') headers['impersonate-user'] = name;
  if (uid !== '') headers['impersonate-uid'] = uid;
  // A header that is repeated in life is one text here, its values parted by line ends.
  if (groups.length > 0) headers['impersonate-group'] = groups.join('\n');
  for (const [key, value] of extrasOf(flags, user)) {
    const header = `impersonate-extra-${key.toLowerCase()}`;
    headers[header] = headers[header] === undefined ? value : `${headers[header]}\n${value}`;
  }
  return headers;
}

function extrasOf(flags: Values, user: Fields): readonly (readonly [string, string])[] {
  const given = flags.list('as-user-extra').map((extra): readonly [string, string] => {
    const [key = '', value = ''] = extra.split('=');
    return [key, value];
  });
  if (given.length > 0) return given;
  const extras = user['as-user-extra'];
  return isFields(extras)
    ? Object.entries(extras).flatMap(([key, values]) => textsOf(values).map(value => [key, value] as const))
    : [];
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

function timeoutOf(text: string): number | Failure {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : durationOf(text);
  if (ms !== undefined) return ms === 0 ? Infinity : ms;
  return fail(
    'Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)',
  );
}

function durationOf(text: string): number | undefined {
  const parsed = parseGoDuration(text);
  return 'ms' in parsed ? parsed.ms : undefined;
}
