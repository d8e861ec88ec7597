// What the scheduler reads of a pod's spec, worked out once for all pods that ask for the same. Pods of one template differ in
// their names and in the token volume that admission added, so their specs are not one object; but what matters here is equal,
// and a short text of it finds the shape. A shape never changes; its `id` counts up.
import type {
  Affinity,
  Container,
  Pod,
  PodAffinityTerm,
  PodSpec,
  Toleration,
  TopologySpreadConstraint,
} from '../../../api/kinds/core-v1.ts';
import {unbound} from '../../../api/meta/bound-spec.ts';
import {isSidecar} from '../../../api/meta/pod.ts';
import {amountOf, podRequests} from '../../../api/meta/pod-resources.ts';
import {selectorMatcher, selectorRequirements, requirementsText, type LabelMatcher} from '../../../api/meta/selector.ts';
import {compileNodeSelector, compilePreferences, type NodeMatcher, type NodePreference} from '../../../api/meta/node-selector.ts';
import {Resources, resourcesOf} from './resources.ts';

/** A port of the node that a pod wants for itself. */
export interface HostPort {
  readonly address: string;
  readonly protocol: string;
  readonly port: number;
}

/** A rule about other pods, ready to be asked. */
export interface AffinityTerm {
  /** The same for terms that mean the same. */
  readonly key: string;
  readonly topologyKey: string;
  readonly weight: number;
  readonly matches: LabelMatcher;
  /** Listed namespaces; empty when the term lists none. */
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceMatches: LabelMatcher | undefined;
}

/** The four kinds of rules about other pods. */
export interface AffinityTerms {
  readonly affinity: readonly AffinityTerm[];
  readonly antiAffinity: readonly AffinityTerm[];
  readonly preferred: readonly AffinityTerm[];
  readonly preferredAnti: readonly AffinityTerm[];
}

/** A spreading rule, ready to be asked. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selector: {readonly key: string; readonly matches: LabelMatcher; readonly everything: boolean};
  readonly honorAffinity: boolean;
  readonly honorTaints: boolean;
}

/** All that plugins ask of a spec. */
export interface PodShape {
  readonly id: number;
  readonly requests: Resources;
  /** Requests with 100m and 200Mi for each container that names none: what scoring counts. */
  readonly assumed: Resources;
  readonly hostPorts: readonly HostPort[];
  readonly images: readonly string[];
  readonly containerCount: number;
  readonly tolerations: readonly Toleration[];
  readonly nodeMatcher: NodeMatcher | undefined;
  readonly preferences: readonly NodePreference[];
  readonly terms: AffinityTerms | undefined;
  readonly hardSpread: readonly SpreadConstraint[];
  readonly softSpread: readonly SpreadConstraint[];
  readonly hasSpread: boolean;
}

const SHAPES_LIMIT = 20_000;
const shapes = new Map<string, PodShape>();
const bySpec = new WeakMap<PodSpec, PodShape>();
let lastId = 0;

/** The shape of a pod. */
export function shapeOf(pod: Pod): PodShape {
  const spec = unbound(pod.spec);
  const resized = resizedRequests(pod);
  const known = resized ? undefined : bySpec.get(spec);
  if (known) return known;
  const key = `${keyOfSpec(spec)}${resized ?? ''}`;
  let shape = shapes.get(key);
  if (!shape) {
    if (shapes.size >= SHAPES_LIMIT) shapes.clear();
    shape = makeShape(pod);
    shapes.set(key, shape);
  }
  if (!resized) bySpec.set(spec, shape);
  return shape;
}

const texts = new WeakMap<object, string>();

function textOf(value: object | undefined): string {
  if (!value) return '';
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}

function keyOfSpec(spec: PodSpec): string {
  let key = `${textOf(spec.nodeSelector)}|${textOf(spec.affinity)}|${textOf(spec.tolerations)}|${textOf(spec.topologySpreadConstraints)}|${textOf(spec.overhead)}|${textOf(spec.resources)}`;
  for (const container of spec.containers) key += containerKey(container);
  for (const container of spec.initContainers ?? []) key += `^${isSidecar(container)}${containerKey(container)}`;
  return key;
}

function containerKey({image, resources, ports}: Container): string {
  return `|${image}|${textOf(resources)}|${ports?.some(port => port.hostPort) ? textOf(ports) : ''}`;
}

