// What people do to a cluster in a run: gentle deeds are requests that controllers must carry out with care; rough ones take
// something away that was there. Each is one function in a list, and says what it did.
import type {AnyObject} from '../../../source/api/meta/object.ts';
import {builtin, resourceOfKind, type ResourceFacts} from '../../../source/api/meta/resources.ts';
import type {Request} from '../../../source/api/wire/http.ts';
import {create, patch, remove} from '../../../source/client/verbs.ts';
import type {World} from '../../../source/world/world.ts';
import type {Chance} from './chance.ts';
import type {Ledger} from './ledger.ts';
import {serverSpec} from './pods.ts';
import {anyThing, NAMESPACES} from './things.ts';

export interface Hands {
  readonly world: World;
  readonly ledger: Ledger;
  readonly chance: Chance;
  readonly note: (text: string) => void;
}

export type Deed = (hands: Hands) => Promise<void>;

const TAINT = {key: 'broken', value: 'yes'};
const WORKLOADS: readonly ResourceFacts[] = [
  builtin('apps', 'deployments'),
  builtin('apps', 'statefulsets'),
  builtin('apps', 'daemonsets'),
];
const nodes = builtin('nodes');
const pods = builtin('pods');

/** Sends a request and tells what it came to. */
export async function ask({world, note}: Hands, request: Request, words: string): Promise<boolean> {
  const result = await world.ask(request);
  note(`${words}${result.ok ? '' : `: ${result.status.message ?? ''}`}`);
  return result.ok;
}

/** Objects of people's namespaces. */
export function ours(ledger: Ledger, resource: ResourceFacts): readonly AnyObject[] {
  return [...ledger.all(resource.resource).values()].filter(({metadata}) => NAMESPACES.includes(metadata.namespace ?? ''));
}

function any({ledger, chance}: Hands, resource: ResourceFacts): AnyObject | undefined {
  return chance.pick(ours(ledger, resource));
}

function place({metadata}: AnyObject): {name: string; namespace?: string} {
  return {name: metadata.name ?? '', ...(metadata.namespace === undefined ? {} : {namespace: metadata.namespace})};
}

function title(object: AnyObject): string {
  return `${object.kind} ${object.metadata.namespace === undefined ? '' : `${object.metadata.namespace}/`}${object.metadata.name}`;
}

async function change(hands: Hands, resource: ResourceFacts, object: AnyObject | undefined, body: object): Promise<void> {
  if (object)
    await ask(hands, patch(resource, place(object), 'merge', body), `${title(object)} ${JSON.stringify(body).slice(0, 160)}`);
}

const make: Deed = async hands => {
  const object = anyThing(hands.chance);
  const resource = resourceOfKind(object.apiVersion, object.kind);
  if (resource) await ask(hands, create(resource, object), `create ${title(object)}`);
};

const scale: Deed = async hands => {
  const resource = hands.chance.of(WORKLOADS[0], WORKLOADS[1]) as ResourceFacts;
  await change(hands, resource, any(hands, resource), {spec: {replicas: hands.chance.below(7)}});
};

/** A new template: another environment, another image, another whole spec. */
const roll: Deed = async hands => {
  const {chance} = hands;
  const resource = chance.pick(WORKLOADS) as ResourceFacts;
  const object = any(hands, resource);
  if (!object) return;
  const {containers} = serverSpec(chance, object.metadata.name) as {containers: object[]};
  await change(hands, resource, object, {
    spec: {
      template: {metadata: {annotations: {round: String(chance.below(1000))}}, ...chance.maybe(50, () => ({spec: {containers}}))},
    },
  });
};

const pause: Deed = async hands => {
  const [deployments] = WORKLOADS as readonly [ResourceFacts];
  await change(hands, deployments, any(hands, deployments), {spec: {paused: hands.chance.percent(40)}});
};

