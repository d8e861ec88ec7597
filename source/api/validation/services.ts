// Services: ports, addresses, policies. What depends on what is taken already (addresses, node ports) is the API server's.
import type {Service, ServiceSpec} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkPortNumber, checkSubdomain} from '../meta/names.ts';
import {ipAddress, ordinaryAddress} from './addresses.ts';
import {type Errors, labels, oneOf, requiredOneOf, sentences} from './rules.ts';
import {addresses, clusterIPs, isHeadless} from './service-addresses.ts';
import {balancer} from './service-balancer.ts';
import {duplicatePorts, nodePorts, ports} from './service-ports.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const POLICIES = ['Cluster', 'Local'];

/** A new Service. */
export function validateService(service: Service, errors: Errors): void {
  const path = root('spec');
  const spec = service.spec ?? {};
  const headless = isHeadless(spec);
  annotated(service, errors);
  if ((spec.ports?.length ?? 0) === 0 && !headless && spec.type !== 'ExternalName') errors.push(required(path.child('ports')));
  byType(spec, headless, {path, errors});
  ports(spec.ports ?? [], path.child('ports'), errors);
  labels(spec.selector, path.child('selector'), errors);
  affinity(spec, path, errors);
  addresses(spec, path, errors);
  spec.externalIPs?.forEach((address, i) => {
    const at = path.child('externalIPs').index(i);
    if (ipAddress(address, at, errors)) ordinaryAddress(address, at, errors);
  });
  requiredOneOf(spec.type, {path: path.child('type'), of: TYPES}, errors);
  nodePorts(spec, path.child('ports'), errors);
  duplicatePorts(spec.ports ?? [], path.child('ports'), errors);
  balancer(service, path, errors);
  traffic(spec, path, errors);
}

const MODE = 'service.kubernetes.io/topology-mode';
const HINTS = 'service.kubernetes.io/topology-aware-hints';

/** The two names of one annotation say the same. */
function annotated({metadata: {annotations}}: Service, errors: Errors): void {
  const mode = annotations?.[MODE];
  const hints = annotations?.[HINTS];
  if (mode === undefined || hints === undefined || mode === hints) return;
  const text = `must match annotations[${HINTS}] when both are specified`;
  errors.push(invalid(root('metadata', 'annotations').key(MODE), mode, text));
}

interface Place {
  readonly path: FieldPath;
  readonly errors: Errors;
}

function byType(spec: ServiceSpec, headless: boolean, {path, errors}: Place): void {
  const first = path.child('clusterIPs').index(0);
  if ((spec.type === 'LoadBalancer' || spec.type === 'NodePort') && headless) {
    errors.push(invalid(first, 'None', `may not be set to 'None' for ${spec.type} services`));
  }
  if (spec.type !== 'ExternalName') return;
  const text = 'may not be set for ExternalName services';
  if (clusterIPs(spec).length > 0) errors.push(forbiddenField(path.child('clusterIPs'), text));
  if ((spec.ipFamilies?.length ?? 0) > 0) errors.push(forbiddenField(path.child('ipFamilies'), text));
  if (spec.ipFamilyPolicy !== undefined) errors.push(forbiddenField(path.child('ipFamilyPolicy'), text));
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name === '') errors.push(required(path.child('externalName')));
  else sentences(checkSubdomain(name), {path: path.child('externalName'), value: name}, errors);
}

function affinity(spec: ServiceSpec, path: FieldPath, errors: Errors): void {
  requiredOneOf(spec.sessionAffinity, {path: path.child('sessionAffinity'), of: ['ClientIP', 'None']}, errors);
  const at = path.child('sessionAffinityConfig');
  const config = spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'None' && config) errors.push(forbiddenField(at, 'must not be set when session affinity is None'));
  if (spec.sessionAffinity !== 'ClientIP') return;
  const wanted = 'when session affinity type is ClientIP';
  const seconds = config?.clientIP?.timeoutSeconds;
  if (!config) errors.push(required(at, wanted));
  else if (!config.clientIP) errors.push(required(at.child('clientIP'), wanted));
  else if (seconds === undefined) errors.push(required(at.child('clientIP', 'timeoutSeconds'), wanted));
  else if (seconds <= 0 || seconds > 86_400)
    errors.push(invalid(at.child('clientIP', 'timeoutSeconds'), seconds, 'must be greater than 0 and less than 86400'));
}

function traffic(spec: ServiceSpec, path: FieldPath, errors: Errors): void {
  const outside =
    spec.type === 'LoadBalancer' ||
    spec.type === 'NodePort' ||
    (spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0);
  const external = path.child('externalTrafficPolicy');
  if (outside) requiredOneOf(spec.externalTrafficPolicy, {path: external, of: POLICIES}, errors);
  else if (spec.externalTrafficPolicy !== undefined) {
    errors.push(invalid(external, spec.externalTrafficPolicy, 'may only be set for externally-accessible services'));
  }
  const checked = spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
  if (!checked && spec.healthCheckNodePort) {
    const text = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(invalid(path.child('healthCheckNodePort'), spec.healthCheckNodePort, text));
  }
  if (checked && spec.healthCheckNodePort)
    sentences(
      checkPortNumber(spec.healthCheckNodePort),
      {path: path.child('healthCheckNodePort'), value: spec.healthCheckNodePort},
      errors,
    );
  const internal = path.child('internalTrafficPolicy');
  if (spec.internalTrafficPolicy !== undefined) oneOf(spec.internalTrafficPolicy, {path: internal, of: POLICIES}, errors);
  else if (['ClusterIP', 'NodePort', 'LoadBalancer'].includes(spec.type ?? '')) errors.push(required(internal));
  const wishes = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
  if (spec.trafficDistribution !== undefined && !wishes.includes(spec.trafficDistribution)) {
    errors.push(notSupported(path.child('trafficDistribution'), spec.trafficDistribution, wishes));
  }
}
