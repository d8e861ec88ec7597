// How machines and pods reach others. (Cluster names, Services and packet rules come with the network room.)
import type {Dial} from '../sim/daemon.ts';
import type {Host, Physics} from './host.ts';
import {registryAddress} from './images.ts';

/** For a machine: how one at each of its addresses dials. */
export function nodeDials(physics: Physics): (host: Host) => (address: string) => Dial {
  return host => address => (to, port, request, receiver) => {
    const known = registryAddress(to) ?? to;
    if (known.startsWith('/')) return host.dialAddress(known, port, {request, receiver});
    return physics.network.call(address, known, port, request, receiver);
  };
}
