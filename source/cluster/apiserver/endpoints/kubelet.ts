// What only the node knows: logs, commands in containers, their streams and ports. The server finds the pod's node, dials its
// kubelet and passes everything through.
import type {Container, Node, Pod, PodSpec} from '../../../api/kinds/core-v1.ts';
import type {ObjectMeta} from '../../../api/kinds/meta.ts';
import {badRequest, failure, internalError, notFound, plainError} from '../../../api/meta/status.ts';
import {genericFailure} from '../../../api/wire/generic-failure.ts';
import type {Answer, Request} from '../../../api/wire/http.ts';
import {
  attachRequest,
  execRequest,
  logsRequest,
  portForwardRequest,
  type ContainerPlace,
  type ExecOptions,
} from '../../../api/wire/kubelet.ts';
import type {Task} from '../../../sim/task.ts';
import type {Core} from '../core.ts';
import {isTrue} from '../http/info.ts';
import {passOn, type Target} from '../http/pass.ts';
import {text} from '../http/reply.ts';
import {refuse, Refused} from '../http/refused.ts';
import type {AskedResource, Handler} from './asked.ts';
import {admitConnect} from './connect.ts';

/** Where a node's kubelet listens; a text says why that is not known. */
export function kubeletOf(core: Core, nodeName: string): Target | string {
  const node = core.resources.of('nodes').cache.get(nodeName) as Node | undefined;
  if (!node) return `nodes ${JSON.stringify(nodeName)} not found`;
  const {addresses = [], daemonEndpoints} = node.status ?? {};
  const found = ['InternalIP', 'Hostname', 'ExternalIP']
    .map(type => addresses.find(each => each.type === type)?.address)
    .find(each => each !== undefined);
  if (found === undefined) return 'no preferred addresses found; known addresses: []';
  return {host: found, port: daemonEndpoints?.kubeletEndpoint?.Port || core.settings.kubeletPort};
}

export const readLog: Handler = function* (asked) {
  const pod = findPod(asked);
  if (pod instanceof Refused) return pod;
  const {container, ...query} = asked.info.query;
  const chosen = chooseContainer(pod, container ?? '', true);
  if (chosen instanceof Refused) return chosen;
  if (!pod.spec?.nodeName) return text(200, '');
  const answer = yield* askKubelet(asked, pod.spec.nodeName, logsRequest(placeOf(pod.metadata, chosen), query));
  return answer;
};

export const exec: Handler = function* (asked) {
  const options = execOptions(asked);
  if (!options.command?.length) return refuse(badRequest('you must specify at least 1 command for the container'));
  return yield* inContainer(asked, options, execRequest);
};

export const attach: Handler = function* (asked) {
  return yield* inContainer(asked, execOptions(asked), attachRequest);
};

export const portForward: Handler = function* (asked) {
  const pod = findPod(asked);
  if (pod instanceof Refused) return pod;
  if (!pod.spec?.nodeName) return refuse(badRequest(`pod ${pod.metadata.name} does not have a host assigned`));
  const refused = yield* admitConnect(asked, {});
  if (refused) return refused;
  return yield* upgrade(
    asked,
    pod.spec.nodeName,
    portForwardRequest({namespace: pod.metadata.namespace ?? '', pod: pod.metadata.name}),
  );
};

type MakeRequest = (place: ContainerPlace, options: ExecOptions) => Request;

function* inContainer(
  asked: AskedResource,
  options: ExecOptions & {readonly container?: string},
  make: MakeRequest,
): Task<Answer | Refused | undefined> {
  const pod = findPod(asked);
  if (pod instanceof Refused) return pod;
  const chosen = chooseContainer(pod, options.container ?? '', false);
  if (chosen instanceof Refused) return chosen;
  if (!pod.spec?.nodeName) return refuse(badRequest(`pod ${pod.metadata.name} does not have a host assigned`));
  const refused = yield* admitConnect(asked, {...options, container: chosen});
  if (refused) return refused;
  const {container: _container, ...rest} = options;
  return yield* upgrade(asked, pod.spec.nodeName, make(placeOf(pod.metadata, chosen), rest), queryOf(rest));
}

function placeOf(metadata: ObjectMeta, container: string): ContainerPlace {
  return {namespace: metadata.namespace ?? '', pod: metadata.name, container};
}

function findPod({info, served}: AskedResource): Pod | Refused {
  const pod = served.cache.get(`${info.namespace}/${info.name}`) as Pod | undefined;
  return pod ?? refuse(notFound(served.facts, info.name));
}

