// The probes of one pod's running containers. The startup probe comes first and alone; when it has succeeded, or there is none,
// liveness and readiness begin. Each result is counted, and only a change of the verdict is told.
//
// A first look comes within a second, at a moment that depends on chance, so that a node's probes do not all fall together.
import type {Container, Pod, Probe} from '../../../api/kinds/core-v1.ts';
import {isSidecar} from '../../../api/meta/pod.ts';
import type {ContainerStatus} from '../../../api/wire/cri.ts';
import type {Timer} from '../../../sim/clock.ts';
import type {PodKnowledge, ProbeFindings} from '../knowledge.ts';
import {attemptProbe, type Outcome} from './probe-attempt.ts';
import {fieldPath, tell, type KubeletParts} from '../surroundings.ts';

type ProbeKind = 'startup' | 'liveness' | 'readiness';

const TITLES: Readonly<Record<ProbeKind, string>> = {startup: 'Startup', liveness: 'Liveness', readiness: 'Readiness'};

/** The pod whose containers are probed. */
export interface Probed {
  readonly parts: KubeletParts;
  readonly pod: Pod;
  readonly known: PodKnowledge;
  readonly podIP: string;
  /** A verdict changed. */
  wake(): void;
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

/** The container of a status that may have probes: a regular one or a sidecar. */
export function probedContainer(pod: Pod, name: string): Container | undefined {
  const {containers, initContainers} = pod.spec;
  const found =
    containers.find(each => each.name === name) ?? initContainers?.find(each => each.name === name && isSidecar(each));
  return found && (found.startupProbe ?? found.livenessProbe ?? found.readinessProbe) ? found : undefined;
}

/** The probes of a pod. */
export class Probes {
  readonly #of: Probed;
  #watches: Watch[] = [];

  constructor(of: Probed) {
    this.#of = of;
  }

  /** A container runs: its probes begin. */
  start(container: Container, status: ContainerStatus): void {
    const known = this.#of.known.of(status.name);
    if (known.probes?.id === status.id) return;
    const {startupProbe, livenessProbe, readinessProbe} = container;
    known.probes = {id: status.id, started: !startupProbe, ready: !readinessProbe};
    this.#watch('startup', startupProbe, {container, id: status.id});
    this.#watch('liveness', livenessProbe, {container, id: status.id});
    this.#watch('readiness', readinessProbe, {container, id: status.id});
  }

  /** A container ended. */
  stop(name: string, id: string): void {
    const known = this.#of.known.find(name);
    if (known?.probes?.id === id) known.probes = undefined;
    this.#drop(watch => watch.id === id);
  }

  /** The pod is to end: readiness still counts, nothing is killed any more. */
  end(): void {
    this.#drop(watch => watch.kind !== 'readiness');
  }

  /** No container is left, and nobody may hear of the last one's end. */
  close(): void {
    this.#drop(() => true);
  }

  #drop(which: (watch: Watch) => boolean): void {
    const {clock} = this.#of.parts.daemon;
    this.#watches = this.#watches.filter(watch => {
      if (!which(watch)) return true;
      watch.over = true;
      clock.cancel(watch.timer);
      return false;
    });
  }

  #watch(kind: ProbeKind, probe: Probe | undefined, of: {readonly container: Container; readonly id: string}): void {
    if (!probe) return;
    const watch: Watch = {kind, probe, ...of, timer: undefined, last: undefined, run: 0, over: false};
    this.#watches.push(watch);
    const {initialDelaySeconds = 0, periodSeconds = 10} = probe;
    const {dice} = this.#of.parts.daemon;
    const soon = Math.min(1000, periodSeconds * 1000) * (0.25 + 0.75 * dice.fraction());
    this.#later(watch, initialDelaySeconds > 0 ? initialDelaySeconds * 1000 : soon);
  }

  #later(watch: Watch, ms: number): void {
    watch.timer = this.#of.parts.daemon.scope.after(ms, () => this.#look(watch));
  }

  #look(watch: Watch): void {
    const {parts, known, podIP} = this.#of;
    const findings = known.find(watch.container.name)?.probes;
    if (watch.over || findings?.id !== watch.id) return;
    const period = (watch.probe.periodSeconds ?? 10) * 1000;
    if (watch.kind !== 'startup' && !findings.started) {
      this.#later(watch, period);
      return;
    }
    const {daemon, runtime} = parts;
    const begun = daemon.clock.now;
    daemon.scope.run(attemptProbe(watch.probe, {daemon, runtime, container: watch.container, id: watch.id, podIP}), outcome => {
      if (watch.over) return;
      this.#judge(watch, findings, outcome);
      if (!watch.over) this.#later(watch, Math.max(1, period - (daemon.clock.now - begun)));
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
      this.#of.wake();
    }
  }

  #hurry(watch: Watch): void {
    this.#of.parts.daemon.clock.cancel(watch.timer);
    this.#later(watch, 1);
  }

  #set(findings: ProbeFindings, field: 'ready' | 'started', value: boolean): void {
    if (findings[field] === value) return;
    findings[field] = value;
    this.#of.wake();
  }

  #tellFailure({kind, container}: Watch, result: Outcome['kind'], output: string): void {
    const {parts, pod} = this.#of;
    const list = pod.spec.containers.some(each => each.name === container.name) ? 'regular' : 'init';
    const said = result === 'unknown' ? 'errored and resulted in unknown state' : 'failed';
    const message = `${TITLES[kind]} probe ${said}: ${output}`;
    tell(parts, pod, {type: 'Warning', reason: 'Unhealthy', message, fieldPath: fieldPath(list, container.name)});
  }
}
