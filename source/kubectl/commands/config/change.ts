// The `kubectl config` commands that change a kubeconfig.
import type {Fields} from '../../../api/meta/fields.ts';
import {defaultFile, saveConfig, type Entry, type Kubeconfig, type Section} from '../../config/kubeconfig.ts';
import {fail, Failure, failUsage} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from '../command.ts';
import {showUsage} from '../usage.ts';
import {configOf} from './view.ts';

export const useContext: Command = {
  path: 'kubectl config use-context',
  short: 'Choose the context',
  examples: ['kubectl config use-context lab'],
  does: COMMON_FLAGS,
  run: async session => {
    const [name, ...more] = session.args;
    if (name === undefined || more.length > 0) return showUsage(session, 1);
    const config = configOf(session);
    if (config instanceof Failure) return config;
    if (!config.contexts.has(name)) return fail(`no context exists with the name: ${JSON.stringify(name)}`);
    return save(session, {...config, currentContext: name}, `Switched to context ${JSON.stringify(name)}.\n`);
  },
};

export const setContext: Command = {
  path: 'kubectl config set-context',
  short: 'Add or change a context',
  examples: ['kubectl config set-context --current --namespace=shop'],
  does: [...COMMON_FLAGS, 'current'],
  run: async session => {
    const {flags, args} = session;
    const config = configOf(session);
    if (config instanceof Failure) return config;
    if (args.length === 1 && flags.on('current')) return fail('you cannot specify both a context name and --current');
    if (args.length > 1) return showUsage(session, 1);
    if (flags.on('current') && config.currentContext === '') return fail('no current context is set');
    const name = flags.on('current') ? config.currentContext : (args[0] ?? '');
    if (name === '') return fail('you must specify a non-empty context name or --current');
    const changes = pick(session, {cluster: 'cluster', user: 'user', namespace: 'namespace'});
    const known = config.contexts.has(name);
    return put(session, {
      config,
      section: 'contexts',
      name,
      changes,
      said: `Context ${JSON.stringify(name)} ${known ? 'modified' : 'created'}.\n`,
    });
  },
};

export const setCluster: Command = {
  path: 'kubectl config set-cluster',
  short: 'Add or change a cluster',
  examples: ['kubectl config set-cluster lab --server=https://10.0.0.10:6443'],
  does: [...COMMON_FLAGS, 'embed-certs', 'proxy-url'],
  run: async session => {
    const [name, ...more] = session.args;
    if (name === undefined || more.length > 0) return showUsage(session, 1);
    const config = configOf(session);
    if (config instanceof Failure) return config;
    const changes: Record<string, unknown> = pick(session, {
      server: 'server',
      'tls-server-name': 'tls-server-name',
      'proxy-url': 'proxy-url',
    });
    const old = config.clusters.get(name)?.fields ?? {};
    if (
      session.flags.text('server') !== '' &&
      !session.flags.has('insecure-skip-tls-verify') &&
      old['insecure-skip-tls-verify'] === true
    )
      changes['insecure-skip-tls-verify'] = undefined;
    if (session.flags.text('certificate-authority') !== '') changes['insecure-skip-tls-verify'] = undefined;
    if (session.flags.on('insecure-skip-tls-verify'))
      Object.assign(changes, {
        'insecure-skip-tls-verify': true,
        'certificate-authority': undefined,
        'certificate-authority-data': undefined,
      });
    if (session.flags.on('insecure-skip-tls-verify') && session.flags.text('certificate-authority') !== '')
      return fail('you cannot specify a certificate authority and insecure mode at the same time');
    if (session.flags.on('embed-certs') && session.flags.text('certificate-authority') === '')
      return fail('you must specify a --certificate-authority to embed');
    const embedded = embed(session, {flag: 'certificate-authority', field: 'certificate-authority'}, changes);
    return embedded ?? put(session, {config, section: 'clusters', name, changes, said: `Cluster ${JSON.stringify(name)} set.\n`});
  },
};

