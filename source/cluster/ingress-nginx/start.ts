// The ingress controller that most clusters have: it watches Ingresses of its class, and passes requests on to the endpoints of their
// Services, by host and path.
//
// Modelled: classes and the old annotation, hosts, paths, rewrites and redirects (`routes.ts`), TLS with the Secrets of Ingresses or a
// certificate of its own, the default backend, status.loadBalancer, its event, its health, its admission webhook. Not modelled: what
// its ConfigMap says, TCP and UDP services, metrics, a lease between several (each writes the same status).
import type {Secret, Service, Node, Pod} from '../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import type {Ingress, IngressClass} from '../../api/kinds/networking-v1.ts';
import {keyOf} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import {readKeyPair} from '../../api/pki/key-pair.ts';
import {selfSigned} from '../../api/pki/issue.ts';
import type {Certificate} from '../../api/pki/certificate.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import {helloOf, TlsDoor} from '../../api/wire/tls.ts';
import type {Client} from '../../client/client.ts';
import {EventRecorder} from '../../client/events.ts';
import {Informers, type Informer} from '../../client/informer.ts';
import {get, update} from '../../client/verbs.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Files} from '../../sim/files.ts';
import type {Call} from '../../sim/network.ts';
import type {Task} from '../../sim/task.ts';
import {readFlags, type IngressFlags} from './flags.ts';
import {endpointsOf, forwarded, page, passOn} from './proxy.ts';
import {findRoute, planServers, rewritten, serverFor, type Route, type Server} from './routes.ts';
import {review} from './webhook.ts';

export interface IngressOptions {
  readonly daemon: Daemon;
  readonly client: Client;
  readonly argv: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  readonly files: () => Files;
  readonly pod: {readonly namespace: string; readonly name: string};
  /** The machine that the pod runs on. */
  readonly node: string;
}

const HEALTH_PORT = 10_254;
const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';
const OLD_CLASS = 'kubernetes.io/ingress.class';
const STATUS_MS = 60_000;

const networking = (name: string) => builtin('networking.k8s.io', name);

/** Starts the controller. */
export function startIngress(options: IngressOptions): void {
  const {daemon} = options;
  const flags = readFlags(options.argv, options.environment);
  new Controller(options, flags).start();
  daemon.print('I main.go:205] "Creating API client" host="https://10.96.0.1:443"');
}

class Controller {
  readonly #options: IngressOptions;
  readonly #flags: IngressFlags;
  readonly #ingresses: Informer<Ingress>;
  readonly #classes: Informer<IngressClass>;
  readonly #services: Informer<Service>;
  readonly #slices: Informer<EndpointSlice>;
  readonly #secrets: Informer<Secret>;
  readonly #recorder: EventRecorder;
  readonly #informers: Informers;
  readonly #doors = new Map<string, TlsDoor>();
  #servers: ReadonlyMap<string, Server> | undefined;
  #isReady = false;
  #turn = 0;

  constructor(options: IngressOptions, flags: IngressFlags) {
    const {client} = options;
    const informers = new Informers(client);
    this.#options = options;
    this.#flags = flags;
    this.#informers = informers;
    this.#ingresses = informers.of(networking('ingresses'));
    this.#classes = informers.of(networking('ingressclasses'));
    this.#services = informers.of(builtin('services'));
    this.#slices = informers.of(builtin('discovery.k8s.io', 'endpointslices'));
    this.#secrets = informers.of(builtin('secrets'));
    this.#recorder = new EventRecorder({client, component: 'nginx-ingress-controller'});
  }

