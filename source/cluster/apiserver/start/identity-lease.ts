// A Lease in kube-system tells of each API server that runs: renewed every ten seconds, good for an hour, taken away by a server
// that ends in order. Of a server that ended otherwise the others take the lease away, once its hour is over: they look every hour.
import type {Lease} from '../../../api/kinds/coordination-v1.ts';
import type {ObjectMeta} from '../../../api/kinds/meta.ts';
import {deepFreeze, type AnyObject} from '../../../api/meta/object.ts';
import {digestOf} from '../../../api/pki/certificate.ts';
import type {Task} from '../../../sim/task.ts';
import type {Core} from '../core.ts';
import {Refused} from '../http/refused.ts';
import {ownWrite} from '../registry/own-write.ts';
import {updateObject} from '../registry/update-internal.ts';
import {cacheKey, keyFor} from '../registry/served.ts';

const NAMESPACE = 'kube-system';
const EVERY_MS = 10_000;
const COLLECT_MS = 3_600_000;
const DURATION_SECONDS = 3600;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const NAME_LENGTH = 26;

/** The lease of one server. */
export class IdentityLease {
  readonly #find: () => Core;
  #known: string | undefined;

  constructor(core: () => Core) {
    this.#find = core;
  }

  get #core(): Core {
    return this.#find();
  }

  get #holder(): string {
    const {host, dice} = this.#core.daemon;
    return (this.#known ??= `${host}_${dice.of('identity').uuid()}`);
  }

  /** The same at every start of a server of this machine. */
  get name(): string {
    const digits = BigInt(`0x${digestOf(`kube-apiserver ${this.#core.daemon.host}`, 40)}`);
    let text = '';
    for (let i = 0, rest = digits; i < NAME_LENGTH; i++, rest /= 32n) text += LETTERS[Number(rest % 32n)] ?? '';
    return `apiserver-${text}`;
  }

  /** Takes the lease, and keeps it. */
  keep(): void {
    const {scope} = this.#core.daemon;
    let busy = false;
    const renew = () => {
      if (busy) return;
      busy = true;
      scope.run(this.#renew(), () => (busy = false));
    };
    renew();
    scope.every(EVERY_MS, renew);
    scope.every(COLLECT_MS, () => scope.run(this.#collect()));
  }

  /** Takes away the leases of servers that have not been heard for so long. */
  *#collect(): Task {
    const {daemon, etcd, resources} = this.#core;
    const served = resources.of('leases', 'coordination.k8s.io');
    for (const object of served.cache.objects(NAMESPACE)) {
      const {metadata, spec} = object as unknown as Lease;
      const {renewTime, leaseDurationSeconds = 0} = spec;
      if (metadata.labels?.['apiserver.kubernetes.io/identity'] !== 'kube-apiserver' || renewTime === undefined) continue;
      if (Date.parse(renewTime) + leaseDurationSeconds * 1000 > daemon.wall()) continue;
      const key = keyFor(served, NAMESPACE, metadata.name);
      const revision = Number(metadata.resourceVersion);
      const compare = [{key, target: 'mod', is: '=', value: revision}] as const;
      yield* etcd.transact({kind: 'txn', compare, success: [{kind: 'delete', key}], failure: []});
    }
  }

  *#renew(): Task {
    const core = this.#core;
    const served = core.resources.of('leases', 'coordination.k8s.io');
    const known = served.cache.get(cacheKey(served, NAMESPACE, this.name));
    if (!known) return yield* this.#create();
    const change = (object: AnyObject): AnyObject => {
      const {spec} = object as unknown as Lease;
      return {...object, spec: {...spec, holderIdentity: this.#holder, renewTime: this.#now}} as AnyObject;
    };
    const done = yield* updateObject(ownWrite(core, served), {namespace: NAMESPACE, name: this.name, change});
    if (!(done instanceof Refused)) return;
    core.daemon.print(`E controller.go:251] "Failed to update lease" err=${JSON.stringify(done.status.message)}`);
  }

  *#create(): Task {
    const {daemon, etcd, resources} = this.#core;
    const labels = {'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': daemon.host};
    const metadata = {
      name: this.name,
      namespace: NAMESPACE,
      uid: daemon.dice.of('identity lease').uuid(),
      creationTimestamp: daemon.now(),
      labels,
    } as object as ObjectMeta;
    const spec = {holderIdentity: this.#holder, leaseDurationSeconds: DURATION_SECONDS, renewTime: this.#now};
    const value = deepFreeze({apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec});
    const key = keyFor(resources.of('leases', 'coordination.k8s.io'), NAMESPACE, this.name);
    yield* etcd.transact({
      kind: 'txn',
      compare: [{key, target: 'mod', is: '=', value: 0}],
      success: [{kind: 'put', key, value}],
      failure: [],
    });
  }

  /** Gives it back. */
  *release(): Task {
    const {daemon, etcd, resources} = this.#core;
    daemon.print(`I controller.go:136] "Cleaning up lease on exit" lease="${NAMESPACE}/${this.name}"`);
    const key = keyFor(resources.of('leases', 'coordination.k8s.io'), NAMESPACE, this.name);
    yield* etcd.transact({kind: 'txn', compare: [], success: [{kind: 'delete', key}], failure: []});
  }

  get #now(): string {
    const {daemon} = this.#core;
    return `${daemon.now().slice(0, 19)}.${String(Math.floor((daemon.wall() % 1000) * 1000)).padStart(6, '0')}Z`;
  }
}
