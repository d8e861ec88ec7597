// The probes of one pod's running containers. The startup probe comes first and alone; when it has succeeded, or there is none,
// liveness and readiness begin. Each result is counted, and only a change of the verdict is told.
//
// A first look comes within a period, at a moment that depends on the pod, so that a node's probes do not all fall together.
import type {Container, Probe} from '../../api/kinds/core-v1.ts';
import type {Pod} from '../../api/kinds/core-v1.ts';
import {isSidecar} from '../../api/meta/pod.ts';
import type {ContainerStatus} from '../../api/wire/cri.ts';
import type {Timer} from '../../sim/clock.ts';
import type {PodKnowledge, ProbeFindings} from './knowledge.ts';
import {attemptProbe, type Outcome} from './probe-attempt.ts';
import {fieldPath, tell, type KubeletParts} from './surroundings.ts';

type ProbeKind = 'startup' | 'liveness' | 'readiness';

const TITLES: Readonly<Record<ProbeKind, string>> = {startup: 'Startup', liveness: 'Liveness', readiness: 'Readiness'};

export interface ProbesFacts {
  readonly parts: KubeletParts;
  readonly pod: () => Pod;
  readonly known: PodKnowledge;
  readonly podIP: () => string;
  /** A verdict changed. */
  readonly found: () => void;
}

interface Watch {
  readonly kind: ProbeKind;
  readonly probe: Probe;
  readonly container: Container;
  readonly id: string;
  timer: Timer | undefined;
  last: Outcome['kind'] | undefined;
  run: number;
  over: boolean;
}

/** The probes of a pod. */
export class Probes {
  readonly #facts: ProbesFacts;
  #watches: Watch[] = [];

  constructor(facts: ProbesFacts) {
    this.#facts = facts;
  }

  /** A container runs: its probes begin. */
  start(status: ContainerStatus): void {
    const {known, pod} = this.#facts;
    if (known.probes.get(status.name)?.id === status.id) return;
    const {spec} = pod();
    const container =
      spec.containers.find(each => each.name === status.name) ??
      spec.initContainers?.find(each => each.name === status.name && isSidecar(each));
    if (!container) return;
    const {startupProbe, livenessProbe, readinessProbe} = container;
    if (!startupProbe && !livenessProbe && !readinessProbe) {
      known.probes.set(status.name, {id: status.id, started: true, ready: true});
      return;
    }
    known.probes.set(status.name, {id: status.id, started: !startupProbe, ready: !readinessProbe});
    for (const [kind, probe] of [
      ['startup', startupProbe],
      ['liveness', livenessProbe],
      ['readiness', readinessProbe],
    ] as const)
      if (probe) this.#watch({kind, probe, container, id: status.id, timer: undefined, last: undefined, run: 0, over: false});
  }

  /** A container ended. */
  stop(name: string, id: string): void {
    const {known} = this.#facts;
    if (known.probes.get(name)?.id === id) known.probes.delete(name);
    this.#drop(watch => watch.id === id);
  }

  /** The pod is to end: readiness still counts, nothing is killed any more. */
  end(): void {
    this.#drop(watch => watch.kind !== 'readiness');
  }

  #drop(which: (watch: Watch) => boolean): void {
    const {clock} = this.#facts.parts.daemon;
    this.#watches = this.#watches.filter(watch => {
      if (!which(watch)) return true;
      watch.over = true;
      clock.cancel(watch.timer);
      return false;
    });
  }

  #watch(watch: Watch): void {
    this.#watches.push(watch);
    const {initialDelaySeconds = 0, periodSeconds = 10} = watch.probe;
    const {dice} = this.#facts.parts.daemon;
    // The kubelet spreads first looks only when it has just started; otherwise the period begins with the container.
    const first = initialDelaySeconds > 0 ? initialDelaySeconds * 1000 : Math.min(1000, periodSeconds * 1000) * dice.fraction();
    this.#later(watch, first);
  }

  #later(watch: Watch, ms: number): void {
    watch.timer = this.#facts.parts.daemon.scope.after(ms, () => this.#look(watch));
  }

  #look(watch: Watch): void {
    const {parts, known, podIP} = this.#facts;
    const findings = known.probes.get(watch.container.name);
    if (watch.over || findings?.id !== watch.id) return;
    const period = (watch.probe.periodSeconds ?? 10) * 1000;
    if (watch.kind !== 'startup' && !findings.started) {
      this.#later(watch, period);
      return;
    }
    const {clock, scope, daemon} = {clock: parts.daemon.clock, scope: parts.daemon.scope, daemon: parts.daemon};
    const begun = clock.now;
    const target = {daemon, runtime: parts.runtime, container: watch.container, id: watch.id, podIP: podIP()};
    scope.run(attemptProbe(watch.probe, target), outcome => {
      if (watch.over) return;
      this.#judge(watch, findings, outcome);
      if (!watch.over) this.#later(watch, Math.max(1, period - (clock.now - begun)));
    });
  }

  #judge(watch: Watch, findings: ProbeFindings, {kind: result, output}: Outcome): void {
    if (result !== 'success') this.#tellFailure(watch, result, output);
    if (result === 'unknown') return;
    watch.run = watch.last === result ? watch.run + 1 : 1;
    watch.last = result;
    const {failureThreshold = 3, successThreshold = 1} = watch.probe;
    if (watch.run < (result === 'success' ? successThreshold : failureThreshold)) return;
    const good = result === 'success';
    if (watch.kind === 'readiness') this.#set(findings, 'ready', good);
    else if (watch.kind === 'startup' && good) {
      this.#set(findings, 'started', true);
      this.#drop(each => each === watch);
      for (const other of this.#watches) if (other.id === watch.id) this.#hurry(other);
    } else if (!good) {
      findings.failed = watch.kind;
      watch.over = true;
      this.#facts.found();
    }
  }

  #hurry(watch: Watch): void {
    this.#facts.parts.daemon.clock.cancel(watch.timer);
    this.#later(watch, 1);
  }

  #set(findings: ProbeFindings, field: 'ready' | 'started', value: boolean): void {
    if (findings[field] === value) return;
    findings[field] = value;
    this.#facts.found();
  }

  #tellFailure({kind, container}: Watch, result: Outcome['kind'], output: string): void {
    const {parts, pod} = this.#facts;
    const object = pod();
    const list = object.spec.containers.includes(container) ? 'regular' : 'init';
    const message =
      result === 'unknown'
        ? `${TITLES[kind]} probe errored and resulted in unknown state: ${output}`
        : `${TITLES[kind]} probe failed: ${output}`;
    tell(parts, object, {type: 'Warning', reason: 'Unhealthy', message, fieldPath: fieldPath(list, container.name)});
  }
}
