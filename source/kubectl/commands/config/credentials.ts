// `kubectl config set-credentials`: a user by a token, a password, a certificate, or by a program or a provider that gives them.
import {isFields, type Fields} from '../../../api/meta/fields.ts';
import {fail, Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from '../command.ts';
import {showUsage} from '../usage.ts';
import {embed, pick, put} from './change.ts';
import {configOf} from './view.ts';

const MODES = ['IfAvailable', 'Never', 'Always'];

export const setCredentials: Command = {
  path: 'kubectl config set-credentials',
  short: 'Add or change a user',
  examples: ['kubectl config set-credentials nina --token=secret'],
  does: [
    ...COMMON_FLAGS,
    'auth-provider',
    'auth-provider-arg',
    'embed-certs',
    'exec-api-version',
    'exec-arg',
    'exec-command',
    'exec-env',
    'exec-interactive-mode',
    'exec-provide-cluster-info',
  ],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  const [name, ...more] = args;
  if (name === undefined || more.length > 0) return showUsage(session, 1);
  for (const flag of ['auth-provider-arg', 'exec-env']) {
    const wrong = flags.list(flag).find(text => !text.endsWith('-') && !text.includes('='));
    if (wrong === undefined) continue;
    await showUsage(session, 0);
    return fail(`invalid ${flag} format: ${wrong}`);
  }
  const wrong = problemOf(session);
  if (wrong) return wrong;
  const config = configOf(session);
  if (config instanceof Failure) return config;
  const old = config.users.get(name)?.fields ?? {};
  const changes: Record<string, unknown> = {
    ...pick(session, {token: 'token', username: 'username', password: 'password'}),
    ...provider(session, old),
    ...program(session, old),
  };
  if (flags.text('token') !== '') Object.assign(changes, {username: undefined, password: undefined});
  if (isBasic(session)) changes['token'] = undefined;
  const failure =
    embed(session, {flag: 'client-certificate', field: 'client-certificate'}, changes) ??
    embed(session, {flag: 'client-key', field: 'client-key'}, changes);
  return failure ?? put(session, {config, section: 'users', name, changes, said: `User ${JSON.stringify(name)} set.\n`});
}

function isBasic({flags}: Session): boolean {
  return flags.text('username') !== '' || flags.text('password') !== '';
}

function problemOf(session: Session): Failure | undefined {
  const {flags} = session;
  if (flags.text('token') !== '' && isBasic(session))
    return fail('you cannot specify more than one authentication method at the same time: --token, --username/--password');
  if (flags.on('embed-certs') && flags.text('client-certificate') === '' && flags.text('client-key') === '')
    return fail('you must specify a --client-certificate or --client-key to embed');
  const mode = flags.text('exec-interactive-mode');
  return mode === '' || MODES.includes(mode) ? undefined : fail(`invalid interactive mode type, can be only ${MODES.join(', ')}`);
}

/** `a=b` is set, `a-` taken away. */
function changedBy(texts: readonly string[]): {
  readonly set: readonly (readonly [string, string])[];
  readonly gone: readonly string[];
} {
  const isGone = (text: string) => text.endsWith('-') && !text.includes('=');
  return {
    set: texts.filter(text => !isGone(text)).map(text => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
    gone: texts.filter(isGone).map(text => text.slice(0, -1)),
  };
}

/** A provider, once it has a name. */
function provider({flags}: Session, old: Fields): Fields {
  const before = isFields(old['auth-provider']) ? old['auth-provider'] : undefined;
  const given = flags.text('auth-provider');
  if (given === '' && (!before || flags.list('auth-provider-arg').length === 0)) return {};
  const {set, gone} = changedBy(flags.list('auth-provider-arg'));
  const settings = isFields(before?.['config']) ? before['config'] : {};
  const kept = Object.entries(settings).filter(([key]) => !gone.includes(key));
  return {'auth-provider': {config: {...Object.fromEntries(kept), ...Object.fromEntries(set)}, name: given || before?.['name']}};
}

/** A program, once its name is known. */
function program({flags}: Session, old: Fields): Fields {
  const before = isFields(old['exec']) ? old['exec'] : undefined;
  if (flags.text('exec-command') === '' && !before) return {};
  const {set, gone} = changedBy(flags.list('exec-env'));
  const variables = (Array.isArray(before?.['env']) ? before['env'] : []) as readonly {name: string; value: string}[];
  const kept = variables
    .filter(({name}) => !gone.includes(name))
    .map(one => ({name: one.name, value: set.find(([name]) => name === one.name)?.[1] ?? one.value}));
  const env = [...kept, ...set.filter(([name]) => !kept.some(one => one.name === name)).map(([name, value]) => ({name, value}))];
  const args = flags.has('exec-arg') ? flags.list('exec-arg') : (before?.['args'] ?? null);
  return {
    exec: {
      provideClusterInfo: false,
      ...before,
      ...pick({flags}, {'exec-command': 'command', 'exec-api-version': 'apiVersion', 'exec-interactive-mode': 'interactiveMode'}),
      ...(flags.has('exec-provide-cluster-info') ? {provideClusterInfo: flags.on('exec-provide-cluster-info')} : {}),
      args,
      env: env.length > 0 ? env : null,
    },
  };
}
