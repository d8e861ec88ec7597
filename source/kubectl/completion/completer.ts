// What could stand at the cursor of a line that begins with `kubectl`: commands, flags, values of flags, kinds, and the names
// of objects, which are asked of the server through kubectl itself. An empty answer means files.
import {childOf, commandsBelow, findCommand, flagsOf, type CommandSpec, type FlagSpec} from '../flags/catalogue.ts';
import {KINDS_FIRST, PODS_FIRST, ROLLED_OUT, VALUES} from './positions.ts';

/** Runs kubectl with these words and gives what it printed; empty when it failed. */
export type Ask = (words: readonly string[]) => Promise<string>;

/** The words of a line, `kubectl` first, and which one is being written. */
export interface Line {
  readonly words: readonly string[];
  readonly index: number;
  readonly ask: Ask;
}

/** What could stand at `index`; each candidate is a whole word. */
export async function kubectlCompleter(words: readonly string[], index: number, ask: Ask): Promise<readonly string[]> {
  const prefix = words[index] ?? '';
  const found = await candidates({words, index, ask});
  return [...new Set(found)].filter(word => word.startsWith(prefix)).toSorted();
}

interface Reading {
  readonly command: CommandSpec;
  /** Arguments before the cursor. */
  readonly args: readonly string[];
  /** The flag whose value is being written. */
  readonly flag: FlagSpec | undefined;
  readonly namespace: readonly string[];
  readonly afterDash: boolean;
}

/** Reads what stands before the cursor. */
function read({words, index}: Line): Reading {
  let command = findCommand('kubectl') as CommandSpec;
  const args: string[] = [];
  const scope: string[] = [];
  let flag: FlagSpec | undefined;
  let afterDash = false;
  for (const word of words.slice(1, index)) {
    if (flag) {
      keepScope(scope, flag, word);
      flag = undefined;
    } else if (afterDash) args.push(word);
    else if (word === '--') afterDash = true;
    else if (word.startsWith('-') && word !== '-') flag = readFlag(command, word, scope);
    else {
      const child: CommandSpec | undefined = args.length === 0 ? childOf(command.path, word) : undefined;
      if (child) command = child;
      else args.push(word);
    }
  }
  return {command, args, flag, namespace: scope, afterDash};
}

/** Flags that say where kubectl looks, kept for its own questions. */
const SCOPE = new Set(['namespace', 'all-namespaces', 'context', 'kubeconfig', 'cluster', 'user', 'server', 'as']);

function keepScope(scope: string[], flag: FlagSpec, value: string): void {
  if (SCOPE.has(flag.name)) scope.push(`--${flag.name}=${value}`);
}

/** The flag of a word, when its value is the next word. */
function readFlag(command: CommandSpec, word: string, scope: string[]): FlagSpec | undefined {
  const [, long, value] = /^--([^=]+)(?:=(.*))?$/.exec(word) ?? [];
  const flags = flagsOf(command);
  const spec = long === undefined ? flags.find(({shorthand}) => shorthand === word[1]) : flags.find(({name}) => name === long);
  if (!spec) return undefined;
  const inline = long === undefined ? (word.length > 2 ? word.slice(2).replace(/^=/, '') : undefined) : value;
  if (inline !== undefined) keepScope(scope, spec, inline);
  return inline === undefined && spec.bare === undefined ? spec : undefined;
}

async function candidates(line: Line): Promise<readonly string[]> {
  const reading = read(line);
  const word = line.words[line.index] ?? '';
  if (reading.afterDash) return [];
  if (reading.flag) return valuesOf(reading.flag, reading, line);
  const inline = /^(--([^=]+)=)/.exec(word);
  if (inline) {
    const spec = flagsOf(reading.command).find(({name}) => name === inline[2]);
    const values = spec ? await valuesOf(spec, reading, line) : [];
    return values.map(value => `${inline[1] ?? ''}${value}`);
  }
  if (word.startsWith('-')) return flagWords(reading.command, word);
  return argumentsOf(reading, word, line);
}

function flagWords(command: CommandSpec, word: string): readonly string[] {
  const flags = flagsOf(command);
  const long = flags.map(({name, bare}) => (bare === undefined ? `--${name}=` : `--${name}`));
  return word.startsWith('--') ? long : [...flags.flatMap(({shorthand}) => (shorthand ? [`-${shorthand}`] : [])), ...long];
}

