// `kubectl set env`: sets, lists and takes away variables of containers.
import type {Container, EnvVar} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {checkStrictEnvName} from '../../../api/meta/names.ts';
import {resourceOfKind} from '../../../api/meta/resources.ts';
import {fail, Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';
import type {Command, Outcome} from '../command.ts';
import {changeAll, SET_FLAGS} from './change.ts';
import {importFrom} from './env-source.ts';
import {listAll, warnUnmatched} from './env-list.ts';
import {changeContainers, fitsPattern} from './templates.ts';

export const setEnv: Command = {
  path: 'kubectl set env',
  short: 'Set, list or take away environment variables of containers',
  examples: [
    'kubectl set env deploy/web COLOR=blue',
    'kubectl set env deploy/web COLOR-',
    'kubectl set env deploy/web --list',
    'kubectl set env deploy/web --from=configmap/settings',
  ],
  does: [...SET_FLAGS, 'containers', 'env', 'from', 'keys', 'list', 'overwrite', 'prefix', 'resolve'],
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
  if (flags.on('list') && flags.text('output') !== '') return fail('--list and --output may not be specified together');
  if (flags.list('keys').length > 0 && flags.text('from') === '')
    return fail('when specifying --keys, a configmap or secret must be provided with --from');
  const words = [...flags.list('env'), ...session.args.filter(isVariable)];
  const given = readVariables(words, words.includes('-') ? await session.process.readAll() : '');
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
    sent:
      variables.set.length === 0 && !session.args.some(isVariable)
        ? fail('at least one environment variable must be provided')
        : undefined,
    refusal: 'failed to patch env update to pod template: ',
    change: (spec, object) => {
      const fits = (container: Container) => fitsPattern(pattern, container.name);
      if (![...spec.containers, ...(spec.initContainers ?? [])].some(fits))
        unmatched.push(`${object.kind}/${object.metadata.name}`);
      const clash = flags.on('overwrite') ? undefined : clashOf(spec.containers.filter(fits), variables.set);
      if (clash !== undefined) return fail(`${plural(object)}/${object.metadata.name} ${clash}`);
      return changeContainers(spec, container => (fits(container) ? withVariables(container, variables) : container), true);
    },
  });
  for (const what of unmatched) await warnUnmatched(session, what);
  return failure;
}

function plural(object: AnyObject): string {
  return resourceOfKind(object.apiVersion, object.kind)?.resource ?? object.kind.toLowerCase();
}

/** `-` stands for the lines of standard input: what follows `#` does not count, nor does a line without `=`. */
function readVariables(words: readonly string[], input: string): Variables | Failure {
  const set: EnvVar[] = [];
  const removed: string[] = [];
  for (const word of words) {
    const at = word.indexOf('=');
    if (word === '-')
      for (const line of input.split('\n').map(text => text.replace(/#.*/, '').trim()))
        if (line.includes('=')) set.push({name: line.slice(0, line.indexOf('=')), value: line.slice(line.indexOf('=') + 1)});
    if (word === '-') continue;
    if (at > 0) set.push({name: word.slice(0, at), value: word.slice(at + 1)});
    else if (word.endsWith('-')) removed.push(word.slice(0, -1));
    else return fail(`unknown environment variable: ${word}`);
    const [problem] = at > 0 ? checkStrictEnvName(word.slice(0, at)) : [];
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

/** A container without variables gets no empty list of them. */
function withVariables(container: Container, variables: Variables): Container {
  const env = merged(container.env ?? [], variables);
  return env.length === 0 && !container.env ? container : {...container, env};
}

/** A variable that is there keeps its place; new ones come behind. */
function merged(old: readonly EnvVar[], {set, removed}: Variables): readonly EnvVar[] {
  const kept = old.filter(({name}) => !removed.includes(name)).map(one => set.find(({name}) => name === one.name) ?? one);
  return [
    ...kept,
    ...set.filter(({name}, index) => !kept.some(one => one.name === name) && set.findIndex(one => one.name === name) === index),
  ];
}
