// The cluster's network plugin, simnet: what runs of it on each node, and what it may read.
import {deepFreeze, type AnyObject} from '../api/meta/object.ts';
import {Client} from '../client/client.ts';
import {startPolicyAgent} from '../cluster/network/policy/start.ts';
import type {Authority} from './authority.ts';
import {API_ADDRESS, API_PORT} from './description.ts';
import type {Host} from './host.ts';
import type {SiteNetwork} from './node-network.ts';

const USER = 'system:simnet';
const READS = ['get', 'list', 'watch'];

/** What whoever installs simnet applies. */
export const NETWORK_PLUGIN_OBJECTS: readonly AnyObject[] = deepFreeze([
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {name: USER},
    rules: [
      {apiGroups: [''], resources: ['namespaces', 'pods'], verbs: READS},
      {apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs: READS},
    ],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: {name: USER},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: USER},
    subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: USER}],
  },
]) as unknown as readonly AnyObject[];

export interface PluginPlace {
  readonly host: Host;
  readonly network: SiteNetwork;
  readonly authority: Authority;
  /** Nobody installed the objects: the agent needs other rights. */
  readonly isBare: boolean;
}

/** Starts the agent on a node, as at boot. */
export function startNetworkPlugin({host, network, authority, isBare}: PluginPlace): void {
  const daemon = host.newDaemon('simnet');
  const client = new Client({
    daemon,
    host: API_ADDRESS,
    port: API_PORT,
    credentials: {certificate: authority.issue(USER, isBare ? ['system:masters'] : [])},
    userAgent: 'simnet/v1.0.0',
  });
  startPolicyAgent({client, stack: network.stackOf(host), address: host.address, ownerOf: address => network.ownerOf(address)});
}
