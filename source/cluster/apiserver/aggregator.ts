// Aggregation: an APIService that names a Service hands a whole group to an extension server behind it. The server passes the
// requests of that group on, with the user's name in headers, and says in the APIService whether the extension can be reached.
// It looks when one of the objects concerned changes, and every half minute while there are such APIServices at all.
import type {Service} from '../../api/kinds/core-v1.ts';
import type {APIService} from '../../api/kinds/apiregistration-v1.ts';
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import {withCondition} from '../../api/meta/conditions.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import type {Task} from '../../sim/task.ts';
import type {User} from './auth/user.ts';
import type {Core} from './core.ts';
import type {GroupVersion, PlainResource} from './endpoints/discovery.ts';
import {passOn, type Target} from './http/pass.ts';
import {text} from './http/reply.ts';
import {Refused} from './http/refused.ts';
import type {Stream} from './http/stream.ts';
import {ownWrite, SELF} from './registry/own-write.ts';
import {updateObject} from './registry/update-internal.ts';

const PERIOD_MS = 30_000;
const SETTLE_MS = 200;

interface Health {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Knows the extension servers. */
export class Aggregator {
  readonly #find: () => Core;
  readonly #remote = new Map<string, APIService>();
  readonly #found = new Map<string, readonly PlainResource[]>();
  #due = false;
  #ticking = false;

  constructor(core: () => Core) {
    this.#find = core;
  }

  get #core(): Core {
    return this.#find();
  }

  /** Begins to watch, once the caches are filled. */
  start(): void {
    const {resources} = this.#core;
    resources.of('apiservices', 'apiregistration.k8s.io').cache.on((now, before, key) => {
      if (isRemote(now)) this.#remote.set(key, now as unknown as APIService);
      else this.#remote.delete(key);
      if (isRemote(now) || isRemote(before)) this.#soon();
    });
    resources.of('services').cache.on((_now, _before, key) => {
      if (this.#concerns(key)) this.#soon();
    });
    resources.of('endpointslices', 'discovery.k8s.io').cache.on((now, before) => {
      const slice = (now ?? before) as unknown as EndpointSlice;
      if (
        this.#remote.size > 0 &&
        this.#concerns(`${slice.metadata.namespace}/${slice.metadata.labels?.['kubernetes.io/service-name']}`)
      )
        this.#soon();
    });
  }

  /** The versions that extension servers serve, as far as they could be asked. */
  get versions(): readonly GroupVersion[] {
    return [...this.#remote.values()].flatMap(({metadata, spec}) => {
      const resources = this.#found.get(metadata.name);
      return resources ? [{group: spec?.group ?? '', version: spec?.version ?? '', resources}] : [];
    });
  }

  /** The APIService of a path's group and version. */
  find(group: string, version: string): APIService | undefined {
    return this.#remote.size === 0 ? undefined : this.#remote.get(`${version}.${group}`);
  }

  /** Passes a request on to the extension server of an APIService. */
  *pass(service: APIService, request: Request, from: {user: User; stream: Stream | undefined}): Task<Answer | undefined> {
    if (!isAvailable(service)) return text(503, 'service unavailable\n');
    const passed = yield* passOn(this.#core.daemon, asUser(request, from.user), {
      target: targetOf(this.#core, service),
      stream: from.stream,
    });
    if (passed === undefined) return undefined;
    return 'answer' in passed ? passed.answer : text(503, `error trying to reach service: ${passed.failure}\n`);
  }

  #concerns(key: string): boolean {
    for (const {spec} of this.#remote.values()) if (`${spec?.service?.namespace}/${spec?.service?.name}` === key) return true;
    return false;
  }

