// The API server: the only one who talks to etcd, and the only one to whom everybody else talks.
//
// It models authentication by client certificate and service account token, RBAC and the node authorizer, all built-in resources
// with their subresources, custom resources by their definitions, strict decoding, defaults, owners of fields and server-side apply,
// admission with webhooks and policies, validation, optimistic concurrency, watches from a cache, OpenAPI, and aggregation of
// further API servers. Each request is a task on the machine's clock; what it costs in time is the way to etcd and back. Frozen
// objects go in and out as they are.
//
// Of priority and fairness it has the objects and the headers, but no request ever waits for another.
import {GeneratedNames} from './registry/generated-names.ts';
import type {Answer, HttpCall, Request} from '../../api/wire/http.ts';
import {refuseServer, type TlsFailure} from '../../api/wire/tls.ts';
import type {ObjectMeta} from '../../api/kinds/meta.ts';
import {deepFreeze, type AnyObject} from '../../api/meta/object.ts';
import {RESOURCES} from '../../api/meta/resources.ts';
import type {Call} from '../../sim/network.ts';
import type {Task} from '../../sim/task.ts';
import {AdmissionPolicies} from './admission/policies/policies.ts';
import {Webhooks} from './admission/webhooks/hooks.ts';
import {Audit} from './audit/audit.ts';
import {Aggregator} from './aggregator.ts';
import {Tokens} from './auth/tokens.ts';
import {Bookmarks} from './cache/bookmarks.ts';
import {Feed} from './cache/feed.ts';
import type {Core} from './core.ts';
import {Flows} from './flow/flows.ts';
import {Counts} from './http/counts.ts';
import {Definitions} from './crd/definitions.ts';
import {serveRequest} from './line.ts';
import {authorizer} from './rbac/authorizer.ts';
import {nodeAuthorizer} from './rbac/node-authorizer.ts';
import {RbacIndex} from './rbac/index.ts';
import {createObject} from './registry/create.ts';
import {ownWrite} from './registry/own-write.ts';
import {ServedResources} from './registry/served.ts';
import {settingsOf, type ApiServerOptions} from './settings.ts';
import {boot} from './start/boot.ts';
import {IdentityLease} from './start/identity-lease.ts';
import {leaveEndpoints} from './start/server-keys.ts';
import {EtcdConnection} from './store/connection.ts';
import {EventLeases} from './store/event-leases.ts';
import {Addresses} from './strategy/addresses.ts';
import {STRATEGIES} from './strategy/index.ts';

/** A running API server. */
export interface ApiServer {
  /** Answers a request without the network, as if it had just arrived. Watches need a connection. */
  ask(request: Request): Task<Answer>;
  /** Calls `ready` once the server has read etcd and listens. */
  onReady(ready: () => void): void;
  /** How far its caches are: a revision of etcd. */
  readonly revision: number;
}

/** Starts an API server. */
export function startApiServer(options: ApiServerOptions): ApiServer {
  const core = build(options);
  const {daemon, feed, settings} = core;
  let waiting: (() => void)[] | undefined = [];
  let ending = false;
  const listen = (): boolean => {
    const {port, bindAddress} = settings;
    const take = (call: Call): void => (ending ? call.end('refused') : answerCall(core, call as unknown as HttpCall));
    if (!daemon.listen(port, take, bindAddress === '0.0.0.0' ? undefined : bindAddress)) {
      const at = `${bindAddress}:${port}`;
      const why = `failed to create listener: failed to listen on ${at}: listen tcp ${at}: bind: address already in use`;
      daemon.print(`E run.go:72] "command failed" err=${JSON.stringify(why)}`);
      daemon.exit(1);
      return false;
    }
    daemon.print(`I secure_serving.go:211] Serving securely on ${shownAddress(core)}`);
    return true;
  };
  daemon.onTerminate = () => {
    if (ending) return;
    ending = true;
    end(core, waiting === undefined);
  };
  daemon.scope.run(boot(core, listen), serves => {
    if (!serves) return;
    const ready = waiting;
    waiting = undefined;
    for (const call of ready ?? []) call();
  });
  return {
    ask: function* (request) {
      return (yield* serveRequest(core, request, undefined)) ?? {status: 500};
    },
    onReady: ready => {
      if (waiting) waiting.push(ready);
      else ready();
    },
    get revision() {
      return feed.revision;
    },
  };
}

