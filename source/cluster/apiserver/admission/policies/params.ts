// The parameters of a policy: objects of a kind that it names, which a binding chooses by name or by labels.
import type {ParamRef} from '../../../../api/kinds/admissionregistration-v1.ts';
import {splitApiVersion, type AnyObject} from '../../../../api/meta/object.ts';
import {selectorMatcher} from '../../../../api/meta/selector.ts';
import type {Core} from '../../core.ts';
import {cacheKey, type Served} from '../../registry/served.ts';
import type {BoundPolicy} from './policies.ts';

/** The parameters, each of which is judged by; none when the binding asks for nothing then; or why they cannot be had. */
export type Params = readonly (AnyObject | null)[] | {readonly problem: string};

/** Finds the parameters of a bound policy for a request in a namespace. */
export function paramsOf({policy, spec}: BoundPolicy, core: Core, namespace: string): Params {
  const {paramKind} = policy.spec;
  if (!paramKind) return [null];
  const {group, version} = splitApiVersion(paramKind.apiVersion ?? '');
  const served = core.resources.all.find(
    ({facts, stored}) => stored && facts.group === group && facts.version === version && facts.kind === paramKind.kind,
  );
  if (!served)
    return {
      problem: `failed to configure policy: failed to find resource referenced by paramKind: '${paramKind.apiVersion}, Kind=${paramKind.kind}'`,
    };
  if (!spec.paramRef) return [null];
  const found = lookUp(spec.paramRef, served, namespace);
  if ('problem' in found) return {problem: `failed to configure binding: ${found.problem}`};
  if (found.objects.length > 0) return found.objects.map(object => (served.conversion ? served.conversion.read(object) : object));
  return spec.paramRef.parameterNotFoundAction === 'Allow'
    ? []
    : {problem: 'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction'};
}

function lookUp(
  ref: ParamRef,
  served: Served,
  requested: string,
): {readonly objects: readonly AnyObject[]} | {readonly problem: string} {
  const {namespaced} = served.facts;
  if (!namespaced && ref.namespace) return {problem: 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`'};
  const namespace = namespaced ? ref.namespace || requested : '';
  if (namespaced && namespace === '')
    return {problem: 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources'};
  if (ref.name) {
    const object = served.cache.get(cacheKey(served, namespace, ref.name));
    return {objects: object ? [object] : []};
  }
  const fits = selectorMatcher(ref.selector);
  return {objects: served.cache.objects(namespace).filter(object => fits(object.metadata.labels))};
}