const suspend: Deed = async hands => {
  const resource = builtin('batch', hands.chance.of('jobs', 'cronjobs'));
  await change(hands, resource, any(hands, resource), {spec: {suspend: hands.chance.percent(40)}});
};

const parallelism: Deed = async hands => {
  const jobs = builtin('batch', 'jobs');
  await change(hands, jobs, any(hands, jobs), {spec: {parallelism: hands.chance.below(4)}});
};

const ungate: Deed = async hands => {
  const gated = ours(hands.ledger, pods).find(pod => (pod.spec as {schedulingGates?: unknown[]}).schedulingGates?.length);
  await change(hands, pods, gated, {spec: {schedulingGates: null}});
};

const resize: Deed = async hands => {
  const pod = any(hands, pods);
  if (!pod) return;
  const body = {spec: {containers: [{name: 'main', resources: {requests: {cpu: hands.chance.of('50m', '300m', '900m')}}}]}};
  await ask(hands, patch(pods, {...place(pod), subresource: 'resize'}, 'strategic', body), `resize ${title(pod)}`);
};

const DISOWNED = {propagationPolicy: 'Orphan'};

const removeThing: Deed = async hands => {
  const {chance} = hands;
  const kinds = [
    ...WORKLOADS,
    builtin('batch', 'jobs'),
    builtin('batch', 'cronjobs'),
    builtin('policy', 'poddisruptionbudgets'),
    builtin('services'),
    builtin('autoscaling', 'horizontalpodautoscalers'),
    builtin('resourcequotas'),
    builtin('persistentvolumeclaims'),
  ];
  const resource = chance.pick(kinds) as ResourceFacts;
  const object = any(hands, resource);
  if (!object) return;
  // What a Service is left without is nobody's: its slices would stay for ever.
  const orphaning = object.kind === 'Service' ? undefined : DISOWNED;
  const options = chance.of({propagationPolicy: 'Background'}, {propagationPolicy: 'Foreground'}, orphaning, undefined);
  await ask(hands, remove(resource, place(object), options), `delete ${title(object)} ${JSON.stringify(options ?? {})}`);
};

/** Disowns a pod, or brings one home. */
const relabel: Deed = async hands => {
  const {chance} = hands;
  const app = chance.percent(50) ? `web-${chance.below(4)}` : null;
  await change(hands, pods, any(hands, pods), {metadata: {labels: {app}}});
};

const removePod: Deed = async hands => {
  const pod = any(hands, pods);
  const grace = hands.chance.of({}, {}, {gracePeriodSeconds: 0}, {gracePeriodSeconds: 2});
  if (pod) await ask(hands, remove(pods, place(pod), grace), `delete ${title(pod)} ${JSON.stringify(grace)}`);
};

async function evictOne(hands: Hands, pod: AnyObject): Promise<void> {
  const at = {...place(pod), subresource: 'eviction'};
  const eviction = {apiVersion: 'policy/v1', kind: 'Eviction', metadata: place(pod)};
  await ask(hands, create(pods, eviction, at), `evict ${title(pod)}`);
}

const evict: Deed = async hands => {
  const pod = any(hands, pods);
  if (pod) await evictOne(hands, pod);
};

function aWorker({ledger, chance}: Hands): AnyObject | undefined {
  return chance.pick([...ledger.all('nodes').values()].filter(({metadata}) => metadata.name?.startsWith('node-')));
}

const cordon: Deed = async hands => change(hands, nodes, aWorker(hands), {spec: {unschedulable: hands.chance.percent(40)}});

const drain: Deed = async hands => {
  const node = aWorker(hands);
  if (!node) return;
  await change(hands, nodes, node, {spec: {unschedulable: true}});
  const there = ours(hands.ledger, pods).filter(pod => (pod.spec as {nodeName?: string}).nodeName === node.metadata.name);
  const owned = there.filter(({metadata}) => metadata.ownerReferences?.every(({kind}) => kind !== 'DaemonSet'));
  for (const pod of owned) await evictOne(hands, pod);
};

