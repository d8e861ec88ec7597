// A Pod of its own gets more than a template: requests from limits, and links to Services.
import type {Container, Pod, PodSpec, PodStatus, ResourceRequirements} from '../../kinds/core-v1.ts';
import {addQuantities} from '../../meta/quantity.ts';
import {change, each, fill, remembered} from './fill.ts';
import {completePodSpec, defaultPodSpec} from './pod-spec.ts';

/** The defaults of a Pod. */
export function defaultPod(pod: Pod): Pod {
  const out = change(pod, 'spec', defaultOwnSpec);
  return change(out, 'status', mirrorAddresses);
}

/** The defaults of a template in a workload: those of the spec alone. */
export function defaultTemplate<T extends {readonly spec?: PodSpec}>(template: T): T {
  return change(template, 'spec', spec => defaultPodSpec(spec as PodSpec) as T['spec']);
}

const defaultOwnSpec = remembered<PodSpec>(spec => {
  let out = fill(completePodSpec(spec), {enableServiceLinks: true});
  out = change(out, 'containers', list => each(list, requestLimits));
  out = change(out, 'initContainers', list => each(list, requestLimits));
  return change(out, 'resources', resources => requestPodLimits(resources, out.containers));
});

function requestLimits(container: Container): Container {
  return change(container, 'resources', resources =>
    resources.limits
      ? change(fill(resources, {requests: NOTHING}), 'requests', own => fill(own, resources.limits ?? {}))
      : resources,
  );
}

const NOTHING: Readonly<Record<string, string>> = Object.freeze({});

/** What a pod as a whole may ask for. */
const OF_PODS = /^(cpu|memory|hugepages-.+)$/;

/** A pod that limits itself as a whole requests what its containers request, or else its limits. */
function requestPodLimits(resources: ResourceRequirements, containers: readonly Container[]): ResourceRequirements {
  if (!resources.limits) return resources;
  const requests = Object.fromEntries(
    Object.entries(resources.limits)
      .filter(([resource]) => OF_PODS.test(resource))
      .map(([resource, limit]) => {
        const asked = containers.map(container => container.resources?.requests?.[resource]).filter(one => one !== undefined);
        return [resource, asked.length > 0 ? asked.reduce<string>((sum, one) => addQuantities(sum, one), '0') : limit];
      }),
  );
  return change(fill(resources, {requests: NOTHING}), 'requests', own => fill(own, requests));
}

/** The single address and the list of addresses say the same. */
function mirrorAddresses(status: PodStatus): PodStatus {
  let out = status;
  if (status.podIP) out = fill(out, {podIPs: Object.freeze([Object.freeze({ip: status.podIP})])});
  if (status.hostIP) out = fill(out, {hostIPs: Object.freeze([Object.freeze({ip: status.hostIP})])});
  return out;
}
