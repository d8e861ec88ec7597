// `kubectl config set` and `unset`: one value by its path, such as `clusters.lab.server`.
import {SECTIONS, type Entry, type Kubeconfig, type Section} from '../../config/kubeconfig.ts';
import {fail, Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from '../command.ts';
import {showUsage} from '../usage.ts';
import {fileOf, save} from './change.ts';
import {configOf} from './view.ts';

export const configSet: Command = {
  path: 'kubectl config set',
  short: 'Set one value in the kubeconfig',
  examples: ['kubectl config set clusters.lab.server https://10.0.0.10:6443'],
  does: [...COMMON_FLAGS, 'set-raw-bytes'],
  run: session => (session.args.length === 2 ? change(session, session.args[1]) : showUsage(session, 1)),
};

export const configUnset: Command = {
  path: 'kubectl config unset',
  short: 'Take one value out of the kubeconfig',
  examples: ['kubectl config unset users.nina.token'],
  does: COMMON_FLAGS,
  run: session => (session.args.length === 1 ? change(session, undefined) : showUsage(session, 1)),
};

async function change(session: Session, value: string | undefined): Promise<Outcome> {
  const [path = ''] = session.args;
  const config = configOf(session);
  if (config instanceof Failure) return config;
  const said = `Property ${JSON.stringify(path)} ${value === undefined ? 'unset' : 'set'}.\n`;
  if (path === 'current-context') return save(session, {...config, currentContext: value ?? ''}, said);
  const [word = '', ...rest] = path.split('.');
  const section = SECTIONS.find(one => one === word);
  if (!section) return fail(`unable to parse ${path} after [] at api.Config`);
  if (rest.length === 0)
    return value === undefined ? save(session, {...config, [section]: new Map()}, said) : fail(`unable to parse ${path}`);
  const changed = changeEntry(config, section, {rest, value, file: fileOf(session)});
  return changed instanceof Failure ? changed : save(session, changed, said);
}

interface Change {
  readonly rest: readonly string[];
  readonly value: string | undefined;
  readonly file: string;
}

/** Names may hold dots, so the longest name that is there counts. */
function changeEntry(config: Kubeconfig, section: Section, {rest, value, file}: Change): Kubeconfig | Failure {
  const known = [...config[section].keys()].find(name => rest.join('.') === name || rest.join('.').startsWith(`${name}.`));
  const name = known ?? rest[0] ?? '';
  const field = rest.join('.').slice(name.length + 1);
  const old: Entry = config[section].get(name) ?? {fields: {}, file};
  if (field === '') {
    if (value !== undefined) return fail(`cannot set ${section}.${name} to a text`);
    return {...config, [section]: new Map([...config[section]].filter(([key]) => key !== name))};
  }
  const {[field]: _old, ...others} = old.fields;
  const typed = value === 'true' || value === 'false' ? value === 'true' : value;
  const fields = value === undefined ? others : {...others, [field]: typed};
  return {...config, [section]: new Map(config[section]).set(name, {...old, fields})};
}
