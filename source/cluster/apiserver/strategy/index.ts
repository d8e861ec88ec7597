// The kinds that have ways of their own, by `resource` or `resource.group`.
import {namespaces} from './namespaces.ts';
import {pods} from './pods.ts';
import type {Strategy} from './strategy.ts';

const WITH_GENERATION: Strategy = {generation: true};
const UPSERT: Strategy = {upsert: true};

export const STRATEGIES: Readonly<Record<string, Strategy>> = {
  namespaces,
  pods,
  nodes: {
    keepsStatus: true,
    fields: {
      'spec.unschedulable': object => String((object.spec as {unschedulable?: boolean} | undefined)?.unschedulable ?? false),
    },
  },
  endpoints: {upsert: true, deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'},
  'deployments.apps': WITH_GENERATION,
  'leases.coordination.k8s.io': {upsert: true, conditional: true},
  limitranges: UPSERT,
};
