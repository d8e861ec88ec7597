// At rest the EndpointSlices and the Endpoints of a Service are the pods that are ready, no more and no less.
import type {Endpoints, Pod, Service} from '../../../../source/api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../../../source/api/kinds/discovery-v1.ts';
import {isReady, isTerminal} from '../../../../source/api/meta/pod.ts';
import {mapMatcher} from '../../../../source/api/meta/selector.ts';
import type {State} from '../ledger.ts';
import type {Check} from './check.ts';
import {differ, listOf, nameOf, podsOf} from './reading.ts';

function ofService(state: State, service: Service): readonly string[] {
  const {metadata, spec} = service;
  if (!spec?.selector) return [];
  const matches = mapMatcher(spec.selector);
  const pods = podsOf(state).filter(
    pod => pod.metadata.namespace === metadata.namespace && matches(pod.metadata.labels) && pod.status?.podIP && !isTerminal(pod),
  );
  const isServing = (pod: Pod) => spec.publishNotReadyAddresses === true || (isReady(pod) && !pod.metadata.deletionTimestamp);
  const ready = pods
    .filter(isServing)
    .map(pod => String(pod.status?.podIP))
    .sort();
  const slices = listOf<EndpointSlice>(state, 'endpointslices').filter(
    slice =>
      slice.metadata.namespace === metadata.namespace && slice.metadata.labels?.['kubernetes.io/service-name'] === metadata.name,
  );
  const sliced = slices
    .flatMap(slice => (slice.endpoints ?? []).filter(each => each.conditions?.ready).flatMap(each => each.addresses))
    .sort();
  const old = state.all('endpoints').get(`${metadata.namespace}/${metadata.name}`) as unknown as Endpoints | undefined;
  const classic = (old?.subsets ?? []).flatMap(subset => (subset.addresses ?? []).map(({ip}) => ip)).sort();
  return [
    ...differ(`${nameOf(service)}: ready in slices`, sliced, ready),
    ...differ(`${nameOf(service)}: ready in Endpoints`, classic, ready),
  ];
}

export const ENDPOINTS: Check = {
  rest(state) {
    const services = listOf<Service>(state, 'services');
    const names = new Set(services.map(({metadata}) => `${metadata.namespace}/${metadata.name}`));
    const strays = listOf<EndpointSlice>(state, 'endpointslices').filter(
      ({metadata}) => !names.has(`${metadata.namespace}/${metadata.labels?.['kubernetes.io/service-name']}`),
    );
    const leases = [...state.all('endpoints').keys()].filter(key => !names.has(key));
    return [
      ...services.flatMap(service => ofService(state, service)),
      ...strays.map(slice => `${nameOf(slice)} has no Service`),
      ...leases.map(key => `Endpoints ${key} has no Service`),
    ];
  },
};
