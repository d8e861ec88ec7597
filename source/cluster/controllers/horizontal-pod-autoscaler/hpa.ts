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
import {withCondition} from '../../../api/meta/conditions.ts';
import {keyOf} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {update} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {podIndexes} from '../pod-index.ts';
import {isSameValue} from '../same-value.ts';
import type {AutoscalerTuning} from '../tuning.ts';
import {Histories} from './histories.ts';
import {limit} from './limits.ts';
import {propose} from './proposals.ts';
import {podsOf, Selectors} from './target-pods.ts';
import {findScale, type Found} from './target-scale.ts';

const autoscalers = builtin('autoscaling', 'horizontalpodautoscalers');
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
  readonly #histories: Histories;
  readonly #selectors = new Selectors();

  constructor(context: Context) {
    this.#context = context;
    this.#tuning = context.settings.tuning.autoscaler;
    this.#histories = new Histories(context.daemon.clock);
    podIndexes(context.informers);
    this.#queue = context.queue({reconcile: key => this.#look(key)});
  }

  /** Begins to listen. */
  start(): void {
    const later = (hpa: HorizontalPodAutoscaler): void => this.#queue.addAfter(keyOf(hpa), this.#tuning.periodMs);
    this.#context.informers
      .of<HorizontalPodAutoscaler>(autoscalers)
      .on({added: later, updated: later, deleted: hpa => this.#histories.forget(keyOf(hpa))});
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
    if (!this.#histories.has(key)) this.#histories.recommended(key, current);
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
    const pods = podsOf(this.#context.informers, hpa.metadata.namespace ?? '', labelSelector);
    const {store} = this.#context.informers.of<HorizontalPodAutoscaler>(autoscalers);
    const rivals = this.#selectors.rivals({key, labelSelector, pods}, store);
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
    const wish = {current, desired: wanted, nowMs: daemon.clock.now, history: this.#histories.of(key)};
    const limited = limit(hpa, wish, this.#tuning.downscaleMs);
    this.#histories.recommended(key, wanted);
    this.#say(look, {type: 'AbleToScale', status: 'True', ...limited.able});
    this.#say(look, {type: 'ScalingLimited', ...limited.limited});
    const why = wanted > current ? `${proposals.metric} above target` : wanted < current ? 'All metrics below target' : '';
    return {desired: limited.replicas, why, metrics: proposals.statuses};
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
    this.#histories.changed(key, desired - current);
    yield* this.#write(look, {
      currentReplicas: current,
      desiredReplicas: desired,
      currentMetrics: metrics,
      lastScaleTime: daemon.now(),
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

interface Decision {
  readonly desired: number;
  readonly why: string;
  readonly metrics: readonly MetricStatus[] | null;
}