/** How long an end in order may take. */
const END_WITHIN_MS = 10_000;

/** Ends in order: what tells of this server is taken away first. Open watches are not waited for. */
function end(core: Core, served: boolean): void {
  const {daemon, identity} = core;
  const over = () => {
    daemon.print(`I secure_serving.go:259] Stopped listening on ${shownAddress(core)}`);
    daemon.exit(0);
  };
  if (!served) return over();
  daemon.scope.after(END_WITHIN_MS, over);
  daemon.scope.run(leave(core, identity), over);
}

/** Its address, as a listener of Go shows it. */
function shownAddress({settings: {bindAddress, port}}: Core): string {
  return `${bindAddress === '0.0.0.0' ? '[::]' : bindAddress}:${port}`;
}

function* leave(core: Core, identity: IdentityLease): Task {
  yield* identity.release();
  yield* leaveEndpoints(core);
}

/** What Go's server says to who speaks no TLS. */
const PLAIN_HTTP = Object.freeze({status: 400, body: 'Client sent an HTTP request to an HTTPS server.\n'});

function answerCall(core: Core, call: HttpCall): void {
  const {served} = core.settings;
  const {hello, scheme} = call.request;
  if (scheme === 'http') {
    call.answer(PLAIN_HTTP);
    return;
  }
  const refused = hello && served && refuseServer(hello, served);
  if (refused) {
    core.daemon.print(`I log.go:245] http: TLS handshake error from ${call.from}: ${refused.server}`);
    call.answer({status: 0, body: {tlsFailure: refused.client} satisfies TlsFailure});
    return;
  }
  core.daemon.scope.run(serveRequest(core, call.request, call), answer => {
    if (answer) call.answer(answer);
  });
}

function build(options: ApiServerOptions): Core {
  const {daemon} = options;
  const settings = settingsOf(options);
  const etcd = new EtcdConnection(daemon, options.etcd, options.greetEtcd);
  const resources = new ServedResources(STRATEGIES);
  const feed = new Feed(daemon, etcd, {
    known: resources.caches,
    open: (prefix, namespaced, since) => resources.cacheAt(prefix, namespaced, since),
  });
  const cacheOf = (resource: string, group = '') => resources.of(resource, group).cache;
  const group = 'rbac.authorization.k8s.io';
  const networking = 'networking.k8s.io';
  const rbac = new RbacIndex({
    roles: cacheOf('roles', group),
    clusterRoles: cacheOf('clusterroles', group),
    roleBindings: cacheOf('rolebindings', group),
    clusterRoleBindings: cacheOf('clusterrolebindings', group),
  });
  const identity = new IdentityLease(() => core);
  const core: Core = {
    daemon,
    settings,
    audit: options.audit && new Audit(daemon, options.audit),
    etcd,
    feed,
    resources,
    rbac,
    bookmarks: new Bookmarks(daemon.scope, () => feed.revision),
    tokens: new Tokens(settings.tokenSeed, (resource, key) => cacheOf(resource).get(key)),
    addresses: new Addresses(
      {services: cacheOf('services'), addresses: cacheOf('ipaddresses', networking), ranges: cacheOf('servicecidrs', networking)},
      daemon.dice.of('addresses'),
      settings.nodePortRange,
    ),
    eventLeases: new EventLeases(daemon.clock, etcd, settings.eventTtlSeconds),
    aggregator: new Aggregator(() => core),
    names: new GeneratedNames(daemon.dice.of('names')),
    webhooks: new Webhooks(daemon.dice.of('webhooks')),
    identity,
    policies: new AdmissionPolicies(),
    builtin: RESOURCES,
    definitions: new Definitions(resources, () => core),
    counts: new Counts(),
    flows: new Flows(resources, () => core),
    startedAt: daemon.wall(),
    createNamespace: name => createObject(ownWrite(core, resources.of('namespaces')), namespaceObject(name)),
    authorize: authorizer(settings.authorizationModes, {rbac, node: nodeAuthorizer({rbac, cacheOf})}),
  };
  return core;
}

function namespaceObject(name: string): AnyObject {
  return deepFreeze({apiVersion: 'v1', kind: 'Namespace', metadata: {name} as ObjectMeta});
}
