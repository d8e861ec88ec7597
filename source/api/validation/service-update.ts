// A changed Service: what of it may not change.
import type {Service, ServiceSpec} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, root} from '../meta/field-error.ts';
import type {Errors} from './rules.ts';
import {clusterIPs, isHeadless} from './service-addresses.ts';
import {balancerClass} from './service-balancer.ts';
import {validateService} from './services.ts';

interface Place {
  readonly path: FieldPath;
  readonly errors: Errors;
}

/** A changed Service: its first addresses stay, unless it has been or becomes an external name. */
export function validateServiceUpdate(service: Service, before: Service, errors: Errors): void {
  const path = root('spec');
  const {spec} = service;
  const old = before.spec;
  if (spec.type !== 'ExternalName' && old.type !== 'ExternalName') {
    const headless = [isHeadless(spec), isHeadless(old)];
    if (!headless.every(Boolean)) settled({now: clusterIPs(spec), was: clusterIPs(old), spec}, {path, name: 'clusterIP', errors});
    if (!headless.some(Boolean))
      settled({now: spec.ipFamilies ?? [], was: old.ipFamilies ?? [], spec}, {path, name: 'ipFamily', errors});
  }
  const balanced = spec.type === 'LoadBalancer' && old.type === 'LoadBalancer';
  const {loadBalancerClass} = spec;
  if (balanced && loadBalancerClass !== old.loadBalancerClass)
    errors.push(invalid(path.child('loadBalancerClass'), loadBalancerClass ?? null, 'may not change once set'));
  balancerClass(spec, path.child('loadBalancerClass'), errors);
  healthPort(spec, old, {path, errors});
  validateService(service, errors);
}

interface Listed {
  readonly now: readonly string[];
  readonly was: readonly string[];
  readonly spec: ServiceSpec;
}

/** A second address or family may come and go, the first one stays. */
function settled({now, was, spec}: Listed, {path, name, errors}: Place & {name: 'clusterIP' | 'ipFamily'}): void {
  const ofAddresses = name === 'clusterIP';
  const list = path.child(ofAddresses ? 'clusterIPs' : 'ipFamilies');
  const changed = (i: number, shown: unknown) => errors.push(invalid(list.index(i), shown, 'may not change once set'));
  if (now.length === was.length) {
    was.forEach((value, i) => {
      if (value !== now[i]) changed(ofAddresses ? i : 0, now);
    });
    return;
  }
  // The server shows the addresses where it speaks of families.
  const shown = clusterIPs(spec);
  const gone = shown.length === 0;
  if (now.length < was.length && gone)
    errors.push(invalid(list.index(0), gone && ofAddresses ? null : now, `primary ${name} can not be unset`));
  if (was.length > 0 && now.length > 0 && now[0] !== was[0]) changed(0, shown);
  if (now.length !== 1 || was.length < 2 || spec.ipFamilyPolicy === 'SingleStack') return;
  const text = `must be set to 'SingleStack' when releasing the secondary ${name}`;
  errors.push(invalid(path.child('ipFamilyPolicy'), spec.ipFamilyPolicy ?? null, text));
}

/** The port at which a balancer asks for the health stays as long as there is one. */
function healthPort(spec: ServiceSpec, old: ServiceSpec, {path, errors}: Place): void {
  const asked = ({type, externalTrafficPolicy}: ServiceSpec) => type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
  if (asked(spec) && asked(old) && old.healthCheckNodePort && spec.healthCheckNodePort !== old.healthCheckNodePort)
    errors.push(forbiddenField(path.child('healthCheckNodePort'), 'field is immutable'));
}
