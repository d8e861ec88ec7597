// All controllers, in the order in which they start.
import type {Controller} from './context.ts';
import {daemonsetController} from './daemonset/daemonset.ts';
import {deploymentController} from './deployment/deployment.ts';
import {endpointSliceController} from './endpoint-slices/slices.ts';
import {endpointsController} from './endpoints/endpoints.ts';
import {garbageCollector} from './garbage-collector/collector.ts';
import {namespaceController} from './namespace/namespace.ts';
import {nodeIpamController} from './node-ipam/node-ipam.ts';
import {nodeLifecycleController} from './node-lifecycle/node-lifecycle.ts';
import {nodeTtlController} from './node-ttl.ts';
import {podGcController} from './pod-gc/pod-gc.ts';
import {replicasetController} from './replicaset/replicaset.ts';
import {rootCaController} from './root-ca.ts';
import {serviceAccountController} from './service-account.ts';
import {taintEvictionController} from './taint-eviction/taint-eviction.ts';

/** What kube-controller-manager runs. */
export const CONTROLLERS: readonly Controller[] = [
  namespaceController,
  serviceAccountController,
  rootCaController,
  deploymentController,
  replicasetController,
  daemonsetController,
  endpointSliceController,
  endpointsController,
  nodeIpamController,
  nodeLifecycleController,
  taintEvictionController,
  nodeTtlController,
  podGcController,
  garbageCollector,
];
