// `kubectl port-forward`: ports of this machine that lead to ports of a pod. What is sent to one goes over one connection through the
// API server and the pod's kubelet; each exchange has a number of its own.
import type {Pod} from '../../api/kinds/core-v1.ts';
import type {Service, ServicePort} from '../../api/kinds/core-v1.ts';
import {pathOf} from '../../api/meta/object.ts';
import {parseIp} from '../../api/meta/ip.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {ChannelFrame} from '../../api/wire/http.ts';
import type {PortReply} from '../../api/wire/kubelet.ts';
import type {Call, Failure as NetworkFailure} from '../../sim/network.ts';
import {INTERRUPTED} from '../../sim/process/process.ts';
import {fail, Failure, failUsage} from '../failure.ts';
import {klogTime} from '../request/klog.ts';
import {select} from '../resources/select.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from './command.ts';
import {findPods} from './logs/targets.ts';
import {listenWhile, Notices} from './streams/listening.ts';
import {podTimeoutProblem} from './streams/timeout.ts';

export const portForward: Command = {
  path: 'kubectl port-forward',
  short: 'Lead ports of this machine to ports of a pod',
  examples: [
    'kubectl port-forward pod/web 8080:80',
    'kubectl port-forward svc/web 8080:http',
    'kubectl port-forward deploy/web 8080',
  ],
  does: [...COMMON_FLAGS, 'address', 'pod-running-timeout'],
  run,
};

/** A port here, and one of the pod. */
interface Lead {
  readonly local: number;
  readonly remote: number;
}

async function run(session: Session): Promise<Outcome> {
  const {args} = session;
  if (args.length < 2) return failUsage('kubectl port-forward', 'TYPE/NAME and list of ports are required for port-forward');
  const badTimeout = podTimeoutProblem(session);
  if (badTimeout) return badTimeout;
  const namespace = session.namespace();
  if (namespace instanceof Failure) return namespace;
  const [target = '', ...words] = args;
  const pods = await findPods(session, target, {namespace, all: false, plainWords: true, forStreams: true});
  if (pods instanceof Failure) return pods;
  const [pod] = pods;
  if (!pod) return fail(`pods ${JSON.stringify(target)} not found`);
  const service = await serviceOf(session, target);
  if (service instanceof Failure) return service;
  const leads: Lead[] = [];
  for (const word of words) {
    const lead = leadOf(word, pod, service);
    if (lead instanceof Failure) return lead;
    leads.push(lead);
  }
  const phase = pod.status?.phase;
  if (phase !== 'Running') return fail(`unable to forward port because pod is not running. Current status=${phase ?? ''}`);
  return forward(session, pod, leads);
}

/** The service, when one is named. */
async function serviceOf(session: Session, target: string): Promise<Service | undefined | Failure> {
  if (!target.includes('/')) return undefined;
  const selected = await select(session, {args: [target]});
  if (selected instanceof Failure) return selected;
  const object = selected.found[0]?.object;
  return object?.kind === 'Service' ? (object as unknown as Service) : undefined;
}

/** `8080:80`, `80`, `:80`, or a name in the place of the port of the pod. */
function leadOf(word: string, pod: Pod, service: Service | undefined): Lead | Failure {
  const parts = word.split(':');
  const [first = '', second] = parts;
  const invalid = fail(`invalid port format '${word}'`);
  if (parts.length > 2) return invalid;
  const far = [first, ...(second === undefined ? [] : [second])].find(part => /^\d+$/.test(part) && Number(part) > 65_535);
  if (far !== undefined)
    return fail(
      `error parsing ${far === first ? 'local' : 'remote'} port '${far}': strconv.ParseUint: parsing ${JSON.stringify(far)}: value out of range`,
    );
  const wanted = second ?? first;
  const remote = service ? throughService(wanted, pod, service) : portOfPod(wanted, pod);
  if (remote instanceof Failure) return remote;
  if (second === undefined) {
    const own = /^\d+$/.test(first) ? Number(first) : remote;
    return {local: own, remote};
  }
  if (first !== '' && !/^\d+$/.test(first))
    return fail(`error parsing local port '${first}': strconv.ParseUint: parsing ${JSON.stringify(first)}: invalid syntax`);
  return {local: Number(first), remote};
}

