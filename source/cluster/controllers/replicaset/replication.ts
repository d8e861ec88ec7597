// The ReplicationController controller: what ReplicaSets were before they were called so.
import type {ReplicationController} from '../../../api/kinds/core-v1.ts';
import type {LabelSelector} from '../../../api/kinds/meta.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Controller} from '../context.ts';
import {ReplicaLoop} from './loop.ts';

const selectors = new WeakMap<object, LabelSelector>();

/** Keeps ReplicationControllers. */
export const replicationController: Controller = {
  name: 'replicationcontroller-controller',
  account: 'replication-controller',
  component: 'replication-controller',
  start: context => {
    new ReplicaLoop<ReplicationController>(context, {
      resource: builtin('replicationcontrollers'),
      kind: {apiVersion: 'v1', kind: 'ReplicationController'},
      selectorOf: set => selectorOf(set.spec.selector),
      countsTerminating: false,
    }).start();
  },
};

/** Its plain map as a selector; the same one for the same map. */
function selectorOf(labels: Readonly<Record<string, string>> | undefined): LabelSelector | undefined {
  if (!labels) return undefined;
  const selector = selectors.get(labels) ?? Object.freeze({matchLabels: labels});
  selectors.set(labels, selector);
  return selector;
}