  #soon(): void {
    if (this.#due) return;
    this.#due = true;
    const {scope} = this.#core.daemon;
    scope.after(SETTLE_MS, () => {
      this.#due = false;
      scope.run(this.#look());
      this.#tick();
    });
  }

  #tick(): void {
    if (this.#ticking || this.#remote.size === 0) return;
    this.#ticking = true;
    this.#core.daemon.scope.after(PERIOD_MS, () => {
      this.#ticking = false;
      this.#soon();
    });
  }

  *#look(): Task {
    for (const service of this.#remote.values()) {
      const health = yield* this.#check(service);
      yield* this.#report(service.metadata.name, health);
    }
  }

  *#check(service: APIService): Task<Health> {
    const {namespace = '', name = '', port = 443} = service.spec?.service ?? {};
    const {resources, daemon} = this.#core;
    const found = resources.of('services').cache.get(`${namespace}/${name}`) as Service | undefined;
    const bad = (reason: string, message: string): Health => ({status: 'False', reason, message});
    const quoted = `service/${name} in ${JSON.stringify(namespace)}`;
    if (!found) return bad('ServiceNotFound', `${quoted} is not present`);
    const servicePort = found.spec?.ports?.find(each => each.port === port);
    if (!servicePort) return bad('ServicePortError', `${quoted} is not listening on port ${port}`);
    const slices = [...resources.of('endpointslices', 'discovery.k8s.io').cache.objects(namespace)] as unknown as EndpointSlice[];
    const own = slices.filter(slice => slice.metadata.labels?.['kubernetes.io/service-name'] === name);
    if (own.length === 0) return bad('EndpointsNotFound', `cannot find endpointslices for ${quoted}`);
    if (!own.some(slice => slice.endpoints?.some(each => each.conditions?.ready !== false))) {
      return bad(
        'MissingEndpoints',
        `endpoints for ${quoted} have no addresses with port name ${JSON.stringify(servicePort.name ?? '')}`,
      );
    }
    const path = `/apis/${service.spec?.group}/${service.spec?.version}`;
    const passed = yield* passOn(daemon, asUser({method: 'GET', scheme: 'https', path}, SELF), {
      target: targetOf(this.#core, service),
      stream: undefined,
    });
    if (passed && 'answer' in passed && passed.answer.status < 300) {
      const {resources: lines = []} = (passed.answer.body ?? {}) as {readonly resources?: readonly PlainResource[]};
      this.#found.set(service.metadata.name, lines);
      return {status: 'True', reason: 'Passed', message: 'all checks passed'};
    }
    const url = `https://${found.spec?.clusterIP}:${port}${path}`;
    const why =
      passed && 'failure' in passed
        ? `Get ${JSON.stringify(url)}: ${passed.failure}`
        : `bad status from ${url}: ${passed ? passed.answer.status : 0}`;
    return bad('FailedDiscoveryCheck', `failing or missing response from ${url}: ${why}`);
  }

  *#report(name: string, health: Health): Task {
    const {resources, daemon} = this.#core;
    const served = resources.of('apiservices', 'apiregistration.k8s.io');
    const write = ownWrite(this.#core, served);
    const condition = {type: 'Available', ...health, lastTransitionTime: daemon.now()};
    const updated = yield* updateObject(write, {
      name,
      namespace: '',
      change: old => {
        const {status} = old as unknown as APIService;
        const conditions = withCondition(status?.conditions, condition);
        return conditions === status?.conditions ? old : {...old, status: {...status, conditions}};
      },
    });
    if (updated instanceof Refused)
      daemon.print(
        `E "status of APIService could not be written" name=${JSON.stringify(name)} err=${JSON.stringify(updated.status.message)}`,
      );
  }
}

function isRemote(object: AnyObject | undefined): boolean {
  return (object as unknown as APIService | undefined)?.spec?.service !== undefined;
}

function isAvailable(service: APIService): boolean {
  return service.status?.conditions?.some(each => each.type === 'Available' && each.status === 'True') ?? false;
}

/** The cluster address of the Service: a control plane has no use of the cluster's DNS. */
function targetOf({resources}: Core, {spec}: APIService): Target {
  const {namespace = '', name = '', port = 443} = spec?.service ?? {};
  const service = resources.of('services').cache.get(`${namespace}/${name}`) as Service | undefined;
  return {host: service?.spec.clusterIP ?? `${name}.${namespace}.svc`, port};
}

/** The request as the front proxy sends it: whoever asked stands in the headers. */
function asUser(request: Request, user: User): Request {
  const {certificate: _certificate, ...rest} = request;
  const {authorization: _secret, ...headers} = request.headers ?? {};
  const extra = Object.entries(user.extra).map(([name, values]) => [`x-remote-extra-${name}`, values.join(',')] as const);
  return {
    ...rest,
    scheme: 'https',
    headers: {...headers, 'x-remote-user': user.name, 'x-remote-group': user.groups.join(','), ...Object.fromEntries(extra)},
  };
}
