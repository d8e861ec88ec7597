// Leader election: of several candidates the one that holds a Lease works. It renews every two seconds; when it could not for
// ten it stops; the others take the lease over when they have seen it unchanged for fifteen. Each judges by its own clock since
// its own last look, so clocks need not agree.
import type {Lease} from '../api/kinds/coordination-v1.ts';
import {builtin} from '../api/meta/resources.ts';
import {sleep, type Task} from '../sim/task.ts';
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
export function* electLeader(options: ElectionOptions): Task {
  const {daemon} = options.client;
  const observed: Observed = {lease: undefined, at: -Infinity};
  const jitter = daemon.dice.of(`election ${options.name}`);
  const lock = `lock="${NAMESPACE}/${options.name}"`;
  daemon.print(`I leaderelection.go:258] "Attempting to acquire leader lease..." ${lock}`);
  while (!(yield* tryLease(options, observed))) yield* sleep(RETRY_MS * (1 + 1.2 * jitter.fraction()));
  daemon.print(`I leaderelection.go:272] "Successfully acquired lease" ${lock}`);
  announce(options, observed);
  options.onStarted();
  let renewed = daemon.clock.now;
  while (daemon.clock.now - renewed < RENEW_DEADLINE_MS) {
    yield* sleep(RETRY_MS);
    const asked = daemon.clock.now;
    if (yield* tryLease(options, observed)) renewed = asked;
  }
  daemon.print(`I leaderelection.go:299] "Failed to renew lease" ${lock} err="context deadline exceeded"`);
  options.onStopped();
}

/** One try to get or keep the lease. */
function* tryLease(options: ElectionOptions, observed: Observed): Task<boolean> {
  const {client, identity, name} = options;
  const {clock} = client.daemon;
  const now = microTime(client.daemon.wall());
  const found = yield* client.ask<Lease>(get(leases, {namespace: NAMESPACE, name}));
  if (failedAs(found, 'NotFound')) {
    const spec = {
      holderIdentity: identity,
      leaseDurationSeconds: LEASE_SECONDS,
      acquireTime: now,
      renewTime: now,
      leaseTransitions: 0,
    };
    const made = yield* client.ask<Lease>(
      create(leases, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: {name, namespace: NAMESPACE},
        spec,
      } as const),
    );
    if (made.ok) Object.assign(observed, {lease: made.value, at: clock.now});
    return made.ok;
  }
  if (!found.ok) return false;
  const lease = found.value;
  if (observed.lease?.metadata.resourceVersion !== lease.metadata.resourceVersion)
    Object.assign(observed, {lease, at: clock.now});
  const mine = lease.spec.holderIdentity === identity;
  const lasts = (lease.spec.leaseDurationSeconds ?? LEASE_SECONDS) * 1000;
  if (!mine && lease.spec.holderIdentity && observed.at + lasts > clock.now) return false;
  const spec = {
    ...lease.spec,
    holderIdentity: identity,
    leaseDurationSeconds: LEASE_SECONDS,
    renewTime: now,
    ...(mine ? {} : {acquireTime: now, leaseTransitions: (lease.spec.leaseTransitions ?? 0) + 1}),
  };
  const kept = yield* client.ask<Lease>(update(leases, {...lease, spec}));
  if (kept.ok) Object.assign(observed, {lease: kept.value, at: clock.now});
  return kept.ok;
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