async function valuesOf(flag: FlagSpec, reading: Reading, line: Line): Promise<readonly string[]> {
  switch (flag.name) {
    case 'namespace':
      return namesOf('namespaces', reading, line);
    case 'context':
      return linesOf(await line.ask(['config', 'get-contexts', '-o', 'name']));
    case 'cluster':
      return linesOf(await line.ask(['config', 'get-clusters'])).slice(1);
    case 'user':
      return linesOf(await line.ask(['config', 'get-users'])).slice(1);
    case 'container':
      return containersOf(reading, line);
    default:
      return VALUES[flag.name] ?? [];
  }
}

async function containersOf({args, namespace}: Reading, line: Line): Promise<readonly string[]> {
  const pod = args[0];
  if (pod === undefined) return [];
  const target = pod.includes('/') ? [pod] : ['pod', pod];
  const path = '{.spec.initContainers[*].name} {.spec.containers[*].name}';
  return (await line.ask(['get', ...target, ...namespace, '-o', `jsonpath=${path}`])).split(' ').filter(name => name !== '');
}

async function argumentsOf(reading: Reading, word: string, line: Line): Promise<readonly string[]> {
  const {command, args} = reading;
  const below = commandsBelow(command.path).map(({name}) => name);
  if (args.length === 0 && below.length > 0 && command.path !== 'kubectl create') return below;
  if (args.length === 0 && command.path === 'kubectl create') return below;
  if (PODS_FIRST.has(command.path)) return args.length === 0 ? podWords(reading, word, line) : [];
  if (KINDS_FIRST.has(command.path)) return kindWords(reading, word, line);
  return namedWords(reading, line);
}

/** A pod, or `deploy/web`. */
async function podWords(reading: Reading, word: string, line: Line): Promise<readonly string[]> {
  if (word.includes('/')) return pairsOf(word, reading, line);
  return [...(await namesOf('pods', reading, line)), 'deployment/', 'daemonset/', 'statefulset/', 'job/', 'service/'];
}

async function kindWords(reading: Reading, word: string, line: Line): Promise<readonly string[]> {
  const {args, command} = reading;
  if (word.includes('/')) return pairsOf(word, reading, line);
  if (args.length > 0) return args[0]?.includes('/') ? [] : namesOf(args[0] ?? '', reading, line);
  if (command.path.startsWith('kubectl rollout')) return ROLLED_OUT;
  const kinds = linesOf(await line.ask(['api-resources', '--cached', '-o', 'name'])).map(name => name.split('.')[0] ?? name);
  const at = word.lastIndexOf(',');
  return at < 0 ? kinds : kinds.map(kind => `${word.slice(0, at + 1)}${kind}`);
}

async function pairsOf(word: string, reading: Reading, line: Line): Promise<readonly string[]> {
  const kind = word.slice(0, word.indexOf('/'));
  return (await namesOf(kind, reading, line)).map(name => `${kind}/${name}`);
}

/** Commands whose arguments are names of one kind. */
async function namedWords(reading: Reading, line: Line): Promise<readonly string[]> {
  switch (reading.command.path) {
    case 'kubectl cordon':
    case 'kubectl uncordon':
    case 'kubectl drain':
    case 'kubectl top node':
      return namesOf('nodes', reading, line);
    case 'kubectl top pod':
      return namesOf('pods', reading, line);
    case 'kubectl taint':
      return reading.args.length === 0 ? ['node', 'nodes'] : namesOf('nodes', reading, line);
    case 'kubectl config use-context':
    case 'kubectl config delete-context':
    case 'kubectl config rename-context':
    case 'kubectl config get-contexts':
      return linesOf(await line.ask(['config', 'get-contexts', '-o', 'name']));
    case 'kubectl create token':
      return namesOf('serviceaccounts', reading, line);
    default:
      return [];
  }
}

/** The names of a kind's objects. */
async function namesOf(kind: string, {namespace}: Reading, line: Line): Promise<readonly string[]> {
  const scope = kind === 'namespaces' || kind === 'nodes' ? namespace.filter(flag => !flag.startsWith('--namespace')) : namespace;
  const text = await line.ask(['get', kind, ...scope, '-o', 'name', '--ignore-not-found']);
  return linesOf(text).map(name => name.slice(name.indexOf('/') + 1));
}

function linesOf(text: string): string[] {
  return text.split('\n').filter(one => one !== '');
}
