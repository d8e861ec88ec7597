// Arguments that are kinds and objects of the cluster: `TYPE NAME…`, `TYPE/NAME`, pods and what is in them.
import {beginning, words, type Answer, type Completer, type Question} from './answer.ts';
import type {Asking} from './asking.ts';
import {NO_FILES, NO_SPACE} from './directives.ts';

/** Kinds behind which there are pods, as they are offered beside the pods themselves. */
const WITH_PODS = [
  'daemonsets',
  'deployments',
  'pods',
  'jobs',
  'replicasets',
  'replicationcontrollers',
  'services',
  'statefulsets',
];

export interface KindsOptions {
  /** The kinds that the command is for; any without them. */
  readonly of?: readonly string[];
  /** It takes one object only. */
  readonly single?: boolean;
}

/** `TYPE NAME NAME` or `TYPE/NAME TYPE/NAME`. */
export function kindsAndNames({of, single = false}: KindsOptions = {}): Completer {
  return async ({args, begun, asking}) => {
    const [first] = args;
    const kinds = async () => (of ? beginning(of, begun) : asking.kinds(begun));
    if (first !== undefined && !first.includes('/')) {
      if (single && args.length > 1) return words([]);
      return words(without(await asking.names(first, begun), args.slice(1)));
    }
    if (single && first !== undefined) return words([]);
    if (begun.includes('/')) return words(without(await pairs(asking, begun), args));
    if (first === undefined) return words(await kinds());
    return words(
      (await kinds()).map(kind => `${kind}/`),
      NO_SPACE | NO_FILES,
    );
  };
}

/** What stands on the line already is not offered again. */
function without(list: readonly string[], taken: readonly string[]): readonly string[] {
  return list.filter(word => !taken.includes(word));
}

async function pairs(asking: Asking, begun: string): Promise<readonly string[]> {
  const at = begun.indexOf('/');
  const kind = begun.slice(0, at);
  return (await asking.names(kind, begun.slice(at + 1))).map(name => `${kind}/${name}`);
}

/** The names of one kind, as the only argument. */
export function namesOf(kind: string): Completer {
  return async ({args, begun, asking}) => words(args.length === 0 ? await asking.names(kind, begun) : []);
}

async function pods({begun, asking}: Question): Promise<Answer> {
  if (begun.includes('/')) return words(await pairs(asking, begun));
  const names = await asking.names('pod', begun);
  const kinds = beginning(WITH_PODS, begun).map(kind => `${kind}/`);
  return words([...names, ...kinds], names.length === 0 ? NO_SPACE | NO_FILES : NO_FILES);
}

/** A pod, or what has pods. */
export const podsOrKinds: Completer = question => (question.args.length === 0 ? pods(question) : words([]));

/** A pod and one of its containers. */
export const podAndContainer: Completer = async question => {
  const {args, begun, asking} = question;
  if (args.length === 0) return pods(question);
  return words(args.length === 1 ? await asking.containers(args[0] ?? '', begun) : []);
};

/** A pod or a service, and `LOCAL:REMOTE` for each of its ports. */
export const podAndPort: Completer = async question => {
  const {args, begun, asking} = question;
  const [target = ''] = args;
  if (args.length === 0) return pods(question);
  if (args.length > 1) return words([]);
  const [kind, name = ''] = target.split('/');
  const local = (port: string) => (begun === '' ? `{{${port}}}` : (begun.split(':')[0] ?? ''));
  if (target.includes('/') && ['service', 'services', 'svc'].includes(kind ?? '')) {
    const template = `{{range .spec.ports}}${local('.port')}:{{.port}} {{end}}`;
    return words(await asking.fromTemplate(template, ['service', name], begun));
  }
  const template = `{{range .spec.containers}}{{range .ports}}${local('.containerPort')}:{{.containerPort}} {{end}}{{end}}`;
  return words(await asking.fromTemplate(template, ['pod', await asking.podName(target)], begun));
};

/** `-c`: a container of the pod that the line names. */
export const containerOfPod: Completer = async ({args, begun, asking}) =>
  words(args[0] === undefined ? [] : await asking.containers(args[0], begun));

/** `cp`: its first argument is a pod with a colon, a namespace with a slash, or a file. */
export const copySource: Completer = async ({args, begun, asking}) => {
  if (args.length > 0 || /^[/.~]/.test(begun) || begun.includes(':')) return words([], NO_SPACE);
  const at = begun.indexOf('/');
  if (at > 0) {
    const template = '{{range .items}}{{.metadata.namespace}}/{{.metadata.name}}: {{end}}';
    return words(await asking.fromTemplate(template, ['pod', `--namespace=${begun.slice(0, at)}`], begun), NO_SPACE);
  }
  const namespaces = (await asking.names('namespace', begun)).map(name => `${name}/`);
  const found = [...namespaces, ...(await asking.names('pod', begun)).map(name => `${name}:`)];
  if (begun === '') return words([...found, './', '/'], NO_SPACE);
  return words(found.length > 0 ? [...found, ...filesHere(asking, begun)] : [], NO_SPACE);
};

function filesHere({process}: Asking, begun: string): readonly string[] {
  const {files} = process.machine;
  const names = (files.list(process.folder) ?? []).toSorted();
  return beginning(names, begun).map(name => (files.isFolder(process.path(name)) ? `${name}/` : name));
}
