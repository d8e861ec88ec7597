// What only the server and the kubeconfig know: kinds, names of objects, containers and ports of pods, contexts. It is asked for
// with kubectl's own `get` and `api-resources`, under the flags of the line that say where to look. What cannot be learned is empty.
import type {Pod} from '../../api/kinds/core-v1.ts';
import {apiResources} from '../commands/api-resources.ts';
import {get} from '../commands/get/get.ts';
import {findPods} from '../commands/logs/targets.ts';
import {loadConfig, type Section} from '../config/kubeconfig.ts';
import {Failure} from '../failure.ts';
import {GLOBAL_FLAGS, hasOwnKubeconfig} from '../flags/catalogue.ts';
import {parseCommandLine} from '../flags/parse.ts';
import type {Values} from '../flags/values.ts';
import {Session} from '../session.ts';
import type {Process} from '../../sim/process/process.ts';
import {beginning} from './answer.ts';

const NAMES = '{{range .items}}{{.metadata.name}} {{end}}';
const CONTAINERS = '{{range .spec.initContainers}}{{.name}} {{end}}{{range .spec.containers}}{{.name}} {{end}}';
/** How long a workload may have no pod. */
const POD_WITHIN = '100ms';

/** Keeps what a command would print. */
class Quiet extends Session {
  text = '';

  override async out(text: string): Promise<void> {
    this.text += text;
  }

  override async err(): Promise<void> {
    // Nobody reads it: the line under the cursor is still being written.
  }
}

export class Asking {
  readonly process: Process;
  readonly #values: Values;

  /** `values` are those of the line that is completed. */
  constructor(process: Process, values: Values) {
    this.process = process;
    this.#values = values;
  }

  /** The flags of the line that every command takes. */
  get #scope(): readonly string[] {
    const {command} = this.#values;
    const own = new Set(command.flags.map(({name}) => name));
    if (hasOwnKubeconfig(command)) own.add('kubeconfig');
    const names = new Set(GLOBAL_FLAGS.map(({name}) => name).filter(name => !own.has(name)));
    return this.#values.written.filter(flag => names.has(flag.slice(2, flag.indexOf('='))));
  }

  #session(line: readonly string[]): Quiet | undefined {
    const parsed = parseCommandLine([...line.slice(0, 1), ...this.#scope, ...line.slice(1)]);
    return parsed instanceof Failure ? undefined : new Quiet(this.process, parsed.values);
  }

  /** The words that a template makes of what `get` finds. */
  async fromTemplate(template: string, args: readonly string[], begun: string): Promise<readonly string[]> {
    const session = this.#session(['get', '-o', `go-template=${template}`, ...args]);
    if (!session) return [];
    await get.run(session);
    return beginning(session.text.split(' '), begun).filter(word => word !== '');
  }

  /** The names of a kind's objects. */
  names(kind: string, begun: string): Promise<readonly string[]> {
    return this.fromTemplate(NAMES, [kind], begun);
  }

  /** The kinds that can be read, by their whole names. Of a list with commas the last is completed. */
  async kinds(begun: string): Promise<readonly string[]> {
    const session = this.#session(['api-resources', '--cached', '--verbs=get', '-o', 'name']);
    if (!session) return [];
    await apiResources.run(session);
    const at = begun.lastIndexOf(',') + 1;
    return beginning(session.text.split('\n'), begun.slice(at))
      .filter(word => word !== '')
      .map(word => begun.slice(0, at) + word);
  }

  /** The pod that an argument means: itself, or of a workload the best. */
  async podName(argument: string): Promise<string> {
    if (!argument.includes('/')) return argument;
    const session = this.#session(['exec', `--pod-running-timeout=${POD_WITHIN}`]);
    const namespace = session?.namespace();
    if (!session || namespace === undefined || namespace instanceof Failure) return '';
    const pods = await findPods(session, argument, {namespace, all: false, forStreams: true});
    const [pod]: readonly (Pod | undefined)[] = pods instanceof Failure ? [] : pods;
    return pod?.metadata.name ?? '';
  }

  async containers(argument: string, begun: string): Promise<readonly string[]> {
    return this.fromTemplate(CONTAINERS, ['pod', await this.podName(argument)], begun);
  }

  /** The names in the kubeconfig. */
  configNames(section: Section, begun: string): readonly string[] {
    const {command} = this.#values;
    const config = loadConfig(this.process, hasOwnKubeconfig(command) ? '' : this.#values.global('kubeconfig'));
    return config instanceof Failure ? [] : beginning([...config[section].keys()].sort(), begun);
  }
}
