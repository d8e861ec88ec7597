// All controllers, in the order in which they start.
import type {Controller} from './context.ts';
import {deploymentController} from './deployment/deployment.ts';
import {endpointSliceController} from './endpoint-slices/slices.ts';
import {namespaceController} from './namespace/namespace.ts';
import {nodeLifecycleController} from './node-lifecycle/node-lifecycle.ts';
import {replicasetController} from './replicaset/replicaset.ts';
import {rootCaController} from './root-ca.ts';
import {serviceAccountController} from './service-account.ts';

/** What kube-controller-manager runs. */
export const CONTROLLERS: readonly Controller[] = [
  namespaceController,
  serviceAccountController,
  rootCaController,
  deploymentController,
  replicasetController,
  nodeLifecycleController,
  endpointSliceController,
];
