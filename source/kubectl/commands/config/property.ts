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
  const changed = changeEntry(config, section, {rest, value, file: fileOf(session), raw: session.flags.on('set-raw-bytes')});
  return changed instanceof Failure ? changed : save(session, changed, said);
}

interface Change {
  readonly rest: readonly string[];
  readonly value: string | undefined;
  readonly file: string;
  /** Bytes are given as they are, not in base64. */
  readonly raw: boolean;
}

/** Names may hold dots, so the longest name that is there counts. */
function changeEntry(config: Kubeconfig, section: Section, {rest, value, file, raw}: Change): Kubeconfig | Failure {
  const known = [...config[section].keys()].find(name => rest.join('.') === name || rest.join('.').startsWith(`${name}.`));
  const name = known ?? rest[0] ?? '';
  const field = rest.join('.').slice(name.length + 1);
  const old: Entry = config[section].get(name) ?? {fields: {}, file};
  if (field === '') {
    if (value !== undefined) return notSet(config, section);
    return {...config, [section]: new Map([...config[section]].filter(([key]) => key !== name))};
  }
  const {[field]: _old, ...others} = old.fields;
  if (value === undefined && known === undefined) return fail(`current map key \`${name}\` is invalid`);
  if (field.includes('.')) return fail(`unable to parse one or more field values of ${section}.${rest.join('.')}`);
  if (!FIELDS[section].includes(field)) return value === undefined ? fail(`unable to parse ${field}`) : notSet(config, section);
  const typed = value === undefined ? undefined : typedValue(field, value, raw);
  if (typed instanceof Failure) return typed;
  const fields = value === undefined ? others : {...others, [field]: typed};
  return {...config, [section]: new Map(config[section]).set(name, {...old, fields})};
}

/** The fields of an entry. */
const FIELDS: Readonly<Record<Section, readonly string[]>> = {
  clusters: [
    'server',
    'tls-server-name',
    'insecure-skip-tls-verify',
    'certificate-authority',
    'certificate-authority-data',
    'proxy-url',
    'disable-compression',
  ],
  contexts: ['cluster', 'user', 'namespace'],
  users: [
    'client-certificate',
    'client-certificate-data',
    'client-key',
    'client-key-data',
    'token',
    'tokenFile',
    'username',
    'password',
  ],
};

function notSet(config: Kubeconfig, section: Section): Failure {
  return fail(`can't set a map to a value: map[${[...config[section].keys()].join(' ')}]`);
}

const TRUTHS = ['insecure-skip-tls-verify', 'disable-compression'];

function typedValue(field: string, value: string, raw: boolean): boolean | string | Failure {
  if (TRUTHS.includes(field)) {
    if (!/^(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/.test(value))
      return fail(`strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`);
    return /^(1|t)/i.test(value);
  }
  if (!field.endsWith('-data')) return value;
  if (raw) return Buffer.from(value, 'utf8').toString('base64');
  const bad = /[^A-Za-z0-9+/=]/.exec(value)?.index ?? (value.length % 4 === 0 ? undefined : value.length - (value.length % 4));
  return bad === undefined ? value : fail(`error decoding input value: illegal base64 data at input byte ${bad}`);
}
