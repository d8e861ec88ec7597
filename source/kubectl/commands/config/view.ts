// `kubectl config view`, `get-contexts`, `current-context`, `get-clusters` and `get-users`: what the kubeconfig says.
import {isFields, type Fields} from '../../../api/meta/fields.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {besides, contextOf} from '../../config/connection.ts';
import {configObject, EMPTY_CONFIG, loadConfig, SECTIONS, textOf, type Entry, type Kubeconfig} from '../../config/kubeconfig.ts';
import {fail, Failure, failUsage, gather} from '../../failure.ts';
import {tableText} from '../../print/printer.ts';
import {printTyped} from '../../print/typed.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';

export const configView: Command = {
  path: 'kubectl config view',
  short: 'Show the kubeconfig',
  examples: ['kubectl config view', 'kubectl config view --minify --raw'],
  does: [...COMMON_FLAGS, ...PRINT_FLAGS, 'flatten', 'merge', 'minify', 'raw'],
  run: view,
};

export const getContexts: Command = {
  path: 'kubectl config get-contexts',
  short: 'List the contexts',
  examples: ['kubectl config get-contexts'],
  does: [...COMMON_FLAGS, 'no-headers', 'output'],
  run: contexts,
};

export const currentContext: Command = {
  path: 'kubectl config current-context',
  short: 'Show the current context',
  examples: ['kubectl config current-context'],
  does: COMMON_FLAGS,
  run: async session => {
    const config = configOf(session);
    if (config instanceof Failure) return config;
    if (config.currentContext === '') return fail('current-context is not set');
    await session.out(`${config.currentContext}\n`);
    return undefined;
  },
};

export const getClusters: Command = {
  path: 'kubectl config get-clusters',
  short: 'List the clusters',
  does: COMMON_FLAGS,
  run: session => names(session, 'clusters'),
};

export const getUsers: Command = {
  path: 'kubectl config get-users',
  short: 'List the users',
  does: COMMON_FLAGS,
  run: session => names(session, 'users'),
};

/** The kubeconfig of the flags. */
export function configOf({process, flags}: Session): Kubeconfig | Failure {
  const config = loadConfig(process, flags.text('kubeconfig'));
  // A file that is named and not there is empty to these commands.
  if (config instanceof Failure && config.message.startsWith('stat ')) return EMPTY_CONFIG;
  return config;
}

/** Fields that name a file. */
const FILES = ['certificate-authority', 'client-certificate', 'client-key'];
const ORDER = (
  'kind command args env apiVersion installHint provideClusterInfo interactiveMode preferences name cluster server tls-server-name insecure-skip-tls-verify ' +
  'certificate-authority certificate-authority-data proxy-url disable-compression clusters users contexts current-context user namespace client-certificate ' +
  'client-certificate-data client-key client-key-data token tokenFile as as-uid as-groups as-user-extra username password auth-provider exec value config'
).split(' ');
const SECRET = ['token', 'password'];
const OMITTED = ['certificate-authority-data', 'client-certificate-data', 'client-key-data'];

async function view(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  if (args.length > 0) return failUsage('kubectl config view', `unexpected arguments: [${args.join(' ')}]`);
  if (flags.has('merge') && !flags.on('merge') && flags.text('kubeconfig') === '')
    return fail('if merge==false a precise file must be specified');
  const loaded = configOf(session);
  if (loaded instanceof Failure) return loaded;
  const config = flags.on('minify') ? minified(session, loaded) : loaded;
  if (config instanceof Failure) return config;
  const shown = flags.on('flatten') ? flat(session, config) : flags.on('raw') ? config : redacted(config);
  const object = configObject(shown);
  return printTyped(session, [(flags.text('output') === 'json' ? inOrder(object) : object) as unknown as AnyObject]);
}

/** Only what the current context needs. */
function minified({flags}: Session, config: Kubeconfig): Kubeconfig | Failure {
  const name = flags.text('context') || config.currentContext;
  if (name === '') return fail('current-context must exist in order to minify');
  const context = contextOf(config, flags);
  if (context instanceof Failure) return fail(`cannot locate context ${name}`);
  const [cluster, user] = [textOf(context['cluster']), textOf(context['user'])];
  if (cluster !== '' && !config.clusters.has(cluster)) return fail(`cannot locate cluster ${cluster}`);
  if (user !== '' && !config.users.has(user)) return fail(`cannot locate user ${user}`);
  const only = (entries: ReadonlyMap<string, Entry>, wanted: string) => new Map([...entries].filter(([key]) => key === wanted));
  return {
    ...config,
    currentContext: name,
    contexts: only(config.contexts, name),
    clusters: only(config.clusters, cluster),
    users: only(config.users, user),
  };
}

/** Files that are named become what is in them. */
function flat({process}: Session, config: Kubeconfig): Kubeconfig {
  const inlined = ({fields, file}: Entry): Entry => {
    const whole: Record<string, unknown> = {...fields};
    for (const field of FILES) {
      const text =
        textOf(fields[field]) === '' ? undefined : process.machine.files.read(besides(process, file, textOf(fields[field])));
      if (text === undefined) continue;
      delete whole[field];
      whole[`${field}-data`] = Buffer.from(text, 'utf8').toString('base64');
    }
    return {fields: whole, file};
  };
  const all = (entries: ReadonlyMap<string, Entry>) => new Map([...entries].map(([name, entry]) => [name, inlined(entry)]));
  return {...config, clusters: all(config.clusters), users: all(config.users)};
}

/** The fields in the order of Go's structs. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isFields(value)) return value;
  const rank = (key: string) => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length);
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => rank(a) - rank(b))
      .map(([key, part]) => [key, inOrder(part)]),
  );
}

function redacted(config: Kubeconfig): Kubeconfig {
  const clean = (entries: ReadonlyMap<string, Entry>) =>
    new Map([...entries].map(([name, entry]) => [name, {...entry, fields: withoutSecrets(entry.fields)}]));
  return {...config, clusters: clean(config.clusters), users: clean(config.users)};
}

function withoutSecrets(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      if (SECRET.includes(key)) return [key, 'REDACTED'];
      return [key, OMITTED.includes(key) ? 'DATA+OMITTED' : value];
    }),
  );
}

async function contexts(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  const config = configOf(session);
  if (config instanceof Failure) return config;
  const output = flags.text('output');
  if (output !== '' && output !== 'name')
    return fail(`--output ${output} is not available in kubectl config get-contexts; resetting to default output format`);
  const wanted = args.length > 0 ? args : [...config.contexts.keys()].sort();
  const missing = wanted.filter(name => !config.contexts.has(name));
  const found = wanted.filter(name => config.contexts.has(name)).toSorted();
  if (output === 'name') await session.out(found.map(name => `${name}\n`).join(''));
  else await session.out(tableText(contextRows(session, config, found)));
  return gather(missing.map(name => fail(`context ${name} not found`)));
}

function contextRows({flags}: Session, config: Kubeconfig, found: readonly string[]): string[][] {
  const rows = found.map(name => {
    const fields = config.contexts.get(name)?.fields ?? {};
    return [
      name === config.currentContext ? '*' : '',
      name,
      textOf(fields['cluster']),
      textOf(fields['user']),
      textOf(fields['namespace']),
    ];
  });
  return flags.on('no-headers') ? rows : [['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE'], ...rows];
}

async function names(session: Session, section: (typeof SECTIONS)[number]): Promise<Outcome> {
  const config = configOf(session);
  if (config instanceof Failure) return config;
  await session.out(['NAME', ...[...config[section].keys()].sort()].map(name => `${name}\n`).join(''));
  return undefined;
}