const taint: Deed = async hands => {
  const effect = hands.chance.of('NoExecute', 'NoSchedule', '');
  await change(hands, nodes, aWorker(hands), {spec: {taints: effect === '' ? null : [{...TAINT, effect}]}});
};

const move: Deed = async hands =>
  change(hands, nodes, aWorker(hands), {metadata: {labels: {'topology.kubernetes.io/zone': hands.chance.of('a', 'b', 'c')}}});

const wipe: Deed = async hands => {
  const namespaces = builtin('namespaces');
  const name = hands.chance.of(...NAMESPACES);
  await ask(hands, remove(namespaces, {name}), `delete namespace ${name}`);
};

const fault =
  (words: (hands: Hands) => string): Deed =>
  async hands => {
    const said = words(hands);
    const answer = await hands.world.fault(said);
    hands.note(`fault ${said}${'error' in answer ? `: ${answer.error}` : ''}`);
  };

const node = ({chance}: Hands): string => `node-${1 + chance.below(3)}`;

/** Somebody kills a container behind the kubelet's back. */
const killContainer: Deed = async hands => {
  const {world, note, chance} = hands;
  const host = node(hands);
  const alive = await world.fault(`alive containerd ${host}`);
  if (!('out' in alive) || alive.out !== 'yes\n') return;
  const {out} = await world.player.run('crictl ps -q', host);
  const id = chance.pick(out.split('\n').filter(Boolean));
  if (id === undefined) return;
  await world.player.run(`crictl stop -t 0 ${id}`, host);
  note(`kill container ${id.slice(0, 13)} on ${host}`);
};

/** A machine of the control plane whose component may fail while another can take over, or nobody is needed. */
function plane({world, chance}: Hands): string {
  return chance.pick(['cp-1', 'cp-2', 'cp-3'].filter(name => world.machines.has(name))) ?? 'cp-1';
}

/** Requests that leave what runs in peace, if it need not go. */
export const GENTLE: readonly (readonly [number, Deed])[] = [
  [16, make],
  [5, scale],
  [6, roll],
  [2, pause],
  [2, suspend],
  [1, parallelism],
  [1, ungate],
  [1, resize],
  [3, removeThing],
  [2, cordon],
];

/** What takes pods, machines and components away. */
export const ROUGH: readonly (readonly [number, Deed])[] = [
  [2, relabel],
  [4, removePod],
  [6, evict],
  [2, drain],
  [2, taint],
  [1, move],
  [1, wipe],
  [1, fault(hands => `power ${hands.chance.of('off', 'on')} ${node(hands)}`)],
  [2, killContainer],
  [2, fault(hands => `reboot ${node(hands)}`)],
  [1, fault(hands => `shutdown ${node(hands)}`)],
  [1, fault(hands => `stop kubelet ${node(hands)}`)],
  [1, fault(hands => `start kubelet ${node(hands)}`)],
  [2, fault(hands => `${hands.chance.of('kill', 'stop', 'start', 'start', 'pause', 'resume')} kcm ${plane(hands)}`)],
  [2, fault(hands => `${hands.chance.of('kill', 'stop', 'start', 'start', 'pause', 'resume')} scheduler ${plane(hands)}`)],
  [1, fault(hands => `${hands.chance.of('kill', 'start')} apiserver ${plane(hands)}`)],
  // Never the first one, where the ledger listens.
  [2, fault(hands => `${hands.chance.of('kill', 'stop', 'start', 'start')} etcd cp-${hands.chance.of(2, 3)}`)],
];

/** One of a list, by weight. */
export function pickDeed(chance: Chance, deeds: readonly (readonly [number, Deed])[]): Deed {
  const total = deeds.reduce((sum, [weight]) => sum + weight, 0);
  let at = chance.below(total);
  const [, deed] = deeds.find(([weight]) => (at -= weight) < 0) ?? [0, make];
  return deed;
}
