// Claims of devices: in pods, as objects and as templates; and the classes of devices.
import type {PodSpec} from '../kinds/core-v1.ts';
import {compileSelector} from '../cel/device.ts';
import {resultName} from '../cel/expression.ts';
import type {
  DeviceClass,
  DeviceRequest,
  DeviceSelector,
  ExactDeviceRequest,
  OpaqueDeviceConfiguration,
  ResourceClaim,
  ResourceClaimTemplate,
} from '../kinds/resource-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, invalid, required, root, tooMany} from '../meta/field-error.ts';
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

type Exact = Pick<ExactDeviceRequest, 'allocationMode' | 'count' | 'deviceClassName' | 'selectors'>;

function exactRequest({allocationMode, count, deviceClassName, selectors}: Exact, path: FieldPath, errors: Errors): void {
  if (!deviceClassName) errors.push(required(path.child('deviceClassName')));
  else sentences(checkSubdomain(deviceClassName), {path: path.child('deviceClassName'), value: deviceClassName}, errors);
  deviceSelectors(selectors, path.child('selectors'), errors);
  if (allocationMode === 'All') {
    if (count) errors.push(invalid(path.child('count'), count, "must not be specified when allocationMode is 'All'"));
  } else if (allocationMode === 'ExactCount' || allocationMode === undefined) {
    if (count !== undefined && count <= 0) errors.push(invalid(path.child('count'), count, 'must be greater than zero'));
  } else oneOf(allocationMode, {path: path.child('allocationMode'), of: ['All', 'ExactCount']}, errors);
}

const MOST_SELECTORS = 32;

/** Expressions that select devices. */
function deviceSelectors(selectors: readonly DeviceSelector[] | undefined, path: FieldPath, errors: Errors): void {
  if (selectors && selectors.length > MOST_SELECTORS) errors.push(tooMany(path, selectors.length, MOST_SELECTORS));
  selectors?.forEach(({cel}, i) => {
    const at = path.index(i).child('cel');
    if (!cel) errors.push(required(at));
    else if (!cel.expression) errors.push(required(at.child('expression')));
    else selectorText(cel.expression, at.child('expression'), errors);
  });
}

function selectorText(text: string, path: FieldPath, errors: Errors): void {
  const compiled = compileSelector(text);
  if ('error' in compiled) errors.push(invalid(path, text, `compilation failed: ${compiled.error}`));
  else if (compiled.expression.type.kind !== 'bool' && compiled.expression.type.kind !== 'dyn')
    errors.push(invalid(path, text, `must evaluate to bool or the unknown type, not ${resultName(compiled.expression)}`));
}

/** A class of devices. */
export function validateDeviceClass({spec}: DeviceClass, errors: Errors): void {
  const path = root('spec');
  deviceSelectors(spec.selectors, path.child('selectors'), errors);
  spec.config?.forEach(({opaque}, i) => {
    const at = path.child('config').index(i);
    if (!opaque) errors.push(required(at));
    else opaqueConfiguration(opaque, at.child('opaque'), errors);
  });
}

function opaqueConfiguration({driver, parameters}: OpaqueDeviceConfiguration, path: FieldPath, errors: Errors): void {
  if (!driver) errors.push(required(path.child('driver')));
  else sentences(checkSubdomain(driver.toLowerCase()), {path: path.child('driver'), value: driver}, errors);
  if (parameters === undefined) errors.push(required(path.child('parameters')));
  else if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
    errors.push(invalid(path.child('parameters'), '<value omitted>', 'parameters must be a valid JSON object'));
}