export const renameContext: Command = {
  path: 'kubectl config rename-context',
  short: 'Give a context another name',
  does: COMMON_FLAGS,
  run: async session => {
    const [from, to, ...more] = session.args;
    if (from === undefined || to === undefined || more.length > 0) return showUsage(session, 1);
    const config = configOf(session);
    if (config instanceof Failure) return config;
    const file = fileOf(session);
    const entry = config.contexts.get(from);
    if (!entry) return fail(`cannot rename the context ${JSON.stringify(from)}, it's not in ${file}`);
    if (config.contexts.has(to))
      return fail(
        `cannot rename the context ${JSON.stringify(from)}, the context ${JSON.stringify(to)} already exists in ${file}`,
      );
    const contexts = new Map([...config.contexts].filter(([name]) => name !== from)).set(to, entry);
    const current = config.currentContext === from ? to : config.currentContext;
    return save(
      session,
      {...config, contexts, currentContext: current},
      `Context ${JSON.stringify(from)} renamed to ${JSON.stringify(to)}.\n`,
    );
  },
};

function deletion(word: 'cluster' | 'context' | 'user'): Command {
  const section: Section = `${word}s`;
  return {
    path: `kubectl config delete-${word}`,
    short: `Delete a ${word}`,
    does: COMMON_FLAGS,
    run: async session => {
      const [name, ...more] = session.args;
      if (name === undefined && word === 'user') return failUsage('kubectl config delete-user', 'user to delete is required');
      if (name === undefined || more.length > 0) return showUsage(session, 0);
      const config = configOf(session);
      if (config instanceof Failure) return config;
      const file = fileOf(session);
      if (!config[section].has(name)) return fail(`cannot delete ${word} ${name}, not in ${file}`);
      if (word === 'context' && config.currentContext === name)
        await session.err(
          'warning: this removed your active context, use "kubectl config use-context" to select a different one\n',
        );
      const left = new Map([...config[section]].filter(([key]) => key !== name));
      return save(session, {...config, [section]: left}, `deleted ${word} ${name} from ${file}\n`);
    },
  };
}

export const deleteCluster = deletion('cluster');
export const deleteContext = deletion('context');
export const deleteUser = deletion('user');

/** The flags that were given, as fields. */
export function pick({flags}: Pick<Session, 'flags'>, fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([flag]) => flags.has(flag))
      .map(([flag, field]) => [field, flags.text(flag)]),
  );
}

/** A certificate or key: its path, or with `--embed-certs` what is in it. */
export function embed(
  {flags, process}: Session,
  {flag, field}: {flag: string; field: string},
  changes: Record<string, unknown>,
): Failure | undefined {
  if (!flags.has(flag)) return undefined;
  const path = flags.text(flag);
  if (!flags.on('embed-certs')) {
    changes[field] = path === '' ? undefined : process.path(path);
    changes[`${field}-data`] = undefined;
    return undefined;
  }
  const text = process.machine.files.read(process.path(path));
  if (text === undefined) return fail(`could not stat ${flag} file ${path}: stat ${path}: no such file or directory`);
  changes[`${field}-data`] = Buffer.from(text, 'utf8').toString('base64');
  changes[field] = undefined;
  return undefined;
}

interface Put {
  readonly config: Kubeconfig;
  readonly section: Section;
  readonly name: string;
  readonly changes: Fields;
  readonly said: string;
}

/** Lays changes over an entry, and says so. */
export async function put(session: Session, {config, section, name, changes, said}: Put): Promise<Outcome> {
  const old: Entry = config[section].get(name) ?? {fields: {}, file: fileOf(session)};
  const fields = Object.fromEntries(
    Object.entries({...old.fields, ...changes}).filter(([, value]) => value !== undefined && value !== ''),
  );
  const entries = new Map(config[section]).set(name, {...old, fields});
  return save(session, {...config, [section]: entries}, said);
}

/** The file that a change goes to, as it was named. */
export function fileOf({process, flags}: Session): string {
  return defaultFile(process, flags.text('kubeconfig'));
}

/** Writes the config and says so. */
export async function save(session: Session, config: Kubeconfig, said: string): Promise<Outcome> {
  const failure = saveConfig(session.process, config, fileOf(session));
  if (failure) return failure;
  await session.out(said);
  return undefined;
}
