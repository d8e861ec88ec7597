// What Services and endpoints get. Addresses and node ports are handed out by the API server; the families here are those
// of a cluster with IPv4 alone.
import type {Endpoints, Service, ServicePort, ServiceSpec, ServiceStatus} from '../../kinds/core-v1.ts';
import type {EndpointSlice} from '../../kinds/discovery-v1.ts';
import {change, each, fill, set} from './fill.ts';

const THREE_HOURS = 10_800;

export function defaultService(service: Service): Service {
  const out = change(service, 'spec', spec => defaultFamilies(defaultServiceSpec(spec)));
  return out.spec?.type === 'LoadBalancer' ? change(out, 'status', defaultBalancerStatus) : out;
}

/** A balancer takes traffic for its address at the nodes, unless it says that it is a proxy. */
function defaultBalancerStatus(status: ServiceStatus): ServiceStatus {
  return change(status, 'loadBalancer', balancer =>
    change(balancer, 'ingress', list => each(list, item => (item.ip ? fill(item, {ipMode: 'VIP'}) : item))),
  );
}

function defaultServiceSpec(spec: ServiceSpec): ServiceSpec {
  let out = fill(spec, {sessionAffinity: 'None', type: 'ClusterIP'});
  if (out.sessionAffinity === 'None' && out.sessionAffinityConfig !== undefined) {
    const {sessionAffinityConfig: _none, ...rest} = out;
    out = Object.freeze(rest);
  }
  if (out.sessionAffinity === 'ClientIP') {
    const clientIP = fill(out.sessionAffinityConfig?.clientIP ?? {}, {timeoutSeconds: THREE_HOURS});
    if (clientIP !== out.sessionAffinityConfig?.clientIP)
      out = set(out, {sessionAffinityConfig: Object.freeze({clientIP: Object.freeze(clientIP)})});
  }
  out = change(out, 'ports', list => each(list, defaultServicePort));
  const outside = out.type === 'NodePort' || out.type === 'LoadBalancer';
  if (outside || (out.externalIPs?.length ?? 0) > 0) out = fill(out, {externalTrafficPolicy: 'Cluster'});
  if (outside || out.type === 'ClusterIP') out = fill(out, {internalTrafficPolicy: 'Cluster'});
  return out.type === 'LoadBalancer' ? fill(out, {allocateLoadBalancerNodePorts: true}) : out;
}

function defaultServicePort(port: ServicePort): ServicePort {
  const out = fill(port, {protocol: 'TCP'});
  return out.targetPort === undefined || out.targetPort === 0 || out.targetPort === '' ? set(out, {targetPort: out.port}) : out;
}

/** A headless Service that selects nothing may get addresses of both families by hand. */
function defaultFamilies(spec: ServiceSpec): ServiceSpec {
  if (spec.type === 'ExternalName') return spec;
  const byHand = spec.clusterIP === 'None' && Object.keys(spec.selector ?? {}).length === 0;
  const both = byHand && spec.ipFamilyPolicy === undefined && spec.ipFamilies === undefined;
  return fill(spec, {
    ipFamilies: Object.freeze(both ? ['IPv4', 'IPv6'] : ['IPv4']),
    ipFamilyPolicy: both ? 'RequireDualStack' : 'SingleStack',
  });
}

export function defaultEndpoints(endpoints: Endpoints): Endpoints {
  return change(endpoints, 'subsets', list =>
    each(list, subset => change(subset, 'ports', ports => each(ports, port => fill(port, {protocol: 'TCP'})))),
  );
}

export function defaultEndpointSlice(slice: EndpointSlice): EndpointSlice {
  return change(slice, 'ports', list => each(list, port => fill(port, {name: '', protocol: 'TCP'})));
}
