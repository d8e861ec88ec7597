// kube-webhook-certgen, the Jobs that make a webhook's certificate: `create` puts an authority, a certificate and its key into a Secret
// unless it is there, `patch` writes the authority of that Secret into webhook configurations.
import type {Secret} from '../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import {certificatePem, keyPem} from '../../api/pki/certificate.ts';
import {issueCertificate, selfSigned} from '../../api/pki/issue.ts';
import type {Client, Result} from '../../client/client.ts';
import {create, get, update} from '../../client/verbs.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Task} from '../../sim/task.ts';

const HUNDRED_YEARS_MS = 100 * 365 * 24 * 3600 * 1000;

interface Job {
  readonly daemon: Daemon;
  readonly client: Client;
  readonly flag: (name: string, usual: string) => string;
}

/** Starts it. */
export function startCertgen({daemon, client, argv}: Pick<Job, 'daemon' | 'client'> & {readonly argv: readonly string[]}): void {
  const command = argv.find(word => word === 'create' || word === 'patch' || word === 'version');
  const flag = (name: string, usual: string) => argv.find(word => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual;
  const job = {daemon, client, flag};
  if (command === undefined || command === 'version') return daemon.exit(0);
  daemon.scope.run(command === 'create' ? make(job) : patchAll(job), code => daemon.exit(code));
}

function tell(daemon: Daemon, level: string, msg: string): void {
  const time = new Date(daemon.wall()).toISOString().replace(/\.\d+Z$/, 'Z');
  daemon.print(JSON.stringify({level, msg, source: 'cmd', time}));
}

function fail(daemon: Daemon, result: Result<unknown>, msg: string): number {
  tell(daemon, 'fatal', `${msg}: ${result.ok ? '' : (result.status.message ?? '')}`);
  return 1;
}

function* make({daemon, client, flag}: Job): Task<number> {
  const place = {namespace: flag('namespace', 'default'), name: flag('secret-name', '')};
  const secrets = builtin('secrets');
  const known = yield* client.ask<Secret>(get(secrets, place));
  if (known.ok) {
    tell(daemon, 'info', 'secret already exists');
    return 0;
  }
  if (known.status.reason !== 'NotFound') return fail(daemon, known, 'error getting secret');
  tell(daemon, 'info', 'creating new secret');
  const now = Math.floor(daemon.wall() / 1000) * 1000;
  const authority = selfSigned('nil1', daemon.dice.hex(40), now);
  const names = flag('host', '')
    .split(',')
    .filter(name => name !== '');
  const certificate = issueCertificate(
    authority,
    {commonName: 'nil2', organizations: ['nil2'], usages: ['server'], dnsNames: names, purpose: 'webhook'},
    now,
    HUNDRED_YEARS_MS,
  );
  const encoded = (text: string) => Buffer.from(text, 'utf8').toString('base64');
  const data = {
    ca: encoded(certificatePem(authority)),
    [flag('cert-name', 'cert')]: encoded(certificatePem(certificate)),
    [flag('key-name', 'key')]: encoded(keyPem(certificate.key)),
  };
  const secret = {apiVersion: 'v1', kind: 'Secret', metadata: place, data};
  const made = yield* client.ask(create(secrets, secret));
  return made.ok ? 0 : fail(daemon, made, 'error creating secret');
}

interface Webhooks extends AnyObject {
  readonly webhooks?: readonly {readonly clientConfig: object; readonly failurePolicy?: string}[];
}

function* patchAll({daemon, client, flag}: Job): Task<number> {
  const secret = yield* client.ask<Secret>(
    get(builtin('secrets'), {namespace: flag('namespace', 'default'), name: flag('secret-name', '')}),
  );
  const caBundle = secret.ok ? secret.value.data?.['ca'] : undefined;
  if (caBundle === undefined) return fail(daemon, secret, 'no secret with the authority');
  const name = flag('webhook-name', '');
  const policy = flag('patch-failure-policy', '');
  const kinds = [
    ['patch-mutating', 'mutatingwebhookconfigurations'],
    ['patch-validating', 'validatingwebhookconfigurations'],
  ] as const;
  for (const [wish, kind] of kinds) {
    if (flag(wish, 'true') === 'false') continue;
    const resource = builtin('admissionregistration.k8s.io', kind);
    tell(daemon, 'info', `patching webhook configurations '${name}' ${kind}`);
    const found = yield* client.ask<Webhooks>(get(resource, {name}));
    if (!found.ok) return fail(daemon, found, `failed getting ${kind}`);
    const webhooks = (found.value.webhooks ?? []).map(each => ({
      ...each,
      clientConfig: {...each.clientConfig, caBundle},
      ...(policy === '' ? {} : {failurePolicy: policy}),
    }));
    const written = yield* client.ask(update(resource, {...found.value, webhooks} as Webhooks));
    if (!written.ok) return fail(daemon, written, `failed patching ${kind}`);
  }
  tell(daemon, 'info', 'Patched hook(s)');
  return 0;
}
