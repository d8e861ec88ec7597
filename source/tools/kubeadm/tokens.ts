// `kubeadm token`: bootstrap tokens, which are Secrets in kube-system.
import type {Secret} from '../../api/kinds/core-v1.ts';
import {humanDuration, parseGoDuration} from '../../api/meta/time.ts';
import {publicKeyPem, readCertificate} from '../../api/pki/certificate.ts';
import {sha256} from '../../api/meta/hash.ts';
import {ask, Failed, table, type Session} from './session.ts';

const PATTERN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const ID = /^[a-z0-9]{6}$/;
const FORM = String.raw`\A([a-z0-9]{6})\.([a-z0-9]{16})\z`;
const ID_FORM = String.raw`\A([a-z0-9]{6})\z`;
const SECRETS = '/api/v1/namespaces/kube-system/secrets';
const GROUP = 'system:bootstrappers:kubeadm:default-node-token';
const DAY_MS = 86_400_000;

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function plain(secret: Secret, key: string): string {
  return Buffer.from(secret.data?.[key] ?? '', 'base64').toString('utf8');
}

function newToken({options}: Session): string {
  return `${options.random(6)}.${options.random(16)}`;
}

/** `kubeadm token generate`. */
export async function generate(session: Session): Promise<void> {
  await session.process.out(`${newToken(session)}\n`);
}

/** `kubeadm token create`. */
export async function create(session: Session): Promise<void> {
  const {process, words, flags} = session;
  const ttl = flags.text('ttl');
  const read = ttl === '' ? {ms: DAY_MS} : parseGoDuration(ttl);
  if ('error' in read) throw new Failed(`invalid argument ${JSON.stringify(ttl)} for "--ttl" flag: ${read.error}`);
  const lasts = read.ms;
  const [given] = words;
  if (given !== undefined && !PATTERN.test(given))
    throw new Failed(`the bootstrap token ${JSON.stringify(given)} was not of the form ${JSON.stringify(FORM)}`);
  const usages = flags.has('usages') ? flags.list('usages') : ['signing', 'authentication'];
  const groups = flags.has('groups') ? flags.list('groups') : [GROUP];
  const wrong = usages.find(usage => usage !== 'signing' && usage !== 'authentication');
  if (wrong !== undefined)
    throw new Failed(
      `bootstrapTokens.0.usages: Invalid value: [${usages.map(usage => JSON.stringify(usage)).join(' ')}]: invalid bootstrap token usage string: ${wrong}, valid usages are: [signing authentication]`,
    );
  if (!usages.includes('authentication') && groups.length > 0)
    throw new Failed(
      `bootstrapTokens.0.groups: Invalid value: ${JSON.stringify(groups)}: token groups cannot be specified unless --usages includes "authentication"`,
    );
  const token = given ?? newToken(session);
  const [, id = '', secret = ''] = PATTERN.exec(token) ?? [];
  const description = flags.text('description');
  const data: Record<string, string> = {
    ...(groups.length > 0 ? {'auth-extra-groups': groups.join(',')} : {}),
    ...(description === '' ? {} : {description}),
    ...(lasts > 0 ? {expiration: `${new Date(Math.floor(process.machine.wall()) + lasts).toISOString().slice(0, 19)}Z`} : {}),
    'token-id': id,
    'token-secret': secret,
    ...Object.fromEntries(usages.map(usage => [`usage-bootstrap-${usage}`, 'true'])),
  };
  const object = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {name: `bootstrap-token-${id}`, namespace: 'kube-system'},
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)])),
  };
  const made = await ask<Secret>(session, {method: 'POST', path: SECRETS, body: object});
  if (made instanceof Failed)
    throw made.message.includes('already exists') ? new Failed(`a token with id ${JSON.stringify(id)} already exists`) : made;
  await process.out(flags.on('print-join-command') ? `${joinCommand(session, token)}\n` : `${token}\n`);
}

function joinCommand({process, options}: Session, token: string): string {
  const {files} = process.machine;
  const access = options.connect(files, '/etc/kubernetes/admin.conf');
  const server = typeof access === 'string' ? '' : `${access.host}:${access.port}`;
  const authority = readCertificate(files.read('/etc/kubernetes/pki/ca.crt') ?? '');
  return `kubeadm join ${server} --token ${token} --discovery-token-ca-cert-hash ${pinOf(authority?.key ?? '')} `;
}

/** How an authority's public key is pinned. */
export function pinOf(key: string): string {
  return `sha256:${sha256(Buffer.from(publicKeyPem(key).replaceAll(/-----.*?-----|\s/g, ''), 'base64'))}`;
}

/** `kubeadm token list`. */
export async function list(session: Session): Promise<void> {
  const {process} = session;
  const found = await ask<{items: readonly Secret[]}>(session, {
    method: 'GET',
    path: SECRETS,
    query: {fieldSelector: 'type=bootstrap.kubernetes.io/token'},
  });
  if (found instanceof Failed) throw new Failed(`failed to list bootstrap tokens: ${found.message}`);
  if (found.items.length === 0) return;
  const now = process.machine.wall();
  const rows = found.items.map(secret => {
    const expiration = plain(secret, 'expiration');
    const left = expiration === '' ? undefined : Date.parse(expiration) - now;
    const usages = ['authentication', 'signing'].filter(usage => plain(secret, `usage-bootstrap-${usage}`) === 'true');
    return [
      `${plain(secret, 'token-id')}.${plain(secret, 'token-secret')}`,
      left === undefined ? '<forever>' : left < 0 ? '<invalid>' : (/^\d+[a-z]/.exec(humanDuration(left))?.[0] ?? '0s'),
      expiration || '<never>',
      usages.join(',') || '<none>',
      plain(secret, 'description') || '<none>',
      plain(secret, 'auth-extra-groups') || '<none>',
    ];
  });
  const head = ['TOKEN', 'TTL', 'EXPIRES', 'USAGES', 'DESCRIPTION', 'EXTRA GROUPS'];
  const text = table([head, ...rows], 10);
  await process.out(text.replaceAll(/ +$/gm, ''));
}

/** `kubeadm token delete`. */
export async function remove(session: Session): Promise<void> {
  const {process, words} = session;
  if (words.length === 0)
    throw new Failed(
      `missing argument; 'token delete' is missing token of form ${JSON.stringify(FORM)} or ${JSON.stringify(ID_FORM)}`,
    );
  for (const word of words) {
    const id = PATTERN.exec(word)?.[1] ?? (ID.test(word) ? word : undefined);
    if (id === undefined)
      throw new Failed(`given token didn't match pattern ${JSON.stringify(FORM)} or ${JSON.stringify(ID_FORM)}`);
    const gone = await ask(session, {method: 'DELETE', path: `${SECRETS}/bootstrap-token-${id}`});
    if (gone instanceof Failed) throw new Failed(`failed to delete bootstrap token ${JSON.stringify(id)}: ${gone.message}`);
    await process.out(`bootstrap token ${JSON.stringify(id)} deleted\n`);
  }
}
