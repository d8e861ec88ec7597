// What can be typed on a machine of the cluster: the programs of any Unix, kubectl, and the tools of a node.
import {kubectl} from '../kubectl/main.ts';
import type {Program} from '../sim/process/machine.ts';
import type {Cluster} from './cluster.ts';
import type {Host} from './host.ts';
import {etcdctl} from '../tools/etcdctl/main.ts';
import {UNIX} from './programs.ts';

/** The same on every machine of every cluster. */
const SHARED: ReadonlyMap<string, Program> = new Map<string, Program>([...UNIX, ['kubectl', kubectl], ['etcdctl', etcdctl]]);

/** Puts the programs on a machine. */
export function equipNode(host: Host, _cluster: Cluster): void {
  host.sharedPrograms = SHARED;
}
