// Passing a request on: to one endpoint of the Service after the other, with the headers that nginx adds, and nginx's own pages where
// there is nobody to pass it to.
import type {IngressBackend} from '../../api/kinds/networking-v1.ts';
import type {Service} from '../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Call} from '../../sim/network.ts';

/** An address that takes requests. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

const PATIENCE_MS = 60_000;
const WORDS: Readonly<Record<number, string>> = {
  301: '301 Moved Permanently',
  302: '302 Found',
  308: '308 Permanent Redirect',
  400: '400 Bad Request',
  404: '404 Not Found',
  502: '502 Bad Gateway',
  503: '503 Service Temporarily Unavailable',
  504: '504 Gateway Time-out',
};

/** A page of nginx's own. */
export function page(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  const words = WORDS[status] ?? String(status);
  const body = `<html>\r\n<head><title>${words}</title></head>\r\n<body>\r\n<center><h1>${words}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
  return {status, headers: {'content-type': 'text/html', ...headers}, body};
}

/** The endpoints that a backend means. */
export function endpointsOf(
  {service: wanted}: IngressBackend,
  service: Service | undefined,
  slices: Iterable<EndpointSlice>,
): readonly Endpoint[] {
  const {port = {}} = wanted ?? {};
  const found = service?.spec?.ports?.find(each =>
    port.name === undefined ? each.port === port.number : each.name === port.name,
  );
  if (!found) return [];
  const all: Endpoint[] = [];
  for (const {endpoints = [], ports = []} of slices) {
    const number = ports.find(({name = ''}) => name === (found.name ?? ''))?.port;
    if (number === undefined) continue;
    for (const {addresses, conditions} of endpoints)
      if (conditions?.ready !== false && addresses[0] !== undefined) all.push({address: addresses[0], port: number});
  }
  return all.sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : a.port - b.port));
}

/** Sends a request on; `done` hears what came back, and what is sent to the caller. */
export function passOn(
  daemon: Daemon,
  {call, request, to}: {readonly call: Call; readonly request: Request; readonly to: Endpoint},
  done: (answer: Answer) => void,
): void {
  let isOver = false;
  const finish = (answer: Answer): void => {
    if (isOver) return;
    isOver = true;
    daemon.scope.clock.cancel(timer);
    done(answer);
  };
  const timer = daemon.scope.after(PATIENCE_MS, () => {
    caller.cancel();
    finish(page(504));
  });
  const caller = daemon.dial(to.address, to.port, request, {
    answer: answer => finish(answer as Answer),
    end: () => finish(page(502)),
  });
  call.onCancel(() => {
    isOver = true;
    daemon.scope.clock.cancel(timer);
    caller.cancel();
  });
}

/** The request as the backend gets it. */
export function forwarded(
  {hello: _hello, certificate: _certificate, ...request}: Request,
  path: string,
  from: string,
  tls: boolean,
): Request {
  const {headers = {}} = request;
  const scheme = tls ? 'https' : 'http';
  const before = headers['x-forwarded-for'];
  return {
    ...request,
    scheme: 'http',
    path,
    headers: {
      ...headers,
      'x-real-ip': from,
      'x-forwarded-for': before === undefined ? from : `${before}, ${from}`,
      'x-forwarded-host': headers['host'] ?? '',
      'x-forwarded-port': tls ? '443' : '80',
      'x-forwarded-proto': scheme,
      'x-forwarded-scheme': scheme,
      'x-scheme': scheme,
    },
  };
}
