// Whether a container's resources are others than those it runs with, and whether that takes a new life of it.
import type {Container, ResourceRequirements} from '../../../api/kinds/core-v1.ts';
import {stableText} from '../../../api/meta/hash.ts';

/** What can be changed in place. */
export const RESOURCES = ['cpu', 'memory'] as const;

/** Do two say the same? */
export function sameResources(a: ResourceRequirements | undefined, b: ResourceRequirements | undefined): boolean {
  return a === b || stableText(a ?? {}) === stableText(b ?? {});
}

/** Does a container need a new life to get other resources than it runs with? */
export function needsRestart(container: Container, runsWith: ResourceRequirements): boolean {
  return RESOURCES.some(name => {
    const policy = container.resizePolicy?.find(each => each.resourceName === name)?.restartPolicy;
    if (policy !== 'RestartContainer') return false;
    const {limits: most, requests: least} = container.resources ?? {};
    return most?.[name] !== runsWith.limits?.[name] || least?.[name] !== runsWith.requests?.[name];
  });
}
