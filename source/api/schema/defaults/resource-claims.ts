// What claims of devices get: one device, unless they say how many.
import type {DeviceRequest, ResourceClaim, ResourceClaimSpec, ResourceClaimTemplate} from '../../kinds/resource-v1.ts';
import {change, each} from './fill.ts';

export function defaultResourceClaim(claim: ResourceClaim): ResourceClaim {
  return change(claim, 'spec', defaultClaimSpec);
}

export function defaultResourceClaimTemplate(template: ResourceClaimTemplate): ResourceClaimTemplate {
  return change(template, 'spec', spec => change(spec, 'spec', defaultClaimSpec));
}

function defaultClaimSpec(spec: ResourceClaimSpec): ResourceClaimSpec {
  return change(spec, 'devices', devices => change(devices, 'requests', list => each(list, defaultRequest)));
}

function defaultRequest(request: DeviceRequest): DeviceRequest {
  const out = change(request, 'exactly', counted);
  return change(out, 'firstAvailable', list => each(list, counted));
}

function counted<T extends {readonly allocationMode?: string; readonly count?: number}>(request: T): T {
  const out = request.allocationMode === undefined ? ({...request, allocationMode: 'ExactCount'} as T) : request;
  if (out.allocationMode !== 'ExactCount' || out.count) return Object.isFrozen(out) ? out : Object.freeze(out);
  return Object.freeze({...out, count: 1});
}
