// The way of one pod, as lamps: how far it has come, and what each component last said about it. How far is read from the objects
// and events that the player may see, as one would with kubectl; what components did where no event tells, and whether they are heard
// at all, from the trace.
import type {Event, Pod, Service} from '../../api/kinds/core-v1.ts';
import type {Deployment, ReplicaSet} from '../../api/kinds/apps-v1.ts';
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import {isReady} from '../../api/meta/pod.ts';
import type {Heard, Speaker} from './heard.ts';
import type {Lamp, Light} from './state.ts';

/** What the player sees of a namespace. */
export interface Seen {
  readonly deployments: readonly Deployment[];
  readonly replicaSets: readonly ReplicaSet[];
  readonly pods: readonly Pod[];
  readonly services: readonly Service[];
  readonly slices: readonly Omit<EndpointSlice, 'spec'>[];
  readonly events: readonly Event[];
  /** The API server is not heard. */
  readonly stale: boolean;
}

/** The pod whose way is shown, and those that made it. */
export interface Focus {
  readonly pod: Pod | undefined;
  readonly replicaSet: ReplicaSet | undefined;
  readonly deployment: Deployment | undefined;
}

/** The most troubled Deployment (of equals the one rolled out last), its newest ReplicaSet, and the pod of it that has come least far. */
export function focusOf({deployments, replicaSets, pods}: Seen): Focus {
  const rolledOut = (deployment: Deployment) =>
    replicaSets
      .filter(set => set.metadata.ownerReferences?.some(owner => owner.uid === deployment.metadata.uid))
      .map(set => set.metadata.creationTimestamp ?? '')
      .reduce((newest, each) => (each > newest ? each : newest), '');
  const missing = (deployment: Deployment) => (deployment.spec.replicas ?? 1) - (deployment.status?.readyReplicas ?? 0);
  const [deployment] = [...deployments].sort(
    (a, b) =>
      missing(b) - missing(a) || rolledOut(b).localeCompare(rolledOut(a), 'en') || (a.metadata.name < b.metadata.name ? -1 : 1),
  );
  const own = replicaSets.filter(set => set.metadata.ownerReferences?.some(owner => owner.uid === deployment?.metadata.uid));
  const revision = (set: ReplicaSet) => Number(set.metadata.annotations?.['deployment.kubernetes.io/revision'] ?? 0);
  const [replicaSet] = own.sort((a, b) => revision(b) - revision(a));
  const members = replicaSet
    ? pods.filter(pod => pod.metadata.ownerReferences?.some(owner => owner.uid === replicaSet.metadata.uid))
    : deployment
      ? []
      : pods;
  const [pod] = [...members].sort(
    (a, b) =>
      Number(isReady(a)) - Number(isReady(b)) ||
      Number(a.spec.nodeName !== undefined) - Number(b.spec.nodeName !== undefined) ||
      (a.metadata.name < b.metadata.name ? -1 : 1),
  );
  return {pod, replicaSet, deployment};
}

interface Said {
  readonly words: string;
  readonly at: string;
}

/** The ten lamps. */
export function lampsOf(seen: Seen, focus: Focus, heard: Heard): readonly Lamp[] {
  const {pod, replicaSet, deployment} = focus;
  const last = (name: string | undefined, from: (event: Event) => boolean): Said => {
    const event = seen.events.findLast(each => each.involvedObject.name === name && from(each));
    return event ? {words: `${event.reason}: ${event.message}`, at: timeOf(event)} : {words: '', at: ''};
  };
  const of = (component: string) => (event: Event) =>
    (event.source?.component || event.reportingComponent || '').startsWith(component);
  const about =
    (...reasons: readonly string[]) =>
    (event: Event) =>
      of('kubelet')(event) && reasons.some(reason => event.reason?.startsWith(reason));
  const isThere = deployment !== undefined || pod !== undefined;
  // With nothing to follow, as in the namespace of one who looks after machines, the lamps tell who is alive.
  const alive = (light: Light): Light => (isThere ? light : 'ready');
  const image = /image|pull/i;
  const lamps = [
    lamp('kubectl', 'kubectl', isThere ? 'ready' : 'waiting'),
    lamp('api', 'API server', 'ready'),
    lamp('etcd', 'etcd', 'ready', revisionOf(focus)),
    lamp(
      'deploy',
      'deployment',
      alive(deploymentLight(deployment)),
      last(deployment?.metadata.name, of('deployment-controller')),
    ),
    lamp('rs', 'replicaset', alive(replicaSetLight(replicaSet)), last(replicaSet?.metadata.name, of('replicaset-controller'))),
    lamp('sched', 'scheduler', alive(schedulerLight(pod)), last(pod?.metadata.name, of('default-scheduler'))),
    lamp(
      'kubelet',
      'kubelet',
      kubeletLight(pod),
      last(pod?.metadata.name, about('FailedMount', 'FailedCreatePodSandBox', 'Created', 'Started', 'Killing')),
    ),
    lamp(
      'image',
      'runtime',
      imageLight(pod),
      last(pod?.metadata.name, event => of('kubelet')(event) && image.test(`${event.reason} ${event.message}`)),
    ),
    lamp('ready', 'ready', readyLight(pod), last(pod?.metadata.name, about('Unhealthy', 'BackOff', 'Started'))),
    lamp('service', 'endpoints', serviceLight(seen, pod)),
  ];
  return lamps.map(each => {
    const speaker = each.id as Speaker;
    const deed = each.words === '' ? heard.deeds.get(speaker) : undefined;
    // While the API server is not heard, all that stands here is old but the player's own kubectl.
    const isOld = heard.silent.has(speaker) || (seen.stale && each.id !== 'kubectl');
    return {...each, ...deed, light: isOld ? ('stale' as const) : each.light};
  });
}