function portOfPod(word: string, pod: Pod): number | Failure {
  if (/^\d+$/.test(word)) {
    return Number(word) > 0 ? Number(word) : fail('remote port must be > 0');
  }
  for (const {ports = []} of pod.spec?.containers ?? [])
    for (const {name, containerPort} of ports) if (name === word) return containerPort;
  return fail(`Pod '${pod.metadata.name}' does not have a named port '${word}'`);
}

function throughService(word: string, pod: Pod, {metadata, spec}: Service): number | Failure {
  const isNumber = /^\d+$/.test(word);
  const port = (spec?.ports ?? []).find(one => (isNumber ? one.port === Number(word) : one.name === word));
  if (!port)
    return isNumber
      ? fail(`Service ${metadata.name} does not have a service port ${word}`)
      : fail(`Service '${metadata.name}' does not have a named port '${word}'`);
  if (spec?.clusterIP === 'None') return port.port;
  return targetPort(port, pod);
}

function targetPort({port, targetPort: target}: ServicePort, pod: Pod): number | Failure {
  if (target === undefined || target === 0) return port;
  return typeof target === 'number' ? target : portOfPod(target, pod);
}

/** `localhost` is both of its addresses; here only the old one has a network. */
function addressesOf({flags}: Session): readonly string[] {
  return flags.list('address').flatMap(address => (address === 'localhost' ? ['127.0.0.1', '[::1]'] : [address]));
}

async function forward(session: Session, pod: Pod, leads: readonly Lead[]): Promise<Outcome> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const path = pathOf(builtin('pods'), pod.metadata.namespace, pod.metadata.name, 'portforward');
  const wrong = addressesOf(session).find(address => parseIp(address.replaceAll(/[[\]]/g, '')) === undefined);
  if (wrong !== undefined) return fail(`${wrong} is not a valid IP`);
  const opened = await api.open<ChannelFrame>({method: 'POST', path});
  if (opened instanceof Failure) return fail(`error upgrading connection: ${opened.message}`);
  const notices = new Notices();
  const calls = new Map<number, {readonly call: Call; readonly lead: Lead}>();
  const take = (lead: Lead) => (call: Call) => {
    const id = calls.size + 1;
    calls.set(id, {call, lead});
    notices.say(`Handling connection for ${lead.local}\n`);
    opened.send({channel: 0, data: {id, port: lead.remote, request: call.request}});
  };
  for (const lead of leads) {
    for (const address of addressesOf(session)) {
      const isOld = !address.includes('::');
      if (isOld && !listenWhile(session.process, {address, port: lead.local}, take(lead)))
        return fail(`unable to listen on any of the requested ports: [{${lead.local} ${lead.remote}}]`);
      await session.out(`Forwarding from ${address}:${lead.local} -> ${lead.remote}\n`);
    }
  }
  session.process.spawn(notices.speak, {argv: session.process.argv});
  for (;;) {
    const frame = await opened.next();
    if (frame === INTERRUPTED || frame === 'timeout') continue;
    if (frame === null) return fail('lost connection to pod');
    const reply = frame.data as PortReply;
    const known = calls.get(reply.id);
    if (!known) continue;
    if (passOn(known.call, reply)) continue;
    const {local, remote} = known.lead;
    const [, sandbox = ''] = /inside namespace "([0-9a-f]+)"/.exec(reply.message ?? '') ?? [];
    const words = `an error occurred forwarding ${local} -> ${remote}: error forwarding port ${remote} to pod ${sandbox}, uid : ${reply.message ?? ''}`;
    await session.err(`E${klogTime(session.process)} portforward.go:424] "Unhandled Error" err=${JSON.stringify(words)}\n`);
    known.call.end('closed');
    return fail('lost connection to pod');
  }
}

/** Hands a reply to whoever asked; false when the port did not answer. */
function passOn(call: Call, reply: PortReply): boolean {
  if (reply.message !== undefined) return false;
  if ('answer' in reply) {
    if (reply.more) call.open(reply.answer);
    else call.answer(reply.answer);
  } else if ('frame' in reply) call.send(reply.frame);
  else if ('end' in reply) call.end((reply.end ?? undefined) as NetworkFailure | undefined);
  return true;
}
