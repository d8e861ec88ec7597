// The horizontal pod autoscaler: looks at each autoscaler every fifteen seconds, the first time fifteen seconds after it came, and
// changes how many replicas its target is to have. Bounds count before metrics, and without metrics too.
//
// Not modelled: custom and external metrics where somebody serves them (their absence is), scaling to zero.
import type {Scale} from '../../../api/kinds/autoscaling-v1.ts';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from '../../../api/kinds/autoscaling-v2.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {Status} from '../../../api/kinds/meta.ts';
import {withCondition} from '../../../api/meta/conditions.ts';
import {keyOf, splitApiVersion, type Resource} from '../../../api/meta/object.ts';
import {builtin, resourceOfKind} from '../../../api/meta/resources.ts';
import {parseSelector} from '../../../api/meta/selector-parser.ts';
import {requirementsMatcher, type LabelMatcher} from '../../../api/meta/selector.ts';
import type {Client} from '../../../client/client.ts';
import {get, update} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {podIndexes} from '../pod-index.ts';
import {isSameValue} from '../same-value.ts';
import type {AutoscalerTuning} from '../tuning.ts';
import {limit, type History} from './limits.ts';
import {propose} from './proposals.ts';

const autoscalers = builtin('autoscaling', 'horizontalpodautoscalers');
const LONGEST_MEMORY_MS = 3_600_000;
const UNABLE = "the HPA controller was unable to get the target's current scale";

/** Scales by metrics. */
export const horizontalPodAutoscalerController: Controller = {
  name: 'horizontal-pod-autoscaler-controller',
  account: 'horizontal-pod-autoscaler',
  component: 'horizontal-pod-autoscaler',
  start: context => {
    new Autoscaler(context).start();
  },
};

/** An autoscaler with the status that is being worked out. */
interface Look {
  readonly hpa: HorizontalPodAutoscaler;
  readonly key: string;
  conditions: readonly HorizontalPodAutoscalerCondition[];
}

type Verdict = Pick<HorizontalPodAutoscalerStatus, 'currentReplicas' | 'desiredReplicas' | 'lastScaleTime'> & {
  readonly currentMetrics: readonly MetricStatus[] | null;
};

class Autoscaler {
  readonly #context: Context;
  readonly #tuning: AutoscalerTuning;
  readonly #queue: WorkQueue;
  readonly #histories = new Map<string, History>();
  /** Selectors of the targets, by the autoscaler, as they were seen last. */
  readonly #selectors = new Map<string, string>();

  constructor(context: Context) {
    this.#context = context;
    this.#tuning = context.settings.tuning.autoscaler;
    podIndexes(context.informers);
    this.#queue = context.queue({reconcile: key => this.#look(key)});
  }

  /** Begins to listen. */
  start(): void {
    const later = (hpa: HorizontalPodAutoscaler): void => this.#queue.addAfter(keyOf(hpa), this.#tuning.periodMs);
    this.#context.informers
      .of<HorizontalPodAutoscaler>(autoscalers)
      .on({added: later, updated: later, deleted: hpa => this.#histories.delete(keyOf(hpa))});
  }

  *#look(key: string): Task<Outcome> {
    const hpa = this.#context.informers.of<HorizontalPodAutoscaler>(autoscalers).get(key);
    if (!hpa) return undefined;
    yield* this.#reconcile({hpa, key, conditions: hpa.status?.conditions ?? []});
    return {afterMs: this.#tuning.periodMs};
  }

  *#reconcile(look: Look): Task {
    const {client, recorder} = this.#context;
    const {hpa, key} = look;
    const found = yield* findScale(client, hpa);
    if ('error' in found) {
      recorder.record(hpa, {type: 'Warning', reason: 'FailedGetScale', message: found.error});
      this.#say(look, {type: 'AbleToScale', status: 'False', reason: 'FailedGetScale', message: `${UNABLE}: ${found.error}`});
      yield* this.#write(look, this.#kept(hpa));
      return;
    }
    const {scale} = found;
    const message = "the HPA controller was able to get the target's current scale";
    this.#say(look, {type: 'AbleToScale', status: 'True', reason: 'SucceededGetScale', message});
    const current = scale.spec?.replicas ?? 0;
    if (!this.#histories.has(key)) this.#recommend(key, current);
    const decision = yield* this.#decide(look, scale, current);
    if (!decision) return;
    const {desired, metrics} = decision;
    if (desired === current) {
      const {lastScaleTime} = hpa.status ?? {};
      yield* this.#write(look, {
        currentReplicas: current,
        desiredReplicas: current,
        currentMetrics: metrics,
        ...(lastScaleTime ? {lastScaleTime} : {}),
      });
      return;
    }
    yield* this.#rescale(look, found, decision);
  }

