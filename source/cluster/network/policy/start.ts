// The agent of the network plugin on one node. It watches NetworkPolicies, and once there is one, pods and namespaces too; from then on
// the node's stack asks its filter about each new connection. Connections that are open stay open. When the agent is dead the filter
// goes on with what it last knew; a node that never heard of a policy lets everything through.
//
// It models NetworkPolicy of networking.k8s.io/v1 for TCP and UDP, as the documentation has it; where that leaves things to the plugin:
// addresses are judged after Services have been translated, and a blocked packet is dropped without a word. It knows no policies of
// other groups.
import {builtin} from '../../../api/meta/resources.ts';
import type {Namespace, Pod} from '../../../api/kinds/core-v1.ts';
import type {NetworkPolicy} from '../../../api/kinds/networking-v1.ts';
import type {Client} from '../../../client/client.ts';
import {Informers} from '../../../client/informer.ts';
import type {NodeStack} from '../node-stack.ts';
import {PolicyFilter} from './filter.ts';

const networkPolicies = builtin('networking.k8s.io', 'networkpolicies');
const podsResource = builtin('pods');
const namespacesResource = builtin('namespaces');

export interface PolicyAgentOptions {
  readonly client: Client;
  readonly stack: NodeStack;
  /** The node's own address. */
  readonly address: string;
  /** `namespace/name` of the pod that the plugin has given an address to. */
  readonly ownerOf: (address: string) => string | undefined;
}

/** Starts the agent. */
export function startPolicyAgent({client, stack, address, ownerOf}: PolicyAgentOptions): void {
  const informers = new Informers(client);
  const policies = informers.of<NetworkPolicy>(networkPolicies);
  let judging = false;
  policies.on({
    added: () => {
      if (judging) return;
      judging = true;
      const pods = informers.of<Pod>(podsResource);
      const namespaces = informers.of<Namespace>(namespacesResource);
      stack.filter = new PolicyFilter({address, ownerOf, policies, pods, namespaces});
    },
  });
  informers.start();
}
