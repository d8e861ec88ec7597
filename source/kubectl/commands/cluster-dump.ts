// `kubectl cluster-info dump`: nodes, and of some namespaces events, workloads, pods and what their containers wrote; to standard output
// or as files in a folder.
import type {Container, Pod} from '../../api/kinds/core-v1.ts';
import type {Fields} from '../../api/meta/fields.ts';
import {pathOf, type AnyObject} from '../../api/meta/object.ts';
import {builtin, type ResourceFacts} from '../../api/meta/resources.ts';
import {withoutKind} from '../../api/schema/arranged.ts';
import {fail, Failure} from '../failure.ts';
import {printerOf, type Printer} from '../print/printer.ts';
import type {Api} from '../request/api.ts';
import {apiVersionOf} from '../resources/kinds.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, PRINT_FLAGS, type Command, type Outcome} from './command.ts';
import {podTimeoutProblem} from './streams/timeout.ts';

export const clusterInfoDump: Command = {
  path: 'kubectl cluster-info dump',
  short: 'Show much of what the cluster holds, to look into problems',
  examples: ['kubectl cluster-info dump --namespaces default,shop --output-directory=dump'],
  does: [...COMMON_FLAGS, ...PRINT_FLAGS, 'all-namespaces', 'namespaces', 'output-directory', 'pod-running-timeout'],
  run,
};

const NODES = builtin('nodes');
/** What is listed of each namespace, and the names of the files. */
const LISTS: readonly (readonly [file: string, resource: ResourceFacts])[] = [
  ['events', builtin('events')],
  ['replication-controllers', builtin('replicationcontrollers')],
  ['services', builtin('services')],
  ['daemonsets', builtin('apps', 'daemonsets')],
  ['deployments', builtin('apps', 'deployments')],
  ['replicasets', builtin('apps', 'replicasets')],
  ['pods', builtin('pods')],
];

/** Where everything goes. */
interface Dump {
  readonly api: Api;
  readonly printer: Printer;
  /** Writes a text under a name. */
  readonly write: (name: string, text: string) => Promise<Failure | undefined>;
  readonly extension: string;
}

async function run(session: Session): Promise<Outcome> {
  const badTimeout = podTimeoutProblem(session);
  if (badTimeout) return fail(badTimeout.message.split('\n')[0] ?? '');
  const dump = dumpOf(session);
  if (dump instanceof Failure) return dump;
  const nodes = await listInto(dump, NODES, {namespace: '', file: 'nodes'});
  if (nodes instanceof Failure) return nodes;
  const namespaces = await namespacesOf(session, dump.api);
  if (namespaces instanceof Failure) return namespaces;
  for (const namespace of namespaces) {
    const failure = await dumpNamespace(dump, namespace);
    if (failure) return failure;
  }
  const folder = session.flags.text('output-directory');
  if (folder !== '' && folder !== '-') await session.out(`Cluster info dumped to ${folder}\n`);
  return undefined;
}

function dumpOf(session: Session): Dump | Failure {
  const {flags, process} = session;
  const api = session.api();
  if (api instanceof Failure) return api;
  const printer = printerOf(session, {typed: true});
  if (printer instanceof Failure) return printer;
  const folder = flags.text('output-directory');
  const extension = ['json', 'yaml'].includes(flags.text('output')) ? `.${flags.text('output')}` : '.txt';
  const toScreen = async (_name: string, text: string) => {
    await session.out(text);
    return undefined;
  };
  const toFile = async (name: string, text: string) => {
    const path = process.path(`${folder}/${name}`);
    const {files} = process.machine;
    const failed = files.makeFolder(path.slice(0, path.lastIndexOf('/'))) ?? files.write(path, text, 0o644);
    return failed === undefined ? undefined : fail(`open ${folder}/${name}: ${failed.toLowerCase()}`);
  };
  return {api, printer, extension, write: folder === '' || folder === '-' ? toScreen : toFile};
}

async function namespacesOf(session: Session, api: Api): Promise<readonly string[] | Failure> {
  const {flags} = session;
  if (flags.on('all-namespaces')) {
    const list = await api.ask<{items?: readonly AnyObject[]}>({method: 'GET', path: '/api/v1/namespaces'});
    return list instanceof Failure ? list : (list.items ?? []).map(({metadata}) => metadata.name);
  }
  if (flags.list('namespaces').length > 0) return flags.list('namespaces');
  const own = session.namespace();
  return own instanceof Failure ? own : ['kube-system', own];
}

async function dumpNamespace(dump: Dump, namespace: string): Promise<Failure | undefined> {
  let pods: readonly Pod[] = [];
  for (const [file, resource] of LISTS) {
    const items = await listInto(dump, resource, {namespace, file: `${namespace}/${file}`});
    if (items instanceof Failure) return items;
    pods = items as unknown as readonly Pod[];
  }
  for (const pod of pods) {
    const failure = await dumpLogs(dump, namespace, pod);
    if (failure) return failure;
  }
  return undefined;
}

async function listInto(
  {api, printer, write, extension}: Dump,
  resource: ResourceFacts,
  {namespace, file}: {namespace: string; file: string},
): Promise<readonly AnyObject[] | Failure> {
  const list = await api.ask<AnyObject & {items?: readonly AnyObject[]}>({method: 'GET', path: pathOf(resource, namespace)});
  if (list instanceof Failure) return list;
  // Objects in a typed list do not say what they are.
  const apiVersion = apiVersionOf(resource);
  const items = (list.items ?? []).map(item => withoutKind({...(item as unknown as Fields), kind: resource.kind, apiVersion}));
  const text = printer({...list, kind: `${resource.kind}List`, apiVersion, items} as unknown as AnyObject);
  if (text instanceof Failure) return text;
  return (await write(`${file}${extension}`, text)) ?? list.items ?? [];
}

async function dumpLogs(dump: Dump, namespace: string, pod: Pod): Promise<Failure | undefined> {
  const {name} = pod.metadata;
  let text = '';
  for (const container of [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])]) {
    const what = `logs for container ${container.name} of pod ${namespace}/${name} ====\n`;
    text += `==== START ${what}${await logOf(dump, pod, container)}==== END ${what}`;
  }
  return dump.write(`${namespace}/${name}/logs.txt`, text);
}

async function logOf({api}: Dump, {metadata}: Pod, container: Container): Promise<string> {
  const path = pathOf(builtin('pods'), metadata.namespace ?? '', metadata.name, 'log');
  const log = await api.ask<string>({method: 'GET', path, query: {container: container.name}});
  return log instanceof Failure ? `Request log error: ${log.message}\n` : log;
}