  /** How many it is to be; undefined when the metrics gave no answer, which is written down already. */
  *#decide(look: Look, scale: Scale, current: number): Task<Decision | undefined> {
    const {minReplicas = 1, maxReplicas} = look.hpa.spec;
    if (current === 0 && minReplicas !== 0) {
      const message = 'scaling is disabled since the replica count of the target is zero';
      this.#say(look, {type: 'ScalingActive', status: 'False', reason: 'ScalingDisabled', message});
      return {desired: current, why: '', metrics: null};
    }
    if (current > maxReplicas)
      return {desired: maxReplicas, why: 'Current number of replicas above Spec.MaxReplicas', metrics: null};
    if (current < minReplicas)
      return {desired: minReplicas, why: 'Current number of replicas below Spec.MinReplicas', metrics: null};
    return yield* this.#byMetrics(look, scale, current);
  }

  *#byMetrics(look: Look, scale: Scale, current: number): Task<Decision | undefined> {
    const {client, recorder, daemon} = this.#context;
    const {hpa, key} = look;
    const labelSelector = scale.status?.selector ?? '';
    if (labelSelector === '') {
      const condition = "the HPA target's scale is missing a selector";
      return yield* this.#unselected(look, current, {reason: 'SelectorRequired', message: 'selector is required', condition});
    }
    const pods = this.#podsOf(hpa.metadata.namespace ?? '', labelSelector);
    const rivals = this.#rivals(key, labelSelector, pods);
    if (rivals.length > 1) {
      const message = `pods by selector ${labelSelector} are controlled by multiple HPAs: [${rivals.map(each => `{${each.replace('/', ' ')}}`).join(' ')}]`;
      return yield* this.#unselected(look, current, {reason: 'AmbiguousSelector', message, condition: message});
    }
    const proposals = yield* propose({
      client,
      hpa,
      pods,
      labelSelector,
      specReplicas: current,
      statusReplicas: scale.status?.replicas ?? 0,
      nowMs: daemon.wall(),
      tuning: this.#tuning,
    });
    for (const {reason, message} of proposals.failed) recorder.record(hpa, {type: 'Warning', reason, message});
    const [failed] = proposals.failed;
    if (proposals.replicas === undefined) {
      if (failed) {
        const message = `the HPA was unable to compute the replica count: ${failed.message}`;
        this.#say(look, {type: 'ScalingActive', status: 'False', reason: failed.reason, message});
      }
      yield* this.#write(look, {...this.#kept(hpa), currentReplicas: current, currentMetrics: proposals.statuses});
      recorder.record(hpa, {type: 'Warning', reason: 'FailedComputeMetricsReplicas', message: proposals.error ?? ''});
      return undefined;
    }
    const valid = `the HPA was able to successfully calculate a replica count from ${proposals.metric}`;
    this.#say(look, {type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound', message: valid});
    const wanted = proposals.replicas;
    const wish = {current, desired: wanted, nowMs: daemon.clock.now, history: this.#histories.get(key) ?? NO_HISTORY};
    const limited = limit(hpa, wish, this.#tuning.downscaleMs);
    this.#recommend(key, wanted);
    this.#say(look, {type: 'AbleToScale', status: 'True', ...limited.able});
    this.#say(look, {type: 'ScalingLimited', ...limited.limited});
    const why = wanted > current ? `${proposals.metric} above target` : wanted < current ? 'All metrics below target' : '';
    return {desired: limited.replicas, why, metrics: proposals.statuses};
  }

  /** The autoscalers whose targets' selectors select one of these pods: there should be no other. */
  #rivals(key: string, labelSelector: string, pods: readonly Pod[]): readonly string[] {
    const {store} = this.#context.informers.of<HorizontalPodAutoscaler>(autoscalers);
    this.#selectors.set(key, labelSelector);
    const [namespace] = key.split('/');
    return [...this.#selectors].flatMap(([other, text]) => {
      if (!store.has(other)) {
        this.#selectors.delete(other);
        return [];
      }
      const [place, name = ''] = other.split('/');
      const matches = matcherOf(text);
      const selects = place === namespace && pods.some(({metadata}) => matches(metadata.labels));
      return other === key || selects ? [`${name}/${place}`] : [];
    });
  }

  *#unselected(
    look: Look,
    current: number,
    {reason, message, condition}: {readonly reason: string; readonly message: string; readonly condition: string},
  ): Task<undefined> {
    const {recorder} = this.#context;
    recorder.record(look.hpa, {type: 'Warning', reason, message});
    const type = reason === 'SelectorRequired' ? 'InvalidSelector' : reason;
    this.#say(look, {type: 'ScalingActive', status: 'False', reason: type, message: condition});
    yield* this.#write(look, {...this.#kept(look.hpa), currentReplicas: current, currentMetrics: null});
    recorder.record(look.hpa, {type: 'Warning', reason: 'FailedComputeMetricsReplicas', message});
    return undefined;
  }

  *#rescale(look: Look, {scale, resource}: Found, {desired, why, metrics}: Decision): Task {
    const {client, recorder, daemon} = this.#context;
    const {hpa, key} = look;
    const current = scale.spec?.replicas ?? 0;
    const next = {...scale, spec: {...scale.spec, replicas: desired}} as Scale;
    const result = yield* client.ask(update(resource, next, 'scale'));
    const size = `New size: ${desired}; reason: ${why}`;
    if (!result.ok) {
      const error = result.status.message ?? '';
      recorder.record(hpa, {type: 'Warning', reason: 'FailedRescale', message: `${size}; error: ${error}`});
      const message = `the HPA controller was unable to update the target scale: ${error}`;
      this.#say(look, {type: 'AbleToScale', status: 'False', reason: 'FailedUpdateScale', message});
      yield* this.#write(look, {...this.#kept(hpa), currentReplicas: current, currentMetrics: metrics});
      return;
    }
    const message = `the HPA controller was able to update the target scale to ${desired}`;
    this.#say(look, {type: 'AbleToScale', status: 'True', reason: 'SucceededRescale', message});
    recorder.record(hpa, {type: 'Normal', reason: 'SuccessfulRescale', message: size});
    this.#remember(key, {changes: [{by: desired - current, atMs: daemon.clock.now}], recommendations: []});
    yield* this.#write(look, {
      currentReplicas: current,
      desiredReplicas: desired,
      currentMetrics: metrics,
      lastScaleTime: daemon.now(),
    });
  }

  #podsOf(namespace: string, text: string) {
    const parsed = parseSelector(text);
    const requirements = 'requirements' in parsed ? parsed.requirements : [];
    const matches = requirementsMatcher(requirements);
    const {pods, byLabel} = podIndexes(this.#context.informers);
    const exact = requirements.find(({operator}) => operator === '=');
    const candidates = exact ? byLabel.of(`${namespace}/${exact.key}=${exact.values[0]}`).values() : pods.store.values();
    return [...candidates].filter(({metadata}) => metadata.namespace === namespace && matches(metadata.labels));
  }

  #recommend(key: string, replicas: number): void {
    this.#remember(key, {recommendations: [{replicas, atMs: this.#context.daemon.clock.now}], changes: []});
  }

  #remember(key: string, more: History): void {
    const old = this.#histories.get(key) ?? NO_HISTORY;
    const since = this.#context.daemon.clock.now - LONGEST_MEMORY_MS;
    this.#histories.set(key, {
      recommendations: [...old.recommendations.filter(({atMs}) => atMs > since), ...more.recommendations],
      changes: [...old.changes.filter(({atMs}) => atMs > since), ...more.changes],
    });
  }

  #say(look: Look, condition: HorizontalPodAutoscalerCondition): void {
    look.conditions = withCondition(look.conditions, {...condition, lastTransitionTime: this.#context.daemon.now()});
  }

  #kept({status}: HorizontalPodAutoscaler): Verdict {
    const {currentReplicas, desiredReplicas = 0, lastScaleTime, currentMetrics = null} = status ?? {};
    return {
      ...(currentReplicas === undefined ? {} : {currentReplicas}),
      desiredReplicas,
      currentMetrics,
      ...(lastScaleTime ? {lastScaleTime} : {}),
    };
  }

  *#write({hpa, conditions}: Look, verdict: Verdict): Task {
    const status = {...verdict, conditions} as unknown as HorizontalPodAutoscalerStatus;
    if (isSameValue(hpa.status, status)) return;
    const {recorder, client} = this.#context;
    const result = yield* client.ask(update(autoscalers, {...hpa, status}, 'status'));
    if (!result.ok) recorder.record(hpa, {type: 'Warning', reason: 'FailedUpdateStatus', message: result.status.message ?? ''});
  }
}

