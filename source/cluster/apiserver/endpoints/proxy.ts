// The proxy subresources: HTTP through the API server to a node's kubelet, a pod or a Service. A name may carry scheme and port:
// `https:web:8080`.
import type {Endpoints, Pod, Service} from '../../../api/kinds/core-v1.ts';
import {badRequest, failure, notFound} from '../../../api/meta/status.ts';
import type {Answer, Request} from '../../../api/wire/http.ts';
import {passOn, type Target} from '../http/pass.ts';
import {refuse, Refused} from '../http/refused.ts';
import {kubeletOf} from './kubelet.ts';
import type {AskedResource, Handler} from './asked.ts';
import {isTlsFailure} from '../../../api/wire/tls.ts';
import {admitConnect} from './connect.ts';

interface Aim {
  readonly target: Target;
  readonly scheme: 'http' | 'https';
}

/** A handler that passes the request on to whatever `find` finds. */
function proxyTo(find: (asked: AskedResource, name: {scheme: string; id: string; port: string}) => Aim | Refused): Handler {
  return function* (asked) {
    const {core, info, request, stream} = asked;
    const aim = find(asked, splitName(info.name));
    if (aim instanceof Refused) return aim;
    const refused = yield* admitConnect(asked, info.rest === '' ? {} : {path: info.rest});
    if (refused) return refused;
    const {authorization: _secret, ...headers} = request.headers ?? {};
    // What the caller showed and asked of this server is not for the one behind it.
    const {certificate: _certificate, hello: _hello, ...rest} = request;
    const {kubeletClient} = core.settings;
    const own = info.resource === 'nodes' && kubeletClient ? {certificate: kubeletClient} : {};
    const passed: Request = {...rest, ...own, scheme: aim.scheme, path: info.rest || '/', headers};
    const answer = yield* passOn(core.daemon, passed, {target: aim.target, stream});
    if (answer === undefined) return undefined;
    if ('answer' in answer && !isTlsFailure(answer.answer)) return answer.answer;
    const why = 'failure' in answer ? answer.failure : isTlsFailure(answer.answer) ? answer.answer.tlsFailure : '';
    const message = `error trying to reach service: ${why}`;
    return {status: 503, headers: {'content-type': 'text/plain; charset=utf-8'}, body: message} satisfies Answer;
  };
}

function splitName(name: string): {scheme: string; id: string; port: string} {
  const parts = name.split(':');
  const [first = '', second = '', third = ''] = parts;
  if (parts.length === 3) return {scheme: first, id: second, port: third};
  return parts.length === 2 ? {scheme: '', id: first, port: second} : {scheme: '', id: first, port: ''};
}

export const proxyNode = proxyTo(({core, served}, {id}) => {
  if (!served.cache.get(id)) return refuse(notFound(served.facts, id));
  const target = kubeletOf(core, id);
  return typeof target === 'string' ? refuse(badRequest(target)) : {target, scheme: 'https'};
});

export const proxyPod = proxyTo(({info, served}, {scheme, id, port}) => {
  const pod = served.cache.get(`${info.namespace}/${id}`) as Pod | undefined;
  if (!pod) return refuse(notFound(served.facts, id));
  const host = pod.status?.podIP;
  if (host === undefined) return refuse(badRequest('address not allowed'));
  const named = pod.spec?.containers
    .flatMap(each => each.ports ?? [])
    .find(each => port === '' || each.name === port)?.containerPort;
  return {target: {host, port: /^\d+$/.test(port) ? Number(port) : (named ?? 80)}, scheme: scheme === 'https' ? 'https' : 'http'};
});

export const proxyService = proxyTo(({core, info, served}, {scheme, id, port}) => {
  const service = served.cache.get(`${info.namespace}/${id}`) as Service | undefined;
  if (!service) return refuse(notFound(served.facts, id));
  const unavailable = (message: string): Refused => refuse(failure(503, 'ServiceUnavailable', {message}));
  const numbered = /^\d+$/.test(port);
  const found = numbered ? service.spec?.ports?.find(each => String(each.port) === port) : undefined;
  if (numbered && !found) return unavailable(`no service port ${port} found for service ${JSON.stringify(id)}`);
  const name = found ? (found.name ?? '') : port;
  const endpoints = core.resources.of('endpoints').cache.get(`${info.namespace}/${id}`) as Endpoints | undefined;
  if (!endpoints) return refuse(notFound(served.facts, id));
  const target = addressOf(endpoints, name);
  if (!target) return unavailable(`no endpoints available for service ${JSON.stringify(id)}`);
  return {target, scheme: scheme === 'https' ? 'https' : 'http'};
});

/** A ready address behind a port of a Service, by the port's name. */
function addressOf(endpoints: Endpoints, name: string): Target | undefined {
  for (const {addresses = [], ports = []} of endpoints.subsets ?? []) {
    const port = ports.find(each => (each.name ?? '') === name)?.port;
    const [first] = addresses;
    if (port !== undefined && first) return {host: first.ip, port};
  }
  return undefined;
}