function makeShape(pod: Pod): PodShape {
  const {spec} = pod;
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  const spread = (spec.topologySpreadConstraints ?? []).map(constraint => ({constraint, rule: spreadConstraint(constraint)}));
  const requests = resourcesOf(podRequests(withResizes(pod)));
  return {
    id: ++lastId,
    requests,
    assumed: resourcesOf(podRequests(withAssumptions(spec))),
    hostPorts: containers.filter(each => spec.containers.includes(each) || isSidecar(each)).flatMap(hostPorts),
    images: containers.map(each => normalizedImage(each.image ?? '')),
    containerCount: containers.length,
    tolerations: spec.tolerations ?? [],
    nodeMatcher: compileNodeSelector(spec),
    preferences: compilePreferences(spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
    terms: affinityTerms(spec.affinity),
    hardSpread: spread.filter(({constraint}) => constraint.whenUnsatisfiable === 'DoNotSchedule').map(({rule}) => rule),
    softSpread: spread.filter(({constraint}) => constraint.whenUnsatisfiable === 'ScheduleAnyway').map(({rule}) => rule),
    hasSpread: spread.length > 0,
  };
}

const ASSUMED = {cpu: '100m', memory: '200Mi'};

function withAssumptions(spec: PodSpec): PodSpec {
  const assume = (container: Container): Container => ({
    ...container,
    resources: {...container.resources, requests: {...ASSUMED, ...container.resources?.requests}},
  });
  return {
    ...spec,
    containers: spec.containers.map(assume),
    ...(spec.initContainers ? {initContainers: spec.initContainers.map(assume)} : {}),
  };
}

/** A pod that is being resized counts with the larger of what it asks for and what its node has given it. */
function withResizes(pod: Pod): PodSpec {
  const given = new Map((pod.status?.containerStatuses ?? []).map(status => [status.name, status.allocatedResources]));
  const resize = (container: Container): Container => {
    const requests: Record<string, string | number> = {...container.resources?.requests};
    for (const [name, quantity] of Object.entries(given.get(container.name) ?? {})) {
      if (name in requests && amountOf(name, quantity) > amountOf(name, requests[name])) requests[name] = quantity;
    }
    return {...container, resources: {...container.resources, requests}};
  };
  return given.size === 0 ? pod.spec : {...pod.spec, containers: pod.spec.containers.map(resize)};
}

/** Tells a pod that its node gave more than it asks for now; undefined for all the others. */
function resizedRequests(pod: Pod): string | undefined {
  for (const {name, allocatedResources: given} of pod.status?.containerStatuses ?? []) {
    if (!given) continue;
    const asked = pod.spec.containers.find(container => container.name === name)?.resources?.requests ?? {};
    const more = Object.entries(given).some(
      ([resource, quantity]) => amountOf(resource, quantity) > amountOf(resource, asked[resource]),
    );
    if (more) return textOf(pod.status?.containerStatuses?.map(each => each.allocatedResources ?? null));
  }
  return undefined;
}

function hostPorts(container: Container): HostPort[] {
  return (container.ports ?? [])
    .filter(port => (port.hostPort ?? 0) > 0)
    .map(port => ({address: port.hostIP || '0.0.0.0', protocol: port.protocol ?? 'TCP', port: port.hostPort ?? 0}));
}

/** An image without a tag means `latest`. */
function normalizedImage(image: string): string {
  return image.lastIndexOf(':') > image.lastIndexOf('/') ? image : `${image}:latest`;
}

function affinityTerms(affinity: Affinity | undefined): AffinityTerms | undefined {
  const pods = affinity?.podAffinity;
  const anti = affinity?.podAntiAffinity;
  if (!pods && !anti) return undefined;
  return {
    affinity: (pods?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(term => affinityTerm(term, 1)),
    antiAffinity: (anti?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(term => affinityTerm(term, 1)),
    preferred: (pods?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(each =>
      affinityTerm(each.podAffinityTerm, each.weight),
    ),
    preferredAnti: (anti?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(each =>
      affinityTerm(each.podAffinityTerm, each.weight),
    ),
  };
}

function affinityTerm(term: PodAffinityTerm, weight: number): AffinityTerm {
  const namespaces = term.namespaces ?? [];
  const labels = term.labelSelector ? requirementsText(selectorRequirements(term.labelSelector)) : '-';
  const scope = term.namespaceSelector ? requirementsText(selectorRequirements(term.namespaceSelector)) : '-';
  return {
    key: `${term.topologyKey}|${labels}|${[...namespaces].sort().join(',')}|${scope}|${weight}`,
    topologyKey: term.topologyKey,
    weight,
    matches: selectorMatcher(term.labelSelector),
    namespaces: new Set(namespaces),
    namespaceMatches: term.namespaceSelector ? selectorMatcher(term.namespaceSelector) : undefined,
  };
}

function spreadConstraint(constraint: TopologySpreadConstraint): SpreadConstraint {
  const requirements = constraint.labelSelector ? selectorRequirements(constraint.labelSelector) : undefined;
  return {
    topologyKey: constraint.topologyKey,
    maxSkew: constraint.maxSkew,
    minDomains: constraint.minDomains ?? 1,
    selector: {
      key: requirements ? requirementsText(requirements) : '-',
      matches: selectorMatcher(constraint.labelSelector),
      everything: requirements?.length === 0,
    },
    honorAffinity: constraint.nodeAffinityPolicy !== 'Ignore',
    honorTaints: constraint.nodeTaintsPolicy === 'Honor',
  };
}
