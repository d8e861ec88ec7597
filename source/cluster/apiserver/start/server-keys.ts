// The Service `kubernetes` leads to all API servers that live. Each server keeps a key of its own in etcd on a lease of fifteen
// seconds, takes it anew every ten, and makes the endpoints equal to the keys that it finds: so the address of a server that died
// goes when its lease ends, by the hand of another server. A server that ends in order takes its key and its address along.
import type {Endpoints} from '../../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../../api/kinds/discovery-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {compareStrings} from '../../../api/meta/go-text.ts';
import {endOfPrefix, type LeaseAnswer} from '../../../api/wire/etcd.ts';
import type {Task} from '../../../sim/task.ts';
import type {Core} from '../core.ts';
import {Refused} from '../http/refused.ts';
import {ownWrite} from '../registry/own-write.ts';
import {updateObject} from '../registry/update-internal.ts';
import type {Served} from '../registry/served.ts';
import {EtcdFailure} from '../store/connection.ts';

const PLACE = {namespace: 'default', name: 'kubernetes'};
const KEYS = '/registry/masterleases/';
const TTL_SECONDS = 15;
const EVERY_MS = 10_000;

/** Puts this server's key and address in place. */
export function* joinEndpoints(core: Core): Task {
  const {advertiseAddress} = core.settings;
  const granted = yield* core.etcd.ask<LeaseAnswer>({kind: 'lease-grant', ttlSeconds: TTL_SECONDS});
  if (granted instanceof EtcdFailure) return;
  const value = Object.freeze({
    kind: 'Endpoints',
    apiVersion: 'v1',
    metadata: {},
    subsets: [{addresses: [{ip: advertiseAddress}]}],
  });
  const put = {kind: 'put', key: KEYS + advertiseAddress, value, lease: granted.id} as const;
  const written = yield* core.etcd.transact({kind: 'txn', compare: [], success: [put], failure: []});
  if (!(written instanceof EtcdFailure)) yield* settle(core);
}

/** Does that again and again. */
export function keepEndpoints(core: Core): void {
  let busy = false;
  core.daemon.scope.every(EVERY_MS, () => {
    if (busy) return;
    busy = true;
    core.daemon.scope.run(joinEndpoints(core), () => (busy = false));
  });
}

/** Takes the key and the address away. */
export function* leaveEndpoints(core: Core): Task {
  const gone = {kind: 'delete', key: KEYS + core.settings.advertiseAddress} as const;
  const written = yield* core.etcd.transact({kind: 'txn', compare: [], success: [gone], failure: []});
  if (!(written instanceof EtcdFailure)) yield* settle(core);
}

/** Makes the endpoints say what the keys say. */
function* settle(core: Core): Task {
  const found = yield* core.etcd.range({kind: 'range', key: KEYS, end: endOfPrefix(KEYS), keysOnly: true});
  if (found instanceof EtcdFailure) return;
  const addresses = found.kvs.map(({key}) => key.slice(KEYS.length)).sort(compareStrings);
  yield* change(core, core.resources.of('endpoints'), object => {
    const next = withAddresses(object, addresses);
    if (next !== object) {
      const words = `Resetting endpoints for master service "kubernetes" to [${addresses.join(' ')}]`;
      core.daemon.print(`W lease.go:265] ${words}`);
    }
    return next;
  });
  yield* change(core, core.resources.of('endpointslices', 'discovery.k8s.io'), object => withEndpoints(object, addresses));
}

function isSame(have: readonly string[], want: readonly string[]): boolean {
  return have.length === want.length && want.every(address => have.includes(address));
}

function withAddresses(object: AnyObject, addresses: readonly string[]): AnyObject {
  const {subsets = []} = object as unknown as Endpoints;
  const have = subsets.flatMap(subset => (subset.addresses ?? []).map(({ip}) => ip));
  if (isSame(have, addresses)) return object;
  const ports = subsets[0]?.ports ?? [{name: 'https', port: 6443, protocol: 'TCP'}];
  return {...object, subsets: addresses.length === 0 ? [] : [{addresses: addresses.map(ip => ({ip})), ports}]};
}

function withEndpoints(object: AnyObject, addresses: readonly string[]): AnyObject {
  const {endpoints, metadata} = object as unknown as EndpointSlice;
  const have = endpoints.flatMap(each => each.addresses);
  if (isSame(have, addresses)) return object;
  const all = addresses.map(address => ({addresses: [address], conditions: {ready: true}}));
  return {...object, metadata: {...metadata, generation: (metadata.generation ?? 0) + 1}, endpoints: all};
}

function* change(core: Core, served: Served, how: (object: AnyObject) => AnyObject): Task {
  const updated = yield* updateObject(ownWrite(core, served), {...PLACE, change: how});
  if (updated instanceof Refused)
    core.daemon.print(
      `E controller.go:148] "Unable to reconcile the kubernetes service endpoints" err=${JSON.stringify(updated.status.message)}`,
    );
}