  start(): void {
    const {daemon} = this.#options;
    const changed = (ingress: Ingress) => this.#changed(ingress);
    this.#ingresses.on({added: changed, updated: changed, deleted: () => this.#forget()});
    this.#classes.on({added: () => this.#forget(), updated: () => this.#forget(), deleted: () => this.#forget()});
    daemon.listen(HEALTH_PORT, call => call.answer(this.#health(call.request as Request)));
    this.#informers.start(() => this.#synced());
  }

  #health({path}: Request): Answer {
    if (path !== '/healthz' && path !== '/livez') return {status: 404, body: '404 page not found\n'};
    return this.#isReady ? {status: 200, body: 'ok'} : {status: 500, body: 'not ready\n'};
  }

  #synced(): void {
    const {daemon} = this.#options;
    this.#isReady = true;
    daemon.print('I nginx.go:271] "Starting NGINX Ingress controller"');
    daemon.listen(this.#flags.httpPort, call => this.#take(call, false));
    daemon.listen(this.#flags.httpsPort, call => this.#greet(call));
    this.#listenForReviews();
    daemon.print('I controller.go:213] "Backend successfully reloaded"');
    daemon.scope.run(this.#writeStatus());
    daemon.scope.every(STATUS_MS, () => daemon.scope.run(this.#writeStatus()));
  }

  #forget(): void {
    this.#servers = undefined;
  }

  #changed(ingress: Ingress): void {
    const {daemon} = this.#options;
    this.#forget();
    const key = keyOf(ingress);
    if (!this.#isOurs(ingress)) {
      daemon.print(
        `I store.go:420] "Ignoring ingress because of error while validating ingress class" ingress=${JSON.stringify(key)} error="ingress does not contain a valid IngressClass"`,
      );
      return;
    }
    daemon.print(
      `I store.go:440] "Found valid IngressClass" ingress=${JSON.stringify(key)} ingressclass=${JSON.stringify(classOf(ingress) ?? '')}`,
    );
    this.#recorder.record(ingress, {type: 'Normal', reason: 'Sync', message: 'Scheduled for sync'});
    if (this.#isReady) daemon.scope.run(this.#writeStatus());
  }

  /** Is an Ingress of the class that this controller serves? */
  readonly #isOurs = (ingress: Ingress): boolean => {
    const {controllerClass, ingressClass, watchWithoutClass} = this.#flags;
    const {ingressClassName} = ingress.spec;
    if (ingressClassName !== undefined) return this.#classes.get(ingressClassName)?.spec.controller === controllerClass;
    const old = ingress.metadata.annotations?.[OLD_CLASS];
    return old === undefined ? watchWithoutClass : old === ingressClass;
  };

  *#own(): Generator<Ingress> {
    for (const ingress of this.#ingresses.store.values()) if (this.#isOurs(ingress)) yield ingress;
  }

  get servers(): ReadonlyMap<string, Server> {
    return (this.#servers ??= planServers(this.#own()));
  }

  /** TLS: the certificate of the host that the client names, or one that nobody trusts. */
  #greet(call: Call): void {
    const hello = helloOf(call.request);
    if (!hello && (call.request as Request | undefined)?.scheme !== 'https') {
      call.answer(page(400));
      return;
    }
    if (!hello) return this.#take(call, true);
    this.#doorFor(this.#certificateOf(hello.name)).take(call, inner => this.#take(inner, true));
  }

  #certificateOf(host: string): Certificate {
    const secret = this.#secrets.get(serverFor(this.servers, host)?.secret ?? '');
    const text = (name: string) => Buffer.from(secret?.data?.[name] ?? '', 'base64').toString('utf8');
    const pair = secret && readKeyPair(text('tls.crt'), text('tls.key'));
    if (pair && 'certificate' in pair) return pair.certificate;
    return selfSigned('Kubernetes Ingress Controller Fake Certificate', 'ingress'.padEnd(40, '0'), 0);
  }

  #doorFor(certificate: Certificate): TlsDoor {
    const known = this.#doors.get(certificate.serial);
    if (known) return known;
    const {daemon} = this.#options;
    const door = new TlsDoor(
      {certificate, clientAuthorities: undefined, required: false},
      () => daemon.wall(),
      () => undefined,
    );
    this.#doors.set(certificate.serial, door);
    return door;
  }

  #take(call: Call, tls: boolean): void {
    const request = call.request as Request | undefined;
    if (typeof request?.path !== 'string') {
      call.end('closed');
      return;
    }
    const host = (request.headers?.['host'] ?? '').replace(/:\d+$/, '').toLowerCase();
    const server = serverFor(this.servers, host);
    const route = server && findRoute(server, request.path);
    if (!route) return this.#log(call, request, page(404));
    const to = redirectOf(route, request, host, tls);
    if (to) return this.#log(call, request, to);
    const {namespace, backend} = route;
    const name = backend.service?.name ?? '';
    const slices = [...this.#slices.store.values()].filter(
      ({metadata}) => metadata.namespace === namespace && metadata.labels?.[SERVICE_NAME_LABEL] === name,
    );
    const endpoints = endpointsOf(backend, this.#services.get(`${namespace}/${name}`), slices);
    const target = endpoints[this.#turn++ % Math.max(1, endpoints.length)];
    if (!target) return this.#log(call, request, page(503));
    const sent = forwarded(request, rewritten(route, request.path), call.from, tls);
    passOn(this.#options.daemon, {call, request: sent, to: target}, answer => this.#log(call, request, answer));
  }

  #log(call: Call, {method, path, headers = {}}: Request, answer: Answer): void {
    const {daemon} = this.#options;
    const at = new Date(daemon.wall())
      .toUTCString()
      .slice(5, 25)
      .replaceAll(' ', '/')
      .replace(/\/(?=\d\d:)/, ':');
    const size = typeof answer.body === 'string' ? answer.body.length : 0;
    daemon.print(
      `${call.from} - - [${at} +0000] "${method} ${path} HTTP/1.1" ${answer.status} ${size} "-" "${headers['user-agent'] ?? '-'}"`,
    );
    call.answer(answer);
  }

  #listenForReviews(): void {
    const {daemon, files} = this.#options;
    const {webhook} = this.#flags;
    if (!webhook) return;
    const [certificate = '', key = ''] = [webhook.certificate, webhook.key].map(path => files().read(path));
    const pair = readKeyPair(certificate, key);
    if ('error' in pair) {
      daemon.print(`E main.go:130] "Error loading the webhook certificate" err=${JSON.stringify(pair.error)}`);
      return;
    }
    const door = this.#doorFor(pair.certificate);
    daemon.listen(webhook.port, call =>
      door.take(call, inner => inner.answer(review(inner.request as Request, this.#own(), this.#isOurs))),
    );
  }

  /** Writes where the controller can be reached into each Ingress that says something else. */
  *#writeStatus(): Task {
    const {client} = this.#options;
    const addresses = yield* this.#addresses();
    const wanted = addresses.map(each => (/^[\d.]+$/.test(each) ? {ip: each} : {hostname: each}));
    for (const ingress of this.#own()) {
      const known = ingress.status?.loadBalancer?.ingress ?? [];
      const text = (list: readonly unknown[]) => JSON.stringify(list);
      if (text(known.map(({ip, hostname}) => (ip ? {ip} : {hostname}))) === text(wanted)) continue;
      const loadBalancer = wanted.length > 0 ? {ingress: wanted} : {};
      yield* client.ask(update(networking('ingresses'), {...ingress, status: {loadBalancer}}, 'status'));
    }
  }

  /** Those of the Service that it is told to publish; else of the machine that it runs on. */
  *#addresses(): Task<readonly string[]> {
    const {client, pod, node} = this.#options;
    const {publishService} = this.#flags;
    if (publishService !== undefined) {
      const service = this.#services.get(publishService);
      const {type, clusterIP, externalIPs = []} = service?.spec ?? {};
      if (type !== 'LoadBalancer') return clusterIP ? [clusterIP, ...externalIPs].slice(externalIPs.length > 0 ? 1 : 0) : [];
      return (service?.status?.loadBalancer?.ingress ?? [])
        .map(({ip, hostname}) => ip ?? hostname ?? '')
        .filter(each => each !== '');
    }
    const own = yield* client.ask<Pod>(get(builtin('pods'), pod));
    const found = yield* client.ask<Node>(get(builtin('nodes'), {name: own.ok ? (own.value.spec.nodeName ?? node) : node}));
    const addresses = found.ok ? (found.value.status?.addresses ?? []) : [];
    const of = (type: string) => addresses.find(each => each.type === type)?.address;
    const address = of('ExternalIP') ?? of('InternalIP');
    return address === undefined ? [] : [address];
  }
}

function classOf({spec, metadata}: Ingress): string | undefined {
  return spec.ingressClassName ?? metadata.annotations?.[OLD_CLASS];
}

function redirectOf(route: Route, {path}: Request, host: string, tls: boolean): Answer | undefined {
  if (route.redirect) return page(route.redirect.status, {location: route.redirect.to});
  if (route.wantsTls && !tls) return page(308, {location: `https://${host}${path}`});
  if (route.appRoot !== undefined && path === '/')
    return page(302, {location: `${tls ? 'https' : 'http'}://${host}${route.appRoot}`});
  return undefined;
}
