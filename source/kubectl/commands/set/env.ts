// `kubectl set env`: sets, lists and takes away variables of containers.
import type {Container, EnvVar} from '../../../api/kinds/core-v1.ts';
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {checkEnvName} from '../../../api/meta/names.ts';
import {resourceOfKind} from '../../../api/meta/resources.ts';
import {fail, Failure, gather} from '../../failure.ts';
import {resolveType} from '../../resources/arguments.ts';
import type {Session} from '../../session.ts';
import type {Command, Outcome} from '../command.ts';
import {changeAll, SET_FLAGS, targetsOf} from './change.ts';
import {changeContainers, fitsPattern, podSpecOf} from './templates.ts';

export const setEnv: Command = {
  path: 'kubectl set env',
  short: 'Set, list or take away environment variables of containers',
  examples: [
    'kubectl set env deploy/web COLOR=blue',
    'kubectl set env deploy/web COLOR-',
    'kubectl set env deploy/web --list',
    'kubectl set env deploy/web --from=configmap/settings',
  ],
  does: [...SET_FLAGS, 'containers', 'env', 'from', 'keys', 'list', 'overwrite', 'prefix'],
  run,
};

interface Variables {
  readonly set: readonly EnvVar[];
  readonly removed: readonly string[];
}

async function run(session: Session): Promise<Outcome> {
  const {flags} = session;
  const isVariable = (arg: string) => (arg.includes('=') && !arg.startsWith('=')) || arg.endsWith('-');
  const resources = session.args.filter(arg => !isVariable(arg));
  const last = session.args.findLastIndex(arg => !isVariable(arg));
  if (session.args.slice(0, Math.max(0, last)).some(isVariable))
    return fail(`all resources must be specified before environment changes: ${session.args.join(' ')}`);
  if (resources.length === 0 && !session.hasFiles)
    return fail('one or more resources must be specified as <resource> <name> or <resource>/<name>');
  const given = readVariables([...flags.list('env'), ...session.args.filter(isVariable)]);
  if (given instanceof Failure) return given;
  const imported = flags.text('from') === '' ? [] : await importFrom(session);
  if (imported instanceof Failure) return imported;
  const variables = {set: [...given.set, ...imported], removed: given.removed};
  if (flags.on('list')) return listAll(session, resources);
  if (variables.set.length === 0 && variables.removed.length === 0) {
    return changeAll(session, resources, {operation: '', change: spec => spec});
  }
  const pattern = flags.text('containers');
  const unmatched: string[] = [];
  const failure = await changeAll(session, resources, {
    operation: 'env updated',
    refusal: 'failed to patch env update to pod template: ',
    change: (spec, object) => {
      const fits = (container: Container) => fitsPattern(pattern, container.name);
      if (![...spec.containers, ...(spec.initContainers ?? [])].some(fits))
        unmatched.push(`${object.kind}/${object.metadata.name}`);
      const clash = flags.on('overwrite') ? undefined : clashOf(spec.containers.filter(fits), variables.set);
      if (clash !== undefined) return fail(`${plural(object)}/${object.metadata.name} ${clash}`);
      return changeContainers(
        spec,
        container => (fits(container) ? {...container, env: merged(container.env ?? [], variables)} : container),
        true,
      );
    },
  });
  for (const what of unmatched)
    await session.err(`Warning: ${what} does not have any containers matching ${JSON.stringify(pattern)}\n`);
  return failure;
}

function plural(object: AnyObject): string {
  return resourceOfKind(object.apiVersion, object.kind)?.resource ?? object.kind.toLowerCase();
}

function readVariables(words: readonly string[]): Variables | Failure {
  const set: EnvVar[] = [];
  const removed: string[] = [];
  for (const word of words) {
    const at = word.indexOf('=');
    if (at > 0) set.push({name: word.slice(0, at), value: word.slice(at + 1)});
    else if (word.endsWith('-')) removed.push(word.slice(0, -1));
    else return fail(`unknown environment variable: ${word}`);
    const [problem] = at > 0 ? checkEnvName(word.slice(0, at)) : [];
    if (problem !== undefined) return fail(`${JSON.stringify(word.slice(0, at))} is not a valid key name: ${problem}`);
  }
  if (set.some(({name}) => removed.includes(name)))
    return fail('can not both modify and remove the same environment variable in the same command');
  return {set, removed};
}