function matcherOf(text: string): LabelMatcher {
  const parsed = parseSelector(text);
  return requirementsMatcher('requirements' in parsed ? parsed.requirements : []);
}

interface Decision {
  readonly desired: number;
  readonly why: string;
  readonly metrics: readonly MetricStatus[] | null;
}

const NO_HISTORY: History = {recommendations: [], changes: []};

interface Found {
  readonly scale: Scale;
  readonly resource: Resource;
}

function* findScale(client: Client, {metadata, spec}: HorizontalPodAutoscaler): Task<Found | {readonly error: string}> {
  const {apiVersion = 'v1', kind, name} = spec.scaleTargetRef;
  const resource = resourceOfKind(apiVersion, kind) ?? (yield* discover(client, apiVersion, kind));
  if (!resource) {
    const {group} = splitApiVersion(apiVersion);
    return {error: `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`};
  }
  const place = {namespace: metadata.namespace, name, subresource: 'scale'};
  const result = yield* client.ask<Scale>(get(resource, place));
  return result.ok ? {scale: result.value, resource} : {error: wordsOf(result.status)};
}

function wordsOf({message, code}: Status): string {
  return message && message !== '' ? message : `the server responded with the status code ${code}`;
}

interface ResourceList {
  readonly resources: readonly {readonly name: string; readonly kind: string; readonly namespaced: boolean}[];
}

/** A kind that the server does not know from birth. */
function* discover(client: Client, apiVersion: string, kind: string): Task<Resource | undefined> {
  const result = yield* client.ask<ResourceList>({method: 'GET', path: `/apis/${apiVersion}`});
  const found = result.ok ? result.value.resources.find(each => each.kind === kind && !each.name.includes('/')) : undefined;
  return found && {...splitApiVersion(apiVersion), resource: found.name, kind, namespaced: found.namespaced};
}
