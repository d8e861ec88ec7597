// Leader election: of several candidates the one that holds a Lease works. It renews every two seconds; when it could not for
// ten it stops; the others take the lease over when they have seen it unchanged for fifteen. Each judges by its own clock since
// its own last look, so clocks need not agree.
import type {Lease} from '../api/kinds/coordination-v1.ts';
import {builtin} from '../api/meta/resources.ts';
import type {Timer} from '../sim/clock.ts';
import {sleep, wait, type Task} from '../sim/task.ts';
import {failedAs, type Client} from './client.ts';
import {EventRecorder} from './events.ts';
import {create, get, update} from './verbs.ts';

export interface ElectionOptions {
  readonly client: Client;
  /** The lease's name; it lies in kube-system. */
  readonly name: string;
  /** Who this candidate is, different from all others: `cp-1_` and a uuid. */
  readonly identity: string;
  readonly onStarted: () => void;
  /** The lease is lost. Kubernetes' own components end their process here. */
  readonly onStopped: () => void;
}

const LEASE_SECONDS = 15;
const RENEW_DEADLINE_MS = 10_000;
const RETRY_MS = 2000;
const NAMESPACE = 'kube-system';
const leases = builtin('coordination.k8s.io', 'leases');

interface Observed {
  lease: Lease | undefined;
  at: number;
}

/** Runs for leader, leads until the lease is lost, then returns. */
export function* electLeader(given: ElectionOptions): Task {
  const options = {...given, client: given.client.withTimeout(RENEW_DEADLINE_MS / 2)};
  const {daemon} = options.client;
  const observed: Observed = {lease: undefined, at: -Infinity};
  const jitter = daemon.dice.of(`election ${options.name}`);
  daemon.print(`I leaderelection.go:258] "Attempting to acquire leader lease..." ${lockOf(options)}`);
  while (!(yield* tryLease(options, observed))) yield* sleep(RETRY_MS * (1 + 1.2 * jitter.fraction()));
  daemon.print(`I leaderelection.go:272] "Successfully acquired lease" ${lockOf(options)}`);
  announce(options, observed);
  options.onStarted();
  yield* keepLease(options, observed);
  daemon.print(`I leaderelection.go:299] "Failed to renew lease" ${lockOf(options)} err="context deadline exceeded"`);
  options.onStopped();
}

/** Renews until that has failed for too long; a request that hangs is not waited for. */
function* keepLease(options: ElectionOptions, observed: Observed): Task {
  yield* wait<void>((over, scope) => {
    const {clock} = scope;
    let lost = false;
    const lose = (): void => {
      lost = true;
      over();
    };
    let deadline: Timer = scope.after(RENEW_DEADLINE_MS, lose);
    scope.run(
      (function* (): Task {
        while (!lost) {
          yield* sleep(RETRY_MS);
          if (!(yield* tryLease(options, observed))) continue;
          clock.cancel(deadline);
          deadline = scope.after(RENEW_DEADLINE_MS, lose);
        }
      })(),
    );
  });
}

function lockOf({name}: ElectionOptions): string {
  return `lock="${NAMESPACE}/${name}"`;
}

/** One try to get or keep the lease. Who has it, as far as he knows, renews it without another look. */
function* tryLease(options: ElectionOptions, observed: Observed): Task<boolean> {
  const {client, identity, name} = options;
  const {daemon} = client;
  const say = (line: string, why: string) =>
    daemon.print(`E leaderelection.go:${line} err=${JSON.stringify(why)} ${lockOf(options)}`);
  const known = observed.lease;
  if (known?.spec.holderIdentity === identity && observed.at + lasting(known) > daemon.clock.now) {
    const kept = yield* client.ask<Lease>(update(leases, {...known, spec: {...known.spec, renewTime: microTime(daemon.wall())}}));
    if (kept.ok) return see(observed, kept.value, daemon.clock.now);
    say('445] "Failed to update lease optimistically, falling back to slow path"', kept.status.message ?? '');
  }
  const found = yield* client.ask<Lease>(get(leases, {namespace: NAMESPACE, name}));
  if (failedAs(found, 'NotFound')) {
    const made = yield* client.ask<Lease>(create(leases, newLease(options)));
    if (made.ok) return see(observed, made.value, daemon.clock.now);
    say('458] "Error initially creating lease lock"', made.status.message ?? '');
    return false;
  }
  if (!found.ok) {
    say('452] "Error retrieving lease lock"', found.status.message ?? '');
    return false;
  }
  const lease = found.value;
  if (observed.lease?.metadata.resourceVersion !== lease.metadata.resourceVersion) see(observed, lease, daemon.clock.now);
  const mine = lease.spec.holderIdentity === identity;
  if (!mine && lease.spec.holderIdentity && observed.at + lasting(lease) > daemon.clock.now) return false;
  const kept = yield* client.ask<Lease>(update(leases, taken(options, lease, mine)));
  if (kept.ok) return see(observed, kept.value, daemon.clock.now);
  say('488] "Failed to update lease"', kept.status.message ?? '');
  return false;
}

function see(observed: Observed, lease: Lease, at: number): true {
  Object.assign(observed, {lease, at});
  return true;
}

function lasting({spec}: Lease): number {
  return (spec.leaseDurationSeconds ?? LEASE_SECONDS) * 1000;
}

function newLease({client, name, identity}: ElectionOptions) {
  const now = microTime(client.daemon.wall());
  const spec = {
    holderIdentity: identity,
    leaseDurationSeconds: LEASE_SECONDS,
    acquireTime: now,
    renewTime: now,
    leaseTransitions: 0,
  };
  return {apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: {name, namespace: NAMESPACE}, spec} as const;
}

/** The lease as its holder, old or new, writes it. */
function taken({client, identity}: ElectionOptions, lease: Lease, mine: boolean): Lease {
  const now = microTime(client.daemon.wall());
  const spec = {
    ...lease.spec,
    holderIdentity: identity,
    leaseDurationSeconds: LEASE_SECONDS,
    renewTime: now,
    ...(mine ? {} : {acquireTime: now, leaseTransitions: (lease.spec.leaseTransitions ?? 0) + 1}),
  };
  return {...lease, spec};
}

function announce({client, name, identity}: ElectionOptions, observed: Observed): void {
  if (!observed.lease) return;
  const recorder = new EventRecorder({client, component: client.userAgent.split('/')[0] ?? name});
  recorder.record(observed.lease, {type: 'Normal', reason: 'LeaderElection', message: `${identity} became leader`});
}

/** RFC 3339 with microseconds. */
function microTime(ms: number): string {
  const micro = Math.floor(ms * 1000);
  return `${new Date(Math.floor(micro / 1000)).toISOString().slice(0, -1)}${String(micro % 1000).padStart(3, '0')}Z`;
}
