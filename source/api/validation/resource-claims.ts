// Claims of devices: in pods, as objects and as templates. Not judged: whether the expressions of selectors can be compiled.
import type {PodSpec} from '../kinds/core-v1.ts';
import type {DeviceRequest, ExactDeviceRequest, ResourceClaim, ResourceClaimTemplate} from '../kinds/resource-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, invalid, required, root} from '../meta/field-error.ts';
import {checkLabel, checkSubdomain} from '../meta/names.ts';
import {goStruct} from '../schema/go-structs.ts';
import {sameJson} from '../schema/merge/index.ts';
import {type Errors, oneOf, sentences} from './rules.ts';

const MOST_REQUESTS = 32;

/** The claims that a pod names: each from one source. */
export function podClaims(list: PodSpec['resourceClaims'], path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  list?.forEach((claim, i) => {
    const at = path.index(i);
    if (!claim.name) errors.push(required(at.child('name')));
    else {
      sentences(checkLabel(claim.name), {path: at.child('name'), value: claim.name}, errors);
      if (names.has(claim.name)) errors.push(duplicate(at.child('name'), claim.name));
      names.add(claim.name);
    }
    const {resourceClaimName: own, resourceClaimTemplateName: template} = claim;
    const shown = goStruct('PodResourceClaim', claim);
    if (own === undefined && template === undefined)
      errors.push(invalid(at, shown, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
    if (own !== undefined && template !== undefined)
      errors.push(invalid(at, shown, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'));
    if (own !== undefined) sentences(checkSubdomain(own), {path: at.child('resourceClaimName'), value: own}, errors);
    if (template !== undefined)
      sentences(checkSubdomain(template), {path: at.child('resourceClaimTemplateName'), value: template}, errors);
  });
}

/** A claim. */
export function validateResourceClaim(claim: ResourceClaim, errors: Errors): void {
  claimSpec(claim.spec, root('spec'), errors);
}

/** A claim's spec stays. */
export function validateResourceClaimUpdate(claim: ResourceClaim, before: ResourceClaim, errors: Errors): void {
  if (!sameJson(claim.spec ?? null, before.spec ?? null)) errors.push(invalid(root('spec'), claim.spec, 'field is immutable'));
}

/** A template. */
export function validateResourceClaimTemplate(template: ResourceClaimTemplate, errors: Errors): void {
  claimSpec(template.spec.spec, root('spec', 'spec'), errors);
}

export function validateResourceClaimTemplateUpdate(
  template: ResourceClaimTemplate,
  before: ResourceClaimTemplate,
  errors: Errors,
): void {
  if (!sameJson(template.spec, before.spec)) errors.push(invalid(root('spec'), template.spec, 'field is immutable'));
}

function claimSpec(spec: ResourceClaim['spec'], path: FieldPath, errors: Errors): void {
  const at = path.child('devices', 'requests');
  const list = spec?.devices?.requests ?? [];
  if (list.length > MOST_REQUESTS) errors.push(invalid(at, list.length, `must have at most ${MOST_REQUESTS} items`));
  const names = new Set<string>();
  list.forEach((request, i) => {
    requestOf(request, at.index(i), errors);
    if (names.has(request.name)) errors.push(duplicate(at.index(i), request.name));
    names.add(request.name);
  });
}

function requestOf({name, exactly, firstAvailable}: DeviceRequest, path: FieldPath, errors: Errors): void {
  if (!name) errors.push(required(path.child('name')));
  else sentences(checkLabel(name), {path: path.child('name'), value: name}, errors);
  const several = (firstAvailable?.length ?? 0) > 0;
  if (exactly && several)
    errors.push(invalid(path, null, 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set'));
  else if (!exactly && !several) errors.push(required(path, 'exactly one of `exactly` or `firstAvailable` is required'));
  if (exactly) exactRequest(exactly, path.child('exactly'), errors);
  firstAvailable?.forEach((one, i) => {
    const at = path.child('firstAvailable').index(i);
    if (!one.name) errors.push(required(at.child('name')));
    else sentences(checkLabel(one.name), {path: at.child('name'), value: one.name}, errors);
    exactRequest(one, at, errors);
  });
}

type Exact = Pick<ExactDeviceRequest, 'allocationMode' | 'count' | 'deviceClassName'>;

function exactRequest({allocationMode, count, deviceClassName}: Exact, path: FieldPath, errors: Errors): void {
  if (!deviceClassName) errors.push(required(path.child('deviceClassName')));
  else sentences(checkSubdomain(deviceClassName), {path: path.child('deviceClassName'), value: deviceClassName}, errors);
  if (allocationMode === 'All') {
    if (count) errors.push(invalid(path.child('count'), count, "must not be specified when allocationMode is 'All'"));
  } else if (allocationMode === 'ExactCount' || allocationMode === undefined) {
    if (count !== undefined && count <= 0) errors.push(invalid(path.child('count'), count, 'must be greater than zero'));
  } else oneOf(allocationMode, {path: path.child('allocationMode'), of: ['All', 'ExactCount']}, errors);
}