function clashOf(containers: readonly Container[], set: readonly EnvVar[]): string | undefined {
  for (const {env = []} of containers) {
    const old = env.find(({name}) => set.some(one => one.name === name));
    if (old) return `'${old.name}' already has a value (${old.value ?? ''}), and --overwrite is false`;
  }
  return undefined;
}

/** A variable that is there keeps its place; new ones come behind. */
function merged(old: readonly EnvVar[], {set, removed}: Variables): readonly EnvVar[] {
  const kept = old.filter(({name}) => !removed.includes(name)).map(one => set.find(({name}) => name === one.name) ?? one);
  return [
    ...kept,
    ...set.filter(({name}, index) => !kept.some(one => one.name === name) && set.findIndex(one => one.name === name) === index),
  ];
}

/** `--from=configmap/NAME`: a reference for each key of a config map or secret. */
async function importFrom(session: Session): Promise<readonly EnvVar[] | Failure> {
  const {flags} = session;
  const [word = '', name = ''] = flags.text('from').split('/');
  const kinds = await session.kinds([word]);
  if (kinds instanceof Failure) return kinds;
  const kind = resolveType(kinds, word);
  if (kind instanceof Failure) return kind;
  const namespace = session.namespace();
  const api = session.api();
  if (namespace instanceof Failure) return namespace;
  if (api instanceof Failure) return api;
  const source = await api.ask<AnyObject>({method: 'GET', path: pathOf(kind, namespace, name)});
  if (source instanceof Failure) return source;
  if (source.kind !== 'ConfigMap' && source.kind !== 'Secret') return fail(`unsupported resource specified in --from`);
  const wanted = flags.list('keys');
  const keys = Object.keys((source['data'] ?? {}) as object)
    .filter(key => wanted.length === 0 || wanted.includes(key))
    .sort();
  for (const key of keys) {
    const variable = variableName(key);
    if (variable !== key) await session.err(`Warning: key ${key} transferred to ${variable}\n`);
  }
  return keys.map(key => {
    const reference = {name, key};
    const valueFrom = source.kind === 'ConfigMap' ? {configMapKeyRef: reference} : {secretKeyRef: reference};
    return {name: `${flags.text('prefix')}${variableName(key)}`, valueFrom};
  });
}

/** A key as the name of a variable. */
function variableName(key: string): string {
  return key.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');
}

async function listAll(session: Session, resources: readonly string[]): Promise<Outcome> {
  const selected = await targetsOf(session, resources);
  if (selected instanceof Failure) return selected;
  for (const {kind, name, object} of selected.found) {
    const spec = object && podSpecOf(object);
    for (const container of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]) {
      if (!fitsPattern(session.flags.text('containers'), container.name)) continue;
      await session.out(
        `# ${kind.kind} ${name}, container ${container.name}\n${(container.env ?? []).map(variableText).join('')}`,
      );
    }
  }
  return gather(selected.failures);
}

function variableText({name, value, valueFrom}: EnvVar): string {
  if (!valueFrom) return `${name}=${value ?? ''}\n`;
  const {fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef} = valueFrom;
  if (fieldRef) return `# ${name} from field path ${fieldRef.fieldPath}\n`;
  if (resourceFieldRef) return `# ${name} from resource field ${resourceFieldRef.resource}\n`;
  if (secretKeyRef) return `# ${name} from secret ${secretKeyRef.name ?? ''}, key ${secretKeyRef.key}\n`;
  if (configMapKeyRef) return `# ${name} from configmap ${configMapKeyRef.name ?? ''}, key ${configMapKeyRef.key}\n`;
  return `# ${name} invalid valueFrom\n`;
}
