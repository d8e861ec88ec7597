// A Service has so many endpoints that are ready.
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import {checked, needed, number, optional, record, text} from '../level/reader.ts';
import type {CheckKind} from './check.ts';

interface Arguments {
  readonly service: string;
  readonly equals?: number;
  readonly least?: number;
}

const slices = builtin('discovery.k8s.io', 'endpointslices');

export const svcEndpoints: CheckKind<Arguments> = {
  name: 'svcEndpoints',
  arguments: record({
    service: needed(checked(text(), words => (/^[^/]+\/[^/]+$/.test(words) ? undefined : 'NAMESPACE/NAME is wanted here'))),
    equals: optional(number()),
    least: optional(number()),
  }),
  judge({service, equals, least = 1}, referee) {
    const [namespace = '', name = ''] = service.split('/');
    const own = (referee.all(slices, namespace) as readonly EndpointSliceWithEndpoints[]).filter(
      slice => slice.metadata.labels?.['kubernetes.io/service-name'] === name,
    );
    const count = own.flatMap(slice => slice.endpoints ?? []).filter(endpoint => endpoint.conditions?.ready !== false).length;
    return {
      met: equals === undefined ? count >= least : count === equals,
      note: count === 1 ? '1 endpoint' : `${count || 'no'} endpoints`,
    };
  },
};

type EndpointSliceWithEndpoints = Omit<EndpointSlice, 'spec'>;