/** etcd says nothing, but every object bears the revision under which it was stored last. */
function revisionOf({pod, replicaSet, deployment}: Focus): Said {
  const newest = Math.max(...[pod, replicaSet, deployment].map(object => Number(object?.metadata.resourceVersion ?? 0)));
  return {words: newest > 0 ? `stored at revision ${newest}` : '', at: ''};
}

function lamp(id: string, name: string, light: Light, said: Said = {words: '', at: ''}): Lamp {
  return {id, label: id, name, light, ...said};
}

function deploymentLight(deployment: Deployment | undefined): Light {
  if (!deployment) return 'waiting';
  return (deployment.status?.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0) ? 'ready' : 'working';
}

function replicaSetLight(set: ReplicaSet | undefined): Light {
  if (!set) return 'waiting';
  if (set.status?.conditions?.some(condition => condition.type === 'ReplicaFailure' && condition.status === 'True'))
    return 'broken';
  return (set.status?.replicas ?? 0) === (set.spec.replicas ?? 0) ? 'ready' : 'working';
}

function schedulerLight(pod: Pod | undefined): Light {
  if (!pod) return 'waiting';
  if (pod.spec.nodeName) return 'ready';
  return pod.status?.conditions?.some(condition => condition.type === 'PodScheduled' && condition.status === 'False')
    ? 'broken'
    : 'working';
}

function kubeletLight(pod: Pod | undefined): Light {
  if (!pod?.spec.nodeName) return 'waiting';
  const sandbox = pod.status?.conditions?.find(condition => condition.type === 'PodReadyToStartContainers');
  return sandbox?.status === 'True' ? 'ready' : 'working';
}

function imageLight(pod: Pod | undefined): Light {
  const states = pod?.status?.containerStatuses ?? [];
  if (!pod?.spec.nodeName || states.length === 0) return 'waiting';
  if (states.some(({state}) => /Image|Registry/.test(state?.waiting?.reason ?? ''))) return 'broken';
  return states.every(({containerID}) => containerID) ? 'ready' : 'working';
}

function readyLight(pod: Pod | undefined): Light {
  const states = pod?.status?.containerStatuses ?? [];
  if (pod && isReady(pod)) return 'ready';
  if (
    states.some(({state}) => /CrashLoop|Error|OOM|RunContainer/.test(state?.waiting?.reason ?? state?.terminated?.reason ?? ''))
  )
    return 'broken';
  return states.some(({state}) => state?.running) ? 'working' : 'waiting';
}

function serviceLight({services, slices}: Seen, pod: Pod | undefined): Light {
  const labels = pod?.metadata.labels ?? {};
  const names = services
    .filter(({spec}) => spec.selector && Object.entries(spec.selector).every(([key, value]) => labels[key] === value))
    .map(service => service.metadata.name);
  const own = slices.filter(slice => names.includes(slice.metadata.labels?.['kubernetes.io/service-name'] ?? ''));
  const endpoint = own
    .flatMap(slice => slice.endpoints ?? [])
    .find(each => pod?.status?.podIP !== undefined && each.addresses.includes(pod.status.podIP));
  if (!endpoint) return 'waiting';
  return endpoint.conditions?.ready === false ? 'working' : 'ready';
}

/** The time of day of an event's latest happening. */
export function timeOf(event: Event): string {
  return (event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? '').slice(11, 19);
}
