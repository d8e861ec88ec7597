// The Service `kubernetes` leads to all API servers: each puts its own address into the endpoints when it starts.
//
// Not modelled: the leases by which real servers find out that one of them is gone and take its address away again.
import type {Endpoints} from '../../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../../api/kinds/discovery-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {compareStrings} from '../../../api/meta/go-text.ts';
import type {Task} from '../../../sim/task.ts';
import type {Core} from '../core.ts';
import {Refused} from '../http/refused.ts';
import {ownWrite} from '../registry/own-write.ts';
import {updateObject} from '../registry/update-internal.ts';
import type {Served} from '../registry/served.ts';

const PLACE = {namespace: 'default', name: 'kubernetes'};

/** Adds this server's address where it is missing. */
export function* joinEndpoints(core: Core): Task {
  const address = core.settings.advertiseAddress;
  yield* change(core, core.resources.of('endpoints'), object => withAddress(object, address));
  yield* change(core, core.resources.of('endpointslices', 'discovery.k8s.io'), object => withEndpoint(object, address));
}

function withAddress(object: AnyObject, address: string): AnyObject {
  const {subsets = []} = object as unknown as Endpoints;
  const [first] = subsets;
  const addresses = first?.addresses ?? [];
  if (!first || addresses.some(each => each.ip === address)) return object;
  const all = [...addresses, {ip: address}].sort((a, b) => compareStrings(a.ip, b.ip));
  return {...object, subsets: [{...first, addresses: all}, ...subsets.slice(1)]};
}

function withEndpoint(object: AnyObject, address: string): AnyObject {
  const {endpoints, metadata} = object as unknown as EndpointSlice;
  if (endpoints.some(each => each.addresses.includes(address))) return object;
  const all = [...endpoints, {addresses: [address], conditions: {ready: true}}];
  return {...object, metadata: {...metadata, generation: (metadata.generation ?? 0) + 1}, endpoints: all};
}

function* change(core: Core, served: Served, how: (object: AnyObject) => AnyObject): Task {
  const updated = yield* updateObject(ownWrite(core, served), {...PLACE, change: how});
  if (updated instanceof Refused)
    core.daemon.print(`E "endpoints of the kubernetes Service" err=${JSON.stringify(updated.status.message)}`);
}