/** The options come as the body, or as a real client sends them, in the query (several words of a command on lines). */
function execOptions({request, info: {query}}: AskedResource): ExecOptions & {readonly container?: string} {
  const body =
    typeof request.body === 'object' && request.body !== null
      ? (request.body as Partial<ExecOptions> & {readonly container?: string})
      : {};
  const command = body.command ?? query['command']?.split('\n');
  const container = body.container ?? query['container'];
  return {
    stdin: body.stdin ?? isTrue(query['stdin']),
    stdout: body.stdout ?? query['stdout'] !== 'false',
    stderr: body.stderr ?? query['stderr'] !== 'false',
    tty: body.tty ?? isTrue(query['tty']),
    ...(command ? {command} : {}),
    ...(container === undefined ? {} : {container}),
  };
}

const NO_SPEC: PodSpec = {containers: []};
const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

function chooseContainer(pod: Pod, wanted: string, forLog: boolean): string | Refused {
  const {containers, initContainers = [], ephemeralContainers = []} = pod.spec ?? NO_SPEC;
  const {name} = pod.metadata;
  const all = [...containers, ...initContainers, ...(ephemeralContainers as readonly Pick<Container, 'name'>[])];
  if (wanted !== '')
    return all.some(each => each.name === wanted)
      ? wanted
      : refuse(badRequest(`container ${wanted} is not valid for pod ${name}`));
  const [only] = containers;
  if (containers.length === 1 && only) return only.name;
  const preferred = forLog ? undefined : pod.metadata.annotations?.[DEFAULT_CONTAINER];
  if (preferred !== undefined && all.some(each => each.name === preferred)) return preferred;
  const names = (list: readonly Pick<Container, 'name'>[]): string => `[${list.map(each => each.name).join(' ')}]`;
  const inits = initContainers.length > 0 ? ` or one of the init containers: ${names(initContainers)}` : '';
  return refuse(badRequest(`a container name must be specified for pod ${name}, choose one of: ${names(containers)}${inits}`));
}

function* askKubelet(asked: AskedResource, nodeName: string, request: Request): Task<Answer | Refused | undefined> {
  const {core, stream} = asked;
  const target = kubeletOf(core, nodeName);
  if (typeof target === 'string') return refuse(plainError(target));
  const {kubeletClient} = core.settings;
  const passed = yield* passOn(core.daemon, kubeletClient ? {...request, certificate: kubeletClient} : request, {target, stream});
  if (passed === undefined) return undefined;
  if ('failure' in passed)
    return refuse(plainError(`Get "https://${target.host}:${target.port}${request.path}": ${passed.failure}`));
  return passed.answer.status < 400 ? passed.answer : kubeletRefused(passed.answer, asked.info.name);
}

/** Asks for a stream; whatever goes wrong on the way there is an error of the server, which opened it for the client. */
// oxlint-disable-next-line max-params
function* upgrade(asked: AskedResource, nodeName: string, request: Request, query = ''): Task<Answer | Refused | undefined> {
  const {core, stream} = asked;
  const target = kubeletOf(core, nodeName);
  if (typeof target === 'string') return refuse(plainError(target));
  const {kubeletClient} = core.settings;
  const passed = yield* passOn(core.daemon, kubeletClient ? {...request, certificate: kubeletClient} : request, {target, stream});
  if (passed === undefined) return undefined;
  if ('failure' in passed) {
    const url = `https://${target.host}:${target.port}${request.path}${query}`;
    return refuse(internalError(`error sending request: Post ${JSON.stringify(url)}: ${passed.failure}`));
  }
  if (passed.answer.status < 400) return passed.answer;
  return refuse(internalError(`unable to upgrade connection: ${String(passed.answer.body).trim()}`));
}

/** The options as a kubelet gets them in its query. */
function queryOf({command = [], stdin, stdout, stderr, tty}: ExecOptions): string {
  const words = command.map(word => `command=${encodeURIComponent(word).replaceAll('%20', '+')}`);
  const flags = [stderr && !tty ? 'error=1' : '', stdin ? 'input=1' : '', stdout ? 'output=1' : '', tty ? 'tty=1' : ''];
  return `?${[...words, ...flags.filter(flag => flag !== '')].join('&')}`;
}

/** Numbers that say nothing about the log itself: the server says what they mean. Behind others the kubelet's own words stand. */
const ITS_OWN: readonly number[] = [401, 403, 404];

/** A kubelet refuses in plain text; the client gets it as a Status. */
function kubeletRefused({status, body}: Answer, pod: string): Refused {
  const words = String(body).trim();
  const {reason, message} = genericFailure(status, words);
  if (ITS_OWN.includes(status)) return refuse(failure(status, reason, {message: `${message} ( pods/log ${pod})`}));
  if (status === 500) return refuse(failure(status, reason, {message}));
  return refuse(failure(status, status === 400 ? 'BadRequest' : '', {message: words}));
}
